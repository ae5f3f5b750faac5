/** Web vitals: p75, rating and score, by page, browser or device. */
import type { Events } from '../events/events.ts';
import { where } from '../issues/index.ts';
import type { TimeRange } from '../search/index.ts';
import { condition, inScope, sourceOf, type TransactionScope } from './measures.ts';

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
  /** From 0 to 100. */
  readonly score: number;
}

export interface VitalsGroup {
  readonly projectId: number;
  /** The page, browser or device; '' where it is not known. */
  readonly name: string;
  readonly vitals: readonly Vital[];
  /** Samples of the vital that has most of them. */
  readonly count: number;
  /** From 0 to 100: the vitals that are there, by weight. */
  readonly score: number;
  /** What the score of all would gain if this were perfect, by its share of the samples: largest first. */
  readonly opportunity: number;
}

export type VitalsBy = 'transaction' | 'browser' | 'device';

export interface VitalsRequest extends Omit<TransactionScope, 'releases'> {
  readonly range: TimeRange;
  readonly by: VitalsBy;
  /** Undefined: of all pages. */
  readonly transaction?: string | undefined;
  readonly limit: number;
}

interface VitalRow {
  readonly projectId: number;
  readonly name: string;
  readonly vital: VitalName;
  readonly n: number;
  readonly fine: number;
  readonly bad: number;
  readonly points: number;
  readonly q: readonly (number | null)[];
}

const hourMs = 3_600_000;
/** Pages of which the vitals are read: the most frequent. */
const groupLimit = 2000;

export async function listVitals(events: Events, request: VitalsRequest): Promise<VitalsGroup[]> {
  const { projectIds, environments, range, by, transaction, limit } = request;
  if (!projectIds.length) return [];
  const grain = range.grain === 'day' ? 'day' : 'hour';
  const { during } = sourceOf(grain);
  const from = Math.floor(range.startMs / hourMs) * hourMs;
  const scope = where(
    ...inScope({ projectIds, environments, releases: [] }),
    during('range', from, range.open ? undefined : range.endMs),
    ...(transaction === undefined ? [] : [condition('transaction = {transaction:String}', { transaction })]),
  );
  const rows = await events.query<VitalRow>(
    `SELECT project_id AS projectId, ${by} AS name, vital, sum(count) AS n, sum(good) AS fine, sum(poor) AS bad,
       sum(score) AS points, quantilesDDMerge(0.01, 0.5, 0.75, 0.9)(values) AS q
     FROM vital_${grain}s WHERE ${scope.sql} GROUP BY project_id, name, vital ORDER BY n DESC LIMIT {rows:UInt32}`,
    { ...scope.params, rows: groupLimit * vitalNames.length },
  );
  return groupVitals(rows).slice(0, limit);
}

function groupVitals(rows: readonly VitalRow[]): VitalsGroup[] {
  const groups = Map.groupBy(rows, ({ projectId, name }) => JSON.stringify([projectId, name]));
  const shown = [...groups.values()].map((own) => {
    const vitals = own.map((row) => toVital(row));
    const weight = vitals.reduce((sum, { vital }) => sum + weights[vital], 0);
    return {
      projectId: own[0]?.projectId ?? 0,
      name: own[0]?.name ?? '',
      vitals: vitals.toSorted((a, b) => vitalNames.indexOf(a.vital) - vitalNames.indexOf(b.vital)),
      count: Math.max(...vitals.map(({ count }) => count)),
      score: vitals.reduce((sum, { vital, score }) => sum + score * weights[vital], 0) / weight,
    };
  });
  const all = shown.reduce((sum, { count }) => sum + count, 0);
  return shown
    .map((group) => ({ ...group, opportunity: ((100 - group.score) * group.count) / all }))
    .toSorted((a, b) => b.opportunity - a.opportunity || (a.name < b.name ? -1 : 1));
}

function toVital({ vital, n, fine, bad, points, q }: VitalRow): Vital {
  const [p50, p75, p90] = q;
  return {
    vital,
    count: n,
    p50: p50 ?? 0,
    p75: p75 ?? 0,
    p90: p90 ?? 0,
    good: fine,
    poor: bad,
    score: (100 * points) / n,
  };
}
