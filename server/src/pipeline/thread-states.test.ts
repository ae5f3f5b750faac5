import { expect, test } from 'vitest';
import { restartAfter, type ThreadEvent, type ThreadState, threadTransitions } from './thread-states.ts';

const expected: Record<ThreadState, Record<ThreadEvent, ThreadState | 'ignored'>> = {
  starting: { answered: 'ready', exited: 'down', due: 'ignored', stop: 'stopped' },
  ready: { answered: 'ignored', exited: 'down', due: 'ignored', stop: 'stopped' },
  down: { answered: 'ignored', exited: 'ignored', due: 'starting', stop: 'stopped' },
  stopped: { answered: 'ignored', exited: 'ignored', due: 'ignored', stop: 'ignored' },
};

test('every event in every state', () => {
  expect(threadTransitions).toEqual(expected);
});

test('a thread that keeps dying is started ever more seldom', () => {
  const waits: number[] = [];
  for (let index = 0; index < 7; index++) waits.push(restartAfter(waits.at(-1)));
  expect(waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000]);
});
