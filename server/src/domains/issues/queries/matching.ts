/**
 * How many events and users issues have had since a moment, within a search and environments: what alerts ask, for many
 * issues and many searches at once. Where nothing is asked of events, whole hours come from the aggregates.
 */
import type { SearchNode } from '@culprit/search';
import { chunksOf } from '../../../base/chunks.ts';
import { unionOf, type UnionPart, withPrefix } from '../../search/index.ts';
import type { IssueRow, IssueStores, VisibleProject } from '../types.ts';
import { divided } from './listed.ts';
import { type PageScope, scopeOf } from './numbers.ts';
import { rowConditions } from './row-conditions.ts';
import { toIssueRow } from '../rows.ts';
import { inEnvironments, moment, startSecond, where } from '../../../base/sql.ts';
import { planSearch } from './state-filter.ts';
import type { Reduced } from './tree.ts';

export interface MatchQuestion {
  readonly issues: readonly Pick<IssueRow, 'id' | 'projectId'>[];
  /** Of the data set of issues; undefined for everything. */
  readonly root: Reduced | undefined;
  readonly projects: readonly VisibleProject[];
  /** Empty: all. */
  readonly environments: readonly string[];
  /** ms since the epoch; up to now. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

export interface MatchCounts {
  readonly count: number;
  readonly userCount: number;
}

export interface MatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
}

const issuesOfPart = 2_000;
const partsOfQuery = 16;
const filtersOfPart = 24;
const hourMs = 3_600_000;

/** Of each question the issues that pass and have had events, by id. */
export async function countMatching(
  stores: IssueStores,
  questions: readonly MatchQuestion[],
  { signal, maxSeconds }: MatchOptions = {},
): Promise<ReadonlyMap<number, MatchCounts>[]> {
  const answers = questions.map(() => new Map<number, MatchCounts>());
  const pieces: Piece[] = [];
  for (const [index, question] of questions.entries()) {
    const answer = answers[index];
    if (!answer) continue;
    for (const { issues, rows } of await alikeIssues(stores, question, signal)) {
      if (issues.length) pieces.push({ question, issues, rows, answer });
    }
  }
  const parts: Part[] = [];
  for (const alike of sharingRows(pieces)) parts.push(...(await partsOf(stores, alike)));
  for (const chunk of chunksOf(parts, partsOfQuery)) {
    const union = unionOf(chunk);
    const found = await stores.events.query<{ part: number; owned_by: string; n: number[]; u: number[] }>(
      union.sql,
      union.params,
      { ...(signal && { signal }), ...(maxSeconds !== undefined && { maxExecutionSeconds: maxSeconds }) },
    );
    for (const { part, owned_by: owner, n, u } of found) {
      const asked = chunk[part];
      const id = asked?.scope.issueOf(owner);
      if (!asked || id === undefined) continue;
      for (const [index, piece] of asked.pieces.entries()) {
        const count = n[index] ?? 0;
        // Others of the same query may have asked for the issue.
        if (count > 0 && asked.wanted[index]?.has(id)) piece.answer.set(id, { count, userCount: u[index] ?? 0 });
      }
    }
  }
  return answers;
}

interface Piece {
  readonly question: MatchQuestion;
  readonly issues: MatchQuestion['issues'];
  readonly rows: SearchNode | undefined;
  readonly answer: Map<number, MatchCounts>;
}

interface Part extends UnionPart {
  readonly scope: PageScope;
  readonly pieces: readonly Piece[];
  readonly wanted: readonly ReadonlySet<number>[];
}

/** Those that ask different things of the same stretch of events are answered from one reading of it. */
function* sharingRows(pieces: readonly Piece[]): Generator<readonly Piece[]> {
  const filtered = pieces.filter((one) => !usesHours(one));
  for (const one of pieces) if (usesHours(one)) yield [one];
  const byTime = Map.groupBy(filtered, ({ question }) => question.sinceMs);
  for (const alike of byTime.values()) yield* chunksOf(alike, filtersOfPart);
}

/** The same list of issues is looked up, and sent, once. */
async function partsOf({ state }: IssueStores, pieces: readonly Piece[]): Promise<Part[]> {
  const issues = [...new Map(pieces.flatMap((one) => one.issues).map((issue) => [issue.id, issue])).values()];
  const wanted = pieces.map((one) => new Set(one.issues.map((issue) => issue.id)));
  const parts: Part[] = [];
  for (const chunk of chunksOf(issues, issuesOfPart)) {
    const scope = await scopeOf(state, chunk);
    const [first] = pieces;
    if (!first) continue;
    const part = usesHours(first) ? hoursPart(first.question, scope) : eventsPart(pieces, scope);
    parts.push({ ...part, scope, pieces, wanted });
  }
  return parts;
}

/** Where nothing is asked of events, and the time is long enough to have whole hours. */
const usesHours = ({ question: { sinceMs, nowMs }, rows }: Piece): boolean =>
  rows === undefined && nowMs - sinceMs > 2 * hourMs;

interface Alike {
  readonly issues: MatchQuestion['issues'];
  readonly rows: SearchNode | undefined;
}

/** Those that pass what is asked of issues, by what is asked of their events. */
async function alikeIssues(
  stores: IssueStores,
  { issues, root, projects, nowMs }: MatchQuestion,
  signal: AbortSignal | undefined,
): Promise<readonly Alike[]> {
  if (root === undefined || root === true) return [{ issues, rows: undefined }];
  const plan = planSearch(root, projects, nowMs);
  const { filter } = plan;
  const left = new Set(filter.projects.map((project) => project.id));
  const asked = issues.filter((issue) => left.has(issue.projectId));
  if (!asked.length || !filter.statuses.length) return [];
  if (!filter.narrow && !filter.counts.length && !plan.mixed) return [{ issues: asked, rows: plan.rows }];
  const passing: IssueRow[] = [];
  for (const chunk of chunksOf(asked)) {
    let query = stores.state.db
      .selectFrom('issue')
      .selectAll()
      .where(
        'id',
        'in',
        chunk.map((issue) => issue.id),
      )
      .where('status', 'in', filter.statuses);
    for (const condition of filter.conditions) query = query.where((eb) => condition(eb));
    passing.push(...(await query.execute()).map(toIssueRow));
  }
  return divided(stores, { signal }, plan, passing);
}

function hoursPart({ environments, sinceMs }: MatchQuestion, scope: PageScope): UnionPart {
  const among = inEnvironments(environments);
  const hourFrom = Math.ceil(sinceMs / hourMs) * hourMs;
  const hours = where(scope, among, {
    conditions: ['hour >= {hourFrom:UInt32}'],
    params: { hourFrom: startSecond(hourFrom) },
  });
  const rest = where(scope, among, {
    conditions: [`timestamp >= ${moment('since')}`, `timestamp < ${moment('until')}`],
    params: { since: Math.floor(sinceMs), until: hourFrom },
  });
  return {
    sql: `SELECT toString(owned) AS owned_by, [toUInt64(sum(events_n))] AS n, [toUInt64(uniqMerge(users_n))] AS u FROM (
        SELECT ${scope.owner} AS owned, sum(events) AS events_n, uniqMergeState(users) AS users_n
        FROM issue_hours WHERE ${hours.sql} GROUP BY owned
        UNION ALL
        SELECT ${scope.owner} AS owned, count() AS events_n, uniqStateIf(user, user != '') AS users_n
        FROM errors WHERE ${rest.sql} GROUP BY owned
      ) GROUP BY owned`,
    params: { ...hours.params, ...rest.params },
  };
}

/** Each piece as an element of the answer's arrays. */
function eventsPart(pieces: readonly Piece[], scope: PageScope): UnionPart {
  const [{ question }] = pieces as readonly [Piece, ...Piece[]];
  const { sinceMs } = question;
  const conditions = renamed(
    pieces.map(({ question: { environments, projects, nowMs }, rows }) =>
      where(
        inEnvironments(environments),
        rowConditions(rows, { projectIds: projects.map((project) => project.id), fromMs: sinceMs, nowMs, projects }),
      ),
    ),
  );
  const read = where(scope, {
    conditions: [`timestamp >= ${moment('since')}`],
    params: { since: Math.floor(sinceMs) },
  });
  const counts = conditions.sql.map((sql) => `countIf(${sql})`);
  const users = conditions.sql.map((sql) => `uniqIf(user, user != '' AND ${sql})`);
  return {
    sql: `SELECT toString(${scope.owner}) AS owned_by, [${counts.join(', ')}] AS n, [${users.join(', ')}] AS u
      FROM errors WHERE ${read.sql} GROUP BY owned_by`,
    params: { ...read.params, ...conditions.params },
  };
}

/** Conditions side by side in one query: each with parameters of its own names. */
function renamed(parts: readonly UnionPart[]): {
  readonly sql: readonly string[];
  readonly params: Record<string, unknown>;
} {
  const named = parts.map((part, index) => withPrefix(part, `c${index}_`));
  return { sql: named.map(({ sql }) => sql), params: Object.assign({}, ...named.map(({ params }) => params)) };
}
