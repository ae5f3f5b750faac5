/** Events of issues as the events store counts them, for many issues of one project with one query. */
import { eventsCountIf, metUsers } from '../../search/index.ts';
import { chunksOf } from '../../../base/chunks.ts';
import type { Events } from '../../../ports/events/events.ts';
import { inProjects, moment, startSecond, where, withHashes } from '../../../base/sql.ts';
import type { StatusDetails } from './details.ts';

const minuteMs = 60_000;
/** As seconds of a DateTime. */
const endOfTime = 2 ** 32 - 1;

/** An issue that a number of events can move. */
export interface Watched {
  readonly id: number;
  readonly projectId: number;
  readonly substatus: string;
  readonly details: StatusDetails;
  /** Null: since it was first seen. */
  readonly changedAt: number | null;
  readonly firstSeen: number;
  /** Events after that count against it: since its status changed, and since the newest that an import brought. */
  readonly countedAfter: number;
  readonly hashes: string[];
}

/** Events of each issue by the beginning of the hour, from one on until another. */
export async function hourlyCounts(
  events: Events,
  issues: readonly Watched[],
  fromMs: number,
  untilMs?: number,
): Promise<Map<number, Map<number, number>>> {
  const counts = new Map<number, Map<number, number>>();
  for (const [hashes, owners, projectId] of hashesOf(issues)) {
    const scope = where(inProjects([projectId]), withHashes(hashes));
    const rows = await events.query<{ hash: string; at: number; n: number }>(
      `SELECT group_hash AS hash, toUnixTimestamp(hour) AS at, sum(events) AS n FROM issue_hours
       WHERE ${scope.sql} AND hour >= {from:UInt32} AND hour < {until:UInt32} GROUP BY hash, at`,
      { ...scope.params, from: startSecond(fromMs), until: untilMs === undefined ? endOfTime : startSecond(untilMs) },
    );
    for (const { hash, at, n } of rows) {
      const id = owners.get(hash);
      if (id === undefined) continue;
      const ofIssue = counts.get(id) ?? new Map<number, number>();
      ofIssue.set(at * 1_000, (ofIssue.get(at * 1_000) ?? 0) + Number(n));
      counts.set(id, ofIssue);
    }
  }
  return counts;
}

/** Hashes of one query; an issue alone may have thousands. */
const hashesAtOnce = 5_000;

function* hashesOf(
  issues: readonly Watched[],
): Generator<[hashes: readonly string[], owners: ReadonlyMap<string, number>, projectId: number]> {
  const owners = new Map(issues.flatMap((issue) => issue.hashes.map((hash) => [hash, issue.id] as const)));
  const projectId = issues[0]?.projectId ?? 0;
  for (const chunk of chunksOf([...owners.keys()], hashesAtOnce)) yield [chunk, owners, projectId];
}

interface Stretch {
  readonly issue: Watched;
  readonly from: number;
  readonly until: number;
}

/** Events of each issue after one time and before another. */
export async function countBetween(
  events: Events,
  stretches: readonly Stretch[],
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  const byHash = new Map(stretches.flatMap((one) => one.issue.hashes.map((hash) => [hash, one] as const)));
  const [first] = stretches;
  for (const chunk of chunksOf([...byHash], hashesAtOnce)) {
    const scope = where(inProjects([first?.issue.projectId ?? 0]));
    const rows = await events.query<{ hash: string; n: number }>(
      `SELECT group_hash AS hash, ${eventsCountIf(`toUnixTimestamp64Milli(timestamp) > ${ofHash('from')}
         AND toUnixTimestamp64Milli(timestamp) < ${ofHash('until')}`)} AS n
       FROM errors WHERE ${scope.sql} AND group_hash IN {hashes:Array(String)} AND timestamp > ${moment('earliest')}
       GROUP BY hash`,
      {
        ...scope.params,
        hashes: chunk.map(([hash]) => hash),
        from: chunk.map(([, one]) => one.from),
        until: chunk.map(([, one]) => one.until),
        earliest: Math.min(...chunk.map(([, one]) => one.from)),
      },
    );
    for (const { hash, n } of rows) {
      const id = byHash.get(hash)?.issue.id;
      if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + Number(n));
    }
  }
  return counts;
}

/** The number that a parameter has for the hash of a row. */
const ofHash = (name: string): string =>
  `transform(group_hash, {hashes:Array(String)}, {${name}:Array(Int64)}, toInt64(0))`;

interface Tally {
  readonly n: number;
  readonly users: number;
}

/** Events and different users of each, for all in one query. */
export async function tallyOf(events: Events, issues: readonly Watched[], nowMs: number): Promise<Map<number, Tally>> {
  const since = (issue: Watched, window: number | undefined): number =>
    Math.max(issue.countedAfter, window === undefined ? 0 : nowMs - window * minuteMs);
  const hashes = issues.flatMap((issue) =>
    issue.hashes.map((hash) => ({
      hash,
      id: issue.id,
      events: since(issue, issue.details.ignoreWindow),
      users: since(issue, issue.details.ignoreUserWindow),
    })),
  );
  const scope = where(inProjects([issues[0]?.projectId ?? 0]), {
    conditions: ['group_hash IN {hashes:Array(String)}', `timestamp > ${moment('first')}`],
    params: {
      hashes: hashes.map((one) => one.hash),
      first: Math.min(...hashes.map((one) => Math.min(one.events, one.users))),
    },
  });
  const after = (name: string): string => `toUnixTimestamp64Milli(timestamp) > ${ofHash(name)}`;
  const rows = await events.query<{ id: number; n: number; users: number }>(
    `SELECT ${ofHash('issues')} AS id, ${eventsCountIf(after('events'))} AS n,
       uniqExactArrayIf(${metUsers}, ${after('users')}) AS users
     FROM errors WHERE ${scope.sql} GROUP BY id`,
    {
      ...scope.params,
      issues: hashes.map((one) => one.id),
      events: hashes.map((one) => one.events),
      users: hashes.map((one) => one.users),
    },
  );
  return new Map(rows.map((row) => [Number(row.id), { n: Number(row.n), users: Number(row.users) }]));
}
