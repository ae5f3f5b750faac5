import { expect, test } from 'vitest';
import { createFailures } from '../self/index.ts';
import type { Job } from './job.ts';
import { openLoop, type Turns } from './loop.ts';

const failures = createFailures({ logger: { error: () => {} } });
const day = 86_400_000;

/** A loop of a job for one node, and after how many ms it let others run it. */
function loopOf(run: Job['run']) {
  const ends: number[] = [];
  const turns: Turns = {
    take: async () => ({
      isFresh: true,
      signal: new AbortController().signal,
      end: async ({ afterMs }) => void ends.push(afterMs),
    }),
  };
  const job: Job = { name: 'daily', title: 'Daily', nodes: 'one', everyMs: day, failed: 'not done', run };
  return { ends, loop: openLoop(job, { node: 'here', failures, turns }) };
}

test('what a stop has broken off is due at once', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { ends, loop } = loopOf(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('the store is closed')));
        resolve();
      }),
  );
  await begun;
  await loop[Symbol.asyncDispose]();
  expect(ends).toEqual([0]);
});

test('what came to its end as the server stopped is due when it always is', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const { ends, loop } = loopOf(
    ({ signal }) =>
      new Promise((done) => {
        signal.addEventListener('abort', () => done());
        resolve();
      }),
  );
  await begun;
  await loop[Symbol.asyncDispose]();
  expect(ends).toEqual([day]);
});
