/** What went by size or for room: noted before it goes, so that a kill leaves nothing half gone, and for people to see. */
import type { RetentionClass } from '../../base/retention.ts';
import type { State } from '../../ports/state/state.ts';
import type { Gone } from './goes.ts';

export type DropReason = 'size' | 'disk';

export interface Drop {
  readonly id: number;
  readonly name: RetentionClass;
  readonly before: number;
  readonly bytes: number;
  readonly rows: number;
  readonly reason: DropReason;
  readonly createdAt: number;
  /** Null while it is under way. */
  readonly doneAt: number | null;
}

const mostShown = 20;
const keptMs = 365 * 86_400_000;

type Within = Pick<State, 'db'>;

export async function noteDrop(
  { db }: Within,
  name: RetentionClass,
  { before, bytes, rows }: Gone & { readonly before: number },
  { reason, now }: { readonly reason: DropReason; readonly now: number },
): Promise<void> {
  const row = { before, bytes: Math.round(bytes), rows: Math.round(rows), reason, created_at: now };
  await db
    .insertInto('retention_drop')
    .values({ class: name, ...row })
    .execute();
  await db
    .deleteFrom('retention_drop')
    .where('created_at', '<', now - keptMs)
    .execute();
}

export async function endDrop({ db }: Within, id: number, now: number): Promise<void> {
  await db.updateTable('retention_drop').set({ done_at: now }).where('id', '=', id).execute();
}

/** The newest first. */
export async function listDrops({ db }: Within): Promise<Drop[]> {
  const rows = await db.selectFrom('retention_drop').selectAll().orderBy('id', 'desc').limit(mostShown).execute();
  return rows.map(toDrop);
}

export async function openDrops({ db }: Within): Promise<Drop[]> {
  const rows = await db.selectFrom('retention_drop').selectAll().where('done_at', 'is', null).orderBy('id').execute();
  return rows.map(toDrop);
}

const toDrop = (row: {
  readonly id: number;
  readonly class: RetentionClass;
  readonly before: number;
  readonly bytes: number;
  readonly rows: number;
  readonly reason: DropReason;
  readonly created_at: number;
  readonly done_at: number | null;
}): Drop => ({
  id: row.id,
  name: row.class,
  before: Number(row.before),
  bytes: Number(row.bytes),
  rows: Number(row.rows),
  reason: row.reason,
  createdAt: Number(row.created_at),
  doneAt: row.done_at === null ? null : Number(row.done_at),
});
