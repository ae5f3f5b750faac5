import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { queriesQuery, querySortOf, querySorts } from '../../features/performance/database-queries.ts';
import { PerformanceTabs } from '../../features/performance/PerformanceTabs.tsx';
import { transactionsRange } from '../../features/performance/queries.ts';
import type { QueriesSearch } from '../../features/performance/search.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/database-queries.ts';
import { performance } from '../../messages/places.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';
import { noMatch, noQueries } from './empty.ts';
import { QueryTable } from './QueryTable.tsx';

const route = getRouteApi('/shell/performance/queries');

/** Which queries take the database's time, and who calls them. */
export function QueryList({ search }: { readonly search: QueriesSearch }) {
  const org = useOrg();
  const queries = useQueryClient();
  const found = useQuery(queriesQuery(org, search));
  const { data: projects } = useQuery(projectsQuery(org));
  const rows = useRef<HTMLTableSectionElement>(null);
  useRowKeys(rows);
  useCommand('list.refresh', () => void queries.invalidateQueries({ queryKey: ['performance', org, 'queries'] }));
  useTitle(m.title);
  const isNarrowed = [search.q, search.environment, search.cursor].some(Boolean);
  return (
    <>
      <PageBar title={performance}>
        <FilterBar fallbackRange={transactionsRange} />
      </PageBar>
      <PerformanceTabs />
      <Tools search={search} />
      <QueryView
        query={found}
        loading={m.loading}
        failed={m.failed}
        rows={12}
        height={48}
        cancel={() => void queries.cancelQueries({ queryKey: ['performance', org, 'queries'] })}
        empty={<Empty of={isNarrowed ? noMatch : noQueries} />}
        isEmpty={(page) => page.queries.length === 0}
      >
        {(page) => (
          <QueryTable
            rows={rows}
            page={page}
            search={search}
            showProject={search.project === undefined && (projects ?? []).filter((each) => !each.isInternal).length > 1}
            busy={found.isFetching}
          />
        )}
      </QueryView>
      <PageLinks list="/performance/queries" cursors={found.data} cursor={search.cursor} />
    </>
  );
}

/** Text and order of the list, both in the address. */
function Tools({ search }: { readonly search: QueriesSearch }) {
  const navigate = route.useNavigate();
  const box = useRef<HTMLInputElement>(null);
  useCommand('list.search', () => box.current?.focus());
  const change = (changes: Partial<QueriesSearch>): void =>
    void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
  return (
    <Toolbar>
      <SearchInput
        key={search.q}
        ref={box}
        label={m.search}
        defaultValue={search.q}
        placeholder={m.searchHint}
        maxLength={200}
        onSearch={(text) => change({ q: text || undefined })}
      />
      <InlineSelect
        label={m.sortBy}
        value={querySortOf(search.sort)}
        onChange={(event) => {
          const sort = querySortOf(event.target.value);
          change({ sort: sort === 'total' ? undefined : sort });
        }}
      >
        {querySorts.map((value) => (
          <option key={value} value={value}>
            {m.sorts[value]}
          </option>
        ))}
      </InlineSelect>
    </Toolbar>
  );
}
