import type { ColumnDataType, ColumnDefinitionBuilder } from 'kysely';
import type { StateCapabilities } from './state.ts';

/** How the two databases spell the same column; migrations ask here instead of asking which database it is. */
export interface ColumnSpelling {
  /** Type and attributes of a key that the database counts up itself. A number is never given twice, even after deletes. */
  readonly counted: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** A point in time as better-auth stores it: ISO text on SQLite, timestamptz on PostgreSQL. */
  readonly authTime: ColumnDataType;
  /** A boolean as better-auth stores it: 0 or 1 on SQLite. */
  readonly authBoolean: ColumnDataType;
}

const spellings: Record<StateCapabilities['dialect'], ColumnSpelling> = {
  sqlite: {
    counted: (column) => column.primaryKey().autoIncrement(),
    authTime: 'date',
    authBoolean: 'integer',
  },
  postgres: {
    counted: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
    authTime: 'timestamptz',
    authBoolean: 'boolean',
  },
};

export const columnSpelling = (capabilities: StateCapabilities): ColumnSpelling => spellings[capabilities.dialect];
