/** Digests that users wait for, as the state store has them. Times are ms since the epoch. */
import type { Selectable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import { type IssueRow, issuesById } from '../issues/index.ts';
import type { DigestWatchTable } from '../../ports/state/schema.ts';
import type { State } from '../../ports/state/state.ts';

export interface WatchRow {
  readonly id: number;
  readonly userId: string;
  readonly organizationId: string;
  readonly digest: string;
  readonly host: string | undefined;
  /** Undefined: any project of the organisation. */
  readonly projectId: number | undefined;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly seen: boolean;
  /** Undefined while waiting. */
  readonly found: { readonly at: number; readonly eventId: string; readonly issue: IssueRow } | undefined;
}

/** Whose watches. */
export interface Watcher {
  readonly organizationId: string;
  readonly userId: string;
}

export interface NewWatch extends Watcher {
  readonly digest: string;
  readonly host?: string | undefined;
  readonly projectId?: number | undefined;
  readonly nowMs: number;
}

const lifeMs = 30 * 86_400_000;
/** Of one user in one organisation. */
const maxWatches = 50;

/** The newest first; those that have expired are left out. */
export async function listWatches(state: State, watcher: Watcher, nowMs: number): Promise<WatchRow[]> {
  const rows = await ofWatcher(state, watcher).where('expires_at', '>', nowMs).orderBy('id', 'desc').execute();
  return withFound(state, rows);
}

export async function findWatch(
  state: State,
  watcher: Watcher,
  by: { readonly id: number } | { readonly digest: string },
  nowMs: number,
): Promise<WatchRow | undefined> {
  const query = ofWatcher(state, watcher).where('expires_at', '>', nowMs);
  const rows = await ('id' in by ? query.where('id', '=', by.id) : query.where('digest', '=', by.digest)).execute();
  return (await withFound(state, rows))[0];
}

/** Begins to wait, or anew where the digest is watched already. Throws `WATCHES_FULL`. Returns the id. */
export async function putWatch(state: State, watch: NewWatch): Promise<number> {
  const { organizationId, userId, digest, nowMs } = watch;
  const fields = {
    project_id: watch.projectId ?? null,
    host: watch.host ?? null,
    expires_at: nowMs + lifeMs,
    found_at: null,
    found_event_id: null,
    found_issue_id: null,
    seen: 0,
  };
  return state.transaction(async (trx) => {
    const mine = trx
      .selectFrom('digest_watch')
      .select(['id', 'digest'])
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId);
    await trx.deleteFrom('digest_watch').where('expires_at', '<=', nowMs).execute();
    const watches = await mine.execute();
    if (watches.length >= maxWatches && !watches.some((one) => one.digest === digest)) {
      throw new CodedError('WATCHES_FULL', [maxWatches]);
    }
    const { id } = await trx
      .insertInto('digest_watch')
      .values({ organization_id: organizationId, user_id: userId, digest, created_at: nowMs, ...fields })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id', 'digest']).doUpdateSet(fields))
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** False when there is none. */
export async function setSeen(state: State, watcher: Watcher, id: number, seen: boolean): Promise<boolean> {
  const { numUpdatedRows } = await state.db
    .updateTable('digest_watch')
    .set({ seen: seen ? 1 : 0 })
    .where('id', '=', id)
    .where('organization_id', '=', watcher.organizationId)
    .where('user_id', '=', watcher.userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False when there is none. */
export async function removeWatch(state: State, watcher: Watcher, id: number): Promise<boolean> {
  const { numDeletedRows } = await state.db
    .deleteFrom('digest_watch')
    .where('id', '=', id)
    .where('organization_id', '=', watcher.organizationId)
    .where('user_id', '=', watcher.userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export type WaitingWatch = Omit<WatchRow, 'found'>;

/** Of all users, at most `limit`, the newest first. */
export async function waitingWatches(state: State, nowMs: number, limit: number): Promise<WaitingWatch[]> {
  const rows = await state.db
    .selectFrom('digest_watch')
    .selectAll()
    .where('found_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toWaiting);
}

/** True for the one caller that found it first, who tells the user. */
export async function markFound(
  state: State,
  id: number,
  found: { readonly eventId: string; readonly issueId: number; readonly nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await state.db
    .updateTable('digest_watch')
    .set({ found_at: found.nowMs, found_event_id: found.eventId, found_issue_id: found.issueId })
    .where('id', '=', id)
    .where('found_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const ofWatcher = (state: State, { organizationId, userId }: Watcher) =>
  state.db
    .selectFrom('digest_watch')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId);

const toWaiting = (row: Selectable<DigestWatchTable>): WaitingWatch => ({
  id: row.id,
  userId: row.user_id,
  organizationId: row.organization_id,
  digest: row.digest,
  host: row.host ?? undefined,
  projectId: row.project_id ?? undefined,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  seen: row.seen === 1,
});

async function withFound(state: State, rows: readonly Selectable<DigestWatchTable>[]): Promise<WatchRow[]> {
  const ids = rows.flatMap((row) => row.found_issue_id ?? []);
  const issues = ids.length ? await issuesById(state, ids) : undefined;
  return rows.map((row) => {
    const issue = row.found_issue_id === null ? undefined : issues?.get(row.found_issue_id);
    const found =
      issue && row.found_at !== null && row.found_event_id !== null
        ? { at: row.found_at, eventId: row.found_event_id, issue }
        : undefined;
    return { ...toWaiting(row), found };
  });
}

export interface FoundWatch {
  readonly id: number;
  readonly digest: string;
  readonly issueId: number;
  /** ms since the epoch. */
  readonly at: number;
}

/** What anybody of an organisation waited for and what came since then. */
export async function foundSince(state: State, organizationId: string, sinceMs: number): Promise<FoundWatch[]> {
  const rows = await state.db
    .selectFrom('digest_watch')
    .select(['id', 'digest', 'found_issue_id', 'found_at'])
    .where('organization_id', '=', organizationId)
    .where('found_at', '>=', sinceMs)
    .execute();
  return rows.flatMap(({ id, digest, found_issue_id: issueId, found_at: at }) =>
    issueId === null || at === null ? [] : [{ id, digest, issueId, at: Number(at) }],
  );
}
