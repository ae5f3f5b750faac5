/** Questions that would look into too many events are refused, as searches of issues are. */
import { refuseExpensive } from '../issues/index.ts';
import { issueCondition, type IssueTerms } from './issue-terms.ts';
import { languageOf } from './sources.ts';
import type { ExploreScope, ExploreStores, ReadQuery } from './types.ts';

/** Throws `QUERY_TOO_EXPENSIVE`. */
export async function refuseExpensiveQuestion(
  stores: Pick<ExploreStores, 'events'>,
  question: ExploreScope & { readonly query: ReadQuery },
  issueTerm: IssueTerms,
  signal?: AbortSignal,
): Promise<void> {
  const { dataSet, projects, environments, range, nowMs, latestReleases } = question;
  if (languageOf(dataSet) !== 'events') return;
  await refuseExpensive(stores, question.query.rows, {
    projectIds: projects.map(({ id }) => id),
    environments,
    range,
    nowMs,
    signal,
    options: { projects, latestReleases, issueTerm: issueCondition(issueTerm) },
  });
}
