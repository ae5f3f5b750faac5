import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { exploreRequests } from '../../features/explore/links.ts';
import { transactionSortOf, transactionSorts } from '../../features/performance/queries.ts';
import type { ListSearch } from '../../features/performance/search.ts';
import { releasesQuery } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/performance.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { ExploreIcon } from '../../ui/icons.ts';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';

const route = getRouteApi('/shell/performance');

/** Text, release and order of the list, all of them in the address. */
export function Tools({ search }: { readonly search: ListSearch }) {
  const navigate = route.useNavigate();
  const { data: releases } = useQuery(releasesQuery(useOrg(), { project: search.project }));
  const box = useRef<HTMLInputElement>(null);
  useCommand('list.search', () => box.current?.focus());
  const change = (changes: Partial<ListSearch>): void =>
    void navigate({ search: (before) => ({ ...before, cursor: undefined, ...changes }) });
  const versions = releases?.releases.map(({ version }) => version) ?? [];
  const shown = search.release && !versions.includes(search.release) ? [search.release, ...versions] : versions;
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
        label={m.release}
        value={search.release ?? ''}
        onChange={(event) => change({ release: event.target.value || undefined })}
      >
        <option value="">{m.allReleases}</option>
        {shown.map((version) => (
          <option key={version} value={version} translate="no">
            {version}
          </option>
        ))}
      </InlineSelect>
      <InlineSelect
        label={m.sortBy}
        value={transactionSortOf(search.sort)}
        onChange={(event) => {
          const sort = transactionSortOf(event.target.value);
          change({ sort: sort === 'total' ? undefined : sort });
        }}
      >
        {transactionSorts.map((value) => (
          <option key={value} value={value}>
            {m.sorts[value]}
          </option>
        ))}
      </InlineSelect>
      <Link to="/explore" search={exploreRequests(search)} className={buttonClass('ghost')}>
        <ExploreIcon size={14} /> {m.explore}
      </Link>
    </Toolbar>
  );
}
