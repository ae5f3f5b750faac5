/**
 * How many events and users issues have had since a moment, within a search and environments: what alerts ask, for many
 * issues and many searches at once. Where nothing is asked of events, whole hours come from the aggregates.
 */
import type { SearchNode } from '@culprit/search';
import { unionOf, type UnionPart } from '../../search/index.ts';
import type { IssueRow, IssueStores, VisibleProject } from '../types.ts';
import { divided } from './listed.ts';
import { type PageScope, scopeOf } from './numbers.ts';
import { rowConditions } from './row-conditions.ts';
import { chunksOf, toIssueRow } from './rows.ts';
import { inEnvironments, moment, startSecond, where } from './scope.ts';
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
const hourMs = 3_600_000;

/** Of each question the issues that pass and have had events, by id. */
export async function countMatching(
  stores: IssueStores,
  questions: readonly MatchQuestion[],
  { signal, maxSeconds }: MatchOptions = {},
): Promise<ReadonlyMap<number, MatchCounts>[]> {
  const answers = questions.map(() => new Map<number, MatchCounts>());
  const scopes = new Map<MatchQuestion['issues'], Promise<PageScope>>();
  const parts: (UnionPart & { readonly answer: Map<number, MatchCounts>; readonly scope: PageScope })[] = [];
  for (const [index, question] of questions.entries()) {
    const answer = answers[index];
    if (!answer) continue;
    for (const { issues, rows } of await alikeIssues(stores, question, signal)) {
      for (const chunk of issues.length > issuesOfPart ? chunksOf(issues, issuesOfPart) : [issues]) {
        if (!chunk.length) continue;
        const known = scopes.get(chunk) ?? scopeOf(stores.state, chunk);
        scopes.set(chunk, known);
        const scope = await known;
        parts.push({ ...countPart(question, scope, rows), answer, scope });
      }
    }
  }
  for (const chunk of chunksOf(parts, partsOfQuery)) {
    const union = unionOf(chunk);
    const found = await stores.events.query<{ part: number; owned_by: string; n: number; u: number }>(
      union.sql,
      union.params,
      { ...(signal && { signal }), ...(maxSeconds !== undefined && { maxExecutionSeconds: maxSeconds }) },
    );
    for (const { part, owned_by: owner, n, u } of found) {
      const asked = chunk[part];
      const id = asked?.scope.issueOf(owner);
      if (id !== undefined && n > 0) asked?.answer.set(id, { count: n, userCount: u });
    }
  }
  return answers;
}

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

function countPart(
  { environments, projects, sinceMs, nowMs }: MatchQuestion,
  scope: PageScope,
  rows: SearchNode | undefined,
): UnionPart {
  const among = inEnvironments(environments);
  if (rows === undefined && nowMs - sinceMs > 2 * hourMs) {
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
      sql: `SELECT toString(owned) AS owned_by, sum(events_n) AS n, uniqMerge(users_n) AS u FROM (
          SELECT ${scope.owner} AS owned, sum(events) AS events_n, uniqMergeState(users) AS users_n
          FROM issue_hours WHERE ${hours.sql} GROUP BY owned
          UNION ALL
          SELECT ${scope.owner} AS owned, count() AS events_n, uniqStateIf(user, user != '') AS users_n
          FROM errors WHERE ${rest.sql} GROUP BY owned
        ) GROUP BY owned`,
      params: { ...hours.params, ...rest.params },
    };
  }
  const matching = where(
    scope,
    among,
    { conditions: [`timestamp >= ${moment('since')}`], params: { since: Math.floor(sinceMs) } },
    rowConditions(rows, { projectIds: projects.map((project) => project.id), fromMs: sinceMs, nowMs, projects }),
  );
  return {
    sql: `SELECT toString(${scope.owner}) AS owned_by, count() AS n, uniqIf(user, user != '') AS u
      FROM errors WHERE ${matching.sql} GROUP BY owned_by`,
    params: matching.params,
  };
}
