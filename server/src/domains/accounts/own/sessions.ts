/** Where somebody is signed in. */
import type { State, StateTransaction } from '../../../ports/state/state.ts';

export interface OpenSession {
  readonly id: string;
  /** '' where it is not known. */
  readonly address: string;
  /** '' where it is not known. */
  readonly userAgent: string;
  /** ms since the epoch, as all of these. */
  readonly createdAt: number;
  /** Within a minute. */
  readonly lastUsedAt: number;
  readonly expiresAt: number;
}

/** The last used first. */
export async function listSessions(state: State, userId: string, now: number): Promise<OpenSession[]> {
  const rows = await state.db
    .selectFrom('session')
    .select(['id', 'ipAddress', 'userAgent', 'createdAt', 'updatedAt', 'expiresAt'])
    .where('userId', '=', userId)
    .execute();
  return rows
    .map((row) => ({
      id: row.id,
      address: row.ipAddress ?? '',
      userAgent: row.userAgent ?? '',
      createdAt: new Date(row.createdAt).getTime(),
      lastUsedAt: new Date(row.updatedAt).getTime(),
      expiresAt: new Date(row.expiresAt).getTime(),
    }))
    .filter(({ expiresAt }) => expiresAt > now)
    .toSorted((a, b) => b.lastUsedAt - a.lastUsedAt);
}

/** One of the user's; false where there is none. */
export async function endSession(state: State, userId: string, id: string): Promise<boolean> {
  const ended = await state.db
    .deleteFrom('session')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** The last use of a session is written down as often. */
export const usedEveryMs = 60_000;

export async function noteUse(state: State, id: string, now: number): Promise<void> {
  await state.db
    .updateTable('session')
    .set({ updatedAt: new Date(now) })
    .where('id', '=', id)
    .execute();
}

/** All, or all but one; returns how many. */
export async function endSessions(
  db: State['db'] | StateTransaction,
  { userId, keptSessionId }: { readonly userId: string; readonly keptSessionId?: string },
): Promise<number> {
  let query = db.deleteFrom('session').where('userId', '=', userId);
  if (keptSessionId !== undefined) query = query.where('id', '!=', keptSessionId);
  return (await query.returning('id').execute()).length;
}
