/** Makes one state store what another is. A pass compares all rows, in the order of their keys, and writes what differs. */
import { createHash } from 'node:crypto';
import type { CopySide, Row, Snapshot, Table, Value } from './side.ts';

export interface CopyOptions {
  readonly signal: AbortSignal;
  /** Told of rows that were read. Resolves when the next may be. */
  readonly onRows?: (table: string, rows: number) => Promise<void>;
}

/** Of one pass. */
export interface Pass {
  readonly rows: number;
  /** Rows that were not on the other side as they are here, and those that were there alone. */
  readonly written: number;
  readonly removed: number;
  readonly tables: ReadonlyMap<string, { readonly rows: number; readonly checksum: string }>;
}

/** Rows that are written in one transaction. */
const writtenAtOnce = 2_000;

/** The tables of both, with kinds that one of them alone knows: SQLite has no booleans. */
export function tablesOfBoth(source: ReadonlyMap<string, Table>, target: ReadonlyMap<string, Table>): Table[] {
  return [...source.values()].map((table) => {
    const other = target.get(table.name);
    if (!other) throw new Error(`the other store has no table ${table.name}`);
    const names = (of: Table): string =>
      of.columns
        .map(({ name }) => name)
        .toSorted()
        .join();
    if (names(table) !== names(other)) throw new Error(`the table ${table.name} has other columns in the other store`);
    const kindOf = ({ name, kind }: Table['columns'][number]): Table['columns'][number] => {
      const there = other.columns.find((column) => column.name === name)?.kind ?? kind;
      return { name, kind: there === 'boolean' ? there : kind };
    };
    return { ...table, columns: table.columns.map(kindOf) };
  });
}

/** The target as the source is at one moment of it. */
export async function copyOnce(source: CopySide, target: CopySide, options: CopyOptions): Promise<Pass> {
  const tables = tablesOfBoth(await source.tables(), await target.tables());
  await using from = await source.snapshot();
  await using to = await target.snapshot();
  const seen = new Map<string, { rows: number; checksum: string }>();
  const sum = { rows: 0, written: 0, removed: 0 };
  for (const table of tables) {
    const { written, removed, ...about } = await copyTable(table, { from, to, target }, options);
    seen.set(table.name, about);
    sum.rows += about.rows;
    sum.written += written;
    sum.removed += removed;
  }
  await target.setCounters(await from.counters());
  return { ...sum, tables: seen };
}

interface Sides {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly target: CopySide;
}

async function copyTable(table: Table, { from, to, target }: Sides, { signal, onRows }: CopyOptions) {
  const compare = byKey(table);
  const hash = createHash('sha256');
  const counts = { rows: 0, written: 0, removed: 0 };
  let gone: Row[] = [];
  let fresh: Row[] = [];
  const flush = async (): Promise<void> => {
    if (!gone.length && !fresh.length) return;
    const [removed, inserted] = [gone, fresh];
    [gone, fresh] = [[], []];
    await target.write(async (writer) => {
      await writer.remove(table, removed);
      await writer.insert(table, inserted);
    });
  };
  await using there = rowsOf(to.pages(table));
  let other = await there.next();
  for await (const page of from.pages(table)) {
    signal.throwIfAborted();
    await onRows?.(table.name, page.length);
    for (const row of page) {
      counts.rows += 1;
      const text = JSON.stringify(row);
      hash.update(text).update('\n');
      for (; other && compare(other, row) < 0; other = await there.next()) {
        gone.push(other);
        counts.removed += 1;
      }
      if (other && compare(other, row) === 0) {
        if (JSON.stringify(other) !== text) {
          gone.push(other);
          fresh.push(row);
          counts.written += 1;
        }
        other = await there.next();
      } else {
        fresh.push(row);
        counts.written += 1;
      }
      if (gone.length + fresh.length >= writtenAtOnce) await flush();
    }
  }
  for (; other; other = await there.next()) {
    gone.push(other);
    counts.removed += 1;
    if (gone.length >= writtenAtOnce) await flush();
  }
  await flush();
  return { ...counts, checksum: hash.digest('hex').slice(0, 16) };
}

/** One row after the other, without a promise for each. */
function rowsOf(pages: AsyncIterable<readonly Row[]>) {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly Row[] = [];
  let at = 0;
  let isOver = false;
  return {
    next(): Row | undefined | Promise<Row | undefined> {
      if (at < page.length) return page[at++];
      return isOver ? undefined : this.more();
    },
    async more(): Promise<Row | undefined> {
      const { value, done } = await iterator.next();
      isOver = done === true;
      page = done ? [] : value;
      at = 0;
      return page[at++];
    },
    async [Symbol.asyncDispose]() {
      await iterator.return?.();
    },
  };
}

function byKey({ key }: Table): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const index of key) {
      const order = compareValues(a[index] ?? null, b[index] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Text of one byte a character. */
const isPlain = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** As both databases order: text by its bytes, no value last. */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (typeof a !== 'string' || typeof b !== 'string') return a < b ? -1 : 1;
  // UTF-16 orders what needs two units before some of what needs one.
  if (!isPlain(a) || !isPlain(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
