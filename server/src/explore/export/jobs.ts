/**
 * Exports: waiting → running → done, failed or cancelled. One that was running when the server stopped waits again, and
 * begins from the start: its file is there as a whole or not at all. A week after its end it is gone with its file.
 */
import type { Selectable } from 'kysely';
import { CodedError } from '../../errors.ts';
import type { DataExportTable } from '../../state/explore-tables.ts';
import type { State } from '../../state/state.ts';
import type { ExportFormat } from './csv.ts';

const maxAttempts = 3;
/** Of one person in one organisation, not over yet. */
const mostOpen = 5;
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
    if (Number(open) >= mostOpen) throw new CodedError('EXPORTS_FULL', [mostOpen]);
    const { id } = await trx
      .insertInto('data_export')
      .values({
        organization_id: owner.organizationId,
        user_id: owner.userId,
        format: what.format,
        question: JSON.stringify(what.question),
        project_ids: JSON.stringify(what.projectIds),
        state: 'waiting',
        attempts: 0,
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

/** What was broken off waits again. Only for who runs exports, before it runs any. */
export async function resumeExports(state: State): Promise<void> {
  await state.db.updateTable('data_export').set({ state: 'waiting' }).where('state', '=', 'running').execute();
}

/** The next one, marked as running; undefined when none waits. One that was begun too often fails. */
export async function takeExport(state: State, now: number): Promise<ExportJob | undefined> {
  for (;;) {
    const row = await state.db
      .selectFrom('data_export')
      .selectAll()
      .where('state', '=', 'waiting')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.attempts < maxAttempts) {
      const begun = { state: 'running', attempts: row.attempts + 1, row_count: 0, size_bytes: 0, total: null } as const;
      await state.db.updateTable('data_export').set(begun).where('id', '=', row.id).execute();
      return toJob({ ...row, ...begun });
    }
    await endExport(state, row.id, { state: 'failed', detail: row.detail || 'it broke off too often' }, now);
  }
}

/** False once it was cancelled. */
export async function noteExport(
  state: State,
  id: number,
  progress: { readonly rows: number; readonly total: number; readonly bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await state.db
    .updateTable('data_export')
    .set({ row_count: progress.rows, total: progress.total, size_bytes: progress.bytes })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

/** Back to `waiting` it is tried again. One that was cancelled stays so. */
export async function endExport(
  state: State,
  id: number,
  end: { readonly state: 'done' | 'failed' | 'waiting'; readonly detail: string },
  now: number,
): Promise<void> {
  const isPut = end.state === 'waiting';
  await state.db
    .updateTable('data_export')
    .set((eb) => ({
      state: end.state,
      detail: end.detail.slice(0, 1000),
      finished_at: isPut ? null : now,
      // Only what broke off by itself was tried in vain.
      ...(isPut && { attempts: eb('attempts', '-', 1) }),
    }))
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
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
