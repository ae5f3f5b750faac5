/** Inserts rows that are encoded already, none of which may hold up the others. */
import type { RowEncoder } from '../ports/events/encode.ts';
import type { Events } from '../ports/events/events.ts';
import { isRowFault } from '../ports/events/failures.ts';
import type { TableRows } from '../base/tables/index.ts';

export interface RefusedLine {
  /** The encoded row. */
  readonly line: Uint8Array;
  /** The store's words. */
  readonly detail: string;
}

/** Bytes of one insert; the store holds a request in memory. */
const maxBlockBytes = 32 * 1024 * 1024;

/** The rows of an encoder as views on what it holds. */
export function linesOf(encoder: Pick<RowEncoder<never>, 'bytes' | 'ends'>): Uint8Array[] {
  const bytes = encoder.bytes();
  return encoder.ends.map((end, index) => bytes.subarray(encoder.ends[index - 1] ?? 0, end));
}

/** Nearly always one insert, under the token; more than the store takes at once goes in several. Returns what is refused. */
export async function insertLines(
  events: Events,
  table: keyof TableRows,
  lines: readonly Uint8Array[],
  token: string,
): Promise<RefusedLine[]> {
  const refused: RefusedLine[] = [];
  for (let start = 0, end = 0, number = 0; start < lines.length; start = end, number++) {
    for (let bytes = 0; end < lines.length && bytes < maxBlockBytes; end++) bytes += lines[end]?.length ?? 0;
    const block = start === 0 && end === lines.length ? lines : lines.slice(start, end);
    refused.push(...(await insertBlock(events, table, block, number === 0 ? token : `${token}.${number}`)));
  }
  return refused;
}

/**
 * A row that the store can never take must not hold up the others: a refused block is halved until the row stands
 * alone. Tokens of the halves follow from their bounds, so repeating the batch repeats the same tokens.
 */
async function insertBlock(
  events: Events,
  table: keyof TableRows,
  lines: readonly Uint8Array[],
  token: string,
): Promise<RefusedLine[]> {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) return [];
  try {
    await events.insertEncoded(table, joined(lines, first, last), `${token}:${table}`);
    return [];
  } catch (error) {
    if (!isRowFault(error)) throw error;
    if (lines.length === 1) return [{ line: first, detail: error instanceof Error ? error.message : String(error) }];
    const middle = lines.length >> 1;
    return [
      ...(await insertBlock(events, table, lines.slice(0, middle), `${token}/0`)),
      ...(await insertBlock(events, table, lines.slice(middle), `${token}/1`)),
    ];
  }
}

/** One view over all where they stand side by side, which they do unless a project was deleted meanwhile. */
function joined(lines: readonly Uint8Array[], first: Uint8Array, last: Uint8Array): Uint8Array {
  const length = last.byteOffset + last.length - first.byteOffset;
  const together = lines.reduce((sum, line) => sum + line.length, 0) === length;
  return together ? new Uint8Array(first.buffer, first.byteOffset, length) : Buffer.concat(lines);
}
