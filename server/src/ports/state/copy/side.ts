/**
 * One state store as another is copied from it, or to it: all tables as they are, row by row, whichever database they
 * lie in. Values have one form on both sides, so that rows can be compared.
 */

/** What a column holds. A time is ISO text with milliseconds. */
export type Kind = 'text' | 'number' | 'boolean' | 'time';
export type Value = string | number | boolean | null;
export type Row = readonly Value[];

export interface Column {
  readonly name: string;
  readonly kind: Kind;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Indexes of the columns that tell its rows apart. */
  readonly key: readonly number[];
}

/** A moment of a store. Others may write on. */
export interface Snapshot extends AsyncDisposable {
  /** All rows, in the order of their keys: numbers by value, text by its UTF-8 bytes, no value last. */
  pages(table: Table): AsyncIterable<readonly Row[]>;
  /** The last number that each counted key has given, by table. */
  counters(): Promise<Map<string, number>>;
}

export interface Writer {
  remove(table: Table, rows: readonly Row[]): Promise<void>;
  /** Rows that cannot be there beside another are left out; the next pass finds them missing. */
  insert(table: Table, rows: readonly Row[]): Promise<void>;
}

export interface CopySide extends AsyncDisposable {
  /** By name, with what this database knows of the kinds of their columns. */
  tables(): Promise<Map<string, Table>>;
  /** Migrations that were applied to it. */
  migrations(): Promise<string[]>;
  snapshot(): Promise<Snapshot>;
  /** Nobody else writes from when it resolves until its dispose, or until this process ends. Waits for who writes. */
  freeze(): Promise<AsyncDisposable>;
  /** In one transaction. */
  write(work: (writer: Writer) => Promise<void>): Promise<void>;
  setCounters(counters: ReadonlyMap<string, number>): Promise<void>;
  /** The statements that bring back what `loosen` takes away. To be kept before that. */
  references(): Promise<readonly string[]>;
  /** Lets rows come in any order: from now on references are not checked. */
  loosen(): Promise<void>;
  /** Checks all references, and from now on. Throws where one leads nowhere. */
  tighten(references: readonly string[]): Promise<void>;
}

/** Not copied: what is said of the move itself, and of the schema. */
export const leftOut: ReadonlySet<string> = new Set(['migration']);
/** Names of rows of `setting` that belong to one store alone. */
export const moveSetting = 'move';
