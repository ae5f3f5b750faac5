import { expect, test } from 'vitest';
import { testIndex } from './testing.ts';
import { gapWords, notesOf, remarksOf } from './words.ts';

const index = testIndex(
  [
    { id: 'page', op: 'pageload', durationUs: 900_000 },
    { id: 'fetch', in: 'page', op: 'http.client', offsetUs: 100_000, durationUs: 500_000 },
    { id: 'request', in: 'fetch', service: 'api', offsetUs: 300_000, durationUs: 200_000, shiftUs: -120_000 },
    { id: 'query', in: 'request', service: 'api', offsetUs: 310_000, durationUs: 10_000, shiftUs: -120_000 },
    { id: 'lost', in: 'page', parentId: 'nowhere', orphan: true },
    { id: 'vital', in: 'page', offsetUs: 950_000, late: true, duplicates: 2 },
    { id: 'circle', cycle: true, service: '', projectId: '1' },
  ],
  { spans: 1_234_567, left: 1_234_560, duplicates: 2 },
);

const remarks = (at: number): string[] => {
  const row = index.rows[at];
  return row ? remarksOf(index, row).map(({ text }) => text) : [];
};

test('what was done to a row is told', () => {
  expect(remarks(0)).toEqual([]);
  expect(remarks(2)).toEqual(['Shifted 120\u00a0ms earlier: the clock of api is ahead.']);
  expect(remarks(4)).toEqual(['Parent nowhere was not received. Shown under the root span of its service.']);
  expect(remarks(5)).toEqual([
    'Started after page ended, so nothing waited for it.',
    '2 more spans arrived with the same ID. The latest is shown.',
  ]);
  expect(remarks(6)[0]).toMatch(/^Its parents form a cycle/);
});

test('what is odd about the trace is said once, with the first row that it is about', () => {
  expect(notesOf(index).map(({ short, row }) => [short, row])).toEqual([
    ['7 of 1,234,567 spans shown', undefined],
    ['2 roots', undefined],
    ['1 span without its parent', 4],
    ['clock of api corrected', 2],
    ['1 cycle of parents', 6],
    ['1 span after its parent', 5],
    ['2 duplicate spans', 5],
  ]);
  expect(notesOf(testIndex([{ id: 'a' }]))).toEqual([]);
});

test('a gap is explained by what lies next to it', () => {
  const whole = testIndex(
    index.rows.slice(0, 4).map((row, at) => ({ ...row, in: ['', 'page', 'fetch', 'request'][at] ?? '' })),
  );
  expect(gapWords(whole, 1, { offsetUs: 100_000, durationUs: 200_000 })).toBe(
    'No span covers 200\u00a0ms before request. Network time between web and api, or time in a queue.',
  );
  expect(gapWords(whole, 0, { offsetUs: 600_000, durationUs: 300_000 })).toBe(
    'No span covers 300\u00a0ms after fetch. The browser was loading, running scripts or idle.',
  );
  expect(gapWords(whole, 2, { offsetUs: 320_000, durationUs: 180_000 })).toBe(
    'No span covers 180\u00a0ms after query. api was computing or waiting. Add a span around that code to see more.',
  );
  expect(gapWords(index, 2, { offsetUs: 320_000, durationUs: 180_000 })).toMatch(/in spans that are not shown\.$/);
});
