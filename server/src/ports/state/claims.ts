/**
 * How work is claimed: the one way, on both databases, for every table that holds work.
 *
 * Such a table has `due_at`, `attempts`, `claimed_by`, `claimed_until` and, in `detail`, why the last attempt failed. A row
 * that is due and that nobody holds is claimed by one node, for a lease; while the node works it holds the claim again and
 * again. A node that dies is silent, and when its lease is over the row can be claimed by another. What a node writes of its
 * work it writes where the claim is still its own.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Claimer } from '../../base/jobs/index.ts';
import type { StateSchema } from './schema.ts';
import type { State, StateTransaction } from './state.ts';

type Database = State['db'] | StateTransaction;

/** Tables that hold work, with what their rows are found by. */
const keysOf = {
  job: ['name'],
  symbolication_job: ['id'],
  data_export: ['id'],
  bulk_job: ['id'],
  artifact_bundle: ['id'],
  delivery: ['id'],
  performance_suspect: ['project_id', 'trace_id', 'segment_id'],
  alert_lease: ['organization_id'],
  import_run: ['id'],
  erasure: ['id'],
  audit_stream: ['organization_id', 'sink'],
  webhook_delivery: ['id'],
} as const satisfies Partial<Record<keyof StateSchema, readonly string[]>>;

export type WorkTable = keyof typeof keysOf;

/** Who claims, and for how long from now nobody else may. */
export interface Claim extends Claimer {
  /** ms since the epoch; now unless given. */
  readonly nowMs?: number;
}

/** No lease is longer, so that one that ends later is from a clock that has been put back, and would hold for ever. */
export const maxLeaseMs = 10 * 60_000;

const isFree = (nowMs: number): RawBuilder<unknown> =>
  sql`(claimed_until <= ${nowMs} or claimed_until > ${nowMs + maxLeaseMs})`;

export interface Work<Table extends WorkTable> {
  readonly table: Table;
  /** Which rows there is something to do for. */
  readonly ready: RawBuilder<unknown>;
  /** What else changes when one is claimed. */
  readonly set?: Partial<Selectable<StateSchema[Table]>>;
}

type Row<Table extends WorkTable> = Selectable<StateSchema[Table]>;

const assigned = (set: object): RawBuilder<unknown> =>
  sql.join(
    Object.entries(set).map(([column, value]) => sql`, ${sql.ref(column)} = ${value}`),
    sql``,
  );

/** Claims what has been due longest, what broke off before after the rest, in one statement, so that no row goes to two; as the rows are from then on. */
export async function claimDue<Table extends WorkTable>(
  { db, capabilities }: Pick<State, 'db' | 'capabilities'>,
  { table, ready, set = {}, limit }: Work<Table> & { /** At most so many. */ readonly limit: number },
  { node, leaseMs, nowMs = Date.now() }: Claim,
): Promise<Row<Table>[]> {
  const due = sql`${ready} and due_at <= ${nowMs} and ${isFree(nowMs)}`;
  // Asked without the write lock: nearly always there is nothing.
  const any = await sql`select 1 from ${sql.table(table)} where ${due} limit 1`.execute(db);
  if (!any.rows.length) return [];
  const keys = sql.join(keysOf[table].map((key) => sql.ref(key)));
  const lock = capabilities.dialect === 'postgres' ? sql`for update skip locked` : sql``;
  const { rows } = await sql<Row<Table>>`
    with free as materialized (
      select ${keys} from ${sql.table(table)} where ${due} order by attempts, due_at, ${keys} limit ${limit} ${lock}
    )
    update ${sql.table(table)}
    set claimed_by = ${node}, claimed_until = ${nowMs + leaseMs}, attempts = attempts + 1${assigned(set)}
    where (${keys}) in (select ${keys} from free)
    returning *`.execute(db);
  return rows;
}

/** Claims the row that `ready` names, due or not, where nobody else has it; undefined where somebody has. */
export async function claimRow<Table extends WorkTable>(
  db: Database,
  { table, ready, set = {} }: Work<Table>,
  { node, leaseMs, nowMs = Date.now() }: Claim,
): Promise<Row<Table> | undefined> {
  const { rows } = await sql<Row<Table>>`
    update ${sql.table(table)}
    set claimed_by = ${node}, claimed_until = ${nowMs + leaseMs}, attempts = attempts + 1${assigned(set)}
    where ${ready} and (claimed_by = ${node} or ${isFree(nowMs)})
    returning *`.execute(db);
  return rows[0];
}

/** When the next that is ready can be claimed, ms since the epoch; undefined when none is. */
export async function nextClaimAt(
  { db }: Pick<State, 'db'>,
  { table, ready }: { readonly table: WorkTable; readonly ready: RawBuilder<unknown> },
): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select min(case when claimed_until > due_at then claimed_until else due_at end) as at
    from ${sql.table(table)} where ${ready}`.execute(db);
  return rows[0]?.at ?? undefined;
}

/** Keeps a claim for another lease; undefined where it is another's, or `ready` no longer holds. Also in the transaction of a part of the work. */
export async function holdClaim<Table extends WorkTable>(
  db: Database,
  { table, ready, set = {} }: Work<Table>,
  { node, leaseMs, nowMs = Date.now() }: Claim,
): Promise<Row<Table> | undefined> {
  const { rows } = await sql<Row<Table>>`
    update ${sql.table(table)} set claimed_until = ${nowMs + leaseMs}${assigned(set)}
    where ${ready} and claimed_by = ${node} returning *`.execute(db);
  return rows[0];
}

/** Of a row that nobody has claimed yet. */
export const unclaimed = (dueAt: number) => ({ due_at: dueAt, attempts: 0, claimed_by: '', claimed_until: 0 }) as const;

/** What a row is set to when it is let go. */
export const released = { claimed_by: '', claimed_until: 0 } as const;

/** Of all nodes: none of them runs any more. */
export async function releaseEverything({ db }: Pick<State, 'db'>): Promise<void> {
  for (const table of Object.keys(keysOf)) {
    await sql`update ${sql.table(table)} set claimed_by = '', claimed_until = 0 where claimed_by <> ''`.execute(db);
  }
}

/** Lets go of all that a node has claimed: when it stops, and when it starts again after it was killed. */
export async function releaseAll({ db }: Pick<State, 'db'>, node: string): Promise<void> {
  for (const table of Object.keys(keysOf)) {
    await sql`update ${sql.table(table)} set claimed_by = '', claimed_until = 0 where claimed_by = ${node}`.execute(db);
  }
}
