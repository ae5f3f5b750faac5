/** What the events store says of hashes. */
import { inProjects, where, withHashes } from '../../../base/sql.ts';
import type { IssueStores } from '../types.ts';

export interface HashFacts {
  readonly hash: string;
  /** Stored events. */
  readonly events: number;
  /** ms since the epoch. */
  readonly first: number;
  readonly last: number;
}

type EventsStore = Pick<IssueStores, 'events'>;

/** Of those that have events, by hash. */
export async function hashFacts(
  { events }: EventsStore,
  projectId: number,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, HashFacts>> {
  if (!hashes.length) return new Map();
  const scope = where(inProjects([projectId]), withHashes(hashes));
  const rows = await events.query<Omit<HashFacts, 'events'> & { n: number }>(
    `SELECT group_hash AS hash, sum(events) AS n, toUnixTimestamp64Milli(min(first_seen)) AS first,
       toUnixTimestamp64Milli(max(last_seen)) AS last
     FROM issue_lives WHERE ${scope.sql} GROUP BY group_hash`,
    scope.params,
  );
  return new Map(rows.map(({ n, ...row }) => [row.hash, { ...row, events: n }]));
}

/** Null where no event of the hashes names one. */
export interface Releases {
  readonly first: string | null;
  readonly last: string | null;
}

export async function releasesOf(
  { events }: EventsStore,
  projectId: number,
  hashes: readonly string[],
): Promise<Releases> {
  if (!hashes.length) return { first: null, last: null };
  const scope = where(inProjects([projectId]), withHashes(hashes));
  const [row] = await events.query<{ first: string; last: string }>(
    `SELECT argMinIf(release, timestamp, release != '') AS first, argMaxIf(release, timestamp, release != '') AS last
     FROM errors WHERE ${scope.sql}`,
    scope.params,
  );
  return { first: row?.first || null, last: row?.last || null };
}

export const eventsOf = (facts: ReadonlyMap<string, HashFacts>, hashes: Iterable<string>): number => {
  let sum = 0;
  for (const hash of hashes) sum += facts.get(hash)?.events ?? 0;
  return sum;
};
