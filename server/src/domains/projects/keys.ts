/** Queries and commands for project keys: what SDKs authenticate with. */
import { randomBytes } from 'node:crypto';
import { type Selectable, sql, type Updateable } from 'kysely';
import type { ProjectKeyTable } from '../../ports/state/schema.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { checked, keyPatch, newKey } from './input.ts';
import type { ProjectKey, RateLimit } from './types.ts';

/** The oldest first. */
export async function listKeys(state: State, projectId: number): Promise<ProjectKey[]> {
  const rows = await state.db
    .selectFrom('project_key')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute();
  return rows.map(toKey);
}

/** Of several projects, by project. */
export async function listKeysOf(state: State, projectIds: readonly number[]): Promise<ProjectKey[]> {
  if (!projectIds.length) return [];
  const rows = await state.db
    .selectFrom('project_key')
    .selectAll()
    .where('project_id', 'in', projectIds)
    .orderBy('project_id')
    .orderBy('id')
    .execute();
  return rows.map(toKey);
}

/** By id or public part; undefined when the project has none such. */
export async function getKey(state: State, projectId: number, idOrPublicKey: string): Promise<ProjectKey | undefined> {
  const query = state.db.selectFrom('project_key').selectAll().where('project_id', '=', projectId);
  const row = await (
    /^\d{1,9}$/.test(idOrPublicKey)
      ? query.where('id', '=', Number(idOrPublicKey))
      : query.where('public_key', '=', idOrPublicKey)
  ).executeTakeFirst();
  return row && toKey(row);
}

/** By id. */
export async function keyLabels(state: State, projectIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (!projectIds.length) return new Map();
  const rows = await state.db
    .selectFrom('project_key')
    .select(['id', 'label'])
    .where('project_id', 'in', projectIds)
    .execute();
  return new Map(rows.map(({ id, label }) => [id, label]));
}

export interface NewKey {
  readonly label?: string;
  readonly rateLimit?: RateLimit | null;
  /** 2 GiB unless given. */
  readonly blobBytesPerDay?: number | null;
}

export function createKey(state: State, projectId: number, input: NewKey): Promise<ProjectKey> {
  return state.transaction((trx) => insertKey(trx, projectId, input));
}

/** The same as part of a larger transaction. */
export async function insertKey(trx: StateTransaction, projectId: number, input: NewKey): Promise<ProjectKey> {
  const { label = 'Key', rateLimit = null, blobBytesPerDay } = checked(newKey, input);
  const row = await trx
    .insertInto('project_key')
    .values({
      project_id: projectId,
      public_key: randomBytes(16).toString('hex'),
      label,
      is_active: 1,
      rate_limit_count: rateLimit?.count ?? null,
      rate_limit_window_seconds: rateLimit?.windowSeconds ?? null,
      ...(blobBytesPerDay !== undefined && { blob_bytes_per_day: blobBytesPerDay }),
      created_at: Date.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toKey(row);
}

/** The project that has it. */
export async function ownerOfKey(
  { db }: { db: State['db'] | StateTransaction },
  publicKey: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('project_key')
    .select('project_id')
    .where('public_key', '=', publicKey)
    .executeTakeFirst();
  return row?.project_id;
}

/** Gives a project a key that it had elsewhere: 32 lower-case hex digits. */
export async function adoptKey(
  state: State,
  projectId: number,
  key: Pick<ProjectKey, 'publicKey' | 'label' | 'isActive'>,
): Promise<'made' | 'known' | 'taken'> {
  return state.transaction(async (trx) => {
    const owner = await ownerOfKey({ db: trx }, key.publicKey);
    if (owner !== undefined) return owner === projectId ? 'known' : 'taken';
    await trx
      .insertInto('project_key')
      .values({
        project_id: projectId,
        public_key: key.publicKey,
        label: key.label.slice(0, 64) || 'Key',
        is_active: key.isActive ? 1 : 0,
        rate_limit_count: null,
        rate_limit_window_seconds: null,
        created_at: Date.now(),
      })
      .execute();
    return 'made';
  });
}

export interface KeyPatch {
  readonly label?: string;
  readonly isActive?: boolean;
  /** Null takes the limit away. */
  readonly rateLimit?: RateLimit | null;
  /** Null takes the limit away. */
  readonly blobBytesPerDay?: number | null;
}

/** Changes what is given. Undefined when the project has no such key. */
export async function updateKey(
  state: State,
  projectId: number,
  id: number,
  input: KeyPatch,
): Promise<ProjectKey | undefined> {
  const { label, isActive, rateLimit, blobBytesPerDay } = checked(keyPatch, input);
  const patch: Updateable<ProjectKeyTable> = {};
  if (label !== undefined) patch.label = label;
  if (isActive !== undefined) patch.is_active = isActive ? 1 : 0;
  if (rateLimit !== undefined) {
    patch.rate_limit_count = rateLimit?.count ?? null;
    patch.rate_limit_window_seconds = rateLimit?.windowSeconds ?? null;
  }
  if (blobBytesPerDay !== undefined) patch.blob_bytes_per_day = blobBytesPerDay;
  if (Object.keys(patch).length === 0) return getKey(state, projectId, String(id));
  const row = await state.db
    .updateTable('project_key')
    .set(patch)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toKey(row);
}

/**
 * Adds to what the key took of blobs on a day (since the epoch, UTC), and gives the sum of all processes; undefined for
 * a key that is gone. A day that is over stays so.
 */
export async function addBlobBytes(
  state: State,
  keyId: number,
  day: number,
  bytes: number,
): Promise<number | undefined> {
  const row = await state.db
    .updateTable('project_key')
    .set({
      blob_day_bytes: sql`case when blob_day = ${day} then blob_day_bytes + ${bytes} when blob_day > ${day} then blob_day_bytes else ${bytes} end`,
      blob_day: sql`case when blob_day > ${day} then blob_day else ${day} end`,
    })
    .where('id', '=', keyId)
    .returning('blob_day_bytes')
    .executeTakeFirst();
  return row?.blob_day_bytes;
}

/** False when the project has no such key. */
export async function deleteKey(state: State, projectId: number, id: number): Promise<boolean> {
  const deleted = await state.db
    .deleteFrom('project_key')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

export const rateLimitOf = (
  row: Pick<Selectable<ProjectKeyTable>, 'rate_limit_count' | 'rate_limit_window_seconds'>,
): RateLimit | null =>
  row.rate_limit_count === null || row.rate_limit_window_seconds === null
    ? null
    : { count: row.rate_limit_count, windowSeconds: row.rate_limit_window_seconds };

const toKey = (row: Selectable<ProjectKeyTable>): ProjectKey => ({
  id: row.id,
  projectId: row.project_id,
  publicKey: row.public_key,
  label: row.label,
  isActive: row.is_active === 1,
  rateLimit: rateLimitOf(row),
  blobBytesPerDay: row.blob_bytes_per_day,
  createdAt: row.created_at,
});
