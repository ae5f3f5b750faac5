/** Encoded rows read back, see `encode.ts`: what the store refuses is kept as what it was. */
import { columnsOf, type Kind, type TableRows } from '../../base/tables/index.ts';

/** Times are ms or µs since the epoch again; a column that was left out is left out. */
export function decodeRow<T extends keyof TableRows>(table: T, line: Uint8Array): TableRows[T] {
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
  const fields = text.replace(/\n$/, '').split('\t');
  const columns: [string, unknown][] = columnsOf(table).flatMap(({ name, kind, optional }, index) => {
    const field = fields[index] ?? '';
    return optional && field === '' ? [] : [[name, readers[kind](field)]];
  });
  return Object.fromEntries(columns) as TableRows[T];
}

const controls: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', 0: '\0' };

const unescape = (text: string): string => text.replaceAll(/\\([^])/g, (_, char: string) => controls[char] ?? char);

/** A quoted text, or what stands bare up to the next mark. */
const values = (field: string): string[] =>
  [...field.matchAll(/'((?:[^'\\]|\\[^])*)'|[^[\]{},:']+/g)].map(([bare, quoted]) =>
    quoted === undefined ? bare : unescape(quoted),
  );

function pairs<V>(field: string, read: (value: string) => V): Record<string, V> {
  const all = values(field);
  const entries = all.flatMap((name, index) => (index % 2 === 0 ? [[name, read(all[index + 1] ?? '')] as const] : []));
  return Object.fromEntries(entries);
}

const utcMs = (text: string): number => Date.parse(`${text.slice(0, 10)}T${text.slice(11, 23)}Z`);

const readers: Readonly<Record<Kind, (field: string) => unknown>> = {
  text: unescape,
  texts: values,
  number: (field) => (Number.isNaN(Number(field)) ? field : Number(field)),
  numbers: (field) => values(field).map(Number),
  flag: Number,
  flags: (field) => values(field).map(Number),
  'flag or null': (field) => (field === '\\N' ? null : Number(field)),
  millis: utcMs,
  micros: (field) => utcMs(field) * 1_000 + Number(field.slice(23)),
  hash: String,
  'text by name': (field) => pairs(field, String),
  'number by name': (field) => pairs(field, Number),
};
