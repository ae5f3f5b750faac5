import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { ApiError } from '../../api/errors.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { rangeLabel } from '../../features/filters/filters.ts';
import { ofItsProject } from '../../features/filters/travel.ts';
import { useLive } from '../../features/live/live.ts';
import { inLongestTime } from '../../features/performance/links.ts';
import { transactionQuery, transactionsRange } from '../../features/performance/queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { Chosen } from './Chosen.tsx';
import { Durations } from './Durations.tsx';
import { Facts } from './Facts.tsx';
import { Operations } from './Operations.tsx';
import { OverTime } from './OverTime.tsx';
import { PageVitals } from './PageVitals.tsx';
import { Samples } from './Samples.tsx';
import { SlowTags } from './SlowTags.tsx';
import { TransactionIssues } from './TransactionIssues.tsx';
import styles from './TransactionPage.module.css';

const route = getRouteApi('/shell/performance/transaction');

/** Why one transaction is slow: when it began, for how many, what it waits for, and for whom. */
export function TransactionPage() {
  const org = useOrg();
  const search = ofItsProject(route.useSearch());
  const queries = useQueryClient();
  const details = useQuery({ ...transactionQuery(org, search), refetchOnMount: false });
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['performance', org, 'one'] });
  useCommand('list.refresh', refresh);
  useLive((message) => {
    if (message.type === 'reconnected') refresh();
  });
  const name = search.transaction ?? '';
  useTitle(name, 'Performance');
  const isNone = details.error instanceof ApiError && details.error.code === 'NOT_FOUND';

  return (
    <>
      <PageBar
        title={
          <span className={styles.crumbs}>
            <Link to="/performance">Performance</Link>
            <span aria-hidden="true">/</span>
            <span className={styles.crumb} title={name}>
              {name}
            </span>
          </span>
        }
      >
        <FilterBar project={false} fallbackRange={transactionsRange} />
      </PageBar>
      <BusyBar
        busy={details.isFetching && details.data !== undefined}
        cancel={() => void queries.cancelQueries({ queryKey: ['performance', org, 'one'] })}
      />
      <Chosen search={search} />
      {details.isPending ? (
        <Skeleton rows={8} height={60} label="Loading the transaction" />
      ) : isNone ? (
        <NotSeen search={search} />
      ) : details.isError ? (
        <ErrorState error={details.error} retry={() => void details.refetch()} what="It could not be loaded" />
      ) : (
        <div className={styles.page}>
          <Facts details={details.data} />
          <OverTime details={details.data} askedAt={details.dataUpdatedAt} />
          <Durations details={details.data} search={search} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <Operations search={search} />
              <Samples search={search} />
            </div>
            <div className={styles.column}>
              <SlowTags search={search} />
              <PageVitals search={search} />
              <TransactionIssues search={search} />
            </div>
          </div>
        </div>
      )}
    </>
  );
}

function NotSeen({ search }: { readonly search: TransactionSearch }) {
  return (
    <EmptyState
      title={`Not seen in this time: ${rangeLabel(search, transactionsRange)}`}
      icon={<NotFoundIcon size={24} />}
    >
      <p>
        No <code>{search.transaction}</code>
        {search.op && (
          <>
            {' '}
            with the op <code>{search.op}</code>
          </>
        )}{' '}
        arrived with these filters.
      </p>
      <Link from="/performance/transaction" to="." search={inLongestTime} className={buttonClass('primary')}>
        Look in the last 90 days
      </Link>
    </EmptyState>
  );
}
