/** What slow transactions share that others do not. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import { type Examined, type Picked, segmentsOf, tagColumns, type TransactionRequest } from './examined.ts';

export interface SlowTag {
  readonly key: string;
  readonly value: string;
  readonly count: number;
  readonly slow: number;
  /** How many times as frequent among the slow as among all. */
  readonly lift: number;
}

export interface SlowTags {
  /** Transactions that were compared, and those of them that are slow. */
  readonly count: number;
  readonly slow: number;
  readonly tags: readonly SlowTag[];
}

const columns = Object.entries(tagColumns)
  .map(([name, column]) => `('${name}', ${column})`)
  .join(', ');

/**
 * Tags that are more frequent among the slow ones than among all. `slow` says which are: by duration, where its tags narrow
 * both sides. What every transaction has another of is left out.
 */
export async function slowTags(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  slow: Picked & { readonly fromUs: number },
  limit: number,
): Promise<SlowTags> {
  const scope = where(...segmentsOf(request, examined, { tags: slow.tags }));
  const isSlow = `duration_us >= {slowFrom:UInt64}${slow.untilUs === undefined ? '' : ' AND duration_us < {slowUntil:UInt64}'}`;
  const params = {
    ...scope.params,
    slowFrom: slow.fromUs,
    ...(slow.untilUs !== undefined && { slowUntil: slow.untilUs }),
    limit,
  };
  const [totals] = await events.query<{ n: number; slow: number }>(
    `SELECT count() AS n, countIf(${isSlow}) AS slow FROM spans WHERE ${scope.sql}`,
    params,
  );
  if (!totals?.slow) return { count: totals?.n ?? 0, slow: 0, tags: [] };
  const tags = await events.query<SlowTag>(
    `SELECT pair.1 AS key, pair.2 AS value, count() AS count, countIf(${isSlow}) AS slow,
       (slow / {slowAll:UInt64}) / (count / {all:UInt64}) AS lift
     FROM (
       SELECT duration_us, arrayJoin(arrayConcat(
         arrayZip(arrayMap(key -> toString(key), mapKeys(attributes)), mapValues(attributes)), [${columns}])) AS pair
       FROM spans WHERE ${scope.sql}
     )
     WHERE pair.2 != ''
     GROUP BY pair HAVING slow >= {least:UInt64} AND lift > 1.1
     ORDER BY lift * log(1 + slow) DESC, key, value LIMIT {limit:UInt32}`,
    { ...params, slowAll: totals.slow, all: totals.n, least: Math.max(2, Math.ceil(totals.slow / 50)) },
  );
  return { count: totals.n, slow: totals.slow, tags };
}
