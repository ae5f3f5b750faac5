/**
 * Copies a partition of a table, or what has come to it since: rows know the number of the insert that brought them
 * (`_block_number`), also once parts are merged, where the table's `enable_block_number_column` is set before.
 */
import { randomUUID } from 'node:crypto';
import type { Events } from '../events.ts';
import { clusterSettings, layoutOf } from '../layout.ts';
import { insertNative, readNative } from './raw.ts';
import { fillPayloads, placeColumns } from './with-payloads.ts';

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows stay what they are when parts are merged. */
  readonly isPlain: boolean;
  /** What partitions are made by, as SQL; '' for none. */
  readonly partitionedBy: string;
}

export interface Ends {
  readonly source: Events;
  readonly target: Events;
  readonly signal: AbortSignal;
  /** Told of bytes on their way. Resolves when more may be sent. */
  readonly onBytes: (bytes: number, rows: number) => Promise<void>;
}

/** Inserts of a partition: after one, up to another. */
export interface Stretch {
  readonly partition: string;
  readonly after: number;
  readonly through: number;
}

/** What is on its way at a time, bytes; about. */
const chunkBytes = 16 * 2 ** 20;
const mostRows = 200_000;
/** Of a payload that lies in a segment. */
const payloadBytes = 12_000;

interface Chunk {
  readonly condition: string;
  readonly rows: number;
}

/** Thrown where rows are no longer what they were when the copy began; the partition is copied again. */
export class PartitionChanged extends Error {
  override readonly name = 'PartitionChanged';
}

/** Resolves to the rows that it has copied. Throws `PartitionChanged`, and then some of them may be there. */
export async function copyStretch(table: CopiedTable, stretch: Stretch, ends: Ends): Promise<number> {
  let rows = 0;
  for await (const chunk of chunksOf(table, stretch, ends)) {
    await copyChunk(table, chunk, ends);
    rows += chunk.rows;
  }
  return rows;
}

/** The table that has the rows, with the columns that only such a one has. */
const rowsOf = ({ address }: Pick<Events, 'address'>, { name }: CopiedTable): string =>
  `${layoutOf(address).rows}.${name}`;

export const within = ({ partition, after, through }: Stretch): string =>
  `_partition_id = '${partition}' AND _block_number > ${after} AND _block_number <= ${through}`;

async function* chunksOf(table: CopiedTable, stretch: Stretch, { source, target }: Ends): AsyncGenerator<Chunk> {
  const [size] = await source.query<{ rows: number; bytes: number }>(
    `SELECT sum(rows) AS rows, sum(data_uncompressed_bytes) AS bytes FROM system.parts
     WHERE database = {rows:String} AND table = {table:String} AND active AND partition_id = {partition:String}`,
    { rows: layoutOf(source.address).rows, table: table.name, partition: stretch.partition },
  );
  const joins = table.name === 'errors' && source.payloads && !target.payloads;
  const rowBytes = (size?.bytes ?? 0) / Math.max(1, size?.rows ?? 1) + (joins ? payloadBytes : 0);
  const atOnce = Math.min(mostRows, Math.max(100, Math.floor(chunkBytes / Math.max(1, rowBytes))));
  const blocks = await source.query<{ block: number; n: number }>(
    `SELECT _block_number AS block, count() AS n FROM ${rowsOf(source, table)} WHERE ${within(stretch)}
     GROUP BY block ORDER BY block`,
    {},
    patient,
  );
  let from = stretch.after;
  let gathered: Chunk | undefined;
  for (const { block, n } of blocks) {
    if (gathered && gathered.rows + n > atOnce) {
      yield gathered;
      gathered = undefined;
    }
    if (n > 2 * atOnce) {
      yield* partsOf(table, stretch, block, n, atOnce, source);
      from = block;
      continue;
    }
    if (!gathered) from = block - 1;
    gathered = {
      condition: within({ ...stretch, after: from, through: block }),
      rows: (gathered?.rows ?? 0) + n,
    };
  }
  if (gathered) yield gathered;
}

/** A block that has become many rows, by where they lie in their part. */
async function* partsOf(
  table: CopiedTable,
  { partition }: Stretch,
  block: number,
  rows: number,
  atOnce: number,
  source: Events,
): AsyncGenerator<Chunk> {
  const own = `_partition_id = '${partition}' AND _block_number = ${block}`;
  const parts = await source.query<{ part: string; first: number; last: number }>(
    `SELECT _part AS part, min(_part_offset) AS first, max(_part_offset) AS last FROM ${rowsOf(source, table)} WHERE ${own} GROUP BY part`,
    {},
    patient,
  );
  let left = rows;
  for (const { part, first, last } of parts) {
    for (let at = first; at <= last; at += atOnce) {
      const condition = `${own} AND _part = '${part}' AND _part_offset >= ${at} AND _part_offset < ${at + atOnce}`;
      const [found] = await source.query<{ n: number }>(
        `SELECT count() AS n FROM ${rowsOf(source, table)} WHERE ${condition}`,
        {},
        patient,
      );
      if (!found?.n) continue;
      left -= found.n;
      yield { condition, rows: found.n };
    }
  }
  // A part that was merged into another has left some behind.
  if (left !== 0) throw new PartitionChanged();
}

async function copyChunk(table: CopiedTable, { condition, rows }: Chunk, ends: Ends): Promise<void> {
  const { source, target, signal, onBytes } = ends;
  signal.throwIfAborted();
  const { payloads } = source;
  const joins = table.name === 'errors' && payloads && !target.payloads;
  const columns = joins
    ? [...placeColumns, ...table.columns.filter((name) => !placeColumns.some((each) => each === name))]
    : table.columns;
  const sql = `SELECT ${columns.join(', ')} FROM ${rowsOf(source, table)} WHERE ${condition}`;
  let bytes: Uint8Array;
  if (joins) {
    // Sorted, they come in one block.
    const block = await readNative(
      source.address,
      `${sql} ORDER BY _part, _part_offset`,
      { max_block_size: 2 * mostRows, preferred_block_size_bytes: 0, max_threads: 1 },
      signal,
    );
    const filled = await fillPayloads(block, rows, payloads);
    if (!filled) throw new PartitionChanged();
    bytes = Buffer.concat(filled);
  } else {
    bytes = await readNative(source.address, sql, { max_threads: 1 }, signal);
  }
  await onBytes(bytes.length, rows);
  await insertNative(
    target.address,
    table.name,
    { columns, bytes },
    {
      insert_deduplication_token: `move ${randomUUID()}`,
      max_partitions_per_insert_block: 0,
      ...(target.address.cluster && clusterSettings.insert),
    },
    signal,
  );
}

const patient = { maxExecutionSeconds: 600 };
