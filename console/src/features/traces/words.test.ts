import { expect, test } from 'vitest';
import type { TraceFields } from './queries.ts';
import { tracesSearch } from './search.ts';
import { chipsOf, differences, durationWords, hasRegion, heatmapSentence, regionOf, traceIn } from './words.ts';

const trace = '82628ef2b8ad4ad1a7288ca369b080ce';
const span = '8efd84a8c32d4e7c';

test.each([
  [trace, { trace }],
  [trace.toUpperCase(), { trace }],
  [` ${trace}\n`, { trace }],
  ['82628ef2-b8ad-4ad1-a728-8ca369b080ce', { trace }],
  [`00-${trace}-${span}-01`, { trace, span }],
  [`${trace}-${span}-1`, { trace, span }],
  [`${trace}-${span}`, { trace, span }],
  [span, { span }],
  ['GET /cart', undefined],
  ['1234567890', undefined],
  [`${trace}0`, undefined],
  ['f'.repeat(10_000), undefined],
  ['', undefined],
])('%j leads to %j', (text, expected) => {
  expect(traceIn(text)).toEqual(expected);
});

test('the address is read as far as it makes sense', () => {
  expect(
    tracesSearch.parse({ t: '10-20', from: '1.5', until: 'x', failed: 'maybe', sort: 'slowest', op: 'db', other: '1' }),
  ).toEqual({ t: '10-20', from: 1.5, sort: 'slowest', op: 'db' });
  expect(tracesSearch.parse({ t: '10-', from: '-1' })).toEqual({});
  expect(regionOf({ t: '10-20', until: 5 })).toEqual({ since: 10, before: 20, fromMs: undefined, untilMs: 5 });
  expect(hasRegion({ op: 'db' })).toBe(false);
  expect(hasRegion({ from: 0 })).toBe(true);
});

test('each filter is a chip that takes only itself away, and the page with it', () => {
  const search = {
    project: 'web',
    q: 'cart',
    failed: 'true',
    service: 'pay',
    t: '10-20',
    from: 100,
    cursor: 'c',
  } as const;
  const chips = chipsOf(search, (since, before) => `${since} to ${before}`);
  expect(chips.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Name contains: cart',
    'Outcome: Failed',
    'Service: pay',
    'Time: 10 to 20',
    'Duration: at least 100\u00a0ms',
  ]);
  expect(chips[2]?.without).toEqual({ ...search, service: undefined, cursor: undefined });
  expect(chips[4]?.without).toMatchObject({ t: '10-20', from: undefined, until: undefined });
  expect(chipsOf({ project: 'web', range: '1h' }, String)).toEqual([]);
});

test('durations in words', () => {
  expect(durationWords({ fromMs: 100, untilMs: 2000 })).toBe('100\u00a0ms to 2\u00a0s');
  expect(durationWords({ untilMs: 10 })).toBe('under 10\u00a0ms');
});

test('the heatmap in a sentence', () => {
  const rows = [
    { fromMs: 1, untilMs: 10 },
    { fromMs: 10, untilMs: 100 },
  ];
  const none = { from: 0, columnSeconds: 1, columns: 1, rows: [], cells: [], count: 0, failed: 0 };
  expect(heatmapSentence(none)).toBe('No requests');
  expect(
    heatmapSentence({
      ...none,
      rows,
      cells: [
        [0, 0, 8, 0],
        [0, 1, 2, 1],
      ],
      count: 10,
      failed: 1,
    }),
  ).toBe('10 requests, 1 failed (10%). Most took 1\u00a0ms to 10\u00a0ms, the longest 10\u00a0ms to 100\u00a0ms.');
  expect(heatmapSentence({ ...none, rows, cells: [[0, 0, 2, 2]], count: 2, failed: 2 })).toBe(
    '2 requests, all failed. Most took 1\u00a0ms to 10\u00a0ms.',
  );
});

const fieldsOf = (count: number, services: Record<string, number>, more = false): TraceFields => ({
  count,
  failed: 0,
  from: 0,
  whole: true,
  fields: [
    {
      field: 'service',
      values: Object.entries(services).map(([value, each]) => ({ value, count: each, failed: 0 })),
      more,
    },
  ],
});

test('what differs is what the chosen have more often', () => {
  const all = fieldsOf(1000, { web: 900, pay: 100 });
  expect(differences(fieldsOf(20, { pay: 18, web: 2 }), all)).toEqual([
    { field: 'service', value: 'pay', here: 0.9, all: 0.1 },
  ]);
  expect(differences(fieldsOf(20, { web: 18, pay: 2 }), all)).toEqual([]);
  // Two are chance, all are no part, and what is not listed is rarer than what is.
  expect(differences(fieldsOf(2, { pay: 2 }), all)).toEqual([]);
  expect(differences(all, all)).toEqual([]);
  expect(differences(fieldsOf(10, { rare: 10 }), fieldsOf(1000, { web: 500 }, true))).toMatchObject([{ all: 0.5 }]);
});
