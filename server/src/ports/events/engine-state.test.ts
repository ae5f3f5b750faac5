import { expect, test } from 'vitest';
import { type EngineEvent, type EngineState, engineTransitions } from './engine-state.ts';

const expected: Record<EngineState, Record<EngineEvent, EngineState | 'ignored'>> = {
  starting: { answered: 'ready', exited: 'down', hung: 'down', retry: 'ignored', stop: 'stopped' },
  ready: { answered: 'ignored', exited: 'down', hung: 'down', retry: 'ignored', stop: 'stopped' },
  down: { answered: 'ignored', exited: 'ignored', hung: 'ignored', retry: 'starting', stop: 'stopped' },
  stopped: { answered: 'ignored', exited: 'ignored', hung: 'ignored', retry: 'ignored', stop: 'ignored' },
};

test('every event in every state', () => {
  expect(engineTransitions).toEqual(expected);
});

test('each state but stopped can be left, and stopped cannot', () => {
  for (const [state, row] of Object.entries(engineTransitions)) {
    const leaves = Object.values(row).some((next) => next !== 'ignored');
    expect(leaves, state).toBe(state !== 'stopped');
  }
});
