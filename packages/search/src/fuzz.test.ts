/** Any text is read in a moment, without a throw, with every place inside it; and is printed as it was read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  completionsAt,
  type DataSet,
  parseField,
  parseSearch,
  printSearch,
  type SearchItem,
  type SearchProblem,
} from './index.ts';

const dataSets: readonly DataSet[] = ['issues', 'events', 'spans'];

const fragments = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...'!"\\[](),:*><=- \t\n%'.split('')) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'is:',
      'is:unresolved',
      'level:',
      'has:',
      '\\"',
      'AND ',
      'OR ',
      'and',
      'tags[',
      'tags[a,number]:',
      'flags["x"]:',
      'a',
      'release:',
      'release.version:',
      '>=1.2.3',
      '-24h',
      '+7d',
      '2026-02-03',
      'T10:11:12.5Z',
      'timesSeen:',
      '3k',
      'count():',
      'p95(span.duration):',
      'count_if(level, equals, "a"):',
      '>500ms',
      '5%',
      'span.duration:',
      'measurements.x:',
      '2kib',
      'error.handled:',
      'true',
      '\0',
      '\ud800',
      '\uf00dContains\uf00d',
      '__proto__:',
      '"odd key":',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
);
const queries = fc.array(fragments, { maxLength: 60 }).map((parts) => parts.join(''));

const everyItem = (items: readonly SearchItem[]): SearchItem[] =>
  items.flatMap((item) => (item.kind === 'group' ? [item, ...everyItem(item.items)] : [item]));

function expectInside(query: string, places: readonly { readonly start: number; readonly end: number }[]): void {
  for (const { start, end } of places) {
    if (start < 0 || start > end || end > query.length) throw new Error(`${start}-${end} of ${JSON.stringify(query)}`);
  }
}

function check(query: string, dataSet: DataSet): void {
  const { items, problems } = parseSearch(query, dataSet);
  const all = everyItem(items);
  expectInside(query, [...all, ...problems]);
  expectInside(
    query,
    all.flatMap((item) => (item.kind === 'filter' ? [item.valuePlace] : [])),
  );
  if (!problems.length) {
    const printed = printSearch(items);
    // What is printed may be longer than what was read, by quotes that are escaped.
    if (printed.length <= 4096)
      expect(withoutPlaces(parseSearch(printed, dataSet).items)).toEqual(withoutPlaces(items));
  }
}

const withoutPlaces = (items: readonly SearchItem[]): unknown =>
  JSON.parse(
    JSON.stringify(items, (name, value: unknown) =>
      name === 'start' || name === 'end' || name === 'valuePlace' ? undefined : value,
    ),
  );

test('any text', () => {
  fc.assert(
    fc.property(queries, fc.constantFrom(...dataSets), (query, dataSet) => check(query, dataSet)),
    { numRuns: 3_000 },
  );
});

test('bytes as they come', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => check(String.fromCharCode(...bytes), 'spans')),
    { numRuns: 1_500 },
  );
});

test('any place of any text', () => {
  fc.assert(
    fc.property(queries, fc.nat({ max: 400 }), fc.constantFrom(...dataSets), (query, offset, dataSet) => {
      const { replace } = completionsAt(query, offset, dataSet);
      expectInside(query, [replace]);
      expect(replace.start).toBeLessThanOrEqual(Math.min(offset, query.length));
    }),
    { numRuns: 2_000 },
  );
});

test('any column', () => {
  fc.assert(
    fc.property(queries, fc.constantFrom(...dataSets), (text, dataSet) => {
      const read: object = parseField(text, dataSet);
      if ('code' in read) expectInside(text, [read as SearchProblem]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '"',
  'a:[',
  '[',
  'a:"',
  '\\"',
  '\\',
  '(',
  ')',
  'a:[b, ',
  'is:[b, ',
  '!',
  'a (',
  'x (y ',
  'a(',
  'count( ',
  '""',
  '" ',
  '*',
  'a:* ',
  'AND ',
  'f(a,',
  'tags[',
  '"a\\',
  ',',
  '-',
  'a.',
  ' ',
  '(a:b OR ',
  'flags["',
])('4 kB of nothing but %j have at most a hundred terms and problems', (part) => {
  const query = part.repeat(4096 / part.length);
  for (const dataSet of dataSets) {
    const { items, problems } = parseSearch(query, dataSet);
    expect(everyItem(items).length + problems.length).toBeLessThanOrEqual(130);
    completionsAt(query, query.length, dataSet);
  }
});
