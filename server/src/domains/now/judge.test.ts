import { describe, expect, test } from 'vitest';
import { intakeText, judge, textOf } from './judge.ts';
import type { Facts } from './types.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const deploy = {
  kind: 'deploy',
  version: 'web@4f2c1',
  name: '4f2c1',
  environment: 'production',
  at: nowMs - 19 * minute,
} as const;
const nothing: Facts = {
  nowMs,
  begun: true,
  change: undefined,
  counts: { fresh: 0, regressed: 0, escalating: 0, sinceChange: 0, more: false },
  errorsLastHour: 0,
  usualPerHour: 0,
  hotspots: [],
  intake: [],
  alerts: [],
  sessions: { count: 0, countBefore: 0, crashFree: undefined, crashFreeBefore: undefined },
};
const refused = (reason: string, weight: 'usual' | 'fault' | 'alarm', count: number) =>
  ({ kind: 'refused', category: 'session', outcome: 'invalid', reason, weight, count }) as const;
const counts = (overrides: Partial<Facts['counts']>): Facts['counts'] => ({ ...nothing.counts, ...overrides });
const spot = (transaction: string, count: number, usual: number) => ({ projectId: 1, transaction, count, usual });

describe.each<[name: string, facts: Partial<Facts>, level: string, text: string]>([
  ['nothing ever', { begun: false }, 'empty', 'No events received yet.'],
  ['nothing at all', {}, 'calm', 'All clear: no new issues; no errors in the last hour.'],
  [
    'as usual after a deploy',
    { change: deploy, errorsLastHour: 12, usualPerHour: 10 },
    'calm',
    'All clear: no new issues since deploy 4f2c1 2026-03-01 11:41 UTC; 12 errors in the last hour, as usual.',
  ],
  [
    'a deploy long ago is not what people think of',
    { change: { ...deploy, at: nowMs - 4 * 24 * hour }, counts: counts({ fresh: 1, sinceChange: 9 }) },
    'attention',
    '1 new issue in the last day.',
  ],
  [
    'new issues since a deploy, and a page on fire',
    {
      change: deploy,
      counts: counts({ fresh: 5, sinceChange: 2 }),
      errorsLastHour: 130,
      usualPerHour: 40,
      hotspots: [spot('/product', 120, 20), spot('/', 10, 10)],
    },
    'trouble',
    'Errors 6× normal on /product; 2 new issues since deploy 4f2c1 2026-03-01 11:41 UTC.',
  ],
  [
    'twice as many everywhere',
    { errorsLastHour: 400, usualPerHour: 190, hotspots: [spot('/a', 15, 8)] },
    'attention',
    'Errors 2.1× normal.',
  ],
  [
    'one place only, the whole is as ever',
    { errorsLastHour: 1000, usualPerHour: 980, hotspots: [spot('/pay', 60, 10)] },
    'trouble',
    'Errors 6× normal on /pay.',
  ],
  [
    'a place that had none',
    { errorsLastHour: 50, usualPerHour: 1, hotspots: [spot('/new', 48, 0)] },
    'trouble',
    '48 errors in an hour on /new.',
  ],
  [
    'few are never unusual',
    { errorsLastHour: 8, usualPerHour: 0.1, hotspots: [spot('/new', 8, 0)] },
    'calm',
    'All clear: no new issues; 8 errors in the last hour.',
  ],
  [
    'the worst first, three at most',
    {
      alerts: [{ name: 'Checkout', state: 'critical' }],
      intake: [refused('json', 'fault', 212)],
      counts: counts({ regressed: 1, escalating: 1, fresh: 3 }),
    },
    'trouble',
    'Alert “Checkout” is critical; 1 issue escalating; 3 new issues in the last day.',
  ],
  [
    'too many to count',
    { counts: counts({ fresh: 100, more: true }) },
    'attention',
    '100+ new issues in the last day.',
  ],
  [
    'silence where there was life',
    { intake: [{ kind: 'silent', weight: 'alarm', sinceMs: nowMs - 3 * hour, usualPerHour: 1204 }] },
    'trouble',
    'No events since 2026-03-01 09:00 UTC; usually 1,204 an hour.',
  ],
  [
    'more sessions crash',
    { sessions: { count: 1000, countBefore: 900, crashFree: 0.972, crashFreeBefore: 0.994 } },
    'trouble',
    'Crash-free sessions down to 97.2% from 99.4%.',
  ],
  [
    'few sessions say little',
    { sessions: { count: 20, countBefore: 900, crashFree: 0.9, crashFreeBefore: 0.994 } },
    'calm',
    'All clear: no new issues; no errors in the last hour.',
  ],
  [
    'what is rejected as usual is no news',
    { intake: [refused('too_old', 'usual', 288)] },
    'calm',
    'All clear: no new issues; no errors in the last hour.',
  ],
  [
    'a sender that does it wrong',
    { intake: [refused('key_disabled', 'fault', 2000)] },
    'attention',
    '2,000 sessions rejected: disabled key.',
  ],
  [
    'the service fails',
    { intake: [refused('internal', 'alarm', 12)] },
    'trouble',
    '12 sessions rejected: an error in Culprit.',
  ],
  ['a warning is no trouble', { alerts: [{ name: 'p95', state: 'warning' }] }, 'attention', 'Alert “p95” is warning.'],
])('%s', (_, facts, level, text) => {
  const verdict = judge({ ...nothing, ...facts });
  test('level', () => expect(verdict.level).toBe(level));
  test('sentence', () => expect(textOf(verdict)).toBe(text));
});

test('stretches lead to what they are about', () => {
  const { parts } = judge({
    ...nothing,
    change: deploy,
    counts: counts({ sinceChange: 2 }),
    errorsLastHour: 60,
    usualPerHour: 10,
    hotspots: [spot('/pay', 60, 10)],
  });
  expect(parts.flatMap(({ link }) => link ?? [])).toEqual([
    { kind: 'issues', query: 'is:unresolved' },
    { kind: 'transaction', transaction: '/pay', projectId: 1 },
    { kind: 'issues', query: 'is:unresolved firstSeen:>=2026-03-01T11:41:00Z' },
    { kind: 'release', version: 'web@4f2c1' },
  ]);
  expect(parts.find(({ at }) => at !== undefined)?.at).toBe(deploy.at);
});

test('a trouble of the service as a sentence of its own', () => {
  expect(intakeText({ kind: 'lag', weight: 'alarm', ms: 180_000 })).toBe('Events take 3\u00a0min to be stored.');
});
