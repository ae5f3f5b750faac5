/** Which issues a search means, in the words in which lists are asked for. */
import type { IssueFilter } from '../issues/index.ts';
import type { Project } from '../projects/index.ts';
import { lastPeriod, parseTimeRange } from '../../base/time-range.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { readNamedSearch } from './read.ts';

interface AskedIssues {
  readonly query?: string | undefined;
  readonly environment: readonly string[];
  readonly statsPeriod?: string | undefined;
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

const defaultQuery = 'is:unresolved';
const defaultPeriod = '14d';

/** `userId`: whom `me` means. */
export async function issueFilter(
  stores: { readonly state: State; readonly events: Events },
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
    root: await readNamedSearch(stores, asked.query ?? defaultQuery, scope),
    nowMs,
    signal,
  };
}
