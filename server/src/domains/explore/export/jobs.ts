/**
 * Exports: waiting → running → done, failed or cancelled. One that is running is claimed by a node; one whose node is gone
 * begins from the start: its file is there as a whole or not at all. A week after its end it is gone with its file.
 */
import { type Selectable, sql } from 'kysely';
import { CodedError } from '../../../base/errors.ts';
import type { Claimer, JobCounts } from '../../../base/jobs/index.ts';
import { claimDue, holdClaim, nextClaimAt, released, unclaimed } from '../../../ports/state/claims.ts';
import type { DataExportTable } from '../../../ports/state/explore-tables.ts';
import type { State } from '../../../ports/state/state.ts';
import { exports as texts } from '../../../base/texts/requests.ts';
import type { ExportFormat } from './csv.ts';

const maxAttempts = 3;
/** Of one person in one organisation, not over yet. */
const maxOpen = 5;
export const keptMs = 7 * 86_400_000;

export interface ExportOwner {
  readonly organizationId: string;
  readonly userId: string;
}

export interface ExportJob extends ExportOwner {
  readonly id: number;
  readonly format: ExportFormat;
  /** As it was asked; whoever asked has checked it. */
  readonly question: unknown;
  readonly projectIds: readonly number[];
  readonly state: DataExportTable['state'];
  /** So many rows are written at most. */
  readonly limit: number;
  readonly rows: number;
  readonly total: number | null;
  readonly bytes: number;
  readonly detail: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

export const exportKey = ({ organizationId, id }: Pick<ExportJob, 'organizationId' | 'id'>): string =>
  `exports/${organizationId}/${id}`;

/** Throws `EXPORTS_FULL`. */
export async function addExport(
  state: State,
  owner: ExportOwner,
  what: Pick<ExportJob, 'format' | 'question' | 'projectIds' | 'limit'>,
  now: number,
): Promise<number> {
  return state.transaction(async (trx) => {
    const { open } = await trx
      .selectFrom('data_export')
      .select((eb) => eb.fn.countAll<number | string>().as('open'))
      .where('organization_id', '=', owner.organizationId)
      .where('user_id', '=', owner.userId)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirstOrThrow();
    if (Number(open) >= maxOpen) throw new CodedError('EXPORTS_FULL', [maxOpen]);
    const { id } = await trx
      .insertInto('data_export')
      .values({
        organization_id: owner.organizationId,
        user_id: owner.userId,
        format: what.format,
        question: JSON.stringify(what.question),
        project_ids: JSON.stringify(what.projectIds),
        state: 'waiting',
        ...unclaimed(now),
        row_limit: what.limit,
        row_count: 0,
        total: null,
        size_bytes: 0,
        detail: '',
        created_at: now,
        finished_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Own ones, the newest first. */
export async function listExports(state: State, owner: ExportOwner): Promise<ExportJob[]> {
  const rows = await owned(state, owner).orderBy('id', 'desc').limit(50).execute();
  return rows.map(toJob);
}

/** Undefined where the person has none of the id. */
export async function findExport(state: State, owner: ExportOwner, id: number): Promise<ExportJob | undefined> {
  const row = await owned(state, owner).where('id', '=', id).executeTakeFirst();
  return row && toJob(row);
}

const owned = (state: State, { organizationId, userId }: ExportOwner) =>
  state.db
    .selectFrom('data_export')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId);

const open = { table: 'data_export', ready: sql`state in ('waiting', 'running')` } as const;

/** The one that waits longest, claimed and marked as running; undefined when none waits. One that was begun too often fails. */
export async function takeExport(state: State, claimer: Claimer): Promise<ExportJob | undefined> {
  for (;;) {
    const set = { state: 'running', row_count: 0, size_bytes: 0, total: null } as const;
    const [row] = await claimDue(state, { ...open, set, limit: 1 }, claimer);
    if (!row) return undefined;
    if (row.attempts <= maxAttempts) return toJob(row);
    await endExport(
      state,
      { id: row.id, node: claimer.node },
      { state: 'failed', detail: row.detail || texts.interrupted },
    );
  }
}

/** When there is something to do, ms since the epoch; undefined when none waits. */
export const nextExportAt = (state: State): Promise<number | undefined> => nextClaimAt(state, open);

/** Which export, and which node has claimed it. */
export interface ClaimedExport {
  readonly id: number;
  readonly node: string;
}

/** False when it is another node's, or over. */
export const holdExport = async (state: State, id: number, claimer: Claimer): Promise<boolean> =>
  (await holdClaim(state.db, { table: 'data_export', ready: sql`id = ${id} and state = 'running'` }, claimer)) !==
  undefined;

export async function countExports(state: State): Promise<JobCounts> {
  const rows = await state.db
    .selectFrom('data_export')
    .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['waiting', 'running'])
    .groupBy('state')
    .execute();
  const of = (name: string): number => Number(rows.find((row) => row.state === name)?.count ?? 0);
  return { waiting: of('waiting'), running: of('running') };
}

/** `cancelled` once somebody has cancelled or deleted it, `lost` when it is another node's. */
export async function noteExport(
  state: State,
  { id, node }: ClaimedExport,
  progress: { readonly rows: number; readonly total: number; readonly bytes: number },
): Promise<'noted' | 'cancelled' | 'lost'> {
  const { numUpdatedRows } = await state.db
    .updateTable('data_export')
    .set({ row_count: progress.rows, total: progress.total, size_bytes: progress.bytes })
    .where('id', '=', id)
    .where('claimed_by', '=', node)
    .where('state', '=', 'running')
    .executeTakeFirst();
  if (Number(numUpdatedRows) > 0) return 'noted';
  return (await isCancelled(state, id)) ? 'cancelled' : 'lost';
}

/** Or deleted. */
export async function isCancelled(state: State, id: number): Promise<boolean> {
  const row = await state.db.selectFrom('data_export').select('state').where('id', '=', id).executeTakeFirst();
  return row === undefined || row.state === 'cancelled';
}

export type ExportEnd =
  | { readonly state: 'done' | 'failed'; readonly detail: string }
  /** It was put off through no fault of its own, and is tried again after so many ms. */
  | { readonly state: 'waiting'; readonly detail: string; readonly afterMs: number };

/** One that was cancelled stays so; one that is another node's by now is left to it. */
export async function endExport(state: State, { id, node }: ClaimedExport, end: ExportEnd): Promise<void> {
  const now = Date.now();
  await state.db
    .updateTable('data_export')
    .set((eb) => ({
      state: end.state,
      detail: end.detail.slice(0, 1000),
      ...released,
      ...(end.state === 'waiting'
        ? { due_at: now + end.afterMs, attempts: eb('attempts', '-', 1) }
        : { finished_at: now }),
    }))
    .where('id', '=', id)
    .where('claimed_by', '=', node)
    .where('state', '=', 'running')
    .execute();
}

/** One that is over is gone with this; one that is not ends as cancelled. */
export async function cancelExport(state: State, { id }: Pick<ExportJob, 'id'>, now: number): Promise<void> {
  await state.transaction(async (trx) => {
    await trx.deleteFrom('data_export').where('id', '=', id).where('finished_at', 'is not', null).execute();
    await trx
      .updateTable('data_export')
      .set({ state: 'cancelled', finished_at: now })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .execute();
  });
}

/** Those that ended longer ago than they are kept; they are gone from the table. */
export async function takeExpired(state: State, now: number): Promise<Pick<ExportJob, 'organizationId' | 'id'>[]> {
  return state.db
    .deleteFrom('data_export')
    .where('finished_at', '<', now - keptMs)
    .returning(['id', 'organization_id as organizationId'])
    .execute();
}

function toJob(row: Selectable<DataExportTable>): ExportJob {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    format: row.format,
    question: JSON.parse(row.question) as unknown,
    projectIds: JSON.parse(row.project_ids) as number[],
    state: row.state,
    limit: row.row_limit,
    rows: row.row_count,
    total: row.total === null ? null : Number(row.total),
    bytes: Number(row.size_bytes),
    detail: row.detail,
    createdAt: Number(row.created_at),
    finishedAt: row.finished_at === null ? null : Number(row.finished_at),
  };
}
