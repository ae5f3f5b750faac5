import { expect, test } from 'vitest';
import { environmentRows, healthLines, healthRange } from './health-series.ts';

const group = (environment: string, sessions: number, crashed: number) => ({
  by: { environment },
  totals: {
    'sum(session)': sessions,
    'count_unique(user)': 3,
    'crash_free_rate(session)': sessions ? 1 - crashed / sessions : null,
    'crash_free_rate(user)': null,
    'crash_rate(session)': sessions ? crashed / sessions : null,
    'errored_rate(session)': sessions ? 1 / sessions : null,
    'unhandled_rate(session)': 0,
    'abnormal_rate(session)': 0,
  },
  series: { 'sum(session)': [sessions, 0], 'crash_rate(session)': [0.5, null] },
});
const answer = {
  groups: [group('production', 300, 7), group('', 3, 0), group('old', 0, 0)],
  intervals: ['2026-11-21T03:00:00Z', '2026-11-21T09:00:00Z'],
};

test('environments with sessions, in whole numbers', () => {
  expect(environmentRows(answer)).toMatchObject([
    { environment: 'production', sessions: 300, crashed: 7, errored: 1, users: 3, crashFreeUsers: null },
    { environment: '', sessions: 3, crashed: 0, crashFreeSessions: 1 },
  ]);
});

test('a line for each, with holes where nothing ran', () => {
  const lines = healthLines(answer);
  expect(lines.bucketSeconds).toBe(6 * 3600);
  expect(lines.crashed.map(({ label, values }) => [label, values])).toEqual([
    ['production', [0.5, null]],
    ['no environment', [0.5, null]],
  ]);
  expect(new Set(lines.sessions.map(({ token }) => token)).size).toBe(2);
  expect(healthLines({ groups: [], intervals: [] })).toMatchObject({ sessions: [], bucketSeconds: 3600 });
});

test('a young release is shown by the hour', () => {
  const now = Date.UTC(2026, 10, 21);
  expect(healthRange(new Date(now - 3_600_000).toISOString(), now).interval).toBe('1h');
  expect(healthRange(new Date(now - 9 * 86_400_000).toISOString(), now).statsPeriod).toBe('14d');
  expect(healthRange(null, now).statsPeriod).toBe('14d');
});
