/** What the state store keeps of twins: which hash each failure got, and what waits for its server event. */
import type { Selectable } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import type { TwinTable } from '../../../ports/state/schema.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { keepDecidedMs } from '../record/decided.ts';
import type { Failure } from './lookup.ts';

export type TwinRow = Selectable<TwinTable>;

const dayMs = 86_400_000;
/** So late a server event may come, from a queue of its own. */
const keepWaitingMs = 7 * dayMs;

const chunkSize = 400;

export const failureKey = ({ digest, traceId }: Failure): string => `${digest} ${traceId}`;
const rowKey = (row: TwinRow): string => `${row.digest} ${row.trace_id}`;

export interface KnownTwins {
  /** By `failureKey`: what was decided for exactly this failure. */
  readonly exact: ReadonlyMap<string, TwinRow>;
  /** By digest: the first that was attached. The next visits that fail in the same way follow it and need no row. */
  readonly attached: ReadonlyMap<string, TwinRow>;
}

export async function readTwins(
  db: Pick<StateTransaction, 'selectFrom'>,
  projectId: number,
  failures: readonly Failure[],
): Promise<KnownTwins> {
  const exact = new Map<string, TwinRow>();
  const attached = new Map<string, TwinRow>();
  const digests = new Set(failures.flatMap(({ digest }) => digest || []));
  for (const chunk of chunksOf([...digests], chunkSize)) {
    const rows = await db
      .selectFrom('twin')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('digest', 'in', chunk)
      .where('state', '=', 'attached')
      .orderBy('created_at', 'desc')
      .orderBy('trace_id')
      .execute();
    for (const row of rows) attached.set(row.digest, row);
  }
  for (const [digest, same] of Map.groupBy(failures, (failure) => failure.digest)) {
    for (const chunk of chunksOf(same, chunkSize)) {
      const rows = await db
        .selectFrom('twin')
        .selectAll()
        .where('project_id', '=', projectId)
        .where('digest', '=', digest)
        .where(
          'trace_id',
          'in',
          chunk.map(({ traceId }) => traceId),
        )
        .execute();
      for (const row of rows) exact.set(rowKey(row), row);
    }
  }
  return { exact, attached };
}

export async function insertTwins(trx: StateTransaction, rows: readonly TwinRow[]): Promise<void> {
  for (const chunk of chunksOf(rows, chunkSize)) await trx.insertInto('twin').values(chunk).execute();
}

/** Rows that wait for a server event with one of the digests or traces. */
export async function waitingFor(
  db: Pick<StateTransaction, 'selectFrom'>,
  projectId: number,
  failures: readonly Failure[],
): Promise<TwinRow[]> {
  const rows: TwinRow[] = [];
  const find = async (column: 'digest' | 'trace_id', values: readonly string[]): Promise<void> => {
    for (const chunk of chunksOf([...new Set(values)], chunkSize)) {
      rows.push(
        ...(await db
          .selectFrom('twin')
          .selectAll()
          .where('project_id', '=', projectId)
          .where(column, 'in', chunk)
          .where('state', '=', 'waiting')
          .execute()),
      );
    }
  };
  await find(
    'digest',
    failures.flatMap(({ digest }) => digest || []),
  );
  await find(
    'trace_id',
    failures.flatMap(({ traceId }) => traceId || []),
  );
  return [...new Map(rows.map((row) => [rowKey(row), row])).values()];
}

/** Of the projects, those in which any twin waits. */
export async function projectsWithWaiting(
  db: Pick<StateTransaction, 'selectFrom'>,
  projectIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('twin')
    .select('project_id')
    .distinct()
    .where('state', '=', 'waiting')
    .where('project_id', 'in', projectIds)
    .execute();
  return rows.map((row) => row.project_id);
}

export async function forgetOldTwins(trx: StateTransaction, now: number): Promise<void> {
  await trx
    .deleteFrom('twin')
    .where('created_at', '<', now - keepDecidedMs)
    .where((eb) => eb.or([eb('state', '!=', 'waiting'), eb('created_at', '<', now - keepWaitingMs)]))
    .execute();
}

export const isKnown = (known: KnownTwins, failure: Failure): boolean =>
  known.exact.has(failureKey(failure)) || (failure.digest !== '' && known.attached.has(failure.digest));

/** All failures that share the hash. */
export async function setTwinState(
  trx: StateTransaction,
  projectId: number,
  hash: string,
  state: 'attached' | 'apart',
): Promise<void> {
  await trx
    .updateTable('twin')
    .set(state === 'attached' ? { state, issue_id: null } : { state })
    .where('project_id', '=', projectId)
    .where('state', '=', 'waiting')
    .where('group_hash', '=', hash)
    .execute();
}

export async function widenTwin(
  trx: StateTransaction,
  row: TwinRow,
  times: Pick<TwinRow, 'first_seen' | 'last_seen' | 'last_release'>,
): Promise<void> {
  if (times.first_seen >= row.first_seen && times.last_seen <= row.last_seen) return;
  await trx
    .updateTable('twin')
    .set({
      first_seen: Math.min(row.first_seen, times.first_seen),
      last_seen: Math.max(row.last_seen, times.last_seen),
      last_release: times.last_seen >= row.last_seen ? times.last_release : row.last_release,
    })
    .where('project_id', '=', row.project_id)
    .where('digest', '=', row.digest)
    .where('trace_id', '=', row.trace_id)
    .execute();
}
