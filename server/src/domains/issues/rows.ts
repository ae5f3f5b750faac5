/** Issue rows of the state store as the domain sees them, and the hashes that issues own. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { chunksOf } from '../../base/chunks.ts';
import type { IssueTable } from '../../ports/state/schema.ts';
import type { State } from '../../ports/state/state.ts';
import { priorityOf } from './priority.ts';
import { parseDetails } from './states/details.ts';
import type { IssueRow } from './types.ts';

export function toIssueRow(row: Selectable<IssueTable>): IssueRow {
  return {
    id: row.id,
    projectId: row.project_id,
    number: row.number,
    // Of a merged issue only its name is shown.
    status: row.status === 'merged' || row.status === 'deleting' ? 'archived' : row.status,
    substatus: row.substatus,
    level: row.level,
    title: row.title,
    culprit: row.culprit,
    platform: row.platform,
    type: row.type,
    metadata: textRecord(row.metadata),
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
    firstRelease: row.first_release,
    lastRelease: row.last_release,
    statusChangedAt: row.status_changed_at,
    statusDetails: parseDetails(row.status_details),
    assigneeUserId: row.assignee_user_id,
    assigneeTeamId: row.assignee_team_id,
    priority: priorityOf(row),
  };
}

/** Whether it is about to be deleted: then nobody is shown it any more. */
export const isGone = ({ status }: Pick<Selectable<IssueTable>, 'status'>): boolean => status === 'deleting';

function textRecord(json: string): Record<string, string> {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The same hash may belong to issues of several projects, so both name its owner. */
export const hashKey = (projectId: number, hash: string): string => `${projectId}:${hash}`;

/** The hashes that each issue owns, with the key of `hashKey` → issue id. */
export async function ownersOf(state: State, issueIds: readonly number[]): Promise<Map<string, number>> {
  const owners = new Map<string, number>();
  for (const chunk of chunksOf(issueIds)) {
    const rows = await state.db
      .selectFrom('issue_hash')
      .select(['project_id', 'hash', 'issue_id'])
      .where('issue_id', 'in', chunk)
      .execute();
    for (const row of rows) owners.set(hashKey(row.project_id, row.hash), row.issue_id);
  }
  return owners;
}

/** Issue ids of hashes of one project. */
export async function ownersOfHashes(
  state: State,
  projectId: number,
  hashes: readonly string[],
): Promise<Map<string, number>> {
  const owners = new Map<string, number>();
  for (const chunk of chunksOf([...new Set(hashes)])) {
    if (owners.size) await breathe();
    const rows = await state.db
      .selectFrom('issue_hash')
      .select(['hash', 'issue_id'])
      .where('project_id', '=', projectId)
      .where('hash', 'in', chunk)
      .execute();
    for (const row of rows) owners.set(row.hash, row.issue_id);
  }
  return owners;
}
