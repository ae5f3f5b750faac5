import { expect, test } from 'vitest';
import type { Metric, RuleDefinition } from './types.ts';
import { sentenceOf, valueText } from './words.ts';

const settings = {
  name: 'A rule',
  enabled: true,
  projectIds: [1],
  environment: '',
  query: '',
  throttleMinutes: 30,
  digestMinutes: 5,
  channelIds: [1],
  owner: null,
};
const metric: Metric = {
  dataset: 'transactions',
  aggregate: 'p95(span.duration)',
  minutes: 15,
  comparison: { type: 'static' },
  direction: 'above',
  warning: 500,
  critical: 2_500,
  resolve: null,
  noData: 'ok',
};
const sentence = (rule: Partial<RuleDefinition>, projects: string[] = ['web']): string =>
  sentenceOf({ ...settings, ...rule } as RuleDefinition, { projects, channels: ['#ops', 'On call'] });

test('rules in one sentence', () => {
  expect(
    sentence({
      kind: 'issue',
      environment: 'production',
      query: 'level:error',
      trigger: { match: 'any', conditions: [{ type: 'new_issue' }, { type: 'regression' }] },
    }),
  ).toBe(
    'When a new issue appears or a resolved issue regresses in web in production and matches “level:error”, notify #ops and On call, at most once every 30 minutes per issue.',
  );
  expect(
    sentence(
      {
        kind: 'issue',
        throttleMinutes: 0,
        trigger: {
          match: 'all',
          conditions: [
            { type: 'new_issue' },
            { type: 'event_frequency', count: 1_000, minutes: 60 },
            { type: 'session_share', percent: 2.5, minutes: 120 },
          ],
        },
      },
      [],
    ),
  ).toBe(
    'When a new issue appears, an issue has at least 1,000 events in an hour and an issue has at least 2.5 events per 100 sessions in 2 hours, notify #ops and On call.',
  );
  expect(sentence({ kind: 'metric', metric })).toBe(
    'When p95(span.duration) of transactions over 15 minutes is at least 500\u00a0ms (warning) or 2.5\u00a0s (critical) in web, notify #ops and On call.',
  );
  expect(
    sentence({
      kind: 'metric',
      metric: { ...metric, comparison: { type: 'change', against: 'previous' }, critical: null },
    }),
  ).toContain('rises by at least 500% (warning) compared with the previous 15 minutes');
  expect(
    sentence({
      kind: 'metric',
      metric: { ...metric, comparison: { type: 'anomaly', sensitivity: 'high' }, direction: 'both' },
    }),
  ).toContain('is unusually high or low for its hour of the week (high sensitivity)');
  expect(sentenceOf({ ...settings, kind: 'metric', metric }, { projects: [], channels: [] })).toContain(
    'without a notification',
  );
});

test('values with their units', () => {
  expect(valueText({ dataset: 'spans', aggregate: 'p50(span.duration)' }, 12.345_67)).toBe('12.35\u00a0ms');
  expect(valueText({ dataset: 'spans', aggregate: 'failure_rate()' }, 0.123)).toBe('12.3%');
  expect(valueText({ dataset: 'errors', aggregate: 'count()' }, 12_345)).toBe('12,345');
  expect(valueText({ dataset: 'sessions', aggregate: 'crash_free_rate(session)' }, 98.76)).toBe('98.76%');
});
