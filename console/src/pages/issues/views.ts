/** Views of the list that have a name: built-in ones and saved searches. Pure. */
import * as m from '../../messages/issues.ts';
import type { IssueListSearch, StatusTab } from '../../features/issues/list-question.ts';
import { listQuery } from '../../features/issues/list-question.ts';
import { hasTerm, splitTerms } from '../../features/issues/query-terms.ts';
import type { IssueSort } from '../../features/issues/queries.ts';

/** They keep the search and change its status. */
export const statusTabs: readonly { readonly value: StatusTab; readonly label: string }[] = (
  ['unresolved', 'resolved', 'archived', 'all'] as const
).map((value) => ({ value, label: m.statuses[value] }));

export interface NamedQuery {
  readonly name: string;
  /** Whole, `is:` included. */
  readonly query: string;
  /** '' for the default order of the list. */
  readonly sort: string;
}

export const builtInViews: readonly NamedQuery[] = [
  { name: m.builtIn.review, query: 'is:for_review', sort: '' },
  { name: m.builtIn.regressed, query: 'is:regressed', sort: '' },
  { name: m.builtIn.escalating, query: 'is:escalating', sort: '' },
  { name: m.builtIn.mine, query: 'is:unresolved assigned:me', sort: '' },
];

export const sorts: readonly { readonly value: IssueSort; readonly label: string }[] = (
  ['date', 'new', 'freq', 'user', 'trends'] as const
).map((value) => ({ value, label: m.sorts[value] }));

type ViewSearch = Pick<IssueListSearch, 'q' | 'status' | 'sort'>;

/** The address of a query: its `is:` becomes the tab where there is one for it. */
export function searchOf({ query, sort }: Pick<NamedQuery, 'query' | 'sort'>): ViewSearch {
  const known = sorts.find(({ value }) => value === sort && value !== 'date')?.value;
  const [, tab, rest = ''] = /^is:(unresolved|resolved|archived)(?:\s+(.*))?$/s.exec(query) ?? [];
  if (tab && !hasTerm(rest, 'is')) {
    const status = tab === 'unresolved' ? undefined : (tab as StatusTab);
    // What listQuery has put in parentheses is alone again.
    const [only, ...more] = splitTerms(rest);
    const isGroup = more.length === 0 && only?.startsWith('(') === true && / or /i.test(only);
    return { q: (isGroup ? only.slice(1, -1) : rest) || undefined, status, sort: known };
  }
  return { q: query || undefined, status: hasTerm(query, 'is') ? undefined : 'all', sort: known };
}

export const isShown = ({ query, sort }: Pick<NamedQuery, 'query' | 'sort'>, search: IssueListSearch): boolean =>
  listQuery(search) === query && (search.sort ?? 'date') === (sort || 'date');

/** The text without its own terms about the status, so that a tab can set it. */
export function withoutStatus(query: string | undefined): string | undefined {
  const terms = splitTerms(query ?? '');
  return terms.filter((term) => !/^!?is:/.test(term)).join(' ') || undefined;
}
