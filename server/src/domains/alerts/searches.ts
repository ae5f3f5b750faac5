/** The searches of issue rules, as they are read. */
import { CodedError } from '../../base/errors.ts';
import type { Reduced } from '../issues/index.ts';
import { readNamedSearch } from '../named-search/index.ts';
import type { Project } from '../projects/index.ts';
import type { AlertStores } from './stores.ts';
import type { IssueRule, Rule, RuleState } from './types.ts';
import type { RuleProblem } from './write.ts';

export interface SearchesRequest {
  readonly rules: readonly Rule[];
  readonly states: ReadonlyMap<number, RuleState>;
  projectsOf(rule: Rule): readonly Project[];
  /** Of earlier looks, by rule and version. They name people and releases, so that they are read anew now and then. */
  readonly known: Map<string, Promise<Reduced | undefined>>;
  readonly nowMs: number;
}

export interface Searches {
  /** Issue rules whose search can be read. */
  readonly readable: readonly IssueRule[];
  /** Of those whose problem is another than before. */
  readonly problems: readonly RuleProblem[];
  of(rule: IssueRule): Promise<Reduced | undefined>;
}

export async function readSearches(stores: AlertStores, request: SearchesRequest): Promise<Searches> {
  const { rules, states, projectsOf, known, nowMs } = request;
  const of = (rule: IssueRule): Promise<Reduced | undefined> => {
    const key = keyOf(rule);
    const search =
      known.get(key) ??
      readNamedSearch(stores, rule.query, {
        organizationId: rule.organizationId,
        userId: rule.createdBy ?? undefined,
        projectIds: projectsOf(rule).map(({ id }) => id),
        environments: rule.environment ? [rule.environment] : [],
        nowMs,
      });
    known.set(key, search);
    return search;
  };
  const readable: IssueRule[] = [];
  const problems: RuleProblem[] = [];
  for (const rule of rules) {
    if (rule.kind !== 'issue') continue;
    const problem = await problemOf(rule, of);
    if (problem) known.delete(keyOf(rule));
    else readable.push(rule);
    if ((states.get(rule.id)?.problem ?? '') !== problem) problems.push({ rule, problem });
  }
  return { readable, problems, of };
}

const keyOf = ({ id, version }: IssueRule): string => `${id}:${version}`;

/** '' for none. */
async function problemOf(rule: IssueRule, of: Searches['of']): Promise<string> {
  if (!rule.query.trim()) return '';
  try {
    await of(rule);
    return '';
  } catch (error) {
    if (!(error instanceof CodedError) || error.status >= 500) throw error;
    return error.message;
  }
}
