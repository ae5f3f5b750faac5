/** How sure the counts of issues are after a storm, from the sums that the state store keeps; why, says `search/estimate.ts`. */
import { chunksOf } from '../../../base/chunks.ts';
import type { State } from '../../../ports/state/state.ts';
import { type CountEstimate, estimateOf } from '../../search/index.ts';
import { allHashes, dayMs } from '../record/sampled.ts';
import type { VisibleProject } from '../types.ts';

/** Of whose events the counts are. */
export interface Counted {
  readonly id: number;
  readonly projectId: number;
  readonly count: number;
  /** Of them, those that are known one by one; at least one. */
  readonly stored?: number | undefined;
}

export interface CountedWithin {
  /** By id, until when a storm sampled a project. */
  readonly sampledUntil: ReadonlyMap<number, number | null | undefined>;
  /** ms since the epoch; whole days count. Left out: since ever, up to now. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Whether some of the events are counted alone: then a group that is of one issue may err, too. */
  readonly isPart?: boolean | undefined;
}

/**
 * By issue; of counts that are right to 1 % nothing. Without a storm nothing is asked, and after one the state store
 * alone. What is said of an environment or a search is what holds for all events of the days.
 */
export async function estimatesOf(
  { db }: Pick<State, 'db'>,
  issues: readonly Counted[],
  { sampledUntil, fromMs = 0, untilMs = Infinity, isPart = false }: CountedWithin,
): Promise<Map<number, CountEstimate>> {
  const from = Math.floor(fromMs / dayMs);
  const until = Number.isFinite(untilMs) ? Math.floor(untilMs / dayMs) : Math.floor(Date.now() / dayMs) + 1;
  const asked = issues.filter(({ projectId }) => (sampledUntil.get(projectId) ?? -1) >= from * dayMs);
  const estimates = new Map<number, CountEstimate>();
  for (const some of chunksOf(asked)) {
    const own = await db
      .selectFrom('issue_hash')
      .innerJoin('sampled_day', (join) =>
        join
          .onRef('sampled_day.project_id', '=', 'issue_hash.project_id')
          .onRef('sampled_day.hash', '=', 'issue_hash.hash'),
      )
      .select(({ fn }) => [
        'issue_hash.issue_id as id',
        fn.sum<number | string>('sampled_day.spread').as('spread'),
        fn.max<number | string>('sampled_day.largest').as('largest'),
      ])
      .where(
        'issue_hash.issue_id',
        'in',
        some.map(({ id }) => id),
      )
      .where('sampled_day.day', '>=', from)
      .where('sampled_day.day', '<=', until)
      .groupBy('issue_hash.issue_id')
      .execute();
    if (own.length === 0) continue;
    const ofIssue = new Map(own.map((row) => [row.id, row]));
    const spreads = isPart ? undefined : await spreadsOf(db, projectsOf(some), from, until);
    for (const { id, projectId, count, stored = 1 } of some) {
      const row = ofIssue.get(id);
      if (!row) continue;
      const spread = Number(row.spread);
      const others = (spreads?.get(projectId) ?? Infinity) - spread;
      const estimate = estimateOf(count, stored, { own: spread, others, largest: Number(row.largest) });
      if (estimate) estimates.set(id, estimate);
    }
  }
  return estimates;
}

const projectsOf = (issues: readonly Counted[]): number[] => [...new Set(issues.map(({ projectId }) => projectId))];

/** All-time counts of hashes of one project; several may be counted as one. */
export interface CountedHashes<Key> {
  readonly key: Key;
  readonly hashes: readonly string[];
  readonly count: number;
}

/** By key; of counts that are right to 1 % nothing. Of a project without a storm nothing is asked. */
export async function estimatesOfHashes<Key>(
  { db }: Pick<State, 'db'>,
  { id: projectId, sampledUntil }: Pick<VisibleProject, 'id' | 'sampledUntil'>,
  counted: readonly CountedHashes<Key>[],
): Promise<Map<Key, CountEstimate>> {
  const estimates = new Map<Key, CountEstimate>();
  if (typeof sampledUntil !== 'number') return estimates;
  const sums = new Map<string, { readonly spread: number; readonly largest: number }>();
  for (const some of chunksOf([...new Set(counted.flatMap(({ hashes }) => hashes))])) {
    const rows = await db
      .selectFrom('sampled_day')
      .select(({ fn }) => [
        'hash',
        fn.sum<number | string>('spread').as('spread'),
        fn.max<number | string>('largest').as('largest'),
      ])
      .where('project_id', '=', projectId)
      .where('hash', 'in', some)
      .groupBy('hash')
      .execute();
    for (const { hash, spread, largest } of rows) {
      sums.set(hash, { spread: Number(spread), largest: Number(largest) });
    }
  }
  if (sums.size === 0) return estimates;
  const all = (await spreadsOf(db, [projectId], 0, Math.floor(sampledUntil / dayMs) + 1)).get(projectId) ?? Infinity;
  for (const { key, hashes, count } of counted) {
    const own = hashes.flatMap((hash) => sums.get(hash) ?? []);
    const spread = own.reduce((sum, one) => sum + one.spread, 0);
    const largest = Math.max(1, ...own.map((one) => one.largest));
    const estimate = estimateOf(count, 1, { own: spread, others: all - spread, largest });
    if (estimate) estimates.set(key, estimate);
  }
  return estimates;
}

/** Of whole projects. */
async function spreadsOf(
  db: State['db'],
  projectIds: readonly number[],
  from: number,
  until: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('sampled_day')
    .select(({ fn }) => ['project_id as id', fn.sum<number | string>('spread').as('spread')])
    .where('project_id', 'in', projectIds)
    .where('hash', '=', allHashes)
    .where('day', '>=', from)
    .where('day', '<=', until)
    .groupBy('project_id')
    .execute();
  return new Map(rows.map(({ id, spread }) => [id, Number(spread)]));
}
