/** How many issues a search finds, in words. Pure. */
import * as m from '../../messages/issues.ts';
import type { IssueListPage } from '../../features/issues/queries.ts';
import { exactNumber } from '../../ui/numbers.ts';

/** The number that match; where the server does not count them all, what this page knows. */
export function howMany({ hits, issues, next, previous }: IssueListPage): string {
  if (hits !== undefined) return m.count({ count: hits });
  if (previous || issues.length === 0) return '';
  return next ? m.countAtLeast({ count: exactNumber(issues.length) }) : m.count({ count: issues.length });
}

/** What a change of all of them is about. */
export const nameOfAll = (page: IssueListPage | undefined): string =>
  page?.hits === undefined ? m.matchingIssuesUncounted : m.matchingIssues({ count: page.hits });
