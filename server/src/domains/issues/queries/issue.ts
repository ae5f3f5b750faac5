/** One issue: found by id or short id, with its releases, activity and hashes. */
import { CodedError } from '../../../base/errors.ts';
import { lastPeriod, type TimeRange } from '../../../base/time-range.ts';
import type { GroupingComponent } from '../../../process/types.ts';
import type { State } from '../../../ports/state/state.ts';
import type { Counters, IssueRow, IssueStores, VisibleProject } from '../types.ts';
import { followMerges } from '../merge/follow.ts';
import { isGone, toIssueRow } from '../rows.ts';
import {
  duringHours,
  hourMillis,
  inEnvironments,
  inProjects,
  seriesOf,
  toSeries,
  where,
  withHashes,
} from '../../../base/sql.ts';
import { things } from '../../../base/texts/things.ts';
import { parseShortId } from './issue-terms.ts';
import { readUsers, toldApartSql, type UserSet } from './users/user-set.ts';

/** By number or short id, within the given projects; for a merged one that which has it. Undefined for none and for a short id that names several. */
export async function findIssue(
  state: State,
  idOrShortId: string,
  projects: readonly VisibleProject[],
): Promise<IssueRow | undefined> {
  if (!projects.length) return undefined;
  if (/^\d{1,9}$/.test(idOrShortId)) {
    const named = (await issueById(state, Number(idOrShortId))) ?? (await joinedInto(state, Number(idOrShortId)));
    const row = named && (await followMerges(state.db, named));
    return row && projects.some((project) => project.id === row.project_id) ? seenRow(row) : undefined;
  }
  const wanted = parseShortId(idOrShortId, projects);
  if (!wanted.length) return undefined;
  const rows = await state.db
    .selectFrom('issue')
    .selectAll()
    .where((eb) =>
      eb.or(
        wanted.map(({ projectId, number }) => eb.and([eb('project_id', '=', projectId), eb('number', '=', number)])),
      ),
    )
    .limit(2)
    .execute();
  const [row] = rows;
  if (row) return rows.length === 1 ? seenRow(await followMerges(state.db, row)) : undefined;
  const former = await state.db
    .selectFrom('issue_alias')
    .select('issue_id')
    .where((eb) =>
      eb.or(
        wanted.map(({ projectId, number }) => eb.and([eb('project_id', '=', projectId), eb('number', '=', number)])),
      ),
    )
    .limit(2)
    .execute();
  const [alias] = former;
  const joined = alias && former.length === 1 ? await issueById(state, alias.issue_id) : undefined;
  return joined && seenRow(await followMerges(state.db, joined));
}

const seenRow = (row: Parameters<typeof toIssueRow>[0]): IssueRow | undefined =>
  isGone(row) ? undefined : toIssueRow(row);

const issueById = (state: State, id: number) =>
  state.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst();

/** By id or short id. Throws `NOT_FOUND`. */
export async function namedIssueIds(
  state: State,
  names: readonly string[],
  projects: readonly VisibleProject[],
): Promise<number[]> {
  const found = new Set<number>();
  for (const name of names) {
    const issue = await findIssue(state, name, projects);
    if (!issue) throw new CodedError('NOT_FOUND', [things.issue(name)]);
    found.add(issue.id);
  }
  return [...found];
}

/** The issue that one which is no more was joined into. */
const joinedInto = (state: State, formerId: number) =>
  state.db
    .selectFrom('issue_alias')
    .innerJoin('issue', 'issue.id', 'issue_alias.issue_id')
    .selectAll('issue')
    .where('issue_alias.former_id', '=', formerId)
    .executeTakeFirst();

/** The hashes of an issue; its events are those whose first hash is among them. */
export async function hashesOf(state: State, issueId: number): Promise<string[]> {
  const rows = await state.db.selectFrom('issue_hash').select('hash').where('issue_id', '=', issueId).execute();
  return rows.map((row) => row.hash);
}

/** When it was first seen its row says. */
export interface IssueTotals extends Omit<Counters, 'firstSeen'> {
  readonly unhandled: boolean;
  /** Of the events, those that can be looked at: a storm kept the others out. */
  readonly stored: number;
  readonly day: ReadonlyMap<number, number>;
  readonly month: ReadonlyMap<number, number>;
  readonly dayRange: TimeRange;
  readonly monthRange: TimeRange;
  /** The users that were counted, where they are told apart. */
  readonly users: UserSet | undefined;
}

/** Counts over all that is stored, within the environments, and the series of the last 24 hours and 30 days. */
export async function issueTotals(
  { events }: Pick<IssueStores, 'events'>,
  issue: IssueRow,
  hashes: readonly string[],
  environments: readonly string[],
  nowMs: number,
  usersApart = false,
): Promise<IssueTotals> {
  const dayRange = lastPeriod('24h', nowMs);
  const monthRange = lastPeriod('30d', nowMs, 31);
  const scope = where(inProjects([issue.projectId]), withHashes(hashes), inEnvironments(environments));
  const inDay = where(duringHours(dayRange, 'day'));
  const inMonth = where(duringHours(monthRange, 'month'));
  const [row] = await events.query<{
    n: number;
    bad: number;
    sampled: number;
    u: number;
    last: number;
    day: readonly number[];
    month: readonly number[];
    set?: string;
  }>(
    `SELECT sum(events) AS n, sum(unhandled) AS bad, sum(sampled) AS sampled, ${usersApart ? toldApartSql('uniqMergeState(users)', 'u', 'set') : 'uniqMerge(users) AS u'}, toUnixTimestamp64Milli(max(last_seen)) AS last,
       ${seriesOf(dayRange, hourMillis, 'events', inDay.sql)} AS day,
       ${seriesOf(monthRange, hourMillis, 'events', inMonth.sql)} AS month
     FROM issue_hours WHERE ${scope.sql}`,
    { ...scope.params, ...inDay.params, ...inMonth.params },
  );
  return {
    count: row?.n ?? 0,
    stored: (row?.n ?? 0) - (row?.sampled ?? 0),
    userCount: row?.u ?? 0,
    unhandled: (row?.bad ?? 0) > 0,
    lastSeen: row?.n ? row.last : issue.lastSeen,
    day: toSeries(row?.day ?? []),
    month: toSeries(row?.month ?? []),
    dayRange,
    monthRange,
    users: readUsers(row?.set),
  };
}

export interface IssueActivity {
  readonly id: number;
  readonly type: string;
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** Newest first, at most 100. */
export async function activityOf(state: State, issueId: number): Promise<IssueActivity[]> {
  const rows = await state.db
    .selectFrom('issue_activity')
    .leftJoin('user', 'user.id', 'issue_activity.user_id')
    .select([
      'issue_activity.id as id',
      'issue_activity.type as type',
      'issue_activity.data as data',
      'issue_activity.created_at as createdAt',
      'user.id as userId',
      'user.name as name',
      'user.email as email',
    ])
    .where('issue_activity.issue_id', '=', issueId)
    // Kept for a while, so that it can be restored.
    .where('issue_activity.type', '!=', 'note_deleted')
    .orderBy('issue_activity.id', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => {
    const { author, ...data } = JSON.parse(row.data) as Record<string, unknown>;
    const user =
      row.userId === null ? authorOf(author) : { id: row.userId, name: row.name ?? '', email: row.email ?? '' };
    return { id: row.id, type: row.type, user, data, createdAt: row.createdAt };
  });
}

/** Of a comment that an import brought, by somebody without an account here. */
export function authorOf(author: unknown): { id: string; name: string; email: string } | null {
  if (typeof author !== 'object' || author === null || !('name' in author) || !('email' in author)) return null;
  return { id: '', name: String(author.name), email: String(author.email) };
}

export interface IssueHash {
  readonly hash: string;
  readonly basis: string;
  readonly version: string;
  readonly explanation: readonly GroupingComponent[];
  readonly firstEventId: string;
  readonly createdAt: number;
  readonly count: number;
  /** Null when no stored event has it as its first hash. */
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
}

/** The busiest first. */
export async function issueHashes({ state, events }: IssueStores, issue: IssueRow): Promise<IssueHash[]> {
  const rows = await state.db
    .selectFrom('issue_hash')
    .selectAll()
    .where('issue_id', '=', issue.id)
    .orderBy('created_at')
    .limit(1_000)
    .execute();
  const scope = where(inProjects([issue.projectId]), withHashes(rows.map((row) => row.hash)));
  const counts = await events.query<{ hash: string; n: number; first: number; last: number }>(
    `SELECT group_hash AS hash, sum(events) AS n, toUnixTimestamp64Milli(min(first_seen)) AS first,
       toUnixTimestamp64Milli(max(last_seen)) AS last
     FROM issue_lives WHERE ${scope.sql} GROUP BY group_hash`,
    scope.params,
  );
  const byHash = new Map(counts.map((count) => [count.hash, count]));
  return rows
    .map((row) => {
      const count = byHash.get(row.hash);
      return {
        hash: row.hash,
        basis: row.basis,
        version: row.grouping_version,
        explanation: JSON.parse(row.explanation) as GroupingComponent[],
        firstEventId: row.first_event_id,
        createdAt: row.created_at,
        count: count?.n ?? 0,
        firstSeen: count?.first ?? null,
        lastSeen: count?.last ?? null,
      };
    })
    .toSorted((a, b) => b.count - a.count);
}
