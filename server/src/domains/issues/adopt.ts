/** What an issue was in another tracker, written to the one that its events made here. Nobody is told: it is no news. */
import type { StateTransaction } from '../../ports/state/state.ts';
import { newestReleases } from '../release-order/index.ts';
import { noteActivity } from './activity.ts';
import type { StatusDetails } from './states/details.ts';
import { type IssueState, newUntil, standingOf } from './states/machine.ts';
import { type StatusColumns, toStatusColumns } from './states/transition.ts';
import type { AssignedTo } from './work/index.ts';

export interface AdoptedStatus {
  /** Undefined for an issue that nobody has settled. */
  readonly state: IssueState | undefined;
  /** Since when, ms since the epoch. */
  readonly at: number;
  readonly details: StatusDetails;
}

export interface AdoptedComment {
  readonly text: string;
  readonly at: number;
  /** Null for who has no account here; then the author's name stands with the text. */
  readonly userId: string | null;
  readonly author: { readonly name: string; readonly email: string };
}

export interface Adoption {
  readonly issueId: number;
  /** Where it comes from: for the activity. */
  readonly from: Readonly<Record<string, string | number | null>>;
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Left out where it stays as it is. */
  readonly status?: AdoptedStatus;
  readonly assignee?: AssignedTo;
  /** Whether several issues became this one: then the one that is most open decides. */
  readonly isShared: boolean;
  readonly comments: readonly AdoptedComment[];
  /** ms since the epoch. */
  readonly nowMs: number;
}

export async function adoptIssue(trx: StateTransaction, adoption: Adoption): Promise<void> {
  const { issueId, from, assignee, comments, nowMs } = adoption;
  const row = await trx.selectFrom('issue').selectAll().where('id', '=', issueId).executeTakeFirst();
  if (!row) return;
  const firstSeen = Math.min(row.first_seen, adoption.firstSeen);
  const lastSeen = Math.min(Math.max(row.last_seen, adoption.lastSeen), nowMs);
  const isFree = row.assignee_user_id === null && row.assignee_team_id === null;
  await trx
    .updateTable('issue')
    .set({
      first_seen: firstSeen,
      last_seen: lastSeen,
      ...statusColumns(row, await withReleases(trx, row.project_id, adoption), firstSeen),
      ...(isFree && assignee?.kind === 'user' && { assignee_user_id: assignee.id }),
      ...(isFree && assignee?.kind === 'team' && { assignee_team_id: assignee.id }),
    })
    .where('id', '=', issueId)
    .execute();
  await noteOrigin(trx, issueId, from, nowMs);
  await noteActivity(
    trx,
    comments.map(({ text, at, userId, author }) => ({
      issueId,
      type: 'note',
      userId,
      data: { text, mentions: [], ...(userId === null && { author }) },
      at,
    })),
  );
}

/** The next release is the next after those that are known by now. */
async function withReleases(trx: StateTransaction, projectId: number, adoption: Adoption): Promise<Adoption> {
  const { status } = adoption;
  if (status?.state !== 'in_next_release') return adoption;
  const after = await newestReleases(trx, projectId);
  return { ...adoption, status: { ...status, details: { ...status.details, after } } };
}

const openness = { resolved: 0, archived: 1, unresolved: 2, merged: 2, deleting: 2 } as const;

function statusColumns(
  row: StatusColumns,
  { status, isShared, nowMs }: Adoption,
  firstSeen: number,
): Partial<StatusColumns> {
  const isNew = newUntil(firstSeen) > nowMs;
  const settled = toStatusColumns(isNew ? 'new' : 'ongoing', Math.min(firstSeen, nowMs));
  if (!status) return row.substatus === 'new' ? settled : {};
  const state = status.state ?? (isNew ? 'new' : 'ongoing');
  if (isShared && openness[standingOf(state).status] <= openness[row.status]) return {};
  if (status.state === undefined) return settled;
  return toStatusColumns(state, Math.min(status.at, nowMs), status.details);
}

/** The entry of the first event that came says it. */
async function noteOrigin(
  trx: StateTransaction,
  issueId: number,
  from: Adoption['from'],
  nowMs: number,
): Promise<void> {
  const known = await trx
    .selectFrom('issue_activity')
    .select('id')
    .where('issue_id', '=', issueId)
    .where('type', '=', 'imported')
    .orderBy('id')
    .executeTakeFirst();
  if (!known) await noteActivity(trx, [{ issueId, type: 'imported', userId: null, data: from, at: nowMs }]);
  else
    await trx
      .updateTable('issue_activity')
      .set({ data: JSON.stringify(from) })
      .where('id', '=', known.id)
      .execute();
}
