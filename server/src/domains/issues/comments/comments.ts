/**
 * Comments are entries of an issue's activity, of the type `note`. One that was deleted is kept as `note_deleted`,
 * unseen, for an hour, in which it can be restored.
 */
import { CodedError } from '../../../base/errors.ts';
import type { Live } from '../../../base/live.ts';
import { type ChangeNote, noteChanges } from '../../../ports/state/change-notes.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { peopleOf } from '../../teams/index.ts';
import { noteActivity } from '../activity.ts';
import { authorOf } from '../queries/issue.ts';
import { announce, follow } from '../work/index.ts';
import { things } from '../../../base/texts/things.ts';
import { type Mention, mentionsOf, usersOf } from './mentions.ts';

export interface Comment {
  readonly id: number;
  readonly issueId: number;
  /** Markdown. */
  readonly text: string;
  /** Null for who has no account any more. */
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly mentions: readonly Mention[];
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly editedAt: number | null;
}

/** As it is stored; `mentions` has `user:ID` and `team:ID` too, for who tells subscribers. */
interface Stored {
  readonly text: string;
  readonly mentions?: readonly Mention[];
  readonly editedAt?: number;
  readonly deletedAt?: number;
  /** Who wrote it in another tracker, where they have no account here. */
  readonly author?: { readonly name: string; readonly email: string };
}

const most = 500;
const restorableMs = 60 * 60_000;

const notes = (db: State['db'] | StateTransaction) =>
  db
    .selectFrom('issue_activity')
    .leftJoin('user', 'user.id', 'issue_activity.user_id')
    .select([
      'issue_activity.id as id',
      'issue_activity.issue_id as issueId',
      'issue_activity.data as data',
      'issue_activity.created_at as createdAt',
      'user.id as userId',
      'user.name as userName',
      'user.email as userEmail',
    ]);

type NoteRow = Awaited<ReturnType<ReturnType<typeof notes>['execute']>>[number];

function toComment({ id, issueId, data, createdAt, userId, userName, userEmail }: NoteRow): Comment {
  const { text, mentions = [], editedAt = null, author } = JSON.parse(data) as Stored;
  return {
    id,
    issueId,
    text,
    user: userId === null ? authorOf(author) : { id: userId, name: userName ?? '', email: userEmail ?? '' },
    mentions,
    createdAt: Number(createdAt),
    editedAt,
  };
}

/** The newest first, at most 500. */
export async function listComments(state: State, issueId: number): Promise<Comment[]> {
  const rows = await notes(state.db)
    .where('issue_activity.issue_id', '=', issueId)
    .where('issue_activity.type', '=', 'note')
    .orderBy('issue_activity.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(toComment);
}

export async function findComment(
  { db }: { db: State['db'] | StateTransaction },
  issueId: number,
  id: number,
  type: 'note' | 'note_deleted' = 'note',
): Promise<Comment | undefined> {
  const row = await notes(db)
    .where('issue_activity.id', '=', id)
    .where('issue_activity.issue_id', '=', issueId)
    .where('issue_activity.type', '=', type)
    .executeTakeFirst();
  return row && toComment(row);
}

export interface Writing {
  readonly issueId: number;
  readonly organizationId: string;
  readonly userId: string;
  readonly text: string;
  /** `user:ID` and `team:ID`, beside those that the text names. */
  readonly mentions: readonly string[];
  /** ms since the epoch. */
  readonly nowMs: number;
  /** Called in the transaction, for each who is to be told that they are named. */
  readonly tell: (trx: StateTransaction, userId: string, commentId: number) => Promise<void>;
}

interface Stores {
  readonly state: State;
  readonly live: Live;
}

/** Who writes and who is named hear of the issue from then on. */
export async function addComment({ state, live }: Stores, writing: Writing): Promise<Comment> {
  const { issueId, organizationId, userId, text, nowMs, tell } = writing;
  const comment = await state.transaction(async (trx) => {
    const people = await peopleOf({ db: trx }, organizationId);
    const mentions = mentionsOf(text, people, writing.mentions);
    const data: Stored = { text, mentions };
    const [id = 0] = await noteActivity(trx, [{ issueId, type: 'note', userId, data: { ...data }, at: nowMs }]);
    await follow(trx, { issueIds: [issueId], userId, nowMs }, 'commented');
    for (const named of usersOf(mentions, people)) {
      if (named === userId) continue;
      await follow(trx, { issueIds: [issueId], userId: named, nowMs }, 'mentioned');
      await tell(trx, named, id);
    }
    return findComment({ db: trx }, issueId, id);
  });
  await announce({ state, live }, [issueId]);
  if (!comment) throw new CodedError('NOT_FOUND', [things.issue(issueId)]);
  return comment;
}

/** Only those are told that it did not name before. */
export async function editComment({ state, live }: Stores, id: number, writing: Writing): Promise<Comment> {
  const { issueId, organizationId, userId, text, nowMs, tell } = writing;
  const comment = await state.transaction(async (trx) => {
    const before = await findComment({ db: trx }, issueId, id);
    if (!before) throw new CodedError('NOT_FOUND', [things.comment(id)]);
    const people = await peopleOf({ db: trx }, organizationId);
    const mentions = mentionsOf(text, people, writing.mentions);
    const data: Stored = { text, mentions, editedAt: nowMs };
    await trx
      .updateTable('issue_activity')
      .set({ data: JSON.stringify(data) })
      .where('id', '=', id)
      .execute();
    await noteChanges(trx, [{ what: 'comment.updated', targetId: id, userId, at: nowMs }]);
    const alreadyNotified = new Set(usersOf(before.mentions, people));
    for (const named of usersOf(mentions, people)) {
      if (named === userId || alreadyNotified.has(named)) continue;
      await follow(trx, { issueIds: [issueId], userId: named, nowMs }, 'mentioned');
      await tell(trx, named, id);
    }
    return findComment({ db: trx }, issueId, id);
  });
  await announce({ state, live }, [issueId]);
  if (!comment) throw new CodedError('NOT_FOUND', [things.comment(id)]);
  return comment;
}

interface Touched {
  readonly issueId: number;
  readonly id: number;
  /** Who does it. */
  readonly userId: string;
  readonly nowMs: number;
}

/** It can be restored for an hour. */
export async function deleteComment({ state, live }: Stores, place: Touched): Promise<void> {
  await retype(state, place, 'comment.deleted');
  await announce({ state, live }, [place.issueId]);
}

export async function restoreComment({ state, live }: Stores, place: Touched): Promise<Comment> {
  const { issueId, id } = place;
  await retype(state, place, 'comment.restored');
  await announce({ state, live }, [issueId]);
  const comment = await findComment(state, issueId, id);
  if (!comment) throw new CodedError('NOT_FOUND', [things.comment(id)]);
  return comment;
}

async function retype(
  state: State,
  { issueId, id, userId, nowMs }: Touched,
  what: Extract<ChangeNote['what'], 'comment.deleted' | 'comment.restored'>,
): Promise<void> {
  const [from, to] = what === 'comment.deleted' ? ['note', 'note_deleted'] : ['note_deleted', 'note'];
  await state.transaction(async (trx) => {
    const row = await trx
      .selectFrom('issue_activity')
      .select('data')
      .where('id', '=', id)
      .where('issue_id', '=', issueId)
      .where('type', '=', from)
      .executeTakeFirst();
    if (!row) throw new CodedError('NOT_FOUND', [things.comment(id)]);
    const { deletedAt: _, ...data } = JSON.parse(row.data) as Stored;
    await trx
      .updateTable('issue_activity')
      .set({ type: to, data: JSON.stringify({ ...data, ...(what === 'comment.deleted' && { deletedAt: nowMs }) }) })
      .where('id', '=', id)
      .execute();
    await noteChanges(trx, [{ what, targetId: id, userId, at: nowMs }]);
  });
}

/** Those that were deleted more than an hour ago are gone for good. */
export async function forgetDeleted(state: State, nowMs: number): Promise<void> {
  const rows = await state.db
    .selectFrom('issue_activity')
    .select(['id', 'data'])
    .where('type', '=', 'note_deleted')
    .limit(500)
    .execute();
  const gone = rows
    .filter(({ data }) => ((JSON.parse(data) as Stored).deletedAt ?? 0) < nowMs - restorableMs)
    .map(({ id }) => id);
  if (gone.length) await state.db.deleteFrom('issue_activity').where('id', 'in', gone).execute();
}
