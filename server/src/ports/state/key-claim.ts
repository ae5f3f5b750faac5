/** Which key the secrets of a state store are sealed with: the store remembers its fingerprint. */
import { sql } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { State } from './state.ts';
import type { Secrets } from '../../base/secrets/secrets.ts';

const name = 'secret_key';

interface Remembered {
  readonly fingerprint: string;
  /** Nothing that was stored in the clear before there was a key is left in free pages. */
  readonly isClean: boolean;
}

export interface Claim {
  /** The fingerprint of the key before; undefined where it is the same, or the first. */
  readonly before: string | undefined;
}

/** Undefined while no server has started with a key. */
export async function rememberedKey(state: State): Promise<string | undefined> {
  return (await read(state))?.fingerprint;
}

/**
 * Remembers the key, or finds that it is the same. Another one is taken in its place where the store belongs to this
 * installation alone; where nodes may share it, throws `CodedError('KEY_OTHER')`, for they could not read what each other stores.
 */
export async function claimState(state: State, { fingerprint, source }: Secrets): Promise<Claim> {
  const first: Remembered = { fingerprint, isClean: false };
  await state.db
    .insertInto('setting')
    .values({ name, value: JSON.stringify(first) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const before = (await read(state))?.fingerprint;
  if (before === fingerprint) return { before: undefined };
  if (state.capabilities.dialect === 'postgres') throw new CodedError('KEY_OTHER', [before ?? '', source, fingerprint]);
  await adoptKey(state, fingerprint);
  return { before };
}

/** From now on it is this one: what was sealed with the one before is lost, unless that comes back. */
export async function adoptKey(state: State, fingerprint: string): Promise<void> {
  await write(state, { isClean: false, ...(await read(state)), fingerprint });
}

/** Once, after all that was stored in the clear is sealed or hashed: SQLite leaves it in free pages. */
export async function cleanOnce(state: State): Promise<void> {
  const remembered = await read(state);
  if (!remembered || remembered.isClean) return;
  if (state.capabilities.dialect === 'sqlite') {
    await sql`vacuum`.execute(state.db);
    await sql`pragma wal_checkpoint(truncate)`.execute(state.db);
  }
  await write(state, { ...remembered, isClean: true });
}

async function read(state: State): Promise<Remembered | undefined> {
  const row = await state.db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  return row && (JSON.parse(row.value) as Remembered);
}

async function write(state: State, value: Remembered): Promise<void> {
  await state.db
    .insertInto('setting')
    .values({ name, value: JSON.stringify(value) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: JSON.stringify(value) }))
    .execute();
}
