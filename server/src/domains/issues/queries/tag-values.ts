/** All values of one tag of an issue, page by page: who is affected, where its events come from. */
import { type CountEstimate, estimateOfPart, eventsCount, partSpread, type PartSpread } from '../../search/index.ts';
import type { Cursor, IssueStores, Page } from '../types.ts';
import { type EventScope, scopeOf } from './event-scope.ts';
import { tagExpression } from './tags.ts';

export type TagValueSort = 'count' | 'lastSeen' | 'firstSeen';

/** What is known of a person, as the newest event says it; '' for what no event says. */
export interface PersonSeen {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly ip: string;
}

export interface ListedTagValue {
  readonly value: string;
  readonly count: number;
  /** Undefined where the count is right to 1 %. */
  readonly estimate: CountEstimate | undefined;
  /** ms since the epoch. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Of users. */
  readonly person?: PersonSeen | undefined;
}

export interface TagValuePage extends Page<ListedTagValue> {
  /** Different values. */
  readonly values: number;
  /** Events looked at that carry the tag. */
  readonly total: number;
  /** Whether there are more events than were looked at. */
  readonly sampled: boolean;
}

export interface TagValueQuestion {
  readonly key: string;
  readonly sort: TagValueSort;
  readonly cursor: Cursor | undefined;
  readonly limit: number;
  /** Only the newest so many events are looked at: as many different values are held in memory. */
  readonly sample: number;
}

const orders: Readonly<Record<TagValueSort, string>> = {
  count: 'count DESC, lastSeen DESC',
  lastSeen: 'lastSeen DESC',
  firstSeen: 'firstSeen DESC',
};

export async function tagValuesOfIssue(
  { events }: Pick<IssueStores, 'events'>,
  scope: EventScope,
  { key, sort, cursor, limit, sample }: TagValueQuestion,
): Promise<TagValuePage> {
  const { sql, params } = scopeOf(scope);
  const offset = cursor?.offset ?? 0;
  type Row = Omit<ListedTagValue, 'estimate'> & PartSpread & { values: number; total: number; looked: number };
  const rows = await events.query<Row>(
    `SELECT value, ${eventsCount} AS count, toUnixTimestamp64Milli(min(timestamp)) AS firstSeen,
       toUnixTimestamp64Milli(max(timestamp)) AS lastSeen, ${partSpread()},
       countIf(value != '') OVER () AS values, sumIf(count, value != '') OVER () AS total, sum(stored) OVER () AS looked
     FROM (
       SELECT timestamp, stands_for, ${tagExpression(key)} AS value FROM errors WHERE ${sql}
       ORDER BY timestamp DESC LIMIT {sample:UInt32}
     )
     GROUP BY value
     ORDER BY value = '', ${orders[sort]}, value LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...params, key, sample, limit: limit + 1, offset },
  );
  const [first] = rows;
  const found = rows.filter(({ value }) => value !== '');
  const shown = found.slice(0, limit).map(({ value, count, firstSeen, lastSeen, ...spread }) => ({
    value,
    count,
    estimate: estimateOfPart(count, spread),
    firstSeen,
    lastSeen,
  }));
  const people = key === 'user' ? await peopleOf(events, scope, shown) : undefined;
  return {
    rows: shown.map((row) => ({ ...row, person: people?.get(row.value) })),
    next: found.length > limit ? { value: 0, offset: offset + limit, previous: false } : undefined,
    previous: offset > 0 ? { value: 0, offset: Math.max(0, offset - limit), previous: true } : undefined,
    values: first?.values ?? 0,
    total: first?.total ?? 0,
    sampled: (first?.looked ?? 0) >= sample,
  };
}

async function peopleOf(
  events: IssueStores['events'],
  scope: EventScope,
  users: readonly ListedTagValue[],
): Promise<ReadonlyMap<string, PersonSeen>> {
  if (users.length === 0) return new Map();
  const { sql, params } = scopeOf(scope);
  const rows = await events.query<PersonSeen & { user: string }>(
    `SELECT user, argMax(user_id, timestamp) AS id, argMax(user_email, timestamp) AS email,
       argMax(user_username, timestamp) AS username, argMax(user_ip, timestamp) AS ip
     FROM errors WHERE ${sql} AND user IN {users:Array(String)} GROUP BY user`,
    { ...params, users: users.map(({ value }) => value) },
  );
  return new Map(rows.map(({ user, ...person }) => [user, person]));
}
