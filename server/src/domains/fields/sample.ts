/**
 * A part of the rows that is the same each time and spread evenly: whole blocks, chosen by where they lie in their part.
 * What is not chosen is not read, so that a sample of 10 million rows costs what its own rows cost.
 */
import type { DataSet } from '@culprit/search';
import { askedBy } from '../../base/asker.ts';
import type { Events } from '../../ports/events/events.ts';
import { inProjects, type SqlPart, where } from '../../base/sql.ts';

export type RowSet = Exclude<DataSet, 'issues'>;

export interface RowTable {
  readonly table: 'errors' | 'spans';
  readonly time: 'timestamp' | 'started_at';
  /** The map of tags or attributes by name. */
  readonly texts: 'tags' | 'attributes';
  /** The map of measurements and numeric attributes; undefined where rows have none. */
  readonly numbers: 'numbers' | undefined;
}

export const rowTables: Readonly<Record<RowSet, RowTable>> = {
  events: { table: 'errors', time: 'timestamp', texts: 'tags', numbers: undefined },
  spans: { table: 'spans', time: 'started_at', texts: 'attributes', numbers: 'numbers' },
};

/** Rows of one granule of these tables, the least that is read. */
const blockRows = 2_048;

export interface Sample {
  /** For PREWHERE. */
  readonly condition: string;
  /** False when every row is looked at. */
  readonly partial: boolean;
}

/** About `wanted` of `rows` rows. */
export function sampleOf(rows: number, wanted: number): Sample {
  const step = Math.max(1, Math.round(rows / wanted));
  return { condition: `intDiv(_part_offset, ${blockRows}) % ${step} = 0`, partial: step > 1 };
}

const countLifeMs = 60_000;
const maxCounts = 500;

export interface RowCounts {
  /** How many rows the projects have, as of at most a minute ago. */
  rows(set: RowSet, projectIds: readonly number[], nowMs: number): Promise<number>;
}

/** Counting by project takes no more than the index, and still as long as the rest of a completion: it is remembered. */
export function createRowCounts(events: Events): RowCounts {
  const known = new Map<string, { readonly count: Promise<number>; readonly untilMs: number }>();
  return {
    rows(set, projectIds, nowMs) {
      const key = `${set} ${projectIds.join(',')}`;
      const found = known.get(key);
      if (found && found.untilMs > nowMs) return found.count;
      if (known.size >= maxCounts) known.clear();
      // Others get it as well: it goes on when who asked first has left.
      const count = askedBy(undefined, () => countRows(events, set, inProjects(projectIds)));
      known.set(key, { count, untilMs: nowMs + countLifeMs });
      count.catch(() => known.delete(key));
      return count;
    },
  };
}

async function countRows(events: Events, set: RowSet, projects: SqlPart): Promise<number> {
  const { sql, params } = where(projects);
  const [row] = await events.query<{ n: number }>(
    `SELECT count() AS n FROM ${rowTables[set].table} WHERE ${sql}`,
    params,
  );
  return row?.n ?? 0;
}
