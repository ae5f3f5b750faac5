/** The answer of `events-timeseries/` as charts: one for each aggregate, a line for each group. Pure. */
import * as m from '../../messages/explore.ts';
import type { ChartSeries } from '../charts/series.ts';
import { otherStroke, strokesOf } from './colours.ts';
import { groupKey, valueText, type Measure } from './values.ts';

/** One series of the answer. */
export interface TimeSeries {
  readonly yAxis: string;
  readonly groupBy: readonly { readonly key: string; readonly value: unknown }[] | null;
  /** `timestamp`: start of the bucket, ms since the epoch. */
  readonly values: readonly {
    readonly timestamp: number;
    readonly value: number | null;
    readonly incomplete: boolean;
    /** Where it is estimated: ends between which the exact value lies 19 times in 20. */
    readonly interval?: readonly [low: number | null, high: number | null] | undefined;
  }[];
  readonly meta: {
    readonly valueType: string;
    readonly valueUnit: string | null;
    /** ms. */
    readonly interval: number;
    /** Rank of the group. */
    readonly order: number | null;
    readonly isOther: boolean;
  };
}

interface Line {
  /** Key of the group; undefined: all rows, or all that are in no other line. */
  readonly group: string | undefined;
  readonly label: string;
  readonly isOther: boolean;
  readonly values: readonly (number | null)[];
  /** Between which ends each lies; undefined where they are exact. */
  readonly ranges: ChartSeries['ranges'];
}

export interface Chart {
  readonly axis: string;
  readonly measure: Measure;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly bucketSeconds: number;
  readonly lines: readonly Line[];
  /** The last bucket is not over yet. */
  readonly isIncomplete: boolean;
}

/** A chart for each axis, in their order; one that the answer does not have is without lines. */
export function chartsOf(answer: readonly TimeSeries[], axes: readonly string[]): Chart[] {
  return axes.map((axis) => {
    const series = answer
      .filter(({ yAxis }) => yAxis === axis)
      .toSorted((a, b) => Number(a.meta.isOther) - Number(b.meta.isOther) || (a.meta.order ?? 0) - (b.meta.order ?? 0));
    const first = series[0];
    const starts = first?.values.map(({ timestamp }) => timestamp) ?? [];
    return {
      axis,
      measure: { type: first?.meta.valueType ?? 'number', unit: first?.meta.valueUnit ?? null },
      times: starts.map((ms) => ms / 1000),
      bucketSeconds: Math.max(1, (first?.meta.interval ?? 60_000) / 1000),
      lines: series.map(({ groupBy, values, meta }) => {
        const byStart = new Map(values.map((point) => [point.timestamp, point]));
        return {
          group: meta.isOther || !groupBy?.length ? undefined : groupKey(groupBy.map(({ value }) => value)),
          label: meta.isOther
            ? m.otherGroups
            : (groupBy ?? []).map(({ value }) => valueText(value)).join(' · ') || m.allGroupsTogether,
          isOther: meta.isOther,
          values: starts.map((at) => byStart.get(at)?.value ?? null),
          ranges: values.some(({ interval }) => interval) ? starts.map((at) => rangeOf(byStart.get(at))) : undefined,
        };
      }),
      isIncomplete: first?.values.at(-1)?.incomplete ?? false,
    };
  });
}

/** Where the others are estimated: a value without an interval is exact. */
function rangeOf({ value = null, interval }: Partial<TimeSeries['values'][number]> = {}) {
  return interval ?? ([value, value] as const);
}

/** Room for names at the ends of lines, px, and how many letters it holds. */
export const nameEdge = 156;
const nameLetters = 21;

const shortened = (label: string): string => {
  const letters = [...label];
  return letters.length > nameLetters
    ? `${letters
        .slice(0, nameLetters - 1)
        .join('')
        .trimEnd()}…`
    : label;
};

/** Lines as they are drawn. The only line of a chart is filled. */
export function linesOf({ lines }: Chart): ChartSeries[] {
  const strokes = strokesOf(lines.flatMap(({ group }) => (group === undefined ? [] : [group])));
  const used = new Set<string>();
  return lines.map(({ group, label: name, isOther, values, ranges }) => {
    const estimated = ranges && { ranges };
    let label = name;
    // Labels name lines; two groups that are written alike still are two.
    for (let number = 2; used.has(label); number += 1) label = `${name} (${number})`;
    used.add(label);
    if (group === undefined && !isOther) return { label, token: '--accent', filled: true, values, ...estimated };
    const { token, dash } = (group === undefined ? undefined : strokes.get(group)) ?? otherStroke;
    return { label, short: shortened(label), token, dash, values, ...estimated };
  });
}
