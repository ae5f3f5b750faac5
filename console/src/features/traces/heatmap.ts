/** The heatmap as it is drawn, and what a part of it means. Pure; places are shares from 0 to 1, from the left and from the top. */
import type { Tick } from '../charts/scales.ts';
import type { TimeSpan } from '../charts/series.ts';
import type { TraceHeatmap } from './queries.ts';

/** A part of the list: a time, a duration or both. */
export interface Region {
  /** Seconds since the epoch. */
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** How strongly a cell is drawn: what has any is seen, and one more weighs less the more there are. */
export const strengthOf = (count: number, most: number): number =>
  0.16 + 0.84 * (Math.log1p(count - 1) / Math.log1p(Math.max(1, most - 1)));

const indexAt = (share: number, size: number): number => Math.min(size - 1, Math.max(0, Math.floor(share * size)));

export type Cell = readonly [column: number, row: number];

/** The one under a point; undefined where there are no rows. */
export function cellAt({ x, y }: Point, { columns, rows }: TraceHeatmap): Cell | undefined {
  return rows.length ? [indexAt(x, columns), indexAt(1 - y, rows.length)] : undefined;
}

export const startOf = ({ from, columnSeconds }: TraceHeatmap, column: number): number => from + column * columnSeconds;

/** From where a drag began to where it ended: whole cells. */
export function regionBetween(begun: Point, ended: Point, heatmap: TraceHeatmap): Region | undefined {
  const [a, b] = [cellAt(begun, heatmap), cellAt(ended, heatmap)];
  return a && b && regionOfCells(a, b, heatmap);
}

/** From the corner of one to the opposite corner of the other. */
export function regionOfCells(a: Cell, b: Cell, heatmap: TraceHeatmap): Region {
  const [low, high] = [heatmap.rows[Math.min(a[1], b[1])], heatmap.rows[Math.max(a[1], b[1])]];
  return {
    since: Math.floor(startOf(heatmap, Math.min(a[0], b[0]))),
    before: Math.ceil(startOf(heatmap, Math.max(a[0], b[0]) + 1)),
    fromMs: low?.fromMs,
    untilMs: high?.untilMs,
  };
}

/** Where a region is drawn; undefined when it is none, or lies outside. */
export function boxOf(region: Region, heatmap: TraceHeatmap): Box | undefined {
  const { since, before, fromMs, untilMs } = region;
  if ([since, before, fromMs, untilMs].every((bound) => bound === undefined) || !heatmap.rows.length) return undefined;
  const width = heatmap.columns * heatmap.columnSeconds;
  const at = (seconds: number): number => Math.min(1, Math.max(0, (seconds - heatmap.from) / width));
  const box = {
    left: since === undefined ? 0 : at(since),
    right: before === undefined ? 1 : at(before),
    top: untilMs === undefined ? 0 : heightOf(untilMs, heatmap),
    bottom: fromMs === undefined ? 1 : heightOf(fromMs, heatmap),
  };
  return box.left < box.right && box.top < box.bottom ? box : undefined;
}

/** Where a duration stands; within its row by its logarithm. */
export function heightOf(ms: number, { rows }: TraceHeatmap): number {
  const row = rows.findIndex(({ untilMs }) => ms < untilMs);
  const found = rows[row];
  if (!found) return 0;
  const from = Math.max(found.fromMs, 0.0005);
  const within = ms <= from ? 0 : Math.log(ms / from) / Math.log(found.untilMs / from);
  return 1 - (row + within) / rows.length;
}

/** Durations that are named: powers of ten, where there is room with 2 and 5 between them. */
export function durationTicks(heatmap: TraceHeatmap, format: (ms: number) => string, most = 6): Tick[] {
  const [first, last] = [heatmap.rows[0], heatmap.rows.at(-1)];
  if (!first || !last) return [];
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const ticks = Array.from({ length: 16 }, (_, index) => 10 ** (index - 3)).flatMap((power) =>
      factors.map((factor) => factor * power).filter((ms) => ms >= first.fromMs && ms < last.untilMs),
    );
    if (ticks.length <= most || factors.length === 1)
      return ticks.map((value) => ({ value, place: heightOf(value, heatmap), label: format(value) }));
  }
  return [];
}

/** The time that it is about, a column a bucket. */
export const spanOf = ({ from, columns, columnSeconds }: TraceHeatmap): TimeSpan => ({
  from,
  until: from + columns * columnSeconds,
  columns,
});

export interface ColumnSums {
  /** Seconds since the epoch. */
  readonly at: number;
  readonly count: number;
  readonly failed: number;
  /** The row that most are in, and the longest one. */
  readonly usual: TraceHeatmap['rows'][number];
  readonly longest: TraceHeatmap['rows'][number];
}

/** What each time had; times without a request are left out. */
export function columnSums(heatmap: TraceHeatmap): ColumnSums[] {
  const sums: ColumnSums[] = [];
  for (const [column, cells] of Map.groupBy(heatmap.cells, ([x]) => x)) {
    const [, usual] = cells.reduce((best, cell) => (cell[2] > best[2] ? cell : best));
    const longest = cells.reduce((most, [, row]) => Math.max(most, row), 0);
    const [usualRow, longestRow] = [heatmap.rows[usual], heatmap.rows[longest]];
    if (!usualRow || !longestRow) continue;
    sums.push({
      at: startOf(heatmap, column),
      count: cells.reduce((sum, cell) => sum + cell[2], 0),
      failed: cells.reduce((sum, cell) => sum + cell[3], 0),
      usual: usualRow,
      longest: longestRow,
    });
  }
  return sums;
}
