/** Projects on hold: nothing of them is deleted and nothing ages out, until somebody takes the hold back. */
import { CodedError } from '../../base/errors.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import type { State } from '../../ports/state/state.ts';

export interface Hold {
  readonly reason: string;
  /** Who; null once their account is gone. */
  readonly userId: string | null;
  /** ms since the epoch. */
  readonly createdAt: number;
}

export interface HeldProject extends Hold {
  readonly projectId: number;
  readonly slug: string;
}

export async function findHold({ db }: State, projectId: number): Promise<Hold | undefined> {
  const row = await db.selectFrom('project_hold').selectAll().where('project_id', '=', projectId).executeTakeFirst();
  return row && { reason: row.reason, userId: row.user_id, createdAt: Number(row.created_at) };
}

export async function setHold(
  { db }: State,
  projectId: number,
  { reason, userId }: { readonly reason: string; readonly userId: string | null },
  now: number,
): Promise<void> {
  await db
    .insertInto('project_hold')
    .values({ project_id: projectId, reason, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ reason, user_id: userId }))
    .execute();
}

/** False where it was not on hold. */
export async function removeHold({ db }: State, projectId: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('project_hold').where('project_id', '=', projectId).executeTakeFirst();
  return Number(numDeletedRows) > 0;
}

/** All of them, or those among the projects. */
export async function heldAmong({ db }: Pick<State, 'db'>, projectIds?: readonly number[]): Promise<HeldProject[]> {
  if (projectIds?.length === 0) return [];
  const rows = await db
    .selectFrom('project_hold')
    .innerJoin('project', 'project.id', 'project_hold.project_id')
    .select(['project_id', 'slug', 'reason', 'user_id', 'project_hold.created_at'])
    .$if(projectIds !== undefined, (query) => query.where('project_id', 'in', projectIds ?? []))
    .execute();
  return rows.map((row) => ({
    projectId: Number(row.project_id),
    slug: row.slug,
    reason: row.reason,
    userId: row.user_id,
    createdAt: Number(row.created_at),
  }));
}

/** Throws `CodedError('PROJECT_HELD')` where one of them is on hold. */
export async function refuseHeld(state: Pick<State, 'db'>, projectIds: readonly number[]): Promise<void> {
  const [held] = await heldAmong(state, projectIds);
  if (held) throw new CodedError('PROJECT_HELD', [texts.held(held.slug, held.reason)]);
}
