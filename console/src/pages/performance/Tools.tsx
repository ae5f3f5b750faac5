import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ExploreIcon } from '../../ui/icons.ts';
import { useRef } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { exploreRequests } from '../../features/explore/links.ts';
import { transactionSorts, type ListSearch, type TransactionSort } from '../../features/performance/search.ts';
import { releasesQuery } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import fieldStyles from '../../ui/Field.module.css';
import { InlineSelect } from '../../ui/Field.tsx';
import styles from './PerformancePage.module.css';

const sortLabels: Readonly<Record<TransactionSort, string>> = {
  total: 'Total time',
  count: 'Throughput',
  failure: 'Failure rate',
  p50: 'p50',
  p75: 'p75',
  p95: 'p95',
  p99: 'p99',
  apdex: 'Apdex, lowest first',
  users: 'Users',
  name: 'Name',
};

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
    <form
      className={styles.tools}
      onSubmit={(event) => {
        event.preventDefault();
        const q = String(new FormData(event.currentTarget).get('name') ?? '').trim();
        change({ q: q || undefined });
      }}
    >
      <input
        key={search.q}
        ref={box}
        name="name"
        type="search"
        className={fieldStyles.input}
        aria-label="Part of the name"
        defaultValue={search.q}
        placeholder="Name, such as /cart"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
      />
      <InlineSelect
        label="Release"
        value={search.release ?? ''}
        onChange={(event) => change({ release: event.target.value || undefined })}
      >
        <option value="">All releases</option>
        {shown.map((version) => (
          <option key={version} value={version}>
            {version}
          </option>
        ))}
      </InlineSelect>
      <InlineSelect
        label="Sort by"
        value={search.sort ?? 'total'}
        onChange={(event) => {
          const sort = transactionSorts.find((each) => each === event.target.value);
          change({ sort: sort === 'total' ? undefined : sort });
        }}
      >
        {transactionSorts.map((value) => (
          <option key={value} value={value}>
            {sortLabels[value]}
          </option>
        ))}
      </InlineSelect>
      <Link to="/explore" search={exploreRequests(search)} className={buttonClass('ghost')}>
        <ExploreIcon size={14} /> Explore these
      </Link>
    </form>
  );
}
