/** What alerts ask the state store: what happened to issues lately, and which of them have events. */
import { chunksOf } from '../../../base/chunks.ts';
import type { State } from '../../../ports/state/state.ts';
import type { IssueRow } from '../types.ts';
import { toIssueRow } from '../rows.ts';

export interface ActivityOfIssue {
  readonly id: number;
  readonly issueId: number;
  readonly projectId: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** ms since the epoch. */
  readonly at: number;
  /** Of the issue: the newest event. */
  readonly lastSeen: number;
}

export interface ActivityRequest {
  readonly projectIds: readonly number[];
  readonly types: readonly string[];
  readonly sinceMs: number;
  readonly untilMs?: number | undefined;
  /** All unless told. */
  readonly issueIds?: readonly number[] | undefined;
  /** Of issues that are resolved or archived by now, too. */
  readonly anyStatus?: boolean | undefined;
  readonly limit: number;
}

/** The earliest first. */
export async function readActivity(state: State, request: ActivityRequest): Promise<ActivityOfIssue[]> {
  const { projectIds, types, sinceMs, untilMs, issueIds, anyStatus = false, limit } = request;
  if (!projectIds.length || !types.length) return [];
  const found: ActivityOfIssue[] = [];
  for (const chunk of issueIds ? chunksOf(issueIds, 500) : [undefined]) {
    let query = state.db
      .selectFrom('issue_activity')
      .innerJoin('issue', 'issue.id', 'issue_activity.issue_id')
      .select(['issue_activity.id', 'issue_activity.issue_id', 'issue_activity.type', 'issue_activity.data'])
      .select(['issue_activity.created_at', 'issue.project_id', 'issue.last_seen'])
      .where('issue_activity.created_at', '>=', sinceMs)
      .where('issue_activity.type', 'in', types)
      .where('issue.project_id', 'in', projectIds)
      .where('issue.merged_into', 'is', null)
      .orderBy('issue_activity.created_at')
      .orderBy('issue_activity.id')
      .limit(limit);
    if (untilMs !== undefined) query = query.where('issue_activity.created_at', '<', untilMs);
    if (!anyStatus) query = query.where('issue.status', '=', 'unresolved');
    if (chunk) query = query.where('issue_activity.issue_id', 'in', chunk);
    for (const row of await query.execute()) {
      const data: unknown = JSON.parse(row.data);
      found.push({
        id: row.id,
        issueId: row.issue_id,
        projectId: row.project_id,
        type: row.type,
        data: typeof data === 'object' && data !== null ? { ...data } : {},
        at: Number(row.created_at),
        lastSeen: Number(row.last_seen),
      });
    }
  }
  return found;
}

/** Unresolved issues that were seen since then, those of last first. */
export async function activeIssues(
  state: State,
  projectIds: readonly number[],
  sinceMs: number,
  limit: number,
): Promise<IssueRow[]> {
  const found: IssueRow[] = [];
  // Each project has its own stretch of the index.
  for (const projectId of projectIds) {
    const rows = await state.db
      .selectFrom('issue')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('status', '=', 'unresolved')
      .where('last_seen', '>=', sinceMs)
      .orderBy('last_seen', 'desc')
      .limit(limit)
      .execute();
    found.push(...rows.map(toIssueRow));
  }
  return found.toSorted((a, b) => b.lastSeen - a.lastSeen).slice(0, limit);
}
