/**
 * By what rows are named in statements that delete: the engine writes those down and keeps them. So no statement has a value
 * of a person in it, nor an id of an event, but hashes of a row's key, under a secret that is gone when the request is over.
 */
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';

export interface HashKey {
  /** Decimal, below 2^64. */
  readonly high: string;
  readonly low: string;
}

/** `key`: 32 hex digits. */
export const hashKeyOf = (key: string): HashKey => ({
  high: BigInt(`0x${key.slice(0, 16)}`).toString(),
  low: BigInt(`0x${key.slice(16, 32)}`).toString(),
});

/** Of one or several expressions. */
export const hashed = ({ high, low }: HashKey, columns: readonly string[]): string =>
  `sipHash64Keyed((toUInt64(${high}), toUInt64(${low})), ${columns.join(', ')})`;

/** Columns of a table that hold text, by how they do, and those that name a row. */
export interface TableShape {
  readonly table: string;
  readonly texts: readonly string[];
  readonly lists: readonly string[];
  readonly maps: readonly string[];
  readonly key: readonly string[];
}

/** Of those that items are found again by. */
const keys: Readonly<Record<string, readonly string[]>> = {
  errors: ['project_id', 'event_id'],
  revisions: ['project_id', 'event_id'],
  error_texts: ['project_id', 'texts'],
  spans: ['project_id', 'trace_id', 'span_id', 'started_at'],
  segments: ['project_id', 'trace_id', 'span_id'],
  logs: ['project_id', 'timestamp', 'sequence', 'trace_id', 'span_id', 'body'],
  sessions: ['project_id', 'minute', 'session', 'user'],
};

/** Texts in rows of somebody else: they are changed, not deleted. */
const ofOthers: ReadonlySet<string> = new Set(['errors.sampled_users']);

export async function shapesOf(events: Events, tables: readonly string[]): Promise<TableShape[]> {
  const columns = await events.query<{ table: string; name: string; type: string }>(
    `SELECT table, name, type FROM system.columns WHERE database = {database:String} AND table IN {tables:Array(String)}
       AND default_kind NOT IN ('ALIAS', 'EPHEMERAL') ORDER BY table, position`,
    { database: layoutOf(events.address).rows, tables },
  );
  return tables.flatMap((table) => {
    const own = columns.filter((column) => column.table === table && !ofOthers.has(`${table}.${column.name}`));
    if (!own.some(({ name }) => name === 'project_id')) return [];
    const having = (type: RegExp): string[] => own.filter((one) => type.test(one.type)).map(({ name }) => name);
    return [
      {
        table,
        texts: having(/^(?:LowCardinality\()?String\)?$/),
        lists: having(/^Array\((?:LowCardinality\()?String\)?\)$/),
        maps: having(/^Map\((?:LowCardinality\()?String\)?, String\)$/),
        key: keys[table] ?? having(/^(?!.*AggregateFunction|Map|Nullable|.*Float)/),
      },
    ];
  });
}

/**
 * All texts of a row as one, a line each: nothing that is looked for goes over lines. An expression for each column took the
 * engine a hundred times as long, most of it before it looked at a row.
 */
export function textsOf({ texts, lists, maps }: TableShape): string | undefined {
  const joined = (list: string): string => `arrayStringConcat(${list}, '\\n')`;
  const all = [
    ...texts,
    ...lists.map(joined),
    ...maps.flatMap((column) => [joined(`mapKeys(${column})`), joined(`mapValues(${column})`)]),
  ];
  if (all.length === 0) return undefined;
  return all.length === 1 ? all[0] : `concat(${all.join(", '\\n', ")})`;
}
