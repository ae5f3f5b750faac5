import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { NotFoundIcon, RemoveIcon } from '../../ui/icons.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { transactionsQuery, transactionsRange } from '../../features/performance/queries.ts';
import type { ListSearch } from '../../features/performance/search.ts';
import { lasting, rangeLabel } from '../../features/filters/filters.ts';
import { chosen } from '../../features/filters/travel.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { EmptyState, Skeleton } from '../../ui/State.tsx';
import styles from './PerformancePage.module.css';

const longest = '90d';

/** Why there is no row: nothing was ever sent, nothing in this time, or nothing that fulfils the filters. */
export function NothingListed({ search }: { readonly search: ListSearch }) {
  const navigate = useNavigate({ from: '/performance' });
  const ever = useQuery(transactionsQuery(useOrg(), { project: search.project, range: longest }, 1));
  if (ever.isPending) return <Skeleton rows={3} height={48} label="Looking for transactions" />;
  if (ever.data?.transactions.length === 0) return <NoSpans project={search.project} />;
  const { q, release, environment, cursor } = search;
  const filters = (['q', 'release', 'environment'] as const).filter((name) => search[name]);
  if (!q && !release && !environment && !cursor)
    return (
      <EmptyState
        title={`No transaction in this time: ${rangeLabel(search, transactionsRange)}`}
        icon={<NotFoundIcon size={24} />}
      >
        <p>There are earlier ones.</p>
        <Link
          from="/performance"
          to="."
          search={(before) => chosen(before, lasting(longest))}
          className={buttonClass('primary')}
        >
          Show the last 90 days
        </Link>
      </EmptyState>
    );
  const { project, elsewhere } = search;
  const cleared = chosen({ project, elsewhere }, { environment: undefined, ...lasting() });
  return (
    <EmptyState title="No transaction matches" icon={<NotFoundIcon size={24} />}>
      <ul className={styles.chips} aria-label="Filters">
        {filters.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={styles.chip}
              aria-label={`Remove ${name === 'q' ? 'name' : name} ${search[name]}`}
              onClick={() =>
                void navigate({
                  search: (before) =>
                    name === 'environment'
                      ? chosen(before, { environment: undefined })
                      : { ...before, cursor: undefined, [name]: undefined },
                })
              }
            >
              <code>
                {name === 'q' ? 'name' : name}: {search[name]}
              </code>
              <RemoveIcon size={12} />
            </button>
          </li>
        ))}
      </ul>
      <Button onClick={() => void navigate({ search: cleared })}>Clear all filters</Button>
    </EmptyState>
  );
}
