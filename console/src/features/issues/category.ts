/** The part of a search that chooses between errors and performance problems. Pure. */
import * as m from '../../messages/issues.ts';
import { splitTerms, withTerm } from './query-terms.ts';

export const issueCategories = [
  { value: '', label: m.kinds.all },
  { value: 'error', label: m.kinds.error },
  { value: 'performance', label: m.kinds.performance },
] as const;

const key = 'issue.category:';

/** What the search selects; '' for all, and for what the choice does not offer. */
export function categoryOfQuery(query: string): string {
  const found = splitTerms(query).find((each) => each.startsWith(key));
  return issueCategories.find(({ value }) => value !== '' && found === `${key}${value}`)?.value ?? '';
}

/** The search with another choice. */
export function withCategory(query: string, category: string): string {
  const others = splitTerms(query).filter((each) => !each.startsWith(key));
  return withTerm(others.join(' '), category && `${key}${category}`);
}
