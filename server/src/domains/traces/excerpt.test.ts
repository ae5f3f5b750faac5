import { describe, expect, test } from 'vitest';
import { chooseExcerpt, type ExcerptRow } from './excerpt.ts';

/** Rows from depths in the order of a waterfall. */
function rowsOf(depths: readonly number[], durations: readonly number[] = []): ExcerptRow[] {
  return depths.map((depth, index) => {
    const parent = depths.findLastIndex((each, at) => at < index && each === depth - 1);
    const end = depths.findIndex((each, at) => at > index && each <= depth);
    return {
      depth,
      parent: depth === 0 ? -1 : parent,
      below: (end < 0 ? depths.length : end) - index - 1,
      durationUs: durations[index] ?? 1,
    };
  });
}

const chosen = (...args: Parameters<typeof chooseExcerpt>): number[] => chooseExcerpt(...args).map(({ row }) => row);

describe('an excerpt', () => {
  test('of a short trace is all of it', () => {
    expect(chooseExcerpt(rowsOf([0, 1, 2, 1]), [2], 8)).toEqual([
      { row: 0, depth: 0, skipped: 0, hidden: 0 },
      { row: 1, depth: 1, skipped: 0, hidden: 0 },
      { row: 2, depth: 2, skipped: 0, hidden: 0 },
      { row: 3, depth: 1, skipped: 0, hidden: 0 },
    ]);
  });

  test('has the root, the parent, the span, and what stands beside it', () => {
    // 0 is the root, 1 to 20 its children, 21 the parent with the children 22 to 40.
    const rows = rowsOf([0, ...Array<number>(20).fill(1), 1, ...Array<number>(19).fill(2)]);
    expect(chosen(rows, [30], 5)).toEqual([0, 21, 29, 30, 31]);
    expect(chosen(rows, [22], 5)).toEqual([0, 21, 22, 23, 24]);
    expect(chooseExcerpt(rows, [30], 5)[2]).toEqual({ row: 29, depth: 2, skipped: 0, hidden: 7 });
  });

  test('leaves nothing out where there is room for all', () => {
    const rows = rowsOf([0, 1, 2, 2, 1, 1, 2]);
    expect(chosen(rows, [4], 8)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(chosen(rows, [4], 6)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('says which levels it leaves out', () => {
    const deep = rowsOf(Array.from({ length: 30 }, (_, depth) => depth));
    const places = chooseExcerpt(deep, [25], 4);
    expect(places.map(({ row }) => row)).toEqual([0, 23, 24, 25]);
    expect(places[1]).toEqual({ row: 23, depth: 1, skipped: 22, hidden: 22 });
    expect(places[3]).toMatchObject({ depth: 3, skipped: 0 });
  });

  test('has what else is wanted before its neighbours', () => {
    const rows = rowsOf([0, ...Array<number>(30).fill(1)]);
    expect(chosen(rows, [5, 9, 12, 25], 6)).toEqual([0, 4, 5, 9, 12, 25]);
    expect(chosen(rows, [5, 9, 12, 25], 3)).toEqual([0, 5, 9]);
  });

  test('without a wish has the longest of the longest root', () => {
    const rows = rowsOf([0, 1, 0, 1, 1, 1], [5, 1, 50, 1, 30, 2]);
    expect(chosen(rows, [], 3)).toEqual([2, 4, 5]);
    expect(chosen([], [], 3)).toEqual([]);
  });

  test('takes places that do not exist for nothing, and a chain of 20,000 for what it is', () => {
    const rows = rowsOf([0, 1]);
    expect(chosen(rows, [-1, 7, 1], 8)).toEqual([0, 1]);
    const chain = Array.from({ length: 20_000 }, (_, depth) => ({
      depth,
      parent: depth - 1,
      below: 19_999 - depth,
      durationUs: 1,
    }));
    expect(chosen(chain, [19_999], 8)).toHaveLength(8);
  });
});
