/**
 * A query divided among the stores: what the state store can decide of issues, what the events store must find among
 * rows, and what mixes both, which is decided for one issue after the other.
 */
import type { SearchNode, SearchTerm } from '@culprit/search';
import type { IssueStatus } from '../../../ports/state/schema.ts';
import type { IssueRow, LifeCounts, VisibleProject } from '../types.ts';
import { type Condition, type IssueTest, issueTest, projectsOf, statusOfIs, type TermContext } from './issue-terms.ts';
import { allOf, conjuncts, everyTerm, isIssueTerm, isTerm, type Reduced, reduceTree, someTerm } from './tree.ts';

export interface StateFilter {
  readonly projects: readonly VisibleProject[];
  readonly statuses: readonly IssueStatus[];
  readonly conditions: readonly Condition[];
  /** Conditions that need counts over the life of the issue, which the state store does not know. */
  readonly counts: readonly IssueTest['passes'][];
  /** False when the conditions leave the status alone: every issue is a candidate. */
  readonly narrow: boolean;
}

export interface SearchPlan {
  readonly filter: StateFilter;
  /** What some event of every issue of the answer fulfils. Exact unless `mixed` is there. */
  readonly rows: SearchNode | undefined;
  readonly mixed: MixedSearch | undefined;
}

/** Terms about issues and about events under one OR. */
export interface MixedSearch {
  readonly needsLife: boolean;
  /** What events of this issue must fulfil, with the rest of the query; false when the issue is not to be listed. */
  rowsFor(issue: IssueRow, life: LifeCounts | undefined): Reduced;
}

const allStatuses: readonly IssueStatus[] = ['unresolved', 'resolved', 'archived'];

/** `root` is of the data set of issues. */
export function planSearch(root: Reduced | undefined, projects: readonly VisibleProject[], nowMs: number): SearchPlan {
  const context: TermContext = { projects, nowMs };
  let statuses = allStatuses;
  let left = root === false ? [] : projects;
  const conditions: Condition[] = [];
  const counts: IssueTest['passes'][] = [];
  const ofRows: SearchNode[] = [];
  const mixed: SearchNode[] = [];
  for (const node of conjuncts(typeof root === 'boolean' ? undefined : root)) {
    if (everyTerm(node, (term) => !isIssueTerm(term))) ofRows.push(node);
    else if (!everyTerm(node, isIssueTerm)) mixed.push(node);
    else {
      const named = projectsNamed(node, left);
      const status = statusNamed(node);
      if (named) left = named;
      else if (status) statuses = statuses.filter((one) => (one === status.is) !== status.negated);
      else {
        const test = treeTest(node, context);
        if (test.condition) conditions.push(test.condition);
        else counts.push(test.passes);
      }
    }
  }
  for (const node of mixed) {
    // What issues alone can fail, whatever their events.
    const ofIssues = reduceTree(node, (term) => (isIssueTerm(term) ? undefined : true));
    const condition = typeof ofIssues === 'boolean' ? undefined : treeTest(ofIssues, context).condition;
    if (condition) conditions.push(condition);
  }
  const rows = allOf([
    ...ofRows,
    ...mixed.map((node) => reduceTree(node, (term) => (isIssueTerm(term) ? true : undefined))),
  ]);
  return {
    filter: {
      projects: left,
      statuses,
      conditions,
      counts,
      narrow: conditions.length > 0 || statuses.length < allStatuses.length,
    },
    rows: typeof rows === 'boolean' ? undefined : rows,
    mixed: mixed.length ? mixedSearch(allOf([...ofRows, ...mixed]), context) : undefined,
  };
}

function mixedSearch(whole: Reduced, context: TermContext): MixedSearch | undefined {
  if (typeof whole === 'boolean') return undefined;
  const tests = new Map<SearchTerm, IssueTest>();
  const testOf = (term: SearchTerm): IssueTest => {
    const known = tests.get(term) ?? issueTest(term, context);
    tests.set(term, known);
    return known;
  };
  return {
    needsLife: someTerm(whole, (term) => isIssueTerm(term) && !testOf(term).condition),
    rowsFor: (issue, life) =>
      reduceTree(whole, (term) => (isIssueTerm(term) ? testOf(term).passes(issue, life) : undefined)),
  };
}

/** Over a tree of terms about issues alone. */
function treeTest(node: SearchNode, context: TermContext): IssueTest {
  if (isTerm(node)) return issueTest(node, context);
  const tests = node.nodes.map((one) => treeTest(one, context));
  const conditions = tests.flatMap(({ condition }) => condition ?? []);
  const join = node.kind;
  return {
    condition:
      conditions.length === tests.length ? (eb) => eb[join](conditions.map((condition) => condition(eb))) : undefined,
    passes: (issue, life) =>
      join === 'and' ? tests.every((test) => test.passes(issue, life)) : tests.some((test) => test.passes(issue, life)),
  };
}

function projectsNamed(node: SearchNode, left: readonly VisibleProject[]): readonly VisibleProject[] | undefined {
  if (node.kind !== 'filter' || !('place' in node.key) || node.key.place.kind !== 'project') return undefined;
  const named = projectsOf(node.value, node.key.place.by, left);
  return node.negated ? left.filter((project) => !named.includes(project)) : named;
}

/** Statuses are stretches of the index, so they are told apart from other conditions. */
function statusNamed(node: SearchNode): { readonly is: IssueStatus; readonly negated: boolean } | undefined {
  if (node.kind !== 'filter' || !('place' in node.key) || node.value.type !== 'text') return undefined;
  const { place } = node.key;
  if (place.kind !== 'issue' || place.field !== 'is') return undefined;
  const status = statusOfIs(node.value.text);
  return status && { is: status, negated: node.negated };
}
