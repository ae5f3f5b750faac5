import { useNavigate } from '@tanstack/react-router';
import * as m from '../../messages/issues.ts';
import { askable, namesFailure } from '../../features/find/pasted.ts';
import { freshSearch } from '../../features/find/places.ts';
import { categoryOfQuery, issueCategories, withCategory } from '../../features/issues/category.ts';
import { queryBefore, type IssueListSearch } from '../../features/issues/list-question.ts';
import { SearchBox } from '../../features/search-box/SearchBox.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import styles from './IssuesPage.module.css';
import { SavedSearches } from './SavedSearches.tsx';
import { sorts } from './views.ts';

/** Which issues, in which order. */
export function ListTools({
  search,
  error,
  onSearch,
}: {
  readonly search: IssueListSearch;
  readonly error: unknown;
  readonly onSearch: (query: string) => void;
}) {
  const navigate = useNavigate({ from: '/issues' });
  const query = search.q ?? '';
  return (
    <div className={styles.above}>
      <SearchBox
        value={query}
        dataSet="issues"
        label={m.search}
        placeholder={m.searchPlaceholder}
        error={error}
        sentBefore={queryBefore(search)}
        onSearch={onSearch}
        onPastedWhole={(text) => {
          // The text of an error page is no search, and goes to Find.
          if (!namesFailure(text)) return false;
          void navigate({ to: '/find', search: freshSearch(askable(text)) });
          return true;
        }}
      />
      <InlineSelect
        label={m.kind}
        value={categoryOfQuery(query)}
        onChange={(event) => onSearch(withCategory(query, event.target.value))}
      >
        {issueCategories.map((category) => (
          <option key={category.value} value={category.value}>
            {category.label}
          </option>
        ))}
      </InlineSelect>
      <InlineSelect
        label={m.sortBy}
        value={search.sort ?? 'date'}
        onChange={(event) => {
          const sort = sorts.find(({ value }) => value === event.target.value && value !== 'date')?.value;
          void navigate({ search: (before) => ({ ...before, sort, cursor: undefined }) });
        }}
      >
        {sorts.map((sort) => (
          <option key={sort.value} value={sort.value}>
            {sort.label}
          </option>
        ))}
      </InlineSelect>
      <SavedSearches search={search} />
    </div>
  );
}
