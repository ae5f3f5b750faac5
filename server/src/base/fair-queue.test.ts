import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const refuse = (): Error => new Error('too many');

/** Tasks that end when they are told, and the order in which they began. */
function tasksOf(queue: FairQueue) {
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  return {
    started,
    run(key: string, name: string, signal?: AbortSignal): Promise<string> {
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      const task = async (): Promise<string> => {
        started.push(name);
        await gate.promise;
        return name;
      };
      return queue.run(key, task, signal);
    },
    async end(name: string): Promise<void> {
      gates.get(name)?.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('nobody has all slots, so that whoever comes finds one', async () => {
  const tasks = tasksOf(new FairQueue({ slots: 3, slotsEach: 2, waitingEach: 100, refuse }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void tasks.run('a', name);
  expect(tasks.started).toEqual(['a1', 'a2']);
  void tasks.run('b', 'b1');
  expect(tasks.started).toEqual(['a1', 'a2', 'b1']);
  await tasks.end('b1');
  expect(tasks.started).toHaveLength(3);
  await tasks.end('a2');
  expect(tasks.started).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('the next slot goes to whoever has the fewest, among equals to who had one the longest ago', async () => {
  const tasks = tasksOf(new FairQueue({ slots: 2, slotsEach: 2, waitingEach: 100, refuse }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void tasks.run('a', name);
  void tasks.run('b', 'b1');
  void tasks.run('c', 'c1');
  await tasks.end('a1');
  await tasks.end('a2');
  expect(tasks.started).toEqual(['a1', 'a2', 'b1', 'c1']);
  await tasks.end('b1');
  expect(tasks.started.at(-1)).toBe('a3');
});

test('who leaves does not begin; what fails gives its slot back', async () => {
  const queue = new FairQueue({ slots: 1, slotsEach: 1, waitingEach: 100, refuse });
  const tasks = tasksOf(queue);
  void tasks.run('a', 'a1');
  const gone = new AbortController();
  const left = tasks.run('a', 'a2', gone.signal);
  const failing = expect(queue.run('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const last = tasks.run('a', 'a3');
  gone.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await tasks.end('a1');
  await failing;
  await tasks.end('a3');
  expect(await last).toBe('a3');
  expect(tasks.started).toEqual(['a1', 'a3']);
  await expect(tasks.run('a', 'a4', gone.signal)).rejects.toThrow('left');
});

test('of one key so many may wait and no more', async () => {
  const tasks = tasksOf(new FairQueue({ slots: 1, slotsEach: 1, waitingEach: 2, refuse }));
  for (const name of ['a1', 'a2', 'a3']) void tasks.run('a', name);
  await expect(tasks.run('a', 'a4')).rejects.toThrow('too many');
  const other = tasks.run('b', 'b1');
  await tasks.end('a1');
  await tasks.end('b1');
  expect(await other).toBe('b1');
  expect(tasks.started).toEqual(['a1', 'b1', 'a2']);
});
