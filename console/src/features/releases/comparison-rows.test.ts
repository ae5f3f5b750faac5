import { expect, test } from 'vitest';
import { comparisonRows, factorWords } from './comparison-rows.ts';
import type { ComparedNumbers } from './health-queries.ts';

const parts = { total: 0, healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 };
const side = (overrides: Partial<ComparedNumbers>) => ({
  version: 'web@1',
  shortVersion: '1',
  dateCreated: '',
  firstEvent: null,
  lastEvent: null,
  numbers: {
    sessions: parts,
    users: parts,
    crashFreeSessions: null,
    crashFreeUsers: null,
    events: 0,
    estimated: null,
    errorsPerSession: null,
    requests: 0,
    errorsPerRequest: null,
    failureRate: null,
    p50Ms: null,
    p95Ms: null,
    vitals: [],
    ...overrides,
  },
});

test('what neither has is left out', () => {
  expect(comparisonRows({ from: side({}), to: side({}) })).toEqual([
    { label: 'Errors', before: '0', after: '0', about: {}, change: undefined },
  ]);
});

test('crash-free rates change by how many crash', () => {
  const [row] = comparisonRows({ from: side({ crashFreeSessions: 0.999 }), to: side({ crashFreeSessions: 0.995 }) });
  expect(row).toMatchObject({ label: 'Crash-free sessions', before: '99.9%', after: '99.5%' });
  expect(row?.change).toMatchObject({ tone: 'worse', text: '5× crashes', direction: 'up' });
  expect(row?.change?.sentence).toBe('Crashes: Higher (5×) than 99.9% in the earlier release');
});

test('a side without sessions has no rate and no change', () => {
  const rows = comparisonRows({
    from: side({ vitals: [{ vital: 'lcp', p75: 1200, count: 3 }] }),
    to: side({ p95Ms: 90, sessions: { ...parts, total: 10, unhandled: 1 } }),
  });
  expect(rows.map(({ label, before, after }) => [label, before, after])).toEqual([
    ['Sessions with unhandled errors', '–', '10%'],
    ['Transactions, p95', '–', '90\u00a0ms'],
    ['LCP, p75', '1.2\u00a0s', '–'],
    ['Sessions', '–', '10'],
    ['Errors', '0', '0'],
  ]);
  expect(rows.every(({ change }) => change === undefined)).toBe(true);
});

test('numbers of errors may be estimates', () => {
  const sessions = { ...parts, total: 100 };
  const rows = comparisonRows({
    from: side({ sessions, events: 50, errorsPerSession: 0.5 }),
    to: side({ sessions, events: 400, errorsPerSession: 4, estimated: { low: 280, high: 520 } }),
  });
  expect(rows.flatMap(({ about, ...row }) => (about.after ? [[row.before, row.after, about]] : []))).toEqual([
    ['0.5', '≈4', { before: undefined, after: 'about 4 (2.8–5.2)' }],
    ['50', '≈400', { before: undefined, after: 'about 400 (280–520)' }],
  ]);
});

test('factors in words', () => {
  expect([null, 0, 3.24, 12.3, 0.2].map(factorWords)).toEqual([
    '',
    '',
    '3.2× as frequent',
    '12× as frequent',
    '5× less frequent',
  ]);
});
