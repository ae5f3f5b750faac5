/** Tags of events that were read, as the statement of `tags.ts` counts them where each stands for itself alone. */
import type { IndexedRow } from './indexed.ts';
import { columnTagsOf, columnTagSql } from './tag-columns.ts';
import type { TagsOfIssue, TagSummary, TagValue } from './tags.ts';

export interface TagsAsked {
  /** All without. */
  readonly keys?: readonly string[] | undefined;
  /** At most so many of each. */
  readonly values: number;
}

type Count = { -readonly [Field in keyof TagValue]: TagValue[Field] };

export function tagsOfFew(rows: readonly IndexedRow[], { keys, values }: TagsAsked): TagsOfIssue {
  const counts = new Map<string, Map<string, Count>>();
  for (const row of rows) {
    for (const [key, value] of tagsOf(row)) {
      if (value === '' || (keys?.length && !keys.includes(key))) continue;
      const ofKey = counts.get(key) ?? new Map<string, Count>();
      counts.set(key, ofKey);
      const { timestamp: at } = row;
      const count = ofKey.get(value);
      if (!count) ofKey.set(value, { value, count: 1, estimate: undefined, firstSeen: at, lastSeen: at });
      else {
        count.count += 1;
        count.firstSeen = Math.min(count.firstSeen, at);
        count.lastSeen = Math.max(count.lastSeen, at);
      }
    }
  }
  const tags = [...counts].map(([key, ofKey]): TagSummary => {
    const all = [...ofKey.values()].sort((a, b) => b.count - a.count || inBytes(a.value, b.value));
    return {
      key,
      total: all.reduce((sum, { count }) => sum + count, 0),
      unique: all.length,
      values: all.slice(0, values),
    };
  });
  tags.sort((a, b) => b.total - a.total || inBytes(a.key, b.key));
  return { tags: tags.slice(0, 200), events: rows.length, sampled: false };
}

function tagsOf(row: IndexedRow): (readonly [key: string, value: string])[] {
  const own = Object.entries(row.tags).filter(([key]) => columnTagSql(key) === undefined);
  return [...columnTagsOf(row), ...own];
}

/** Names of tags with how many of the events have them, the most frequent first. */
export function keysOfFew(rows: readonly IndexedRow[]): { key: string; total: number }[] {
  const totals = new Map<string, number>();
  for (const { tags } of rows) for (const key of Object.keys(tags)) totals.set(key, (totals.get(key) ?? 0) + 1);
  return [...totals]
    .map(([key, total]) => ({ key, total }))
    .sort((a, b) => b.total - a.total || inBytes(a.key, b.key))
    .slice(0, 200);
}

/** As the engine orders texts. */
const inBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
