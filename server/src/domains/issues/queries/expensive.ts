/**
 * Searches that would look into too many events: what is in no column of its own is looked for in the facts of each, or
 * in the payload of those that were stored before there were facts, which is twenty times as large.
 */
import type { SearchNode, SearchTerm } from '@culprit/search';
import { CodedError } from '../../../base/errors.ts';
import type { ExactRange } from '../../../base/time-range.ts';
import type { IssueStores } from '../types.ts';
import { rowConditions, type RowScope } from './row-conditions.ts';
import { during, inEnvironments, inProjects, where } from '../../../base/sql.ts';
import { allOf, conjuncts, type Reduced, someTerm } from './tree.ts';

/** Events that one search may look into: some seconds where they are read from their payloads, else about one. */
const maxEvents = 1_000_000;

const inFacts = new Set(['path', 'header', 'flag']);

const readsFacts = (term: SearchTerm): boolean =>
  term.kind !== 'text' && 'place' in term.key && inFacts.has(term.key.place.kind);

export interface ExpensiveScope {
  readonly projectIds: readonly number[];
  readonly environments: readonly string[];
  readonly range: ExactRange | undefined;
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What the terms of the search need to be compiled. */
  readonly options?: Omit<RowScope, 'projectIds' | 'fromMs' | 'nowMs'>;
}

/** Throws `QUERY_TOO_EXPENSIVE` when what the rest of the search leaves is more than `max` events. */
export async function refuseExpensive(
  { events }: Pick<IssueStores, 'events'>,
  rows: Reduced | undefined,
  scope: ExpensiveScope,
  max = maxEvents,
): Promise<void> {
  const nodes = conjuncts(typeof rows === 'boolean' ? undefined : rows);
  const expensive = nodes.filter((node) => someTerm(node, readsFacts));
  if (!expensive.length) return;
  const rest = allOf(nodes.filter((node) => !expensive.includes(node)));
  const left = where(
    inProjects(scope.projectIds),
    inEnvironments(scope.environments),
    during(scope.range),
    rowConditions(typeof rest === 'boolean' ? undefined : rest, {
      ...scope.options,
      projectIds: scope.projectIds,
      fromMs: scope.range?.startMs,
      nowMs: scope.nowMs,
    }),
  );
  const [row] = await events.query<{ n: number }>(
    `SELECT count() AS n FROM (SELECT 1 FROM errors WHERE ${left.sql} LIMIT {max:UInt64})`,
    { ...left.params, max: max + 1 },
    scope.signal ? { signal: scope.signal } : {},
  );
  if ((row?.n ?? 0) > max)
    throw new CodedError('QUERY_TOO_EXPENSIVE', [namesIn(expensive), max.toLocaleString('en-US')]);
}

function namesIn(nodes: readonly SearchNode[]): string {
  const names = new Set<string>();
  for (const node of nodes) {
    someTerm(node, (term) => {
      if (readsFacts(term) && term.kind !== 'text') names.add(term.name);
      return false;
    });
  }
  return [...names].join(', ');
}
