/**
 * How many events and users issues have had since a moment, within a search and environments: what alerts ask, for many
 * issues and many searches at once. Where nothing is asked of events, whole hours come from the aggregates.
 */
import type { SearchNode } from '@culprit/search';
import { chunksOf } from '../../../base/chunks.ts';
import {
  arrayOf,
  columnsOf,
  type Decided,
  decidedHere,
  deciderOf,
  unionOf,
  type UnionPart,
  withPrefix,
  eventsCount,
  eventsCountIf,
  metUsers,
  usersCount,
} from '../../search/index.ts';
import type { IssueRow, IssueStores, VisibleProject } from '../types.ts';
import { divided } from './listed.ts';
import { type PageScope, scopeOf } from './page-scope.ts';
import { rowConditions } from './row-conditions.ts';
import { toIssueRow } from '../rows.ts';
import { inEnvironments, moment, type SqlPart, startSecond, where } from '../../../base/sql.ts';
import type { QueryOptions } from '../../../ports/events/events.ts';
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
  /** Whether users are counted, which costs as much again; 0 otherwise. */
  readonly users: boolean;
}

export interface MatchCounts {
  readonly count: number;
  readonly userCount: number;
}

export interface MatchOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
  /** Of issues and values of columns; where there are more groups, the database decides the filters. */
  readonly maxGroups?: number | undefined;
}

const issuesOfPart = 2_000;
const partsOfQuery = 16;
const filtersOfPart = 24;
const manyGroups = 20_000;
const hourMs = 3_600_000;

/** Of each question the issues that pass and have had events, by id. */
export async function countMatching(
  stores: IssueStores,
  questions: readonly MatchQuestion[],
  { signal, maxSeconds, maxGroups = manyGroups }: MatchOptions = {},
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
  const options = { ...(signal && { signal }), ...(maxSeconds !== undefined && { maxExecutionSeconds: maxSeconds }) };
  const left = await answerFrom(stores, readingsOf(pieces, maxGroups), options);
  if (left.length) await answerFrom(stores, readingsOf(left, 0), options);
  return answers;
}

interface FoundRow {
  readonly part: number;
  readonly owned_by: string;
  readonly of: readonly string[];
  readonly n: readonly number[];
  readonly u: readonly number[];
}

/** Returns the pieces of which there were too many rows to decide them here. */
async function answerFrom(
  stores: IssueStores,
  readings: Iterable<Reading>,
  options: QueryOptions,
): Promise<readonly Piece[]> {
  const parts: Part[] = [];
  for (const reading of readings) parts.push(...(await partsOf(stores, reading)));
  const left: Piece[] = [];
  for (const chunk of chunksOf(parts, partsOfQuery)) {
    const union = unionOf(chunk);
    const found = Map.groupBy(
      await stores.events.query<FoundRow>(union.sql, union.params, options),
      ({ part }) => part,
    );
    for (const [index, part] of chunk.entries()) {
      const rows = found.get(index) ?? [];
      if (part.decide && rows.length > part.maxGroups) left.push(...part.pieces);
      else for (const row of rows) note(part, row);
    }
  }
  return left;
}

function note({ scope, pieces, wanted, decide }: Part, { owned_by: owner, of, n, u }: FoundRow): void {
  const id = scope.issueOf(owner);
  if (id === undefined) return;
  for (const index of decide ? decide(of) : pieces.keys()) {
    const answer = pieces[index]?.answer;
    const count = n[decide ? 0 : index] ?? 0;
    // Others of the same query may have asked for the issue.
    if (!count || !answer || !wanted[index]?.has(id)) continue;
    const before = decide ? (answer.get(id)?.count ?? 0) : 0;
    answer.set(id, { count: before + count, userCount: u[index] ?? 0 });
  }
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
  /** Which of the pieces rows with these values are of; undefined where the database says so. */
  readonly decide: ((of: readonly string[]) => readonly number[]) | undefined;
  /** How many rows are decided here. */
  readonly maxGroups: number;
}

interface Reading extends Pick<Part, 'pieces' | 'decide' | 'maxGroups'> {
  sqlOf(scope: PageScope): UnionPart;
}

/** Those that ask different things of the same stretch of events are answered from one reading of it. */
function* readingsOf(pieces: readonly Piece[], maxGroups: number): Generator<Reading> {
  for (const one of pieces) {
    if (usesHours(one))
      yield { pieces: [one], decide: undefined, maxGroups: 0, sqlOf: (scope) => hoursPart(one.question, scope) };
  }
  const filtered = pieces.filter((one) => !usesHours(one)).map((piece) => ({ piece, condition: conditionOf(piece) }));
  for (const alike of Map.groupBy(filtered, ({ piece }) => piece.question.sinceMs).values()) {
    const decided = alike.flatMap(({ piece, condition }) => {
      const decision = maxGroups && !piece.question.users ? decidedHere(condition) : undefined;
      return decision ? [{ piece, decision }] : [];
    });
    if (decided.length) yield decidedReading(decided, maxGroups);
    const known = new Set(decided.map(({ piece }) => piece));
    const others = alike.filter(({ piece }) => !known.has(piece));
    for (const chunk of chunksOf(others, filtersOfPart)) {
      const [own, conditions] = [chunk.map(({ piece }) => piece), chunk.map(({ condition }) => condition)];
      yield { pieces: own, decide: undefined, maxGroups: 0, sqlOf: (scope) => eventsPart(own, conditions, scope) };
    }
  }
}

function conditionOf({ question: { environments, projects, sinceMs, nowMs }, rows }: Piece): UnionPart {
  const projectIds = projects.map((project) => project.id);
  return where(inEnvironments(environments), rowConditions(rows, { projectIds, fromMs: sinceMs, nowMs, projects }));
}

/** One more than are decided here says that there are too many. */
function decidedReading(
  decided: readonly { readonly piece: Piece; readonly decision: Decided }[],
  maxGroups: number,
): Reading {
  const columns = columnsOf(decided.map(({ decision }) => decision));
  return {
    pieces: decided.map(({ piece }) => piece),
    maxGroups,
    decide: deciderOf(
      decided.map(({ decision }) => decision),
      columns,
    ),
    sqlOf(scope) {
      const [first] = decided;
      const read = where(scope, since(first?.piece.question.sinceMs ?? 0));
      const groups = ['owned_by', ...columns].join(', ');
      return {
        sql: `SELECT toString(${scope.owner}) AS owned_by, ${arrayOf(columns)} AS of, [${eventsCount}] AS n, emptyArrayUInt64() AS u
          FROM errors WHERE ${read.sql} GROUP BY ${groups} LIMIT ${maxGroups + 1}`,
        params: read.params,
      };
    },
  };
}

/** Events of issues that are dated to the day of a moment or to a later one; those without any are left out. */
export async function countSinceDay(
  { state, events }: IssueStores,
  issues: MatchQuestion['issues'],
  sinceMs: number,
  { signal, maxSeconds }: MatchOptions = {},
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  for (const chunk of chunksOf(issues, issuesOfPart)) {
    const scope = await scopeOf(state, chunk);
    const read = where(scope, {
      conditions: ['day >= {day:Date}'],
      params: { day: new Date(sinceMs).toISOString().slice(0, 10) },
    });
    const rows = await events.query<{ owned_by: string; n: number }>(
      `SELECT toString(${scope.owner}) AS owned_by, sum(events) AS n FROM issue_lives WHERE ${read.sql} GROUP BY owned_by`,
      read.params,
      { ...(signal && { signal }), ...(maxSeconds !== undefined && { maxExecutionSeconds: maxSeconds }) },
    );
    for (const { owned_by: owner, n } of rows) {
      const id = scope.issueOf(owner);
      if (id !== undefined) counts.set(id, Number(n));
    }
  }
  return counts;
}

/** The same list of issues is looked up, and sent, once. */
async function partsOf({ state }: IssueStores, { pieces, decide, maxGroups, sqlOf }: Reading): Promise<Part[]> {
  const issues = [...new Map(pieces.flatMap((one) => one.issues).map((issue) => [issue.id, issue])).values()];
  const wanted = pieces.map((one) => new Set(one.issues.map((issue) => issue.id)));
  const parts: Part[] = [];
  for (const chunk of chunksOf(issues, issuesOfPart)) {
    const scope = await scopeOf(state, chunk);
    parts.push({ ...sqlOf(scope), scope, pieces, wanted, decide, maxGroups });
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

function hoursPart({ environments, sinceMs, users }: MatchQuestion, scope: PageScope): UnionPart {
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
  const [ofAll, ofHours, ofRest] = users
    ? [
        'toUInt64(uniqMerge(users_n))',
        ', uniqMergeState(users) AS users_n',
        `, uniqMergeState(arrayReduce('uniqState', ${metUsers})) AS users_n`,
      ]
    : ['toUInt64(0)', '', ''];
  return {
    sql: `SELECT toString(owned) AS owned_by, emptyArrayString() AS of, [toUInt64(sum(events_n))] AS n, [${ofAll}] AS u FROM (
        SELECT ${scope.owner} AS owned, sum(events) AS events_n${ofHours}
        FROM issue_hours WHERE ${hours.sql} GROUP BY owned
        UNION ALL
        SELECT ${scope.owner} AS owned, ${eventsCount} AS events_n${ofRest}
        FROM errors WHERE ${rest.sql} GROUP BY owned
      ) GROUP BY owned`,
    params: { ...hours.params, ...rest.params },
  };
}

const since = (ms: number): SqlPart => ({
  conditions: [`timestamp >= ${moment('since')}`],
  params: { since: Math.floor(ms) },
});

/** Each piece as an element of the answer's arrays. */
function eventsPart(pieces: readonly Piece[], conditionsOfPieces: readonly UnionPart[], scope: PageScope): UnionPart {
  const [{ question }] = pieces as readonly [Piece, ...Piece[]];
  const conditions = renamed(conditionsOfPieces);
  const read = where(scope, since(question.sinceMs));
  const counts = conditions.sql.map(eventsCountIf);
  const users = conditions.sql.map((sql, index) => (pieces[index]?.question.users ? usersCount(sql) : 'toUInt64(0)'));
  return {
    sql: `SELECT toString(${scope.owner}) AS owned_by, emptyArrayString() AS of, [${counts.join(', ')}] AS n, [${users.join(', ')}] AS u
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
