/** The tables of the events store, a record each, and what follows from the records alone. */
import { tables } from './all.ts';
import type { Columns, ItemTable, Kind, RowOf, TableRecord } from './record.ts';

export type { Kind } from './record.ts';

type Tables = typeof tables;

/** Rows of the tables that the server inserts into. */
export type TableRows = {
  [Name in keyof Tables as Tables[Name] extends { columns: Columns } ? Name : never]: Tables[Name] extends {
    columns: Columns;
  }
    ? RowOf<Tables[Name]>
    : never;
};

/** Tables whose rows item types give. */
export type ItemTableName = {
  [Name in keyof Tables]: Tables[Name] extends { filledBy: 'items' } ? Name : never;
}[keyof Tables];

/** Tables of which rows are exported as they are stored. */
export type ExportedTableName = {
  [Name in ItemTableName]: Tables[Name] extends { exported: 'rows' } ? Name : never;
}[ItemTableName];

/** By name. */
export const tableRecords: Readonly<Record<string, TableRecord>> = tables;

const namesOf = (is: (record: TableRecord) => boolean): string[] =>
  Object.keys(tableRecords).filter((name) => {
    const record = tableRecords[name];
    return record !== undefined && is(record);
  });

/** In the order in which they are written. */
export const itemTables = namesOf(({ filledBy }) => filledBy === 'items') as readonly ItemTableName[];

export const exportedTables = itemTables.filter(
  (name): name is ExportedTableName => itemTable(name).exported === 'rows',
);

/** Those of which rows are inserted. */
export const insertedTables = namesOf((record) => 'columns' in record) as readonly (keyof TableRows)[];

export function itemTable(name: ItemTableName | 'errors'): ItemTable {
  return tables[name];
}

/** A column of rows that are inserted. */
export interface RowColumn {
  readonly name: string;
  readonly kind: Kind;
  /** Rows may leave it out; the engine computes it then. */
  readonly optional: boolean;
}

/** In the order of the record. */
export function columnsOf(table: keyof TableRows): RowColumn[] {
  const columns: Columns = tables[table].columns;
  return Object.entries(columns).map(([name, column]) => ({
    name,
    kind: column.replace(/(?::\w+)?\??$/, '') as Kind,
    optional: column.endsWith('?'),
  }));
}
