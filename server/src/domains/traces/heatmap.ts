/** When requests began and how long they took, as counts in a grid: time by buckets, durations by octaves. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { segmentsIn, type SegmentFilter } from './segments.ts';

/** Durations are counted by quarters of an octave; where they spread further, by a power of two of these. */
const partsPerOctave = 4;
export const maxRows = 40;
/** Durations that are all alike stand in the middle of so many, rather than fill the picture. */
const leastRows = 12;
const maxColumns = 60;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const columnSizes = [1, 2, 5, 10, 15, 30]
  .map((minutes) => minutes * minuteMs)
  .concat([1, 2, 3, 4, 6, 12, 24, 48, 168, 336].map((hours) => hours * hourMs));

export interface DurationRow {
  readonly fromUs: number;
  readonly untilUs: number;
}

export interface HeatmapCell {
  readonly column: number;
  readonly row: number;
  readonly count: number;
  readonly failed: number;
}

export interface Columns {
  /** Of the first one, ms since the epoch. */
  readonly startMs: number;
  readonly columnMs: number;
  readonly columns: number;
}

export interface Heatmap extends Columns {
  /** Each begins where the one before ends; shortest first. */
  readonly rows: readonly DurationRow[];
  /** Those with any, by column and row. */
  readonly cells: readonly HeatmapCell[];
}

interface Part {
  readonly x: number;
  readonly part: number;
  readonly n: number;
  readonly bad: number;
}

export async function readHeatmap(events: Events, filter: SegmentFilter): Promise<Heatmap> {
  const across = columnsOf(filter.range);
  if (!filter.projectIds.length) return { ...across, rows: [], cells: [] };
  const scope = where(...segmentsIn(filter));
  const parts = await events.query<Part>(
    `SELECT least(intDiv(toUnixTimestamp64Milli(started_at) - {start:Int64}, {columnMs:Int64}), {last:Int64}) AS x,
       toInt32(floor(log2(greatest(duration_us, 1)) * ${partsPerOctave})) AS part, count() AS n, countIf(failed = 1) AS bad
     FROM segments WHERE ${scope.sql} GROUP BY x, part`,
    { ...scope.params, start: across.startMs, columnMs: across.columnMs, last: across.columns - 1 },
  );
  return { ...across, ...toGrid(parts) };
}

/** Finer than what aggregates would answer: segments know their time. At most `maxColumns`. */
export function columnsOf({ startMs, endMs }: Pick<TimeRange, 'startMs' | 'endMs'>): Columns {
  const lengthMs = Math.max(1, endMs - startMs);
  const columnMs =
    columnSizes.find((size) => lengthMs / size <= maxColumns) ?? Math.ceil(lengthMs / maxColumns / hourMs) * hourMs;
  return { startMs, columnMs, columns: Math.max(1, Math.ceil(lengthMs / columnMs)) };
}

/** The least whole µs that belongs to a part. */
const edgeOf = (part: number): number => (part <= 0 ? 0 : Math.ceil(2 ** (part / partsPerOctave)));

/** At most `maxRows` rows, from the shortest duration to the longest. */
export function toGrid(parts: readonly Part[]): Pick<Heatmap, 'rows' | 'cells'> {
  if (!parts.length) return { rows: [], cells: [] };
  const lowest = parts.reduce((least, { part }) => Math.min(least, part), Infinity);
  const highest = parts.reduce((most, { part }) => Math.max(most, part), 0);
  let step = 1;
  while (Math.floor(highest / step) - Math.floor(lowest / step) >= maxRows) step *= 2;
  const wanting = Math.max(0, leastRows - (Math.floor(highest / step) - Math.floor(lowest / step) + 1));
  const first = Math.max(0, Math.floor(lowest / step) - Math.floor(wanting / 2));
  const end = Math.max(Math.floor(highest / step) + 1 + Math.ceil(wanting / 2), first + leastRows);
  // Parts of a few µs have no whole one to themselves.
  const rows = Array.from({ length: end - first }, (_, row) => ({
    fromUs: edgeOf((first + row) * step),
    untilUs: edgeOf((first + row + 1) * step),
  })).filter(({ fromUs, untilUs }) => fromUs < untilUs);
  const cells = new Map<number, HeatmapCell>();
  for (const { x, part, n, bad } of parts) {
    const us = edgeOf(part);
    const row = Math.max(
      0,
      rows.findIndex(({ untilUs }) => us < untilUs),
    );
    const key = x * maxRows + row;
    const known = cells.get(key);
    cells.set(key, { column: x, row, count: (known?.count ?? 0) + n, failed: (known?.failed ?? 0) + bad });
  }
  return { rows, cells: [...cells].toSorted(([a], [b]) => a - b).map(([, cell]) => cell) };
}
