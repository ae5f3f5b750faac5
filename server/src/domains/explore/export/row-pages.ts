/**
 * Rows of a table in pages, the newest first unless told: none is empty, and none much larger than its limit, however many
 * rows there are of one moment. For exports.
 */
import { where } from '../../../base/sql.ts';
import type { SqlPart } from '../../../base/sql.ts';
import type { Events, QueryParams } from '../../../ports/events/events.ts';
import { slowSeconds } from './write.ts';

export interface RowSource {
  readonly table: string;
  /** Rows of one key become one, sooner or later; here at once. */
  readonly isMerged?: boolean;
  /** Column by which rows are read. */
  readonly time: string;
  /** What is selected, by name: a column, or an expression. */
  readonly selected: readonly (readonly [name: string, sql: string])[];
  /** Columns that tell rows of one moment apart. */
  readonly columns: readonly string[];
  readonly scope: readonly SqlPart[];
  readonly oldestFirst?: boolean;
}

export interface ReadRow {
  readonly values: Readonly<Record<string, unknown>>;
  readonly timeUs: number;
}

const moment = (name: string): string => `fromUnixTimestamp64Micro({${name}:Int64}, 'UTC')`;

export interface RowReader {
  /** All, or those of one moment. */
  count(timeUs?: number): Promise<number>;
  /** `limit` is asked before each page. */
  pages(limit: () => number): AsyncGenerator<readonly ReadRow[]>;
}

export function rowReader(events: Events, source: RowSource, signal?: AbortSignal): RowReader {
  const { table, isMerged = false, time, selected, columns, oldestFirst = false } = source;
  const from = isMerged ? `${table} FINAL` : table;
  const [beyond, order] = oldestFirst ? ['>', ''] : ['<', 'DESC'];
  const scope = where(...source.scope);
  const options = { signal, maxExecutionSeconds: slowSeconds };
  const shape = [
    ...selected.map(([, sql], index) => `${sql} AS c${index}`),
    `toUnixTimestamp64Micro(toDateTime64(${time}, 6, 'UTC')) AS timeUs`,
  ].join(', ');
  const at = `${time} = ${moment('at')}`;
  const ask = async (sql: string, params: QueryParams): Promise<ReadRow[]> => {
    const rows = await events.query<Record<string, unknown> & { readonly timeUs: number }>(
      `SELECT ${shape} FROM ${from} WHERE ${scope.sql} ${sql}`,
      { ...scope.params, ...params },
      options,
    );
    return rows.map((row) => ({
      timeUs: row.timeUs,
      values: Object.fromEntries(selected.map(([name], index) => [name, row[`c${index}`]])),
    }));
  };
  const count = async (timeUs?: number): Promise<number> => {
    const [row] = await events.query<{ n: number }>(
      `SELECT count() AS n FROM ${from} WHERE ${scope.sql}${timeUs === undefined ? '' : ` AND ${at}`}`,
      { ...scope.params, ...(timeUs !== undefined && { at: timeUs }) },
      options,
    );
    return row?.n ?? 0;
  };
  /** Rows of one moment have no order among them in which a page could go on: they are read in parts by their hash. */
  async function* ofMoment(timeUs: number, limit: number): AsyncGenerator<readonly ReadRow[]> {
    const parts = Math.max(1, Math.ceil((await count(timeUs)) / limit));
    const hash = `cityHash64(${columns.join(', ')})`;
    for (let part = 0; part < parts; part++) {
      const found = await ask(`AND ${at} AND ${hash} % {parts:UInt32} = {part:UInt32}`, { at: timeUs, part, parts });
      if (found.length > 0) yield found;
    }
  }
  return {
    count,
    async *pages(limit) {
      let after: number | undefined;
      for (;;) {
        const size = limit();
        const found = await ask(
          `${after === undefined ? '' : `AND ${time} ${beyond} ${moment('after')}`}
           ORDER BY ${time} ${order} LIMIT {rowLimit:UInt32}`,
          { rowLimit: size + 1, ...(after !== undefined && { after }) },
        );
        const next = found[size];
        // Whether they are all of their moment is not known of the last ones.
        const whole = next ? found.filter(({ timeUs }) => timeUs !== next.timeUs) : found;
        if (whole.length > 0) yield whole;
        if (!next) return;
        after = next.timeUs;
        yield* ofMoment(after, limit());
      }
    },
  };
}
