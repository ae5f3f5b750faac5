/** Why events of an issue are counted and not stored: after a storm, or beyond its limit. */
import { inProjects, where, withHashes } from '../../../base/sql.ts';
import { chunksOf } from '../../../base/chunks.ts';
import { mergedInto } from '../merge/follow.ts';
import { dayMs } from '../record/sampled.ts';
import type { IssueRow, IssueStores } from '../types.ts';

export interface Unstored {
  readonly reason: 'storm' | 'issue-limit';
  /** Undefined where it is not known which of them. */
  readonly count: number | undefined;
}

export interface UnstoredRequest {
  readonly issue: Pick<IssueRow, 'id' | 'projectId'>;
  readonly hashes: readonly string[];
  /** Events in all environments that are not stored. */
  readonly inAll: number;
  /** Of them, in those that are asked for. */
  readonly asked: number;
}

/**
 * Of an issue that a storm sampled. Storms are told by hash and day, whatever the environment; what else is not stored was
 * beyond the limit. What waits to be counted is known to the storm already.
 */
export async function whyUnstored(stores: IssueStores, request: UnstoredRequest): Promise<Unstored[]> {
  const { inAll, asked } = request;
  const days = await sampledDays(stores, request.issue);
  const sampled = await sampledOf(stores, request, days);
  const storm = sampled === undefined ? inAll : Math.min(sampled, inAll);
  const limit = inAll - storm;
  // The sums are kept beside the events, and may differ from them by a little.
  if (limit === 0 || !(await wasLimited(stores, request.issue.id))) return [{ reason: 'storm', count: asked }];
  const isAll = asked === inAll;
  return [
    ...(storm > 0 ? [{ reason: 'storm', count: isAll ? storm : undefined } as const] : []),
    { reason: 'issue-limit', count: isAll ? limit : undefined },
  ];
}

/** It, or what was merged into it. */
async function wasLimited({ state: { db } }: IssueStores, issueId: number): Promise<boolean> {
  const merged = await mergedInto(db, [issueId]);
  for (const ids of chunksOf([issueId, ...merged.map(({ id }) => id)])) {
    const set = await db
      .selectFrom('issue_activity')
      .select('id')
      .where('issue_id', 'in', ids)
      .where('type', '=', 'set_limit')
      .limit(1)
      .executeTakeFirst();
    if (set) return true;
  }
  return false;
}

interface SampledDay {
  readonly day: number;
  readonly errors: number | null;
}

async function sampledDays({ state: { db } }: IssueStores, { id }: UnstoredRequest['issue']): Promise<SampledDay[]> {
  const rows = await db
    .selectFrom('issue_hash')
    .innerJoin('sampled_day', (join) =>
      join
        .onRef('sampled_day.project_id', '=', 'issue_hash.project_id')
        .onRef('sampled_day.hash', '=', 'issue_hash.hash'),
    )
    .select(['sampled_day.day as day', 'sampled_day.errors as errors'])
    .where('issue_hash.issue_id', '=', id)
    .execute();
  return rows.map(({ day, errors }) => ({ day, errors: errors === null ? null : Number(errors) }));
}

/** Undefined where a day does not tell. The engine is asked only where days may be older than what is kept. */
async function sampledOf(
  stores: IssueStores,
  { issue, hashes, inAll }: UnstoredRequest,
  days: readonly SampledDay[],
): Promise<number | undefined> {
  const all = sumOf(days);
  if (all === undefined || all === inAll) return all;
  const scope = where(inProjects([issue.projectId]), withHashes(hashes));
  const [row] = await stores.events.query<{ first: number }>(
    `SELECT toUnixTimestamp64Milli(min(first_seen)) AS first FROM issue_lives WHERE ${scope.sql}`,
    scope.params,
  );
  const first = Math.floor((row?.first ?? 0) / dayMs);
  return sumOf(days.filter(({ day }) => day >= first));
}

function sumOf(days: readonly SampledDay[]): number | undefined {
  let sum = 0;
  for (const { errors } of days) {
    if (errors === null) return undefined;
    sum += errors;
  }
  return sum;
}
