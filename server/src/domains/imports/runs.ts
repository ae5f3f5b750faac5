/** Imports as the state store has them: waiting → running → done, failed or cancelled. One that stopped can be continued. */
import { type Selectable, sql } from 'kysely';
import type { Claimer } from '../../base/jobs/index.ts';
import { claimDue, holdClaim, nextClaimAt, released, unclaimed } from '../../ports/state/claims.ts';
import type { ImportRunTable } from '../../ports/state/import-tables.ts';
import type { State } from '../../ports/state/state.ts';
import type { WaitReason } from './client.ts';
import { isTracker, type Tracker } from './records.ts';
import type { Report } from './report.ts';

export interface ImportSettings {
  /** Slug of the organisation there; the only one where it is left out. */
  readonly fromOrg?: string | undefined;
  /** Slugs there; all where there are none. */
  readonly projects: readonly string[];
  /** Newest events of each issue. */
  readonly events: number;
  /** ms since the epoch: what was last seen before does not come. */
  readonly since: number | null;
  readonly dryRun: boolean;
  /** Whether issues are merged that are one there. */
  readonly keepGroups: boolean;
  /** Whether the address may be of a private network. */
  readonly allowPrivate: boolean;
}

export interface Progress {
  /** Slug of the project under way; '' before the first. */
  readonly project: string;
  readonly issues: number;
  readonly issuesTotal: number;
  readonly events: number;
  /** How long it waits until it tries again, ms; 0 while it does not. */
  readonly waitMs: number;
  /** Why it waits: the tracker asked for it or does not answer, or the log here is full. */
  readonly waitFor?: WaitReason | 'log' | undefined;
  /** When this attempt began, and how many events had come by then. */
  readonly startedAt: number;
}

export const noProgress: Progress = { project: '', issues: 0, issuesTotal: 0, events: 0, waitMs: 0, startedAt: 0 };

export interface ImportRun {
  readonly id: number;
  readonly organizationId: string;
  readonly tracker: Tracker;
  readonly url: string;
  readonly settings: ImportSettings;
  readonly token: string;
  readonly state: ImportRunTable['state'];
  readonly progress: Progress;
  readonly report: Report;
  readonly detail: string;
  readonly createdAt: number;
  readonly finishedAt: number | null;
}

/** What its token is bound to. */
export const tokenPlace = (organizationId: string, url: string): string => `import ${organizationId} ${url}`;

export type NewRun = Pick<ImportRun, 'organizationId' | 'tracker' | 'url' | 'settings' | 'token'>;

const open = ['waiting', 'running'] as const;

/** One that is not over yet, in the organisation. */
export async function findOpenRun({ db }: Pick<State, 'db'>, organizationId: string): Promise<ImportRun | undefined> {
  const row = await db
    .selectFrom('import_run')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('state', 'in', open)
    .executeTakeFirst();
  return row && toRun(row);
}

export async function addRun({ db }: Pick<State, 'db'>, run: NewRun, now: number): Promise<number> {
  const { id } = await db
    .insertInto('import_run')
    .values({
      organization_id: run.organizationId,
      tracker: run.tracker,
      url: run.url,
      settings: JSON.stringify(run.settings),
      token: run.token,
      state: 'waiting',
      progress: JSON.stringify(noProgress),
      report: JSON.stringify({ kinds: {}, gaps: [] } satisfies Report),
      detail: '',
      ...unclaimed(now),
      created_at: now,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The last that stopped before its end. */
export async function findStopped(
  { db }: Pick<State, 'db'>,
  { organizationId, tracker, url }: Pick<ImportRun, 'organizationId' | 'tracker' | 'url'>,
): Promise<ImportRun | undefined> {
  const row = await db
    .selectFrom('import_run')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('tracker', '=', tracker)
    .where('url', '=', url)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row && (row.state === 'failed' || row.state === 'cancelled') ? toRun(row) : undefined;
}

/** With the token that it was given anew. */
export async function resumeRun({ db }: Pick<State, 'db'>, run: ImportRun, token: string, now: number): Promise<void> {
  await db
    .updateTable('import_run')
    .set({ state: 'waiting', detail: '', token, finished_at: null, ...unclaimed(now) })
    .where('id', '=', run.id)
    .execute();
}

/** That of the id, else the newest, of any organisation unless one is named. */
export async function findRun(
  { db }: Pick<State, 'db'>,
  { id, organizationId }: { readonly id?: number | undefined; readonly organizationId?: string | undefined },
): Promise<ImportRun | undefined> {
  let query = db.selectFrom('import_run').selectAll().orderBy('id', 'desc').limit(1);
  if (id !== undefined) query = query.where('id', '=', id);
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId);
  const row = await query.executeTakeFirst();
  return row && toRun(row);
}

/** False where it is over already. */
export async function cancelRun({ db }: Pick<State, 'db'>, id: number, now: number): Promise<boolean> {
  const row = await db
    .updateTable('import_run')
    .set({ state: 'cancelled', token: '', finished_at: now })
    .where('id', '=', id)
    .where('state', 'in', open)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const isOpen = sql`state in ('waiting', 'running')`;

/** One that is due. */
export async function takeRun(state: State, claimer: Claimer): Promise<ImportRun | undefined> {
  const [row] = await claimDue(
    state,
    { table: 'import_run', ready: isOpen, set: { state: 'running', detail: '' }, limit: 1 },
    claimer,
  );
  return row && toRun(row);
}

export const nextRunAt = (state: State): Promise<number | undefined> =>
  nextClaimAt(state, { table: 'import_run', ready: isOpen });

/** False where it is another's, or was cancelled. */
export async function holdRun(state: State, id: number, claimer: Claimer): Promise<boolean> {
  const ready = sql`id = ${id} and state = 'running'`;
  return (await holdClaim(state.db, { table: 'import_run', ready }, claimer)) !== undefined;
}

export async function noteRun(
  { db }: Pick<State, 'db'>,
  id: number,
  said: { readonly progress: Progress; readonly report: Report },
): Promise<void> {
  await db
    .updateTable('import_run')
    .set({ progress: JSON.stringify(said.progress), report: JSON.stringify(said.report) })
    .where('id', '=', id)
    .execute();
}

/** Ends what this node runs, or lets it go to be tried again after a while. */
export async function endRun(
  { db }: Pick<State, 'db'>,
  id: number,
  end:
    | { readonly state: 'done' | 'failed'; readonly detail: string }
    | { readonly state: 'waiting'; readonly detail: string; readonly dueAt: number },
  now: number,
): Promise<void> {
  await db
    .updateTable('import_run')
    .set({
      state: end.state,
      detail: end.detail,
      ...released,
      ...(end.state === 'waiting' ? { due_at: end.dueAt } : { token: '', finished_at: now }),
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

function toRun(row: Selectable<ImportRunTable>): ImportRun {
  if (!isTracker(row.tracker)) throw new TypeError(`no tracker: ${row.tracker}`);
  return {
    id: row.id,
    organizationId: row.organization_id,
    tracker: row.tracker,
    url: row.url,
    settings: JSON.parse(row.settings) as ImportSettings,
    token: row.token,
    state: row.state,
    progress: JSON.parse(row.progress) as Progress,
    report: JSON.parse(row.report) as Report,
    detail: row.detail,
    createdAt: Number(row.created_at),
    finishedAt: row.finished_at === null ? null : Number(row.finished_at),
  };
}
