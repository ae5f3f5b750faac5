/** Inserts rows that are encoded already, none of which may hold up the others. */
import { type BlockEncoder, createEncoder } from '../ports/events/blocks/encode.ts';
import { decodeRows } from '../ports/events/blocks/decode.ts';
import type { Events } from '../ports/events/events.ts';
import { isRowFault } from '../ports/events/failures.ts';
import type { TableRows } from '../base/tables/index.ts';

export interface RefusedRow<Row> {
  readonly row: Row;
  /** Why, in words. */
  readonly detail: string;
}

/** About what the rows of one insert weigh, bytes; the store holds a request in memory. */
const maxBlockWeight = 32 * 1024 * 1024;

/** What is done otherwise than as encoded, by the order of the rows. */
interface RowChanges<Row> {
  /** Left out: all are inserted. */
  readonly isWanted?: ((index: number) => boolean) | undefined;
  /** Left out: they are as they are. */
  readonly change?: ((row: Row, index: number) => Row) | undefined;
}

/**
 * Nearly always one insert, under the token; more than the store takes at once goes in several. Returns what is refused.
 */
export async function insertRows<T extends keyof TableRows>(
  events: Events,
  table: T,
  encoder: BlockEncoder<TableRows[T]>,
  token: string,
  { isWanted, change }: RowChanges<TableRows[T]> = {},
): Promise<RefusedRow<TableRows[T]>[]> {
  const whole = encoder.block();
  if (!whole) return [];
  const decoded = (): TableRows[T][] => decodeRows(table, whole.bytes);
  const isComplete = !isWanted || Array.from({ length: whole.rows }, (_, index) => index).every(isWanted);
  if (!isComplete || change || encoder.weight > maxBlockWeight) {
    const changed = decoded().flatMap((row, index) =>
      isWanted?.(index) === false ? [] : [change ? change(row, index) : row],
    );
    return insertAnew(events, table, changed, token);
  }
  try {
    await events.insertBlock(table, whole, `${token}:${table}`);
    return [];
  } catch (error) {
    if (!isRowFault(error)) throw error;
    return refusedOf(events, table, decoded(), token, error);
  }
}

/** In blocks of what the store takes at once. */
async function insertAnew<T extends keyof TableRows>(
  events: Events,
  table: T,
  rows: readonly TableRows[T][],
  token: string,
): Promise<RefusedRow<TableRows[T]>[]> {
  const refused: RefusedRow<TableRows[T]>[] = [];
  for (let start = 0, end = 0, number = 0; start < rows.length; start = end, number++) {
    using encoder = createEncoder(table);
    for (; end < rows.length && encoder.weight < maxBlockWeight; end++) encoder.add(rows[end] as TableRows[T]);
    const part = number === 0 ? token : `${token}.${number}`;
    refused.push(...(await insertPart(events, table, encoder, rows.slice(start, end), part)));
  }
  return refused;
}

async function insertPart<T extends keyof TableRows>(
  events: Events,
  table: T,
  encoder: BlockEncoder<TableRows[T]>,
  rows: readonly TableRows[T][],
  token: string,
): Promise<RefusedRow<TableRows[T]>[]> {
  const block = encoder.block();
  if (!block) return [];
  try {
    await events.insertBlock(table, block, `${token}:${table}`);
    return [];
  } catch (error) {
    if (!isRowFault(error)) throw error;
    return refusedOf(events, table, rows, token, error);
  }
}

/**
 * A row that the store can never take must not hold up the others: a refused block is halved until the row stands
 * alone. Tokens of the halves follow from their bounds, so repeating the batch repeats the same tokens.
 */
async function refusedOf<T extends keyof TableRows>(
  events: Events,
  table: T,
  rows: readonly TableRows[T][],
  token: string,
  error: unknown,
): Promise<RefusedRow<TableRows[T]>[]> {
  const [row] = rows;
  if (row === undefined) return [];
  if (rows.length === 1) return [{ row, detail: error instanceof Error ? error.message : String(error) }];
  const middle = rows.length >> 1;
  const refused: RefusedRow<TableRows[T]>[] = [];
  for (const [half, part] of [rows.slice(0, middle), rows.slice(middle)].entries()) {
    using encoder = createEncoder(table);
    for (const each of part) encoder.add(each);
    refused.push(...(await insertPart(events, table, encoder, part, `${token}/${half}`)));
  }
  return refused;
}
