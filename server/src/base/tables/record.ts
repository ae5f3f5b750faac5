/**
 * What is said once of each table of the events store. The row that is inserted, encoding, storing, retention, deletion
 * with the project, export and accounting follow from it; the SQL of a table stands in its migration.
 */

import type { RetentionClass } from '../retention.ts';

/** ms since the epoch; written as DateTime64(3, 'UTC'). */
export type Millis = number;

/** µs since the epoch, a safe integer; written as DateTime64(6, 'UTC'). */
export type Micros = number;

/** Kinds of columns, and what a row has in them. */
interface Values {
  text: string;
  texts: string[];
  /** Whole, from 0 on. */
  number: number;
  signed: number;
  /** Whole, from 0 up to 2^32. */
  numbers: number[];
  flag: 0 | 1;
  flags: (0 | 1)[];
  'flag or null': 0 | 1 | null;
  millis: Millis;
  micros: Micros;
  /** A decimal text below 2^64. */
  hash: string;
  'text by name': Record<string, string>;
  'number by name': Record<string, number>;
}

export type Kind = keyof Values;

/** How a text is scrubbed, see `process/steps/scrub`; `known` cannot hold anything, or is scrubbed already. */
export type Treatment = 'bag' | 'message' | 'value' | 'id' | 'code' | 'known';

/** With `?` it may be left out of a row, and the engine computes it. A text of which nothing else is said is a `value`. */
export type Column = Said | `${Said}?`;

type Said = Kind | `${'text' | 'texts'}:${Treatment}`;

export type Columns = Readonly<Record<string, Column>>;

interface AnyTable {
  /** The column or expression that says how old a row is. */
  readonly age: string;
  /** Whose settings say how long rows are kept. */
  readonly retention: RetentionClass;
}

interface Sharded {
  /** Columns whose hash says on which shard of a cluster a row lies. Rows that are merged into one have the same. */
  readonly shardBy: string;
}

/** Filled by a view of the store as rows of another one are inserted. */
interface ViewTable extends AnyTable {
  readonly filledBy: 'view';
}

/** Rows that the server inserts. */
interface RowTable extends AnyTable, Sharded {
  readonly filledBy: 'server';
  readonly columns: Columns;
}

/**
 * Rows that are made of items. `events` become issues on their way; `items` are what types of items give as rows
 * (`ItemResult.rows`), which are stored as they come.
 */
export interface ItemTable extends AnyTable, Sharded {
  readonly filledBy: 'events' | 'items';
  readonly columns: Columns & { readonly project_id: 'number'; readonly received_at: 'millis' };
  /** The column by which rows are read and exported: when it happened. */
  readonly time: string;
  /** What a row counts as in outcomes. */
  readonly category: string;
  /** Under which type of item a row is kept that the store refuses. */
  readonly itemType: string;
  /** As what rows are exported: what a question of Explore finds, as they are stored, or not at all. */
  readonly exported: 'explore' | 'rows' | 'no';
  /** Where its texts are scrubbed: by its columns once the row is there, or before that by whoever makes the row. */
  readonly scrubbed: 'as row' | 'before';
}

export type TableRecord = ViewTable | RowTable | ItemTable;

type KindOf<C> = C extends `${infer K extends Kind}?` ? K : C extends `${infer K extends Kind}:${string}` ? K : C;
type ValueOf<C> = KindOf<C> extends infer K extends Kind ? Values[K] : never;

/** A row as it is inserted. Column names are the wire's: snake_case. */
export type RowOf<T extends { readonly columns: Columns }> = {
  -readonly [Name in keyof T['columns'] as T['columns'][Name] extends `${string}?` ? never : Name]: ValueOf<
    T['columns'][Name]
  >;
} & {
  -readonly [Name in keyof T['columns'] as T['columns'][Name] extends `${string}?` ? Name : never]?: ValueOf<
    T['columns'][Name]
  >;
};
