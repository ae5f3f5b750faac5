/** Ways to look at the list that have a name: those that are there from the start, and saved searches. Pure. */
import type { IssueListSearch, StatusTab } from '../../features/issues/list-question.ts';
import { listQuery } from '../../features/issues/list-question.ts';
import { hasTerm, splitTerms } from '../../features/issues/query-terms.ts';
import type { IssueSort } from '../../features/issues/queries.ts';

/** They keep what is searched for and change which issues it is searched in. */
export const statusTabs: readonly { readonly value: StatusTab; readonly label: string }[] = [
  { value: 'unresolved', label: 'Unresolved' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'archived', label: 'Archived' },
  { value: 'all', label: 'All' },
];

export interface NamedQuery {
  readonly name: string;
  /** Whole, `is:` included. */
  readonly query: string;
  /** '' for the order that the list has by itself. */
  readonly sort: string;
}

export const builtInViews: readonly NamedQuery[] = [
  { name: 'For review', query: 'is:for_review', sort: '' },
  { name: 'Regressed', query: 'is:regressed', sort: '' },
  { name: 'Escalating', query: 'is:escalating', sort: '' },
  { name: 'Mine', query: 'is:unresolved assigned:me', sort: '' },
];

export const sorts: readonly { readonly value: IssueSort; readonly label: string }[] = [
  { value: 'date', label: 'Last seen' },
  { value: 'new', label: 'First seen' },
  { value: 'freq', label: 'Events' },
  { value: 'user', label: 'Users' },
  { value: 'trends', label: 'Rising' },
];

type ViewSearch = Pick<IssueListSearch, 'q' | 'status' | 'sort'>;

/** The address of a query: its `is:` becomes the tab where there is one for it. */
export function searchOf({ query, sort }: Pick<NamedQuery, 'query' | 'sort'>): ViewSearch {
  const known = sorts.find(({ value }) => value === sort && value !== 'date')?.value;
  const [, tab, rest = ''] = /^is:(unresolved|resolved|archived)(?:\s+(.*))?$/s.exec(query) ?? [];
  if (tab && !hasTerm(rest, 'is')) {
    const status = tab === 'unresolved' ? undefined : (tab as StatusTab);
    // What listQuery has put in parentheses stands alone again.
    const [only, ...more] = splitTerms(rest);
    const isGroup = more.length === 0 && only?.startsWith('(') === true && / or /i.test(only);
    return { q: (isGroup ? only.slice(1, -1) : rest) || undefined, status, sort: known };
  }
  return { q: query || undefined, status: hasTerm(query, 'is') ? undefined : 'all', sort: known };
}

export const isShown = ({ query, sort }: Pick<NamedQuery, 'query' | 'sort'>, search: IssueListSearch): boolean =>
  listQuery(search) === query && (search.sort ?? 'date') === (sort || 'date');

/** The text without what it says of the status itself, so that a tab can. */
export function withoutStatus(query: string | undefined): string | undefined {
  const terms = splitTerms(query ?? '');
  return terms.filter((term) => !/^!?is:/.test(term)).join(' ') || undefined;
}
