import { describe, expect, test } from 'vitest';
import { cellRuns, minimapCells } from './minimap.ts';
import { testTrace } from './testing.ts';

const window = { fromUs: 0, untilUs: 1000 };
const size = { columns: 10, lanes: 4 };

describe('the minimap', () => {
  test('time goes to the right, rows go down, each in the colour of its op', () => {
    const { rows } = testTrace([
      { id: 'a', op: 'http.server', durationUs: 1000 },
      { id: 'b', in: 'a', op: 'db.query', offsetUs: 250, durationUs: 300 },
    ]);
    const cells = minimapCells(rows, { first: 0, end: 2 }, window, size);
    expect(cells).toMatchObject({ columns: 10, lanes: 2 });
    expect(cellRuns(cells)).toEqual([
      { lane: 0, from: 0, until: 10, kind: 'http' },
      { lane: 1, from: 2, until: 6, kind: 'db' },
    ]);
  });

  test('the shortest span is one cell, what lies outside none', () => {
    const { rows } = testTrace([
      { id: 'a', offsetUs: 1000, durationUs: 0 },
      { id: 'b', offsetUs: 5000, durationUs: 9 },
    ]);
    expect(cellRuns(minimapCells(rows, { first: 0, end: 2 }, window, size))).toEqual([
      { lane: 0, from: 9, until: 10, kind: 'function' },
    ]);
  });

  test('failed spans are seen before others in their cell', () => {
    const { rows } = testTrace(
      Array.from({ length: 8 }, (_, number) => ({
        id: `${number}`,
        durationUs: 1000,
        ...(number === 0 && { failed: true as const }),
      })),
    );
    const runs = cellRuns(minimapCells(rows, { first: 0, end: 8 }, window, { columns: 4, lanes: 2 }));
    expect(runs).toEqual([
      { lane: 0, from: 0, until: 4, kind: 'failed' },
      { lane: 1, from: 0, until: 4, kind: 'function' },
    ]);
  });

  test('a part of the rows alone', () => {
    const { rows } = testTrace([{ id: 'a' }, { id: 'b', in: 'a', op: 'db' }, { id: 'c', op: 'cache.get' }]);
    expect(cellRuns(minimapCells(rows, { first: 1, end: 2 }, window, size)).map(({ kind }) => kind)).toEqual(['db']);
  });

  test.each(['deep', 'flat'])('20,000 spans, %s, are no more cells than there are', (form) => {
    const count = 20_000;
    const { rows } = testTrace(
      Array.from({ length: count }, (_, number) => ({
        id: `${number}`,
        ...(number && { in: form === 'deep' ? `${number - 1}` : '0' }),
        op: ['db', 'http', 'cache'][number % 3] ?? '',
        offsetUs: number * 50,
        durationUs: 5000,
      })),
    );
    const bounds = { fromUs: 0, untilUs: count * 50 + 5000 };
    const cells = minimapCells(rows, { first: 0, end: count }, bounds, { columns: 1200, lanes: 28 });
    expect(cells.kinds).toHaveLength(1200 * 28);
    expect(cellRuns(cells).length).toBeLessThanOrEqual(1200 * 28);
  });
});
