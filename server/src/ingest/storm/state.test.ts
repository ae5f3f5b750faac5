import { expect, test } from 'vitest';
import { nextStorm, type StormFacts, type StormState } from './state.ts';

const facts: StormFacts = { perSecond: 0, usualPerSecond: 0, isBehind: false, quietSeconds: 0 };

test.each<[StormState, Partial<StormFacts>, StormState]>([
  // Nothing is known of it: only what is much by itself.
  ['calm', { perSecond: 49 }, 'calm'],
  ['calm', { perSecond: 50 }, 'storm'],
  ['calm', { perSecond: 499, usualPerSecond: 100 }, 'calm'],
  ['calm', { perSecond: 500, usualPerSecond: 100 }, 'storm'],
  // Before what is usual was asked, much may be usual.
  ['calm', { perSecond: 10_000, usualPerSecond: undefined }, 'calm'],
  // Behind: those who send much, and nobody else.
  ['calm', { perSecond: 9, isBehind: true }, 'calm'],
  ['calm', { perSecond: 10, isBehind: true }, 'storm'],
  ['calm', { perSecond: 10, isBehind: true, usualPerSecond: undefined }, 'storm'],
  // It ends when it has been half as much for a while.
  ['storm', { perSecond: 26, quietSeconds: 60 }, 'storm'],
  ['storm', { perSecond: 24, quietSeconds: 9 }, 'storm'],
  ['storm', { perSecond: 24, quietSeconds: 10 }, 'calm'],
  ['storm', { perSecond: 6, isBehind: true, quietSeconds: 60 }, 'storm'],
])('%s, %j: %s', (state, changed, next) => {
  expect(nextStorm(state, { ...facts, ...changed })).toBe(next);
});
