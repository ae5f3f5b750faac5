import { describe, expect, test } from 'vitest';
import { rowOfSpan } from './index-trace.ts';
import { foldedBeyond, revealed, stepOf, type View, visibleRows } from './rows.ts';
import { testIndex, type TestSpan } from './testing.ts';

const all: View = { folded: new Set(), opened: new Set(), focus: -1 };

/** page > (fetch > request > 6 × query), paint; and another root. */
const spans: TestSpan[] = [
  { id: 'page' },
  { id: 'fetch', in: 'page' },
  { id: 'request', in: 'fetch' },
  ...Array.from({ length: 6 }, (_, number) => ({ id: `query ${number}`, in: 'request', shape: 7 })),
  { id: 'render', in: 'request' },
  { id: 'paint', in: 'page' },
  { id: 'worker' },
];
const index = testIndex(spans);
const row = (id: string): number => rowOfSpan(index, id);
const shown = (view: Partial<View> = {}): string[] =>
  visibleRows(index, { ...all, ...view }).map(
    ({ row: at, run, level }) => `${'.'.repeat(level - 1)}${run ? `${run}x ` : ''}${index.rows[at]?.id}`,
  );

describe('what is visible', () => {
  test('siblings that do the same are one row, others stand by themselves', () => {
    expect(shown()).toEqual(['page', '.fetch', '..request', '...6x query 0', '...render', '.paint', 'worker']);
  });

  test('an opened run shows its spans a level below', () => {
    expect(shown({ opened: new Set(['1:query 0']) }).slice(3, 7)).toEqual([
      '...6x query 0',
      '....query 0',
      '....query 1',
      '....query 2',
    ]);
  });

  test('four of a kind are no run, nor are those with children', () => {
    const few = testIndex([
      { id: 'a' },
      ...Array.from({ length: 4 }, (_, number) => ({ id: `b${number}`, in: 'a', shape: 1 })),
      ...Array.from({ length: 6 }, (_, number) => [
        { id: `c${number}`, in: 'a', shape: 2 },
        { id: `d${number}`, in: `c${number}`, shape: 3 },
      ]).flat(),
    ]);
    expect(visibleRows(few, all).every(({ run }) => run === 0)).toBe(true);
  });

  test('what is folded hides what is below it', () => {
    expect(shown({ folded: new Set(['1:fetch']) })).toEqual(['page', '.fetch', '.paint', 'worker']);
  });

  test('a focus shows its subtree alone', () => {
    expect(shown({ focus: row('request') })).toEqual(['request', '.6x query 0', '.render']);
    expect(shown({ focus: row('query 2') })).toEqual(['query 2']);
  });

  test('each row knows its place among its siblings', () => {
    const places = visibleRows(index, all).map(({ position, siblings }) => `${position}/${siblings}`);
    expect(places).toEqual(['1/2', '1/2', '1/1', '1/2', '2/2', '2/2', '2/2']);
  });

  test('unfolding says so only where there is something to unfold', () => {
    const rows = visibleRows(index, { ...all, folded: new Set(['1:fetch']) });
    expect(rows.map(({ expanded }) => expanded)).toEqual([true, false, undefined, undefined]);
  });
});

describe('folding', () => {
  test('by level', () => {
    expect(shown({ folded: foldedBeyond(index, 1) })).toEqual(['page', 'worker']);
    expect(shown({ folded: foldedBeyond(index, 2) })).toEqual(['page', '.fetch', '.paint', 'worker']);
    expect(foldedBeyond(index, Infinity).size).toBe(0);
  });

  test('a row is revealed by unfolding what hides it, and no more', () => {
    const folded = foldedBeyond(index, 1);
    const view = revealed(index, { ...all, folded }, row('query 3'));
    expect([...view.folded]).toEqual([]);
    expect([...view.opened]).toEqual(['1:query 0']);
    expect(revealed(index, all, row('paint'))).toEqual(all);
  });

  test('a focus elsewhere is given up', () => {
    expect(revealed(index, { ...all, focus: row('request') }, row('paint')).focus).toBe(-1);
    expect(revealed(index, { ...all, focus: row('request') }, row('render')).focus).toBe(row('request'));
  });
});

describe('keys of a tree grid', () => {
  const visible = visibleRows(index, { ...all, folded: new Set(['1:request']) });
  // page, fetch, request (folded), paint, worker
  test.each([
    [0, 'ArrowDown', { kind: 'move', to: 1 }],
    [4, 'ArrowDown', { kind: 'move', to: 4 }],
    [1, 'ArrowUp', { kind: 'move', to: 0 }],
    [2, 'ArrowRight', { kind: 'unfold', at: 2 }],
    [1, 'ArrowRight', { kind: 'move', to: 2 }],
    [3, 'ArrowRight', undefined],
    [1, 'ArrowLeft', { kind: 'fold', at: 1 }],
    [2, 'ArrowLeft', { kind: 'move', to: 1 }],
    [3, 'ArrowLeft', { kind: 'move', to: 0 }],
    [4, 'ArrowLeft', undefined],
    [3, 'Home', { kind: 'move', to: 0 }],
    [0, 'End', { kind: 'move', to: 4 }],
    [0, 'PageDown', { kind: 'move', to: 3 }],
    [4, 'PageUp', { kind: 'move', to: 1 }],
    [0, 'x', undefined],
    [9, 'ArrowDown', undefined],
  ])('from row %d with %s', (at, key, step) => {
    expect(stepOf(visible, at, key, 3)).toEqual(step);
  });
});

describe('20,000 spans', () => {
  const count = 20_000;

  test('each in the one before', () => {
    const deep = testIndex(
      Array.from({ length: count }, (_, number) => ({ id: `${number}`, ...(number && { in: `${number - 1}` }) })),
    );
    const visible = visibleRows(deep, all);
    expect(visible).toHaveLength(count);
    expect(visible.at(-1)).toMatchObject({ level: count, position: 1, siblings: 1 });
    const view = revealed(deep, { ...all, folded: foldedBeyond(deep, 1) }, count - 1);
    expect(visibleRows(deep, view)).toHaveLength(count);
  });

  test('side by side', () => {
    const flat = testIndex([
      { id: 'root' },
      ...Array.from({ length: count - 1 }, (_, number) => ({ id: `${number}`, in: 'root', shape: number % 3 })),
    ]);
    const visible = visibleRows(flat, all);
    expect(visible).toHaveLength(count);
    expect(visible.at(-1)).toMatchObject({ position: count - 1, siblings: count - 1 });
  });

  test('all the same', () => {
    const same = testIndex([
      { id: 'root' },
      ...Array.from({ length: count - 1 }, (_, number) => ({ id: `${number}`, in: 'root', shape: 1 })),
    ]);
    expect(visibleRows(same, all)).toMatchObject([{ run: 0 }, { run: count - 1, expanded: false }]);
    expect(visibleRows(same, { ...all, opened: new Set(['1:0']) })).toHaveLength(count + 1);
  });
});
