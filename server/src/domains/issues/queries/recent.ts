/** Issues by what was seen last, and issues of hashes: for questions that begin at events rather than at a list. */
import { chunksOf } from '../../../base/chunks.ts';
import { performanceIssueTypes } from '../../../base/problems/types.ts';
import type { State } from '../../../ports/state/state.ts';
import type { IssueRow, VisibleProject } from '../types.ts';
import { followMerges } from '../merge/follow.ts';
import { hashKey, isGone, ownersOf, toIssueRow } from '../rows.ts';

/** The newest event of an issue: its primary hash is one of these. */
export interface RecentIssue {
  readonly id: number;
  readonly projectId: number;
  readonly platform: string;
  /** ms since the epoch; the time of an event. */
  readonly lastSeen: number;
  readonly hashes: readonly string[];
}

const statuses = ['unresolved', 'resolved', 'archived'] as const;
/** Looked at per project and status to find those of servers, which browsers may outnumber. */
const lookedAt = 300;

/** The issues seen last, and those of servers seen last: at most `limit` of each. */
export async function recentIssues(
  state: State,
  projects: readonly VisibleProject[],
  limit: number,
): Promise<RecentIssue[]> {
  // Each stretch is in the order of the index.
  const stretches = await Promise.all(
    projects.flatMap((project) =>
      statuses.map((status) =>
        state.db
          .selectFrom('issue')
          .select(['id', 'project_id as projectId', 'platform', 'last_seen as lastSeen'])
          .where('project_id', '=', project.id)
          .where('status', '=', status)
          // Performance problems say nothing of what failed.
          .where('type', 'not in', [...performanceIssueTypes])
          .orderBy('last_seen', 'desc')
          .orderBy('id')
          .limit(lookedAt)
          .execute(),
      ),
    ),
  );
  const newest = stretches.flat().toSorted((a, b) => b.lastSeen - a.lastSeen || a.id - b.id);
  const chosen = new Set([
    ...newest.slice(0, limit),
    ...newest.filter(({ platform }) => platform !== 'javascript').slice(0, limit),
  ]);
  const hashes = new Map<number, string[]>();
  for (const [key, issueId] of await ownersOf(
    state,
    [...chosen].map(({ id }) => id),
  )) {
    const list = hashes.get(issueId) ?? [];
    list.push(key.slice(key.indexOf(':') + 1));
    hashes.set(issueId, list);
  }
  return [...chosen].map((issue) => ({ ...issue, hashes: hashes.get(issue.id) ?? [] }));
}

/** By id; for a merged one that which has it. Those that are gone are left out. */
export async function issuesById(state: State, ids: readonly number[]): Promise<ReadonlyMap<number, IssueRow>> {
  const issues = new Map<number, IssueRow>();
  for (const chunk of chunksOf([...new Set(ids)])) {
    const rows = await state.db.selectFrom('issue').selectAll().where('id', 'in', chunk).execute();
    for (const row of rows) {
      const kept = await followMerges(state.db, row);
      if (!isGone(kept)) issues.set(row.id, toIssueRow(kept));
    }
  }
  return issues;
}

export interface PlacedHash {
  readonly projectId: number;
  readonly hash: string;
}

/** Which issue owns each hash; by `hashKey(projectId, hash)`. */
export async function issuesOfHashes(
  state: State,
  hashes: readonly PlacedHash[],
): Promise<ReadonlyMap<string, IssueRow>> {
  const wanted = new Set(hashes.map(({ projectId, hash }) => hashKey(projectId, hash)));
  const projectIds = [...new Set(hashes.map(({ projectId }) => projectId))];
  const issues = new Map<string, IssueRow>();
  for (const chunk of chunksOf([...new Set(hashes.map(({ hash }) => hash))], 500)) {
    const rows = await state.db
      .selectFrom('issue_hash')
      .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
      .selectAll('issue')
      .select('issue_hash.hash as hash')
      .where('issue_hash.project_id', 'in', projectIds)
      .where('issue_hash.hash', 'in', chunk)
      .execute();
    for (const row of rows) {
      const key = hashKey(row.project_id, row.hash);
      if (wanted.has(key) && !isGone(row)) issues.set(key, toIssueRow(row));
    }
  }
  return issues;
}
