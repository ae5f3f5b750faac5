import { expect, test } from 'vitest';
import { Lane } from './lanes.ts';

const never = new AbortController().signal;

test('tasks beyond the size wait their turn in order', async () => {
  const lane = new Lane(['a', 'b']);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const started: number[] = [];
  const runs = gates.map((gate, index) =>
    lane.run(async (resource) => {
      started.push(index);
      await gate.promise;
      return resource;
    }, never),
  );
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve();
  await runs[1];
  expect(started).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve();
  expect((await Promise.all(runs)).sort()).toEqual(['a', 'a', 'b', 'b'].sort((x, y) => x.localeCompare(y)).slice(0, 4));
});

test('an abort leaves the queue, a failed task frees its place', async () => {
  const lane = new Lane(['a']);
  const gate = Promise.withResolvers<void>();
  const first = lane.run(() => gate.promise, never);
  const abort = new AbortController();
  const left = lane.run(() => Promise.resolve('never'), abort.signal);
  const failing = lane.run(() => Promise.reject(new Error('x')), never);
  const last = lane.run(() => Promise.resolve('last'), never);
  abort.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  gate.resolve();
  await first;
  await expect(failing).rejects.toThrow('x');
  expect(await last).toBe('last');
});

test('too many waiting are refused', async () => {
  const lane = new Lane(['a']);
  const gate = Promise.withResolvers<void>();
  const runs = Array.from({ length: 300 }, () => lane.run(() => gate.promise, never));
  const settled = Promise.allSettled(runs);
  gate.resolve();
  const refused = (await settled).filter((result) => result.status === 'rejected');
  expect(refused.length).toBe(300 - 201);
  expect(refused[0]?.reason).toMatchObject({ code: 202 });
});
