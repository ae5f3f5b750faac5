import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { rangeLabel } from '../../features/filters/range-words.ts';
import { ofItsProject } from '../../features/filters/travel.ts';
import { useLive } from '../../features/live/live.ts';
import { transactionQuery, transactionsRange } from '../../features/performance/queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { performance } from '../../messages/places.ts';
import * as m from '../../messages/transaction.ts';
import { Stack } from '../../ui/Layout.tsx';
import { Crumbs, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { Chosen } from './Chosen.tsx';
import { Durations } from './Durations.tsx';
import { noneInRange } from './empty.ts';
import { Numbers } from './Numbers.tsx';
import { Operations } from './Operations.tsx';
import { OverTime } from './OverTime.tsx';
import { PageVitals } from './PageVitals.tsx';
import { Samples } from './Samples.tsx';
import { SlowTags } from './SlowTags.tsx';
import { TransactionIssues } from './TransactionIssues.tsx';
import styles from '../../features/performance/details.module.css';

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
  useTitle(name, performance);
  const isNone = details.error instanceof ApiError && details.error.code === 'NOT_FOUND';

  return (
    <>
      <PageBar
        title={
          <Crumbs>
            <Link to="/performance">{performance}</Link>
            <span title={name} translate="no">
              {name}
            </span>
          </Crumbs>
        }
      >
        <FilterBar project={false} fallbackRange={transactionsRange} />
      </PageBar>
      <Chosen search={search} />
      {isNone ? (
        <NotSeen search={search} />
      ) : (
        <QueryView
          query={details}
          loading={m.loading}
          failed={m.failed}
          rows={8}
          height={60}
          cancel={() => void queries.cancelQueries({ queryKey: ['performance', org, 'one'] })}
        >
          {(found) => (
            <div className={styles.page}>
              <Numbers details={found} />
              <OverTime details={found} askedAt={details.dataUpdatedAt} />
              <Durations details={found} search={search} />
              <div className={styles.columns}>
                <Stack gap={24}>
                  <Operations search={search} />
                  <Samples search={search} />
                </Stack>
                <Stack gap={24}>
                  <SlowTags search={search} />
                  <PageVitals search={search} />
                  <TransactionIssues search={search} />
                </Stack>
              </div>
            </div>
          )}
        </QueryView>
      )}
    </>
  );
}

function NotSeen({ search }: { readonly search: TransactionSearch }) {
  const { transaction, op } = search;
  return (
    <Empty
      of={noneInRange}
      values={{
        range: rangeLabel(search, transactionsRange),
        name: <code>{transaction}</code>,
        op: op && <code>{op}</code>,
      }}
    />
  );
}
