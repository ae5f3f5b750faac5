import { expect, test } from 'vitest';
import { createPrefetchQueue } from './prefetch.ts';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('never more than five at once, the newest waiting first, and all of them in the end', async () => {
  const enqueue = createPrefetchQueue(5);
  const open = new Map<number, () => void>();
  const started: number[] = [];
  let most = 0;
  const tasks = Array.from({ length: 12 }, (_, index) =>
    enqueue(
      () =>
        new Promise<number>((resolve) => {
          started.push(index);
          open.set(index, () => {
            open.delete(index);
            resolve(index);
          });
          most = Math.max(most, open.size);
        }),
    ),
  );
  await turn();
  expect(started).toEqual([0, 1, 2, 3, 4]);
  while (open.size > 0) {
    open.values().next().value?.();
    await turn();
  }
  expect(most).toBe(5);
  expect(started.slice(5)).toEqual([11, 10, 9, 8, 7, 6, 5]);
  expect(await Promise.all(tasks)).toEqual(Array.from({ length: 12 }, (_, index) => index));
});

test('a task that fails frees its place; what waits too long is dropped', async () => {
  const enqueue = createPrefetchQueue(1, 2);
  const failing = enqueue(() => Promise.reject(new Error('no')));
  const dropped = enqueue(() => Promise.resolve('a'));
  const rest = [enqueue(() => Promise.resolve('b')), enqueue(() => Promise.resolve('c'))];
  await expect(failing).rejects.toThrow('no');
  expect(await dropped).toBeUndefined();
  expect(await Promise.all(rest)).toEqual(['b', 'c']);
});
