/** Issues that a query names. Events know the hash that they were grouped by; whose it is is looked up before they are asked. */
import { because, type SearchNode, type SearchTerm } from '@culprit/search';
import { findIssue, hashesOf, type IssueRow } from '../issues/index.ts';
import type { Project } from '../projects/index.ts';
import type { Bind } from '../search/index.ts';
import type { State } from '../../ports/state/state.ts';
import { QuestionError, wholeProblem } from './question-error.ts';
import type { ReadQuery } from './types.ts';

/** Projects as they are looked up by: with what short ids begin with. */
export type IssueProject = Pick<Project, 'id' | 'slug' | 'name' | 'platform' | 'shortIdPrefix'> &
  Partial<Pick<Project, 'sampledUntil'>>;

/** Of each term about issues the events that it means. */
export type IssueTerms = ReadonlyMap<SearchTerm, readonly IssueHashes[]>;

interface IssueHashes {
  readonly projectId: number;
  readonly hashes: readonly string[];
}

/** Throws `QuestionError` for what is known of issues alone, such as whether they are resolved. */
export async function resolveIssueTerms(
  state: State,
  projects: readonly IssueProject[],
  query: ReadQuery,
): Promise<IssueTerms> {
  const found = new Map<SearchTerm, readonly IssueHashes[]>();
  for (const term of issueTermsIn(query.rows)) {
    const named = namesIn(term);
    if (!named) {
      const why = because('issueSearchOnly', { name: term.kind === 'text' ? term.text : term.name });
      throw new QuestionError([{ ...wholeProblem('query', '', why), start: term.start, end: term.end }]);
    }
    const issues = await Promise.all(named.map((name) => findIssue(state, name, [...projects])));
    const known = issues.filter((issue): issue is IssueRow => issue !== undefined);
    found.set(
      term,
      await Promise.all(
        known.map(async (issue) => ({ projectId: issue.projectId, hashes: await hashesOf(state, issue.id) })),
      ),
    );
  }
  return found;
}

function* issueTermsIn(node: SearchNode | undefined): Generator<SearchTerm> {
  if (!node) return;
  if ('nodes' in node) {
    for (const one of node.nodes) yield* issueTermsIn(one);
  } else if (node.kind !== 'text' && 'scope' in node.key && node.key.scope === 'issue') {
    yield node;
  }
}

/** Undefined unless the term names issues by id or short id. */
function namesIn(term: SearchTerm): readonly string[] | undefined {
  if (term.kind !== 'filter' || !('place' in term.key) || term.key.place.kind !== 'issue') return undefined;
  const { field } = term.key.place;
  if (field !== 'id' && field !== 'short_id') return undefined;
  const { value } = term;
  if (value.type === 'list') return value.values;
  if (value.type === 'numbers') return value.values.map(String);
  if (value.type === 'text' && !value.wildcard) return [value.text];
  return value.type === 'number' && value.comparison === '=' ? [String(value.number)] : undefined;
}

/** For `compileFilter`; the term's negation is its own. */
export const issueCondition =
  (terms: IssueTerms) =>
  (term: SearchTerm, bind: Bind): string => {
    const named = terms.get(term) ?? [];
    const each = named.map(
      ({ projectId, hashes }) =>
        `(project_id = ${bind('UInt64', projectId)} AND group_hash IN ${bind('Array(String)', hashes)})`,
    );
    const ofIssues = each.length ? `(${each.join(' OR ')})` : '(0)';
    return term.kind !== 'text' && term.negated ? `(NOT ${ofIssues})` : ofIssues;
  };
