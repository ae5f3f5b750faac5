/** Compares copies with what their rows have. */
import { createHash } from 'node:crypto';
import { changeRows } from './mutations.ts';
import { type CarriedEvents, type CarryOptions, modest, patient, piecesOf } from './places.ts';

/** Such rows say where a copy lies, and still have their payload. */
export const isPlaced = `payload_segment != 0 AND payload != ''`;

export interface Carried {
  readonly rows: number;
  /** Of their payloads. */
  readonly bytes: number;
  /** Rows in whose segment a copy was not what its row has. They keep their payloads, and are copied again another day. */
  readonly refused: number;
}

export interface Verified extends Carried {
  /** All that lies in them is what its row has. */
  readonly segments: readonly number[];
}

/** All rows of the week that say where a copy lies, whichever run told them. */
export async function verifyRows(events: CarriedEvents, week: string, options: CarryOptions): Promise<Verified> {
  const found = await events.query<{ segment: number }>(
    `SELECT DISTINCT payload_segment AS segment FROM errors
     WHERE _partition_id = {week:String} AND ${isPlaced} ORDER BY segment ${modest}`,
    { week },
    patient,
  );
  const segments: number[] = [];
  let rows = 0;
  let bytes = 0;
  let refused = 0;
  for (const { segment } of found) {
    const copies = await readCopies(events, week, segment, options);
    if (await areAllThere(events, copies, options)) {
      segments.push(segment);
      rows += copies.length;
      for (const copy of copies) bytes += copy.bytes;
    } else {
      refused += copies.length;
      const assignments = 'payload_segment = 0, payload_ordinal = 0';
      const condition = `payload_segment = ${Math.trunc(segment)} AND payload != ''`;
      await changeRows(events, week, { assignments, condition }, options.signal);
    }
  }
  return { segments, rows, bytes, refused };
}

interface Copy {
  readonly segment: number;
  readonly ordinal: number;
  /** Of what the row has, with its MD5, hexadecimal in upper case. */
  readonly bytes: number;
  readonly digest: string;
}

async function readCopies(
  events: CarriedEvents,
  week: string,
  segment: number,
  { signal, rest }: CarryOptions,
): Promise<Copy[]> {
  signal.throwIfAborted();
  const begunAt = performance.now();
  const copies = await events.query<Copy>(
    `SELECT payload_segment AS segment, payload_ordinal AS ordinal, length(payload) AS bytes, hex(MD5(payload)) AS digest
     FROM errors
     WHERE _partition_id = {week:String} AND payload_segment = {segment:UInt64} AND payload != ''
     ${modest}`,
    { week, segment },
    patient,
  );
  await rest(performance.now() - begunAt);
  // Here: the engine would sort the payloads themselves.
  return copies.sort((a, b) => a.ordinal - b.ordinal);
}

async function areAllThere(
  { payloads }: CarriedEvents,
  copies: readonly Copy[],
  { signal, rest }: CarryOptions,
): Promise<boolean> {
  for (const piece of piecesOf(copies)) {
    signal.throwIfAborted();
    const begunAt = performance.now();
    const texts = await payloads.read(piece);
    if (!piece.every(({ digest }, index) => digestOf(texts[index]) === digest)) return false;
    await rest(performance.now() - begunAt);
  }
  return true;
}

const digestOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : createHash('md5').update(text).digest('hex').toUpperCase();
