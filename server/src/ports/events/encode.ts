/**
 * Rows as ClickHouse's TabSeparated, a line each, with their columns in the order of the table's record. Of the formats
 * that are text it is the one whose long texts the engine reads fast: a payload is JSON, and as a JSON string it would be
 * escaped a second time.
 */
import { memo } from '../../base/memo.ts';
import { ofShared } from '../../base/shared-lists.ts';
import { giveBack, takeBuffer } from '../../base/spare-buffers.ts';
import { columnsOf, insertedTables, type Kind, type RowColumn, type TableRows } from '../../base/tables/index.ts';

/** Rows of one table, encoded as they come, so that none of them has to be kept until the last is there. */
export interface RowEncoder<Row> {
  add(row: Row): void;
  /** Where each row ends, bytes; the first starts at 0. */
  readonly ends: readonly number[];
  /** What was added so far, outside Node's shared pool, so that it can be handed to another thread. */
  bytes(): Buffer;
  /** Its memory goes to other encoders: nothing may use its bytes any more. */
  release(): void;
}

const firstBytes = 64 * 1024;
const none: Buffer = Buffer.alloc(0);
const newline = 0x0a;

/** Lone surrogates, which UTF-8 cannot carry, become U+FFFD; NUL and all else survives. Fractions of a time's unit are cut off. */
export function createRowEncoder<T extends keyof TableRows>(table: T): RowEncoder<TableRows[T]> {
  const columns = writersOf[table] ?? [];
  const ends: number[] = [];
  const texts: string[] = columns.map(() => '');
  // Written row by row into one growing buffer: three times faster than joining strings and encoding them at the end.
  let buffer = none;
  let end = 0;
  const append = (text: string): void => {
    const most = end + text.length * 3 + 1;
    if (most > buffer.length) {
      const larger = takeBuffer(Math.max(most, buffer.length * 2, firstBytes));
      buffer.copy(larger, 0, 0, end);
      giveBack(buffer);
      buffer = larger;
    }
    end += buffer.write(text, end);
  };
  return {
    ends,
    add(row) {
      for (let index = 0; index < columns.length; index++) {
        const { name, write } = columns[index] as ColumnWriter;
        texts[index] = write((row as Readonly<Record<string, unknown>>)[name]);
      }
      append(texts.join('\t'));
      buffer[end++] = newline;
      ends.push(end);
    },
    bytes: () => buffer.subarray(0, end),
    release() {
      giveBack(buffer);
      buffer = none;
      end = 0;
      ends.length = 0;
    },
  };
}

/** Encodes rows once, for `Events.insertEncoded`. */
export function encodeRows<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][]): Buffer {
  const encoder = createRowEncoder(table);
  for (const row of rows) encoder.add(row);
  // An exact copy: what is handed on shall not hold more memory than it fills.
  return Buffer.copyBytesFrom(encoder.bytes());
}

/** How the store is told which columns a line has. */
export const encodedColumns = (table: keyof TableRows): string =>
  columnsOf(table)
    .map(({ name }) => name)
    .join(', ');

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' };
const escapeChar = (char: string): string => escapes[char] ?? `\\${char}`;
/** What ends a column or a row; the engine's library ends what it is given at a NUL. */
const breaks = /[\t\n\r\0]/;
const allBreaks = new RegExp(breaks, 'g');
const escaped = /[\\\t\n\r\0]/;
const quotedBreaks = /['\\\t\n\r\0]/;
const allQuotedBreaks = new RegExp(quotedBreaks, 'g');

function escape(text: string): string {
  if (!escaped.test(text)) return text;
  // Nearly all that there is to escape in a payload are backslashes, which go much faster by themselves.
  const slashed = text.replaceAll('\\', '\\\\');
  return breaks.test(slashed) ? slashed.replaceAll(allBreaks, escapeChar) : slashed;
}

const quote = (text: string): string =>
  `'${quotedBreaks.test(text) ? text.replaceAll(allQuotedBreaks, escapeChar) : text}'`;

/** What is no number at all is for the store to refuse, so that the row is kept as it is. */
const numberText = (value: number): string =>
  typeof value === 'number' && !Number.isFinite(value) ? '0' : String(value);

const list = <V>(values: readonly V[], write: (value: V) => string): string =>
  values.length === 0 ? '[]' : `[${values.map(write).join(',')}]`;

const textList = (values: readonly string[]): string => list(values, quote);
const numberList = (values: readonly number[]): string => list(values, numberText);

/** The names of all rows are few. */
const nameText = memo((name) => `${quote(name)}:`, 5_000);

function byName<V>(values: Readonly<Record<string, V>>, write: (value: V) => string): string {
  const entries: string[] = [];
  for (const name in values) entries.push(nameText(name) + write(values[name] as V));
  return entries.length === 0 ? '{}' : `{${entries.join(',')}}`;
}

/** What a DateTime64 can hold, ms since the epoch. */
const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2299, 11, 31, 23, 59, 59, 999);

/** In UTC, as `2026-11-21 12:00:00.123`: whether a number means s or ms, the engine tells by its size. */
function millisText(ms: number): string {
  const within = Number.isFinite(ms) ? Math.min(Math.max(Math.trunc(ms), earliestMs), latestMs) : 0;
  const second = Math.floor(within / 1_000);
  const millis = within - second * 1_000;
  return `${secondText(second)}.${millis < 10 ? '00' : millis < 100 ? '0' : ''}${millis}`;
}

/** The times of a batch are few seconds, and to write one as a date takes longer than to remember it. */
const knownSeconds: { readonly second: number; readonly text: string }[] = [];
const secondPlaces = 64;

function secondText(second: number): string {
  const known = knownSeconds[second & (secondPlaces - 1)];
  if (known?.second === second) return known.text;
  const iso = new Date(second * 1_000).toISOString();
  const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
  knownSeconds[second & (secondPlaces - 1)] = { second, text };
  return text;
}

function microsText(us: number): string {
  const whole = Number.isFinite(us) ? Math.trunc(us) : 0;
  const ms = Math.floor(whole / 1_000);
  const within = ms >= earliestMs && ms <= latestMs;
  return millisText(ms) + (within ? String(whole - ms * 1_000).padStart(3, '0') : '000');
}

type Writer = (value: never) => string;

const writers = {
  text: escape,
  texts: (values: readonly string[]) => ofShared(values, textList),
  number: numberText,
  numbers: (values: readonly number[]) => ofShared(values, numberList),
  flag: String,
  flags: (values: readonly number[]) => list(values, String),
  'flag or null': (value: number | null) => (value === null ? '\\N' : String(value)),
  millis: millisText,
  micros: microsText,
  hash: String,
  'text by name': (values: Readonly<Record<string, string>>) => byName(values, quote),
  'number by name': (values: Readonly<Record<string, number>>) => byName(values, numberText),
} satisfies Record<Kind, Writer>;

interface ColumnWriter extends RowColumn {
  /** A column that is left out is an empty field, of which the engine computes the default. */
  readonly write: (value: unknown) => string;
}

const writersOf: Readonly<Partial<Record<string, readonly ColumnWriter[]>>> = Object.fromEntries(
  insertedTables.map((table) => [table, columnsOf(table).map(writerOf)]),
);

function writerOf(column: RowColumn): ColumnWriter {
  const write = writers[column.kind] as (value: unknown) => string;
  return { ...column, write: column.optional ? (value) => (value === undefined ? '' : write(value)) : write };
}
