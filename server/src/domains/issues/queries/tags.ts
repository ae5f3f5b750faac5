/** Tags of an issue with their most frequent values, over its newest events. */
import { type CountEstimate, estimateOfPart, eventsCount, partSpread } from '../../search/index.ts';
import type { TimeRange } from '../../../base/time-range.ts';
import type { IssueStores, IssueRow } from '../types.ts';
import { mostFew, readFew } from './few.ts';
import { columnTagNames, columnTagSql } from './tag-columns.ts';
import { keysOfFew, tagsOfFew } from './tags-of-few.ts';
import { during, inEnvironments, inProjects, where, withHashes } from '../../../base/sql.ts';

export interface TagValue {
  readonly value: string;
  readonly count: number;
  /** Undefined where the count is right to 1 %. */
  readonly estimate: CountEstimate | undefined;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

export interface TagSummary {
  readonly key: string;
  /** Events looked at that carry the tag. */
  readonly total: number;
  readonly unique: number;
  readonly values: readonly TagValue[];
}

export interface TagsOfIssue {
  readonly tags: readonly TagSummary[];
  /** Events looked at. */
  readonly events: number;
  /** True when there are more events than were looked at. */
  readonly sampled: boolean;
}

const columnTagPairs = columnTagNames.map((name) => `('${name}', ${columnTagSql(name)})`).join(', ');

/** The value of one tag of a row of `errors`, '' where it has none; reads `{key:String}`. */
export const tagExpression = (key: string): string => columnTagSql(key) ?? 'tags[{key:String}]';

interface TagRow {
  readonly key: string;
  readonly total: number;
  /** Of the total, those that are stored. */
  readonly read: number;
  readonly uniq: number;
  /** Value, count, first, last, and as `PartSpread` has them: spread, largest, stored. */
  readonly top: readonly (readonly [string, number, number, number, number, number, number])[];
}

const noSpread = '0 AS spread, 1 AS largest, count() AS stored';
const everyEvent = (rows: readonly TagRow[]): TagRow[] => rows.filter(({ key }) => key === '');

export async function tagsOfIssue(
  { events }: Pick<IssueStores, 'events'>,
  issue: Pick<IssueRow, 'projectId'>,
  hashes: readonly string[],
  options: {
    environments?: readonly string[];
    range?: TimeRange | undefined;
    keys?: readonly string[];
    sample: number;
    values: number;
    /** Whether a storm sampled errors of its project: then how sure the counts are is asked at once. */
    wasSampled?: boolean;
    /** Whether each of its events stands for itself alone. */
    standAlone?: boolean;
  },
): Promise<TagsOfIssue> {
  const isWhole = options.standAlone && !options.environments?.length && !options.range && options.sample > mostFew;
  const few = isWhole ? await readFew(events, { projectId: issue.projectId, hashes }) : undefined;
  if (few) return tagsOfFew(few, options);
  const scope = where(
    inProjects([issue.projectId]),
    withHashes(hashes),
    inEnvironments(options.environments ?? []),
    during(options.range),
  );
  const keys = options.keys?.length
    ? { sql: 'AND key IN {tagKeys:Array(String)}', params: { tagKeys: ['', ...options.keys] } }
    : { sql: '', params: {} };
  const read = (spread: string): Promise<TagRow[]> =>
    events.query<TagRow>(
      `SELECT key, sum(n) AS total, sum(stored) AS read, count() AS uniq,
       arraySlice(arraySort(one -> (-one.2, one.1), groupArray((value, n, first, last, spread, largest, stored))), 1, {values:UInt32}) AS top
     FROM (
       SELECT tag.1 AS key, tag.2 AS value, ${eventsCount} AS n, toUnixTimestamp64Milli(min(timestamp)) AS first,
         toUnixTimestamp64Milli(max(timestamp)) AS last, ${spread}
       FROM (
         SELECT timestamp, stands_for, tags, level, environment, release, dist, transaction, user, mechanism, handled
         FROM errors WHERE ${scope.sql} ORDER BY timestamp DESC LIMIT {sample:UInt32}
       )
       ARRAY JOIN arrayConcat([('', 'every event'), ${columnTagPairs}],
         arrayFilter(one -> NOT has({columns:Array(String)}, one.1), CAST(tags, 'Array(Tuple(String, String))'))) AS tag
       WHERE value != '' ${keys.sql}
       GROUP BY key, value
     )
     GROUP BY key ORDER BY total DESC, key LIMIT 201`,
      {
        ...scope.params,
        ...keys.params,
        sample: options.sample,
        values: options.values,
        columns: columnTagNames,
      },
    );
  const plain = options.wasSampled ? undefined : await read(noSpread);
  // A limit may have sampled them, too.
  const isExact = plain && everyEvent(plain).every(({ total, read: stored }) => total === stored);
  const rows = isExact ? plain : await read(partSpread());
  const [looked] = everyEvent(rows);
  return {
    tags: rows
      .filter((row) => row.key !== '')
      .map(({ key, total, uniq, top }) => ({
        key,
        total,
        unique: uniq,
        values: top.map(([value, count, firstSeen, lastSeen, spread, largest, stored]) => ({
          value,
          count,
          estimate: estimateOfPart(count, { spread, largest, stored }),
          firstSeen,
          lastSeen,
        })),
      })),
    events: looked?.total ?? 0,
    sampled: (looked?.read ?? 0) >= options.sample,
  };
}

/** Names of the tags that the newest events carry, with how many of them do; the most frequent first. */
export async function tagKeysOfIssue(
  { events }: Pick<IssueStores, 'events'>,
  issue: Pick<IssueRow, 'projectId'>,
  hashes: readonly string[],
): Promise<{ key: string; total: number }[]> {
  const few = await readFew(events, { projectId: issue.projectId, hashes });
  if (few) return keysOfFew(few);
  const scope = where(inProjects([issue.projectId]), withHashes(hashes));
  return events.query(
    `SELECT arrayJoin(mapKeys(tags)) AS key, count() AS total
     FROM (SELECT tags FROM errors WHERE ${scope.sql} ORDER BY timestamp DESC LIMIT 100)
     GROUP BY key ORDER BY total DESC, key LIMIT 200`,
    scope.params,
  );
}
