import { expect, test } from 'vitest';
import { createPrefetchQueue, type PrefetchTask } from './prefetch-queue.ts';

/** A queue whose tasks run until they are told to end. */
function start(width: number) {
  const state = { quiet: true };
  const queue = createPrefetchQueue(width, () => state.quiet);
  const log: string[] = [];
  const open = new Map<string, () => void>();
  let most = 0;
  const add = (owner: string, more: Partial<PrefetchTask> = {}): void =>
    queue.add({
      owner,
      ...more,
      run: (signal) =>
        new Promise((resolve) => {
          log.push(owner);
          open.set(owner, () => {
            open.delete(owner);
            resolve(undefined);
          });
          signal.addEventListener('abort', () => {
            log.push(`${owner} aborted`);
            open.get(owner)?.();
          });
          most = Math.max(most, open.size);
        }),
    });
  const end = async (owner: string): Promise<void> => {
    open.get(owner)?.();
    await turn();
  };
  return { queue, state, log, open, add, end, most: () => most };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('never more than five at once, in order, and all of them in the end', async () => {
  const { log, open, add, end, most } = start(5);
  const names = Array.from({ length: 30 }, (_, index) => `/issues/${index}`);
  for (const name of names) add(name);
  expect(log).toHaveLength(5);
  while (open.size > 0) await end([...open.keys()][0] ?? '');
  expect(most()).toBe(5);
  expect(log).toEqual(names);
});

test('what the reader points at goes first, the newest before the older', async () => {
  const { log, add, end } = start(1);
  add('running');
  add('seen');
  add('hovered', { urgent: true });
  add('hovered later', { urgent: true });
  for (const name of ['running', 'hovered later', 'hovered']) await end(name);
  expect(log).toEqual(['running', 'hovered later', 'hovered', 'seen']);
});

test('a dropped owner never starts, and what runs for it is aborted and frees its place', async () => {
  const { queue, log, add } = start(1);
  add('gone');
  add('gone');
  add('stays');
  queue.drop('gone', false);
  await turn();
  expect(log).toEqual(['gone', 'gone aborted', 'stays']);
});

test('a visit stops everything but what it joins; nothing starts until it is over', async () => {
  const { queue, log, open, add } = start(3);
  for (const name of ['a', 'target', 'b', 'waiting']) add(name);
  queue.hold('target');
  await turn();
  expect(log).toEqual(['a', 'target', 'b', 'a aborted', 'b aborted']);
  add('of the new page', { urgent: true });
  queue.drop('target', false);
  expect([...open.keys()]).toEqual(['target']);
  queue.resume();
  expect(log.at(-1)).toBe('of the new page');
});

test('links in view wait while the page itself is loading, those pointed at do not', () => {
  const { queue, state, log, add } = start(5);
  state.quiet = false;
  add('seen');
  add('hovered', { urgent: true });
  expect(log).toEqual(['hovered']);
  state.quiet = true;
  queue.look();
  expect(log).toEqual(['hovered', 'seen']);
});

test('what cannot be aborted goes one by one', async () => {
  const { log, add, end } = start(5);
  add('code 1', { alone: true });
  add('code 2', { alone: true });
  add('data');
  add('code hovered', { alone: true, urgent: true });
  expect(log).toEqual(['code 1', 'data', 'code hovered']);
  await end('code 1');
  await end('code hovered');
  expect(log.at(-1)).toBe('code 2');
});

test('a task that fails frees its place', async () => {
  const { queue, log, add } = start(1);
  queue.add({ owner: 'failing', run: () => Promise.reject(new Error('no')) });
  add('next');
  await turn();
  expect(log).toEqual(['next']);
});
