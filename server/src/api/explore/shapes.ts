/** Answers of Explore in Sentry's shapes. */
import type { z } from 'zod';
import type {
  CellInterval,
  Column,
  RowCount,
  Sampling,
  Series,
  SeriesGroup,
  SeriesQuestion,
  TableQuestion,
} from '../../domains/explore/index.ts';
import type { exploreEvents, exploreMeta, exploreStats, exploreTimeseries } from './contract.ts';

type Table = z.output<typeof exploreEvents.response>;
type Count = z.output<typeof exploreMeta.response>;
type Stats = z.output<typeof exploreStats.response>;
type StatsSeries = Extract<Stats, { isMetricsData: boolean }>;
type Timeseries = z.output<typeof exploreTimeseries.response>;

/** Types and units of columns by their names as asked for. */
export function toMeta(columns: readonly Column[]): {
  fields: Record<string, string>;
  units: Record<string, string | null>;
} {
  return {
    fields: Object.fromEntries(columns.map(({ text, field }) => [text, typeOf(field)])),
    units: Object.fromEntries(columns.map(({ text, field }) => [text, field.unit])),
  };
}

const types: Readonly<Record<string, string>> = { text: 'string', version: 'string', choice: 'string' };

function typeOf(field: Column['field']): string {
  if (field.kind === 'key' && field.key.place.kind === 'array') return 'array';
  return types[field.type] ?? field.type;
}

const toInterval = ([low, high]: CellInterval): [number | string | null, number | string | null] => [low, high];

function toSampling({ share, intervals }: Sampling): Table['meta']['sampling'] {
  return { share, intervals: toIntervals(intervals) };
}

const toIntervals = (intervals: Sampling['intervals']) =>
  intervals.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, interval]) => [column, toInterval(interval)])),
  );

export function toCount({ count, represents, estimated }: RowCount): Count {
  if (represents) {
    const { interval } = represents;
    return { count, represents: { count: represents.count, interval: interval ? toInterval(interval) : null } };
  }
  if (!estimated) return { count };
  const { share, interval } = estimated;
  return { count, meta: { sampling: { share, interval: toInterval(interval) } } };
}

export function toTableMeta(
  { columns, isGrouped, dataSet }: TableQuestion,
  sampling?: Sampling,
  intervals?: Sampling['intervals'],
): Table['meta'] {
  const { fields, units } = toMeta(columns);
  return {
    fields: isGrouped ? fields : { id: 'string', 'project.name': 'string', ...fields },
    units: isGrouped ? units : { id: null, 'project.name': null, ...units },
    dataset: dataSet,
    isMetricsData: false,
    ...(sampling && { sampling: toSampling(sampling) }),
    ...(intervals && { estimated: { intervals: toIntervals(intervals) } }),
  };
}

const nameOf = ({ values, isOther }: SeriesGroup): string =>
  isOther ? 'Other' : values.map((value) => (value === null ? '' : String(value))).join(',');

/** One series, or an object of series by axis, by group, or by group and axis. */
export function toStats(question: SeriesQuestion, series: Series): Stats {
  const { axes, groupBy } = question;
  const seriesOf = (group: SeriesGroup, axis: number, order?: number): StatsSeries => {
    const column = axes[axis];
    return {
      data: (group.axes[axis] ?? []).map((value, index): StatsSeries['data'][number] => {
        const interval = group.intervals?.[axis]?.[index];
        return [
          Math.floor((series.buckets.startMs + index * series.buckets.bucketMs) / 1000),
          [{ count: value, ...(interval && { interval: [interval[0], interval[1]] }) }],
        ];
      }),
      start: Math.floor(question.range.startMs / 1000),
      end: Math.floor(question.range.endMs / 1000),
      ...(order !== undefined && { order }),
      isMetricsData: false,
      meta: { ...toMeta(column ? [column] : []), dataset: question.dataSet },
    };
  };
  const byAxis = (group: SeriesGroup): Record<string, StatsSeries> =>
    Object.fromEntries(axes.map(({ text }, axis) => [text, seriesOf(group, axis, axis)]));
  const [first] = series.groups;
  if (!groupBy.length) {
    if (!first) return {};
    return axes.length === 1 ? seriesOf(first, 0) : byAxis(first);
  }
  return Object.fromEntries(
    series.groups.map((group, order) => [
      nameOf(group),
      axes.length === 1 ? seriesOf(group, 0, order) : { ...byAxis(group), order },
    ]),
  );
}

/** A flat list: by group, and within a group by axis. */
export function toTimeseries(question: SeriesQuestion, series: Series, nowMs: number): Timeseries {
  const { axes, groupBy, range, dataSet } = question;
  const { startMs, bucketMs } = series.buckets;
  return {
    meta: {
      dataset: dataSet,
      start: range.startMs,
      end: range.endMs,
      ...(series.share !== undefined && { sampling: { share: series.share } }),
    },
    timeSeries: series.groups.flatMap(({ values, isOther, axes: numbers, intervals }, order) =>
      axes.map(({ text, field }, axis) => ({
        yAxis: text,
        groupBy:
          groupBy.length && !isOther
            ? groupBy.map((column, index) => {
                const value = values[index] ?? null;
                return { key: column.text, value: Array.isArray(value) ? [...value] : (value as string | null) };
              })
            : null,
        values: (numbers[axis] ?? []).map((value, index) => {
          const timestamp = startMs + index * bucketMs;
          const interval = intervals?.[axis]?.[index];
          return {
            timestamp,
            value,
            incomplete: timestamp + bucketMs > nowMs,
            ...(interval && { interval: [interval[0], interval[1]] as [number | null, number | null] }),
          };
        }),
        meta: {
          valueType: typeOf(field),
          valueUnit: field.unit,
          interval: bucketMs,
          order: groupBy.length ? order : null,
          isOther,
        },
      })),
    ),
  };
}
