/** Web vitals: p75, rating and score, by page, browser or device. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { condition, inScope, sourceOf, type TransactionScope } from './measures.ts';
import { seriesBuckets } from './series.ts';
import { setAllRight } from './sketch.ts';

export const vitalNames = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const;
export type VitalName = (typeof vitalNames)[number];

/** Share of the score, in hundredths. */
const weights: Readonly<Record<VitalName, number>> = { lcp: 30, inp: 30, fcp: 15, cls: 15, ttfb: 10 };

export interface Vital {
  readonly vital: VitalName;
  readonly count: number;
  /** ms; `cls` has no unit. */
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly good: number;
  readonly poor: number;
  /** From 0 to 100; undefined where no browser's samples count. */
  readonly score: number | undefined;
}

export interface VitalsGroup {
  /** Of a page; undefined where the group may span projects. */
  readonly projectId: number | undefined;
  /** The page, browser or device; '' where it is not known, and of all together. */
  readonly name: string;
  readonly vitals: readonly Vital[];
  /** Samples of the vital that has most of them. */
  readonly count: number;
  /** From 0 to 100: the vitals that are there, by weight; undefined where none counts. */
  readonly score: number | undefined;
  /** What the score of all would gain if this were perfect, by its share of the samples: largest first. */
  readonly opportunity: number;
}

export const vitalGroupings = ['transaction', 'browser', 'device', 'all'] as const;
export type VitalsBy = (typeof vitalGroupings)[number];

export interface VitalsScope extends Omit<TransactionScope, 'releases'> {
  readonly range: TimeRange;
  /** Undefined: of all pages. */
  readonly transaction?: string | undefined;
}

export interface VitalsRequest extends VitalsScope {
  readonly by: VitalsBy;
  readonly limit: number;
}

interface VitalRow {
  /** 0 for several. */
  readonly projectId: number;
  readonly name: string;
  readonly vital: VitalName;
  readonly n: number;
  readonly fine: number;
  readonly bad: number;
  /** Samples that count towards the score. */
  readonly scored: number;
  readonly points: number;
  readonly q: readonly (number | null)[];
}

const hourMs = 3_600_000;

/**
 * Of each browser the vitals that it measures as others do count: Safari (and every browser on iOS) is scored by FCP and
 * TTFB alone, Firefox without CLS.
 */
const counts = `NOT (
  (vital IN ('lcp', 'inp', 'cls') AND (positionCaseInsensitive(browser, 'safari') > 0 OR endsWith(browser, 'iOS')))
  OR (vital = 'cls' AND startsWith(browser, 'Firefox')))`;

/** p50, p75 and p90. Layout shift is less than 1 nearly always. */
const quantiles = setAllRight('quantilesDDMerge(0.01, 0.5, 0.75, 0.9)(values)');

/** Pages of which the vitals are read: the most frequent. */
const groupLimit = 2000;

export async function listVitals(events: Events, request: VitalsRequest): Promise<VitalsGroup[]> {
  const { projectIds, by, limit } = request;
  if (!projectIds.length) return [];
  const { table, scope } = vitalRows(request);
  const rows = await events.query<VitalRow>(
    `SELECT ${by === 'transaction' ? 'project_id' : 'toUInt64(0)'} AS projectId, ${by === 'all' ? "''" : by} AS name, vital, sum(count) AS n, sum(good) AS fine, sum(poor) AS bad,
       sumIf(count, ${counts}) AS scored, sumIf(score, ${counts}) AS points, ${quantiles} AS q
     FROM ${table} WHERE ${scope.sql} GROUP BY projectId, name, vital ORDER BY n DESC LIMIT {rows:UInt32}`,
    { ...scope.params, rows: groupLimit * vitalNames.length },
  );
  return groupVitals(rows).slice(0, limit);
}

/** Rows of the aggregate that answers for the range. `grain` overrules the range's own. */
function vitalRows({ projectIds, environments, range, transaction }: VitalsScope, grain = range.grain) {
  const unit = grain === 'day' ? ('day' as const) : ('hour' as const);
  const { during, millis } = sourceOf(unit);
  const from = Math.floor(range.startMs / hourMs) * hourMs;
  const scope = where(
    ...inScope({ projectIds, environments, releases: [] }),
    during('range', from, range.open ? undefined : range.endMs),
    ...(transaction === undefined ? [] : [condition('transaction = {transaction:String}', { transaction })]),
  );
  return { table: `vital_${unit}s`, millis, scope };
}

export interface VitalBucket {
  readonly bucket: number;
  readonly vital: VitalName;
  readonly count: number;
  readonly good: number;
  readonly poor: number;
  readonly p75: number;
}

export interface VitalSeries {
  readonly startMs: number;
  readonly bucketMs: number;
  readonly count: number;
  /** Those without a sample are left out. */
  readonly buckets: readonly VitalBucket[];
}

/** How vitals went over time. */
export async function vitalSeries(events: Events, request: VitalsScope): Promise<VitalSeries> {
  const { range, projectIds } = request;
  const startMs = Math.floor(range.startMs / hourMs) * hourMs;
  const { bucketMs, buckets } = seriesBuckets({
    ...range,
    startMs,
    grain: range.grain === 'day' ? 'day' : 'hour',
  });
  const { table, millis, scope } = vitalRows(request);
  const rows = projectIds.length
    ? await events.query<{ bucket: number; vital: VitalName; n: number; fine: number; bad: number; q: number[] }>(
        `SELECT least(intDiv(${millis} - {start:Int64}, {bucketMs:Int64}), {last:Int64}) AS bucket, vital, sum(count) AS n,
           sum(good) AS fine, sum(poor) AS bad, ${quantiles} AS q
         FROM ${table} WHERE ${scope.sql} GROUP BY bucket, vital ORDER BY bucket, vital`,
        { ...scope.params, start: startMs, bucketMs, last: buckets - 1 },
      )
    : [];
  return {
    startMs,
    bucketMs,
    count: buckets,
    buckets: rows.map(({ bucket, vital, n, fine, bad, q }) => ({
      bucket,
      vital,
      count: n,
      good: fine,
      poor: bad,
      p75: q[1] ?? 0,
    })),
  };
}

/** Of one page, newest first: samples by hour, of the vital that has most. */
export async function vitalHours(events: Events, request: VitalsScope): Promise<{ at: number; n: number }[]> {
  const { table, millis, scope } = vitalRows(request, 'hour');
  return events.query<{ at: number; n: number }>(
    `SELECT at, max(samples) AS n FROM (
       SELECT ${millis} AS at, vital, sum(count) AS samples FROM ${table} WHERE ${scope.sql} GROUP BY at, vital
     ) GROUP BY at ORDER BY at DESC`,
    scope.params,
  );
}

function groupVitals(rows: readonly VitalRow[]): VitalsGroup[] {
  const groups = Map.groupBy(rows, ({ projectId, name }) => JSON.stringify([projectId, name]));
  const shown = [...groups.values()].map((own) => {
    const vitals = own.map((row) => toVital(row));
    const scored = vitals.flatMap(({ vital, score }) =>
      score === undefined ? [] : [{ weight: weights[vital], score }],
    );
    const weight = scored.reduce((sum, one) => sum + one.weight, 0);
    return {
      projectId: own[0]?.projectId || undefined,
      name: own[0]?.name ?? '',
      vitals: vitals.toSorted((a, b) => vitalNames.indexOf(a.vital) - vitalNames.indexOf(b.vital)),
      count: Math.max(...vitals.map(({ count }) => count)),
      score: weight ? scored.reduce((sum, one) => sum + one.score * one.weight, 0) / weight : undefined,
    };
  });
  const all = shown.reduce((sum, { count }) => sum + count, 0);
  return shown
    .map((group) => ({ ...group, opportunity: ((100 - (group.score ?? 100)) * group.count) / all }))
    .toSorted((a, b) => b.opportunity - a.opportunity || (a.name < b.name ? -1 : 1));
}

function toVital({ vital, n, fine, bad, scored, points, q }: VitalRow): Vital {
  const [p50, p75, p90] = q;
  return {
    vital,
    count: n,
    p50: p50 ?? 0,
    p75: p75 ?? 0,
    p90: p90 ?? 0,
    good: fine,
    poor: bad,
    score: scored ? (100 * points) / scored : undefined,
  };
}
