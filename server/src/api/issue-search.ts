/** Which issues a request means: by search, or by name. */
import { CodedError } from '../errors.ts';
import { findIssue, type IssueFilter } from '../issues/index.ts';
import type { Project } from '../projects/index.ts';
import { lastPeriod, parseTimeRange } from '../search/index.ts';
import type { State } from '../state/state.ts';
import type { ApiDeps } from './deps.ts';
import { readNamedSearch } from './scope.ts';

export interface AskedIssues {
  readonly query?: string | undefined;
  readonly environment: readonly string[];
  readonly statsPeriod?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

export const defaultQuery = 'is:unresolved';
const defaultPeriod = '14d';

/** `userId`: whom `me` means. */
export async function issueFilter(
  deps: Pick<ApiDeps, 'state' | 'events'>,
  asked: AskedIssues,
  projects: readonly Project[],
  { userId, signal }: { readonly userId: string; readonly signal?: AbortSignal | undefined },
): Promise<IssueFilter> {
  const nowMs = Date.now();
  const scope = {
    organizationId: projects[0]?.organizationId ?? '',
    projectIds: projects.map((project) => project.id),
    environments: asked.environment,
    nowMs,
    userId,
  };
  return {
    projects,
    environments: asked.environment,
    range: parseTimeRange(asked, nowMs) ?? lastPeriod(defaultPeriod, nowMs),
    root: await readNamedSearch(deps, asked.query ?? defaultQuery, scope),
    nowMs,
    signal,
  };
}

/** By id or short id. Throws `NOT_FOUND`. */
export async function namedIssueIds(
  state: State,
  names: readonly string[],
  projects: readonly Project[],
): Promise<number[]> {
  const found = new Set<number>();
  for (const name of names) {
    const issue = await findIssue(state, name, projects);
    if (!issue) throw new CodedError('NOT_FOUND', [`issue ${name}`]);
    found.add(issue.id);
  }
  return [...found];
}
