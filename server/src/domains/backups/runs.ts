/** Runs of backups in the state store: how a command asks a running server for one, and what became of each. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { jobs } from '../../base/texts/jobs.ts';
import { isS3, parseS3Address } from '../../base/s3/address.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { BackupRunTable } from '../../ports/state/backup-tables.ts';
import type { State } from '../../ports/state/state.ts';
import type { Credential } from './repository/keys.ts';
import { summarySchema } from './repository/manifest.ts';
import type { Progress, Taken } from './take/messages.ts';
import type { KeepRules } from './keep.ts';

export interface RunOptions {
  /** Bytes a second; 0 for as many as go. */
  readonly rate: number;
  /** Removes nothing where it is not given. */
  readonly keep?: KeepRules | undefined;
}

export interface BackupRun {
  readonly id: number;
  readonly dir: string;
  readonly askedBy: BackupRunTable['asked_by'];
  readonly options: RunOptions;
  readonly state: BackupRunTable['state'];
  readonly progress: Progress | undefined;
  readonly taken: Taken | undefined;
  readonly detail: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly beganAt: number | null;
  readonly endedAt: number | null;
}

const optionsSchema = z.object({
  rate: z.number(),
  keep: z.object({ daily: z.int(), weekly: z.int(), monthly: z.int() }).optional(),
});
const progressSchema = z.object({ done: z.number(), of: z.number() });
const takenSchema = z.object({ summary: summarySchema, removed: z.array(z.string()), freed: z.number() });
const credentialSchema = z.object({ kind: z.enum(['passphrase', 'key']), text: z.string() });
const sealedSchema = z.object({ target: z.string(), credential: credentialSchema.optional() });

const credentialPlace = 'credential of a backup';
const maxAttempts = 3;
/** What is over is kept so long. */
const keptMs = 400 * 86_400_000;

export interface Asked {
  readonly node: string;
  /** Absolute, or an address of S3. */
  readonly dir: string;
  readonly askedBy: BackupRunTable['asked_by'];
  readonly options: RunOptions;
  readonly credential: Credential | undefined;
}

/** The row's id. `box` seals the credential for the server. */
export async function askForBackup(
  { db }: Pick<State, 'db'>,
  { node, dir, askedBy, options, credential }: Asked,
  box: TextBox,
): Promise<number> {
  const { id } = await db
    .insertInto('backup_run')
    .values({
      node,
      // An address may have a secret in it.
      dir: isS3(dir) ? parseS3Address(dir).place : dir,
      asked_by: askedBy,
      options: JSON.stringify(options),
      credential:
        credential || (askedBy === 'command' && isS3(dir))
          ? box.seal(JSON.stringify({ target: dir, credential }), credentialPlace)
          : '',
      state: 'waiting',
      attempts: 0,
      progress: '',
      result: '',
      detail: '',
      created_at: Date.now(),
      began_at: null,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function findRun({ db }: Pick<State, 'db'>, id: number): Promise<BackupRun | undefined> {
  const row = await db.selectFrom('backup_run').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toRun(row);
}

/** The newest of a node first; those that the schedule asked for alone, where `askedBy` says so. */
export async function listRuns(
  { db }: Pick<State, 'db'>,
  { node, askedBy, limit }: { node: string; askedBy?: BackupRunTable['asked_by']; limit: number },
): Promise<BackupRun[]> {
  let query = db.selectFrom('backup_run').selectAll().where('node', '=', node);
  if (askedBy) query = query.where('asked_by', '=', askedBy);
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toRun);
}

/** The last that succeeded. */
export async function lastTaken({ db }: Pick<State, 'db'>, node: string): Promise<BackupRun | undefined> {
  const row = await db
    .selectFrom('backup_run')
    .selectAll()
    .where('node', '=', node)
    .where('state', '=', 'done')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toRun(row);
}

/** What was under way when the server was killed is begun again, but not for ever. */
export async function takeUpAgain({ db }: Pick<State, 'db'>, node: string): Promise<void> {
  const broken = db.updateTable('backup_run').where('node', '=', node).where('state', '=', 'running');
  await broken
    .where('attempts', '>=', maxAttempts)
    .set({ state: 'failed', credential: '', detail: jobs.backups.interrupted, ended_at: Date.now() })
    .execute();
  await broken.set({ state: 'waiting' }).execute();
}

export interface TakenRun {
  readonly run: BackupRun;
  /** With the secret that its address may have; the schedule has its own. */
  readonly target: string;
  readonly credential?: Credential | undefined;
}

/** The one that waits longest, from now on running. Only the node itself does this, one at a time. */
export async function takeRun({ db }: Pick<State, 'db'>, node: string, box: TextBox): Promise<TakenRun | undefined> {
  const waiting = await db
    .selectFrom('backup_run')
    .selectAll()
    .where('node', '=', node)
    .where('state', '=', 'waiting')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (!waiting) return undefined;
  await db
    .updateTable('backup_run')
    .set((eb) => ({ state: 'running', attempts: eb('attempts', '+', 1), began_at: Date.now() }))
    .where('id', '=', waiting.id)
    .execute();
  const opened = waiting.credential === '' ? undefined : box.open(waiting.credential, credentialPlace);
  if (waiting.credential === '') return { run: toRun(waiting), target: waiting.dir };
  if (opened !== undefined) return { run: toRun(waiting), ...sealedSchema.parse(JSON.parse(opened)) };
  // Never unencrypted in its place.
  await endRun({ db }, waiting.id, jobs.backups.otherKey);
  return takeRun({ db }, node, box);
}

export async function noteProgress({ db }: Pick<State, 'db'>, id: number, progress: Progress): Promise<void> {
  await db
    .updateTable('backup_run')
    .set({ progress: JSON.stringify(progress) })
    .where('id', '=', id)
    .execute();
}

/** With what was taken, or why not. */
export async function endRun({ db }: Pick<State, 'db'>, id: number, end: Taken | string): Promise<void> {
  const now = Date.now();
  const said =
    typeof end === 'string'
      ? ({ state: 'failed', detail: end.slice(0, 1_000) } as const)
      : ({ state: 'done', result: JSON.stringify(end), detail: '' } as const);
  await db
    .updateTable('backup_run')
    .set({ ...said, credential: '', ended_at: now })
    .where('id', '=', id)
    .execute();
  await db
    .deleteFrom('backup_run')
    .where('ended_at', '<', now - keptMs)
    .execute();
}

/** It was put off through no fault of its own. */
export async function putBack({ db }: Pick<State, 'db'>, id: number): Promise<void> {
  await db
    .updateTable('backup_run')
    .set((eb) => ({ state: 'waiting', attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .execute();
}

function toRun(row: Selectable<BackupRunTable>): BackupRun {
  return {
    id: row.id,
    dir: row.dir,
    askedBy: row.asked_by,
    options: optionsSchema.parse(JSON.parse(row.options)),
    state: row.state,
    progress: row.progress === '' ? undefined : progressSchema.parse(JSON.parse(row.progress)),
    taken: row.result === '' ? undefined : takenSchema.parse(JSON.parse(row.result)),
    detail: row.detail,
    createdAt: Number(row.created_at),
    beganAt: row.began_at === null ? null : Number(row.began_at),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
  };
}
