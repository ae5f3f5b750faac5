/** Issues as what events are grouped by: of the hashes of an issue one stands for all. */
import { where } from '../../base/sql.ts';
import { hashKey, issuesOfHashes } from '../issues/index.ts';
import type { Bind } from '../search/index.ts';
import { conditionsOf } from './conditions.ts';
import type { IssueTerms } from './issue-terms.ts';
import { hashOfRow } from './row-hash.ts';
import { sourceOf } from './sources.ts';
import type { ExploreScope, ExploreStores, ReadQuery } from './types.ts';

/** Hashes that are put together by their issues; of more each hash is a group of its own. */
const maxHashes = 20_000;

/** What events are grouped by where they are grouped by issue: SQL of a text that all events of an issue share. */
export async function groupsOfIssues(
  stores: ExploreStores,
  scope: ExploreScope,
  query: ReadQuery,
  terms: IssueTerms,
  bind: Bind,
): Promise<string> {
  const { state, events } = stores;
  const source = sourceOf(scope.dataSet, undefined);
  const { sql, params } = where(conditionsOf(scope, source, query.rows, terms));
  const rows = await events.query<{ projectId: number; hash: string }>(
    `SELECT project_id AS projectId, toString(group_hash) AS hash FROM ${source.table} WHERE ${sql}
     GROUP BY projectId, hash LIMIT {most:UInt32}`,
    { ...params, most: maxHashes },
  );
  const issues = await issuesOfHashes(state, rows);
  const firstOf = new Map<number, string>();
  const [from, to]: [string[], string[]] = [[], []];
  for (const { projectId, hash } of rows) {
    const key = hashKey(projectId, hash);
    const issue = issues.get(key);
    if (!issue) continue;
    const first = firstOf.get(issue.id);
    if (first === undefined) {
      firstOf.set(issue.id, key);
    } else {
      from.push(key);
      to.push(first);
    }
  }
  if (!from.length) return hashOfRow;
  return `transform(${hashOfRow}, ${bind('Array(String)', from)}, ${bind('Array(String)', to)}, ${hashOfRow})`;
}
