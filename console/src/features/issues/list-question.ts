/** From the address of the issue list to the question for the API. */
import type { SharedSearch } from '../filters/filters.ts';
import type { IssueListQuestion, IssueSort } from './queries.ts';
import { asOne, hasTerm } from './query-terms.ts';

export type StatusTab = 'unresolved' | 'resolved' | 'archived' | 'all';

export interface IssueListSearch extends SharedSearch {
  readonly q?: string | undefined;
  readonly status?: StatusTab | undefined;
  readonly sort?: IssueSort | undefined;
  readonly cursor?: string | undefined;
}

/** The whole query: the tab's `is:` in front, unless the text says `is:` itself. */
export function listQuery(search: IssueListSearch): string {
  const text = (search.q ?? '').trim();
  const tab = search.status ?? 'unresolved';
  if (tab === 'all' || hasTerm(text, 'is')) return text;
  // The tab holds for all alternatives.
  return `is:${tab} ${asOne(text)}`.trim();
}

/** How much of the whole query stands before the text of the search box. */
export function queryBefore(search: IssueListSearch): number {
  return listQuery(search).indexOf((search.q ?? '').trim());
}

export function listQuestion(org: string, search: IssueListSearch): IssueListQuestion {
  const { project, environment, range, start, end } = search;
  return {
    org,
    query: listQuery(search),
    sort: search.sort ?? 'date',
    cursor: search.cursor,
    filters: { project, environment, range, start, end },
  };
}
