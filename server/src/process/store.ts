/**
 * Writes what a slice of a batch computed: issues first, then blobs, then one insert per table with the slice's token.
 * Each step may be repeated without effect, so a batch interrupted anywhere is simply run again.
 */
import type { Blobs } from '../blobs/blobs.ts';
import type { Events } from '../events/events.ts';
import { isRowFault } from '../events/failures.ts';
import type { ErrorRow, ItemRow, TableRows } from '../events/tables.ts';
import { type RecordedProject, recordBatch } from '../issues/index.ts';
import type { State } from '../state/state.ts';
import type { Computed } from './compute.ts';
import type { Outcome } from './types.ts';

export interface Stores {
  readonly state: State;
  readonly events: Events;
  readonly blobs: Blobs;
}

/** Throws what may be tried again later. `now` is ms since the epoch. */
export async function storeBatch(
  stores: Stores,
  computed: Computed,
  token: string,
  now: number,
): Promise<readonly RecordedProject[]> {
  const projects = computed.events.length ? await recordBatch(stores.state, computed.events, now) : [];
  const living = new Set(projects.map((project) => project.projectId));
  await Promise.all(computed.blobs.map((blob) => stores.blobs.put(blob.key, blob.value)));
  const rows = computed.events.filter((event) => living.has(event.row.project_id)).map((event) => event.row);
  const refused = await insertBlocks(stores.events, 'errors', rows, token);
  const asideRows = refused.map(({ row, detail }) => refusedItem(row, detail));
  for (const { row } of refused) recount(computed, row);
  await insertBlocks(stores.events, 'items', [...computed.items, ...asideRows], token);
  await insertBlocks(stores.events, 'outcomes', computed.outcomes.rows(), token);
  return projects;
}

interface Refused<Row> {
  readonly row: Row;
  /** The store's words. */
  readonly detail: string;
}

/** Text of the rows of one insert, characters; the store refuses requests far above it, and holds them in memory. */
const maxBlockLength = 16 * 1024 * 1024;
/** All columns of a row but its long ones. */
const shortColumns = 1024;

/** Nearly always one insert; one envelope of many kept items can hold more than the store takes at once. */
async function insertBlocks<T extends keyof TableRows>(
  events: Events,
  table: T,
  rows: readonly TableRows[T][],
  token: string,
): Promise<readonly Refused<TableRows[T]>[]> {
  const refused: Refused<TableRows[T]>[] = [];
  for (let start = 0, end = 0, number = 0; start < rows.length; start = end, number++) {
    for (let length = 0; end < rows.length && length < maxBlockLength; end++) length += lengthOf(rows[end]);
    const block = start === 0 && end === rows.length ? rows : rows.slice(start, end);
    refused.push(...(await insert(events, table, block, number === 0 ? token : `${token}.${number}`)));
  }
  return refused;
}

function lengthOf(row: TableRows[keyof TableRows] | undefined): number {
  return shortColumns + (row && 'payload' in row ? row.payload.length : 0);
}

/**
 * A row that the store can never take must not hold up the others: a refused block is halved until the row stands
 * alone. Tokens of the halves follow from their bounds, so repeating the batch repeats the same tokens.
 */
async function insert<T extends keyof TableRows>(
  events: Events,
  table: T,
  rows: readonly TableRows[T][],
  token: string,
): Promise<readonly Refused<TableRows[T]>[]> {
  const [first] = rows;
  if (!first) return [];
  try {
    await events.insert(table, rows, `${token}:${table}`);
    return [];
  } catch (error) {
    if (!isRowFault(error)) throw error;
    if (rows.length === 1) return [{ row: first, detail: error instanceof Error ? error.message : String(error) }];
    const middle = rows.length >> 1;
    return [
      ...(await insert(events, table, rows.slice(0, middle), `${token}/0`)),
      ...(await insert(events, table, rows.slice(middle), `${token}/1`)),
    ];
  }
}

const refusedReason = 'store_refused';

function refusedItem(row: ErrorRow, detail: string): ItemRow {
  return {
    project_id: row.project_id,
    received_at: row.received_at,
    item_type: 'event',
    category: 'error',
    outcome: 'invalid',
    reason: refusedReason,
    detail,
    event_id: row.event_id,
    headers: '{}',
    size_bytes: row.payload.length,
    payload: row.payload,
    blob_key: '',
  };
}

function recount(computed: Computed, row: ErrorRow): void {
  const count = (quantity: number, outcome: Outcome): void =>
    computed.outcomes.count(row.project_id, row.received_at, { category: 'error', outcome, quantity });
  count(-1, { kind: 'accepted' });
  count(1, { kind: 'invalid', reason: refusedReason });
}
