/**
 * Rows as a block of ClickHouse's Native format, column by column as they come. A text row costs the engine four times
 * as much to read, and us as much to write.
 */
import { forgetAfterPause } from '../../../base/forget-after-pause.ts';
import { columnsOf, insertedTables, type Kind, type RowColumn, type TableRows } from '../../../base/tables/index.ts';
import { rows as texts } from '../../../base/texts/stores.ts';
import { Bytes } from './bytes.ts';
import { type Column, createColumn, type Weight } from './columns.ts';

/** What one insert takes. */
export interface Block {
  /** In the order in which the bytes have them. */
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** Rows of one table, encoded as they come, so that none of them has to be kept until the last is there. */
export interface BlockEncoder<Row> extends Disposable {
  /** All rows have the same columns: what the first leaves out, all of them do. The row has no fault. */
  add(row: Row): void;
  readonly rows: number;
  /** About what its rows are as text, bytes: follows from them alone. */
  readonly weight: number;
  /** What was added so far. Undefined where nothing was. */
  block(): Block | undefined;
  /** Its memory goes to other encoders: nothing may be asked of it any more, and nothing use its bytes. */
  [Symbol.dispose](): void;
}

interface Named extends RowColumn {
  readonly column: Column;
}

/** Name and type of a column, with their lengths, bytes. */
const maxColumnHead = 400;

class Encoder<Row> implements BlockEncoder<Row> {
  readonly #weight: Weight = { bytes: 0 };
  readonly #all: readonly Named[];
  #columns: readonly Named[] = [];
  #rows = 0;
  #out = new Bytes();
  readonly #onRelease: (encoder: Encoder<Row>) => void;

  constructor(table: keyof TableRows, onRelease: (encoder: Encoder<Row>) => void) {
    this.#all = columnsOf(table).map((known) => ({ ...known, column: createColumn(known.kind, this.#weight) }));
    this.#onRelease = onRelease;
  }

  get rows(): number {
    return this.#rows;
  }

  get weight(): number {
    return this.#weight.bytes;
  }

  add(row: Row): void {
    const values = row as Readonly<Record<string, unknown>>;
    if (this.#rows === 0)
      this.#columns = this.#all.filter(({ name, optional }) => !optional || values[name] !== undefined);
    for (let index = 0; index < this.#columns.length; index++) {
      const { name, column } = this.#columns[index] as Named;
      column.add(values[name] as never);
    }
    this.#rows++;
  }

  block(): Block | undefined {
    if (this.#rows === 0) return undefined;
    const out = this.#out;
    out.clear();
    // All at once: memory that grows is twice what it has to be.
    out.expect(this.#columns.reduce((bytes, { column }) => bytes + maxColumnHead + column.size, maxColumnHead));
    out.varint(this.#columns.length);
    out.varint(this.#rows);
    for (const { name, column } of this.#columns) {
      out.text(name);
      out.text(column.type);
      column.writePrefix(out);
      column.writeValues(out);
    }
    return { columns: this.#columns.map(({ name }) => name), rows: this.#rows, bytes: out.view() };
  }

  [Symbol.dispose](): void {
    const isLarge = this.#rows > worthKeepingRows;
    for (const { column } of this.#columns) column.clear();
    this.#columns = [];
    this.#rows = 0;
    this.#weight.bytes = 0;
    this.#out.release();
    if (!isLarge) this.#onRelease(this);
  }
}

/** Those that are done with, for whoever needs one next: their memory grew to what a batch takes. */
const spares = new Map<keyof TableRows, Encoder<never>[]>();
const maxSpares = 2;
/** One that held more is given up. */
const worthKeepingRows = 50_000;
const used = forgetAfterPause(() => spares.clear());

export function createEncoder<T extends keyof TableRows>(table: T): BlockEncoder<TableRows[T]> {
  const keep = (encoder: Encoder<never>): void => {
    const known = spares.get(table) ?? [];
    if (known.length < maxSpares && !known.includes(encoder)) known.push(encoder);
    spares.set(table, known);
    used();
  };
  return spares.get(table)?.pop() ?? new Encoder(table, keep);
}

/** Rows by the columns that they leave out. */
export function likeColumns<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][]): TableRows[T][][] {
  const optional = columnsOf(table).filter((column) => column.optional);
  const leftOut = (row: TableRows[T]): string =>
    optional
      .filter(({ name }) => (row as Readonly<Record<string, unknown>>)[name] === undefined)
      .map(({ name }) => name)
      .join();
  return [...Map.groupBy(rows, leftOut).values()];
}

/** Rows that have the same columns, encoded once. */
export function encodeRows<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][]): Block | undefined {
  const encoder = createEncoder(table);
  for (const row of rows) encoder.add(row);
  return encoder.block();
}

/** What is not finite is written as 0. */
const isWhole = (value: unknown): boolean =>
  typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isFinite(value));
const isCount = (value: unknown): boolean => isWhole(value) && !((value as number) < 0);

/** Of kinds whose values may be what their column cannot hold. */
const checks: Readonly<Partial<Record<Kind, (value: unknown) => boolean>>> = {
  number: isCount,
  signed: isWhole,
  hash: (value) => typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) < 1n << 64n,
};

const checkedOf: Readonly<Partial<Record<string, readonly RowColumn[]>>> = Object.fromEntries(
  insertedTables.map((table) => [table, columnsOf(table).filter(({ kind }) => kind in checks)]),
);

/** Why the store cannot hold the row, in words; undefined where it can. */
export function faultOf<T extends keyof TableRows>(table: T, row: TableRows[T]): string | undefined {
  const values = row as Readonly<Record<string, unknown>>;
  for (const { name, kind, optional } of checkedOf[table] ?? []) {
    const value = values[name];
    if (checks[kind]?.(value) || (optional && value === undefined)) continue;
    return texts.fault(name, String(value).slice(0, 100), kind === 'signed');
  }
  return undefined;
}
