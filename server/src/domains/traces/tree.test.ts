import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTree } from './tree.ts';
import type { TreeSpan } from './types.ts';

const ms = 1000;

function span(fields: Partial<TreeSpan> & { spanId: string }): TreeSpan {
  return {
    projectId: 1,
    parentSpanId: '',
    segmentId: '',
    isSegment: false,
    startUs: 0,
    durationUs: 100 * ms,
    receivedAt: 0,
    op: '',
    kind: '',
    service: 'shop',
    ...fields,
  };
}

const shown = (spans: readonly TreeSpan[]): string[] =>
  buildTree(spans).rows.map((row) => `${' '.repeat(row.depth)}${row.span.spanId}`);

describe('the tree', () => {
  test('children by start, under their parents, whatever the order in which they came', () => {
    expect(
      shown([
        span({ spanId: 'c', parentSpanId: 'a', startUs: 30 * ms, durationUs: 10 * ms }),
        span({ spanId: 'd', parentSpanId: 'b', startUs: 12 * ms, durationUs: 2 * ms }),
        span({ spanId: 'b', parentSpanId: 'a', startUs: 10 * ms, durationUs: 10 * ms }),
        span({ spanId: 'a' }),
      ]),
    ).toEqual(['a', ' b', '  d', ' c']);
  });

  test('several roots, by start', () => {
    expect(shown([span({ spanId: 'late', startUs: 500 * ms }), span({ spanId: 'early' })])).toEqual(['early', 'late']);
  });

  test('without its parent a span hangs under its segment, a segment is a root; both say so', () => {
    const { rows } = buildTree([
      span({ spanId: 's', isSegment: true, segmentId: 's', parentSpanId: 'unknown' }),
      span({ spanId: 'o', segmentId: 's', parentSpanId: 'missing' }),
      span({ spanId: 'n', parentSpanId: 'missing', startUs: 10 }),
    ]);
    expect(rows.map((row) => [row.span.spanId, row.depth, row.orphan])).toEqual([
      ['s', 0, true],
      ['o', 1, true],
      ['n', 0, true],
    ]);
  });

  test('cycles are cut at their earliest span', () => {
    const { rows } = buildTree([
      span({ spanId: 'b', parentSpanId: 'a', startUs: 2 }),
      span({ spanId: 'a', parentSpanId: 'c', startUs: 1 }),
      span({ spanId: 'c', parentSpanId: 'b', startUs: 3 }),
      span({ spanId: 'self', parentSpanId: 'self', startUs: 9 }),
      span({ spanId: 'tail', parentSpanId: 'c', startUs: 4 }),
    ]);
    expect(rows.map((row) => [row.span.spanId, row.depth, row.cycle])).toEqual([
      ['a', 0, true],
      ['b', 1, false],
      ['c', 2, false],
      ['tail', 3, false],
      ['self', 0, true],
    ]);
  });

  test('of two spans with one id the one received last stays; another project may have the id too', () => {
    const { rows, duplicates } = buildTree([
      span({ spanId: 'a', durationUs: 5, receivedAt: 2 }),
      span({ spanId: 'a', durationUs: 9, receivedAt: 1 }),
      span({ spanId: 'b', parentSpanId: 'a' }),
      span({ spanId: 'a', projectId: 2, startUs: 50 }),
      span({ spanId: 'c', projectId: 2, parentSpanId: 'a', startUs: 51 }),
    ]);
    expect(duplicates).toBe(1);
    expect(
      rows.map((row) => [row.span.projectId, row.span.spanId, row.depth, row.span.durationUs, row.duplicates]),
    ).toEqual([
      [1, 'a', 0, 5, 1],
      [1, 'b', 1, 100 * ms, 0],
      [2, 'a', 0, 100 * ms, 0],
      [2, 'c', 1, 100 * ms, 0],
    ]);
  });

  test('a subtree is a slice', () => {
    const { rows } = buildTree([
      span({ spanId: 'a' }),
      span({ spanId: 'b', parentSpanId: 'a' }),
      span({ spanId: 'c', parentSpanId: 'b' }),
      span({ spanId: 'd', parentSpanId: 'a', startUs: 1 }),
    ]);
    expect(rows.map((row) => row.below)).toEqual([3, 1, 0, 0]);
    expect(rows.map((row) => row.parent)).toEqual([-1, 0, 1, 0]);
  });

  test('what begins after its parent has ended is late', () => {
    const { rows } = buildTree([
      span({ spanId: 'page', op: 'pageload' }),
      span({ spanId: 'inp', parentSpanId: 'page', startUs: 9000 * ms, op: 'ui.webvital.inp' }),
    ]);
    expect(rows.map((row) => row.late)).toEqual([false, true]);
    expect(rows[0]?.selfUs).toBe(100 * ms);
  });
});

describe('clocks', () => {
  const client = span({ spanId: 'client', startUs: 1000 * ms, kind: 'client' });
  const server = (startUs: number, overrides: Partial<TreeSpan> = {}): TreeSpan =>
    span({
      spanId: 'server',
      parentSpanId: 'client',
      service: 'api',
      kind: 'server',
      startUs,
      durationUs: 60 * ms,
      ...overrides,
    });
  const inside = (startUs: number): TreeSpan =>
    span({ spanId: 'db', parentSpanId: 'server', service: 'api', startUs, durationUs: 10 * ms });
  const shifts = (...spans: TreeSpan[]): number[] => buildTree([client, ...spans]).rows.map((row) => row.shiftUs / ms);

  test('within its parent nothing is moved', () => {
    expect(shifts(server(1010 * ms), inside(1020 * ms))).toEqual([0, 0, 0]);
  });
  test('before it: to its start, with what lies below', () => {
    expect(shifts(server(400 * ms), inside(420 * ms))).toEqual([0, 600, 600]);
  });
  test('after it: until it ends with it', () => {
    expect(shifts(server(1050 * ms), inside(1051 * ms))).toEqual([0, -10, -10]);
  });
  test('what takes longer than its parent has to begin while that is there', () => {
    expect(shifts(server(1090 * ms, { durationUs: 900 * ms }))).toEqual([0, 0]);
    expect(shifts(server(1190 * ms, { durationUs: 900 * ms }))).toEqual([0, -90]);
  });
  test('messages may be taken later, not earlier', () => {
    expect(shifts(server(90_000 * ms, { kind: 'consumer' }))).toEqual([0, 0]);
    expect(shifts(server(900 * ms, { kind: 'consumer' }))).toEqual([0, 100]);
  });
  test('a page begins before the server span that it names as its parent', () => {
    expect(shifts(server(990 * ms, { op: 'pageload', durationUs: 3000 * ms }))).toEqual([0, 0]);
  });
  test('one clock is never corrected', () => {
    expect(shifts(server(400 * ms, { service: 'shop' }))).toEqual([0, 0]);
  });
});

describe('time', () => {
  test('self time is what no child covers, overlaps once', () => {
    const { rows, gaps } = buildTree(
      [
        span({ spanId: 'a' }),
        span({ spanId: 'b', parentSpanId: 'a', startUs: 10 * ms, durationUs: 30 * ms }),
        span({ spanId: 'c', parentSpanId: 'a', startUs: 20 * ms, durationUs: 30 * ms }),
        span({ spanId: 'd', parentSpanId: 'a', startUs: 90 * ms, durationUs: 30 * ms }),
      ],
      { gapThresholdUs: 20 * ms },
    );
    expect(rows.map((row) => row.selfUs / ms)).toEqual([50, 30, 30, 30]);
    expect(gaps).toEqual([{ row: 0, startUs: 50 * ms, durationUs: 40 * ms }]);
  });

  test('the critical path goes through what ended last', () => {
    const { rows, criticalPath } = buildTree([
      span({ spanId: 'a' }),
      span({ spanId: 'fast', parentSpanId: 'a', startUs: 10 * ms, durationUs: 20 * ms }),
      span({ spanId: 'slow', parentSpanId: 'a', startUs: 10 * ms, durationUs: 70 * ms }),
      span({ spanId: 'db', parentSpanId: 'slow', startUs: 20 * ms, durationUs: 50 * ms }),
    ]);
    expect(criticalPath.map((part) => [rows[part.row]?.span.spanId, part.startUs / ms, part.durationUs / ms])).toEqual([
      ['a', 0, 10],
      ['slow', 10, 10],
      ['db', 20, 50],
      ['slow', 70, 10],
      ['a', 80, 20],
    ]);
    expect(rows.filter((row) => row.critical).map((row) => row.span.spanId)).toEqual(['a', 'slow', 'db']);
  });

  test('a web vital is no work: its page keeps its time, and the critical path does not pass it', () => {
    const { rows, criticalPath } = buildTree([
      span({ spanId: 'page', op: 'pageload' }),
      span({ spanId: 'lcp', op: 'ui.webvital.lcp', parentSpanId: 'page', durationUs: 100 * ms }),
      span({ spanId: 'get', op: 'http.client', parentSpanId: 'page', startUs: 10 * ms, durationUs: 80 * ms }),
    ]);
    expect(rows.map((row) => [row.span.spanId, row.selfUs / ms, row.critical])).toEqual([
      ['page', 20, true],
      ['lcp', 100, false],
      ['get', 80, true],
    ]);
    expect(criticalPath.map(({ row }) => rows[row]?.span.spanId)).toEqual(['page', 'get', 'page']);
  });

  test('an empty trace is an empty tree', () => {
    expect(buildTree([])).toMatchObject({ rows: [], gaps: [], criticalPath: [], startUs: 0, endUs: 0 });
  });
});

const anySpan = fc.record({
  projectId: fc.integer({ min: 1, max: 2 }),
  spanId: fc.constantFrom(...'abcdefghijkl'),
  parentSpanId: fc.constantFrom('', 'missing', ...'abcdefghijkl'),
  segmentId: fc.constantFrom('', 'gone', ...'abc'),
  isSegment: fc.boolean(),
  startUs: fc.integer({ min: 0, max: 1000 }),
  durationUs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constant(31_536_000_000_000)),
  receivedAt: fc.integer({ min: 0, max: 3 }),
  op: fc.constantFrom('', 'pageload'),
  kind: fc.constantFrom('', 'client', 'server', 'consumer'),
  service: fc.constantFrom('a', 'b'),
});

test('whatever is sent: every span once, children after parents and by start, nothing negative', () => {
  fc.assert(
    fc.property(fc.array(anySpan, { maxLength: 40 }), (spans) => {
      const tree = buildTree(spans, { gapThresholdUs: 1 });
      const { rows } = tree;
      const ids = new Set(spans.map((one) => `${one.projectId}:${one.spanId}`));
      expect(new Set(rows.map((row) => `${row.span.projectId}:${row.span.spanId}`))).toEqual(ids);
      expect(rows.length + tree.duplicates).toBe(spans.length);
      let seenAt = new Map<number, number>();
      rows.forEach((row, index) => {
        expect(row.parent).toBeLessThan(index);
        expect(row.depth).toBe(row.parent < 0 ? 0 : (rows[row.parent]?.depth ?? 0) + 1);
        expect(index + row.below).toBeLessThan(rows.length);
        for (let below = index + 1; below <= index + row.below; below++) {
          expect(rows[below]?.depth).toBeGreaterThan(row.depth);
        }
        expect(rows[index + row.below + 1]?.depth ?? 0).toBeLessThanOrEqual(row.depth);
        expect(row.startUs).toBeGreaterThanOrEqual(seenAt.get(row.parent) ?? -Infinity);
        seenAt = seenAt.set(row.parent, row.startUs);
        expect(row.selfUs).toBeGreaterThanOrEqual(0);
        expect(row.selfUs).toBeLessThanOrEqual(row.span.durationUs);
        expect(row.startUs).toBe(row.span.startUs + row.shiftUs);
      });
      for (const gap of tree.gaps) {
        const row = rows[gap.row];
        expect(gap.durationUs).toBeGreaterThanOrEqual(1);
        expect(gap.startUs).toBeGreaterThanOrEqual(row?.startUs ?? Infinity);
        expect(gap.durationUs).toBeLessThanOrEqual(row?.selfUs ?? 0);
      }
      // The path is the longest root, whole and without overlap.
      const longest = Math.max(0, ...rows.filter((row) => row.parent < 0).map((row) => row.span.durationUs));
      expect(tree.criticalPath.reduce((sum, part) => sum + part.durationUs, 0)).toBe(longest);
      tree.criticalPath.forEach((part, index) => {
        const next = tree.criticalPath[index + 1];
        if (next) expect(part.startUs + part.durationUs).toBe(next.startUs);
      });
    }),
    { numRuns: 400 },
  );
});

test('a cycle of spans that begin together is cut at the longest', () => {
  const ring = [
    span({ spanId: 'l', parentSpanId: 'f', startUs: 993, durationUs: 0 }),
    span({ spanId: 'f', parentSpanId: 'l', startUs: 993, durationUs: 50 }),
  ];
  expect(buildTree(ring)).toEqual(buildTree(ring.toReversed()));
  expect(buildTree(ring).rows.map((row) => row.span.spanId)).toEqual(['f', 'l']);
});

test('the order in which spans arrive does not matter', () => {
  const unique = fc.uniqueArray(anySpan, { maxLength: 12, selector: (one) => one.spanId });
  fc.assert(
    fc.property(unique, fc.infiniteStream(fc.nat()), (spans, order) => {
      const mixed = spans.map((one) => [order.next().value, one] as const).toSorted(([a], [b]) => a - b);
      expect(buildTree(mixed.map(([, one]) => one))).toEqual(buildTree(spans));
    }),
    { numRuns: 200 },
  );
});

test('20,000 spans, each the child of the one before, or all of one', () => {
  const name = (index: number): string => index.toString(16).padStart(16, '0');
  const count = 20_000;
  const deep = Array.from({ length: count }, (_, index) =>
    span({ spanId: name(index), parentSpanId: index ? name(index - 1) : '', startUs: index, durationUs: 2 * count }),
  );
  expect(buildTree(deep.toReversed()).rows.at(-1)?.depth).toBe(count - 1);
  const wide = deep.map((one, index) => ({
    ...one,
    parentSpanId: index ? name(0) : '',
    durationUs: index ? 1 : count,
  }));
  const { rows } = buildTree(wide);
  expect(rows[0]).toMatchObject({ below: count - 1, selfUs: 1 });
  const ring = deep.map((one, index) => ({ ...one, parentSpanId: name((index + 1) % count) }));
  expect(buildTree(ring).rows.filter((row) => row.cycle)).toHaveLength(1);
});
