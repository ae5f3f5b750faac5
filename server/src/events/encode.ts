/** Rows as ClickHouse's JSONEachRow: one JSON object per line. */
import type { TableRows } from './tables.ts';

/** DateTime64(3) columns: a whole number without quotes is read as milliseconds. */
const millisColumns: { readonly [Table in keyof TableRows]: readonly (keyof TableRows[Table])[] } = {
  errors: ['timestamp', 'received_at'],
  outcomes: ['minute'],
  items: ['received_at'],
};

/**
 * Encodes rows once, for `Events.insertEncoded`. Lone surrogates, which UTF-8 cannot carry, become U+FFFD; NUL and all
 * else survives. Fractions of a millisecond are cut off.
 */
export function encodeRows<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][]): Buffer {
  const columns = millisColumns[table];
  let text = '';
  for (const row of rows) {
    const whole = columns.every((column) => Number.isInteger(row[column]));
    text += JSON.stringify(whole ? row : withWholeMillis(row, columns));
    text += '\n';
  }
  return Buffer.from(replaceLoneSurrogates(text), 'utf8');
}

function withWholeMillis<Row extends object>(row: Row, columns: readonly (keyof Row)[]): object {
  const changed: Partial<Record<keyof Row, number>> = {};
  for (const column of columns) {
    const millis = Math.trunc(Number(row[column]));
    changed[column] = Number.isFinite(millis) ? millis : 0;
  }
  return { ...row, ...changed };
}

/** JSON.stringify writes `\ud8xx` for lone surrogates only; `\\ud8xx` is an escaped backslash before plain letters. */
function replaceLoneSurrogates(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replaceAll(/\\(?:(ud[89a-f][0-9a-f]{2})|[^])/g, (escape, lone: string | undefined) =>
    lone === undefined ? escape : '\ufffd',
  );
}
