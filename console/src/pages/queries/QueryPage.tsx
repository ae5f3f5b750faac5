import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { rangeLabel } from '../../features/filters/range-words.ts';
import { queryQuery } from '../../features/performance/database-queries.ts';
import styles from '../../features/performance/details.module.css';
import { transactionsRange } from '../../features/performance/queries.ts';
import type { QueriesSearch } from '../../features/performance/search.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { Statement } from '../../features/problem/Statement.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/database-query.ts';
import { performance } from '../../messages/places.ts';
import { Stack } from '../../ui/Layout.tsx';
import { Crumbs, PageBar } from '../../ui/Page.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { Callers } from './Callers.tsx';
import { CallSites } from './CallSites.tsx';
import { notCalled } from './empty-query.ts';
import { Numbers } from './Numbers.tsx';
import { OverTime } from './OverTime.tsx';
import { Samples } from './Samples.tsx';

/** What one query costs, who calls it, and from which line. */
export function QueryPage({ search }: { readonly search: QueriesSearch }) {
  const org = useOrg();
  const queries = useQueryClient();
  const details = useQuery(queryQuery(org, search));
  useCommand('list.refresh', () => void queries.invalidateQueries({ queryKey: ['performance', org, 'query'] }));
  const statement = details.data?.statement ?? '';
  useTitle(statement || m.title, performance);
  const isNone = details.error instanceof ApiError && details.error.code === 'NOT_FOUND';
  return (
    <>
      <PageBar
        title={
          <Crumbs>
            <Link to="/performance/queries">{m.queries}</Link>
            {statement ? (
              <span title={statement} translate="no">
                {statement}
              </span>
            ) : (
              m.title
            )}
          </Crumbs>
        }
      >
        <FilterBar project={false} fallbackRange={transactionsRange} />
      </PageBar>
      {isNone ? (
        <Empty
          of={notCalled}
          values={{ range: rangeLabel(search, transactionsRange), name: <code>{search.query}</code> }}
        />
      ) : (
        <QueryView
          query={details}
          loading={m.loading}
          failed={m.failed}
          rows={8}
          height={60}
          cancel={() => void queries.cancelQueries({ queryKey: ['performance', org, 'query'] })}
        >
          {(found) => (
            <div className={styles.page}>
              <Numbers details={found} />
              <Panel title={m.statement} id="statement" boxed={false}>
                <Statement text={found.statement} label={m.statement} />
              </Panel>
              <OverTime details={found} askedAt={details.dataUpdatedAt} />
              <div className={styles.columns}>
                <Stack gap={24}>
                  <CallSites search={search} />
                  <Samples search={search} />
                </Stack>
                <Callers search={search} />
              </div>
            </div>
          )}
        </QueryView>
      )}
    </>
  );
}
