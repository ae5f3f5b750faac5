import { expect, test } from 'vitest';
import {
  decide,
  dueFlushes,
  isHalfOver,
  isPlaceOld,
  type LeaseEvent,
  machine,
  mustAsk,
  readSince,
  type Standing,
} from './standing.ts';
import type { IssueRule, RuleState } from './types.ts';

const minute = 60_000;

test('each standing answers each event as it is written', () => {
  const expected: Record<Standing, Record<LeaseEvent, Standing | 'ignored'>> = {
    stranger: { taken: 'holder', refused: 'ignored', half_over: 'ignored', written: 'ignored', lost: 'ignored' },
    holder: { taken: 'holder', refused: 'stranger', half_over: 'late', written: 'holder', lost: 'stranger' },
    late: { taken: 'holder', refused: 'stranger', half_over: 'ignored', written: 'holder', lost: 'stranger' },
  };
  expect(machine).toEqual(expected);
  expect(decide('stranger', 'written')).toBe('stranger');
  expect((['stranger', 'holder', 'late'] as const).map(mustAsk)).toEqual([true, false, true]);
});

test.each([
  ['just taken', 20_000, false],
  ['half of it left', 10_000, true],
  ['over', -1, true],
  ['of a clock that was put back', 21_000, true],
])('a lease: %s', (_, leftMs, expected) => {
  expect(isHalfOver({ until: 1_000_000 + leftMs, readUntil: 0 }, 20_000, 1_000_000)).toBe(expected);
});

test('what happened is read from a minute before the place, an hour at most', () => {
  const nowMs = 100 * minute;
  expect(readSince({ until: 0, readUntil: nowMs - minute }, nowMs)).toBe(nowMs - 2 * minute);
  expect(readSince({ until: 0, readUntil: 0 }, nowMs)).toBe(nowMs - 60 * minute);
});

test('the place is written down twice in a lease, and when the clock was put back', () => {
  expect([90_001, 89_999, 100_001].map((readUntil) => isPlaceOld(readUntil, 20_000, 100_000))).toEqual([
    false,
    true,
    true,
  ]);
});

test('what was gathered is due when the digest is over, and where nothing was told before', () => {
  const rule = (id: number): IssueRule => ({ id, digestMinutes: 5 }) as IssueRule;
  const state = (messageAt: number | null): RuleState => ({ messageAt }) as RuleState;
  const nowMs = 100 * minute;
  const states = new Map([
    [1, state(nowMs - 5 * minute)],
    [2, state(nowMs - 4 * minute)],
    [3, state(null)],
    [4, state(nowMs + minute)],
    [5, state(null)],
  ]);
  const due = dueFlushes([1, 2, 3, 4, 5].map(rule), new Set([1, 2, 3, 4]), states, nowMs);
  expect(due.map(({ id }) => id)).toEqual([1, 3, 4]);
});
