/** Rows as ClickHouse's JSONEachRow: one JSON object per line. */
import { insertedTables, type TableRows, timeColumnsOf } from '../../base/tables/index.ts';

/** DateTime64 columns: a whole number without quotes is read in the column's unit, ms, or µs where the row has it. */
const timeColumns = Object.fromEntries(insertedTables.map((table) => [table, timeColumnsOf(table)])) as {
  readonly [Table in keyof TableRows]: readonly (keyof TableRows[Table])[];
};

const firstBytes = 64 * 1024;
const none = Buffer.alloc(0);
const newline = 0x0a;
/** How JSON.stringify writes lone surrogates; whole pairs it leaves as they are. */
const surrogateEscape = '\\ud';

/** Rows of one table, encoded as they come, so that none of them has to be kept until the last is there. */
export interface RowEncoder<Row> {
  add(row: Row): void;
  /** Where each row ends, bytes; the first starts at 0. */
  readonly ends: readonly number[];
  /** What was added so far, outside Node's shared pool, so that it can be handed to another thread. */
  bytes(): Buffer;
}

/** Lone surrogates, which UTF-8 cannot carry, become U+FFFD; NUL and all else survives. Fractions of a time's unit are cut off. */
export function createRowEncoder<T extends keyof TableRows>(table: T): RowEncoder<TableRows[T]> {
  const columns = timeColumns[table];
  const ends: number[] = [];
  // Written row by row into one growing buffer: three times faster than joining strings and encoding them at the end.
  let buffer = none;
  let end = 0;
  return {
    ends,
    add(row) {
      const whole = columns.every((column) => Number.isInteger(row[column]));
      const json = JSON.stringify(whole ? row : withWholeTimes(row, columns));
      const text = json.includes(surrogateEscape) ? replaceLoneSurrogates(json) : json;
      const most = end + text.length * 3 + 1;
      if (most > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(most, buffer.length * 2, firstBytes));
        buffer.copy(larger, 0, 0, end);
        buffer = larger;
      }
      end += buffer.write(text, end);
      buffer[end++] = newline;
      ends.push(end);
    },
    bytes: () => buffer.subarray(0, end),
  };
}

/** Encodes rows once, for `Events.insertEncoded`. */
export function encodeRows<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][]): Buffer {
  const encoder = createRowEncoder(table);
  for (const row of rows) encoder.add(row);
  // An exact copy: what is handed on shall not hold more memory than it fills.
  return Buffer.copyBytesFrom(encoder.bytes());
}

function withWholeTimes<Row extends object>(row: Row, columns: readonly (keyof Row)[]): object {
  const changed: Partial<Record<keyof Row, number>> = {};
  for (const column of columns) {
    const time = Math.trunc(Number(row[column]));
    changed[column] = Number.isFinite(time) ? time : 0;
  }
  return { ...row, ...changed };
}

/** JSON.stringify writes `\ud8xx` for lone surrogates only; `\\ud8xx` is an escaped backslash before plain letters. */
function replaceLoneSurrogates(json: string): string {
  return json.replaceAll(/\\(?:(ud[89a-f][0-9a-f]{2})|[^])/g, (escape, lone: string | undefined) =>
    lone === undefined ? escape : '\ufffd',
  );
}
