import { expect, test } from 'vitest';
import { barsOf, differingValues, momentIn, nearbyOf, relativeTo, traceTotals } from './words.ts';

test('totals name services only where there are several', () => {
  expect(traceTotals({ spans: 1, services: 1, durationUs: 900 })).toBe('1 span, 900\u00a0µs');
  expect(traceTotals({ spans: 12, services: 3, durationUs: 340_000 })).toBe('12 spans in 3 services, 340\u00a0ms');
});

test('distances from the event', () => {
  expect(relativeTo(1_000_000, 1_120_000)).toBe('120\u00a0ms before');
  expect(relativeTo(3_420_000, 1_120_000)).toBe('2.3\u00a0s after');
  expect(relativeTo(1_120_400, 1_120_000)).toBe('at the same time');
});

test('bars fill the width from the first start to the last end', () => {
  expect(
    barsOf([
      { offsetUs: 100, durationUs: 400 },
      { offsetUs: 200, durationUs: 100 },
      { offsetUs: 500, durationUs: 0 },
    ]),
  ).toEqual([
    { left: 0, width: 1 },
    { left: 0.25, width: 0.25 },
    { left: 1, width: 0 },
  ]);
  expect(barsOf([{ offsetUs: 7, durationUs: 0 }])).toEqual([{ left: 0, width: 0 }]);
  expect(barsOf([])).toEqual([]);
});

test('the moment of the event stands within the bar of its span', () => {
  const row = { offsetUs: 100, durationUs: 200 };
  const bar = { left: 0.5, width: 0.2 };
  expect([50, 100, 200, 300, 900].map((us) => momentIn(row, bar, us))).toEqual([0.5, 0.5, 0.6, 0.7, 0.7]);
  expect(momentIn({ offsetUs: 5, durationUs: 0 }, bar, 7)).toBe(0.5);
});

test('what is near stands in one order with the event among it', () => {
  const log = { offsetUs: 50, level: 'info', message: 'a' };
  const issue = {
    issueId: '1',
    shortId: 'WEB-1',
    eventId: 'e',
    category: 'error' as const,
    title: 't',
    level: 'error',
    offsetUs: 10,
    count: 1,
  };
  const nearby = nearbyOf({ issues: [issue], logs: [log], offsetUs: 30 });
  expect(nearby.map(({ kind }) => kind)).toEqual(['issue', 'event', 'log']);
  expect(nearbyOf({ issues: [], logs: [log], offsetUs: null }).map(({ kind }) => kind)).toEqual(['log']);
  expect(nearbyOf({ issues: [], logs: [], offsetUs: 30 })).toEqual([]);
});

test('values that differ between texts of one shape', () => {
  const query = (id: string): string => `SELECT * FROM items WHERE id = ${id} LIMIT 1`;
  expect(differingValues([query('17'), query('18'), query('118'), query('17')])).toEqual(['17', '18', '118']);
  expect(differingValues(['GET /api/items/7', 'GET /api/items/8'])).toEqual(['7', '8']);
  expect(differingValues([query("'a b'"), query("'c'")])).toEqual(['a b', 'c']);
  expect(differingValues([query('1'), query('1')])).toEqual([]);
  expect(differingValues([])).toEqual([]);
  expect(differingValues(['a', `a ${'x'.repeat(100)}`])).toEqual([]);
  expect(differingValues(Array.from({ length: 30 }, (_, id) => query(String(id))))).toHaveLength(12);
});
