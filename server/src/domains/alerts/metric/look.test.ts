import { expect, test } from 'vitest';
import { newState } from '../new-state.ts';
import { errorCount } from '../testing/metric.ts';
import type { MetricRule } from '../types.ts';
import type { Reading } from './levels.ts';
import { isDue, step } from './look.ts';

const rule: MetricRule = {
  id: 1,
  organizationId: 'acme',
  name: 'Errors',
  kind: 'metric',
  enabled: true,
  projectIds: [],
  environment: '',
  query: '',
  channelIds: [1],
  throttleMinutes: 30,
  digestMinutes: 5,
  owner: null,
  mutedUntil: null,
  version: 1,
  createdBy: null,
  createdAt: 0,
  updatedAt: 0,
  metric: errorCount({ warning: 50, critical: 100 }),
};

const minute = 60_000;

/** A reading a minute; `!` before it: the rule is muted then. What people are told, and what the history says, are words. */
function run(...readings: readonly string[]) {
  const notices: string[] = [];
  const history: string[] = [];
  const causes = new Set<string>();
  let ends = 0;
  let state = newState(rule, 0);
  for (const [index, text] of readings.entries()) {
    const nowMs = (index + 1) * minute;
    const isMuted = text.startsWith('!');
    const reading = text.replace('!', '') as Reading;
    const look = step(
      { ...rule, mutedUntil: isMuted ? nowMs + 1 : null },
      state,
      { reading, why: '', value: 1 },
      nowMs,
    );
    ({ state } = look);
    if (look.isOver) ends += 1;
    if (!look.telling) continue;
    expect(causes).not.toContain(look.telling.cause);
    causes.add(look.telling.cause);
    history.push(look.telling.notifiedState);
    if (!look.telling.isMuted) notices.push(look.telling.notifiedState);
  }
  return { notices, history, ends };
}

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['nothing, and then nothing', ['normal', '!normal', 'normal'], [], []],
  ['no alarm that ended within the mute', ['!critical', '!normal', '!normal', 'normal'], [], ['critical', 'ok']],
  [
    'the alarm that began in the mute, once',
    ['!critical', '!critical', 'critical', 'critical'],
    ['critical'],
    ['critical', 'critical'],
  ],
  [
    'nothing of an alarm that was told and ended in the mute',
    ['critical', '!critical', '!normal', '!normal', 'normal', 'normal'],
    ['critical'],
    ['critical', 'ok'],
  ],
  ['nothing of one that ends with the mute', ['critical', '!normal', 'normal', 'normal'], ['critical'], ['critical']],
  [
    'once more what was told and is still so',
    ['critical', '!critical', 'critical', 'critical'],
    ['critical', 'critical'],
    ['critical', 'critical'],
  ],
  [
    'that it is over, once the alarm was told after the mute',
    ['critical', '!critical', 'critical', 'normal', 'normal'],
    ['critical', 'critical', 'ok'],
    ['critical', 'critical', 'ok'],
  ],
  [
    'the second alarm of a mute',
    ['critical', '!normal', '!normal', '!warning', 'warning'],
    ['critical', 'warning'],
    ['critical', 'ok', 'warning', 'warning'],
  ],
])('a mute says %s', (_, readings, notices, history) => {
  expect(run(...readings)).toMatchObject({ notices, history });
});

test('that an alarm is over is known, muted or not, once', () => {
  expect(run('critical', '!critical', '!normal', '!normal', 'normal').ends).toBe(1);
  expect(run('critical', '!normal', 'normal', 'normal').ends).toBe(1);
  expect(run('critical', 'normal', 'normal', 'normal').ends).toBe(1);
  expect(run('normal', '!normal', 'normal').ends).toBe(0);
});

test.each([
  [1, 10_000],
  [2, 20_000],
  [5, 60_000],
  [60, 60_000],
])('rules of %d minutes that were looked at in the same ten seconds are due together', (minutes, intervalMs) => {
  const ofMinutes = { ...rule, metric: { ...rule.metric, minutes } };
  const due = (evaluatedAt: number, nowMs: number): boolean =>
    isDue(ofMinutes, { ...newState(ofMinutes, 0), evaluatedAt }, nowMs);
  const dueMs = 100_000 + intervalMs;
  expect([due(100_000, dueMs), due(109_999, dueMs)]).toEqual([true, true]);
  expect([due(100_000, dueMs - 1), due(109_999, dueMs - 1)]).toEqual([false, false]);
  // A clock that was put back.
  expect(due(dueMs + 1, dueMs)).toBe(true);
});
