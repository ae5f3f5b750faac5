/** Columns that people know as tags. */
import type { StoredEvent } from './events.ts';

interface TagColumn<Name extends keyof StoredEvent> {
  /** Its value, '' for none, of a row of `errors`. */
  readonly sql: string;
  readonly of: (row: Pick<StoredEvent, Name>) => string;
}

const tagColumns: { readonly [Name in (typeof columnTagNames)[number]]: TagColumn<Name> } = {
  level: { sql: 'level', of: ({ level }) => level },
  environment: { sql: 'environment', of: ({ environment }) => environment },
  release: { sql: 'release', of: ({ release }) => release },
  dist: { sql: 'dist', of: ({ dist }) => dist },
  transaction: { sql: 'transaction', of: ({ transaction }) => transaction },
  user: { sql: 'user', of: ({ user }) => user },
  mechanism: { sql: 'mechanism', of: ({ mechanism }) => mechanism },
  handled: {
    sql: "multiIf(isNull(handled), '', handled = 1, 'yes', 'no')",
    of: ({ handled }) => (handled === null ? '' : handled === 1 ? 'yes' : 'no'),
  },
};

export const columnTagNames = [
  'level',
  'environment',
  'release',
  'dist',
  'transaction',
  'user',
  'mechanism',
  'handled',
] as const satisfies readonly (keyof StoredEvent)[];

const sqlOf = new Map<string, string>(columnTagNames.map((name) => [name, tagColumns[name].sql]));

/** The SQL of a tag that stands in a column; undefined for others. */
export const columnTagSql = (key: string): string | undefined => sqlOf.get(key);

/** With '' where a row has none. */
export const columnTagsOf = (
  row: Pick<StoredEvent, (typeof columnTagNames)[number]>,
): (readonly [key: string, value: string])[] => columnTagNames.map((name) => [name, tagColumns[name].of(row)]);
