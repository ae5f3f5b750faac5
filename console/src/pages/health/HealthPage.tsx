import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { accountsQuery, healthQuery, outcomesQuery } from '../../features/intake/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/health.ts';
import { Stack } from '../../ui/Layout.tsx';
import { Column, PageBar, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { AccountTable } from './AccountTable.tsx';
import { DiskUse } from './DiskUse.tsx';
import { JobTable } from './JobTable.tsx';
import { KeptItems } from './KeptItems.tsx';
import { NodeTable } from './NodeTable.tsx';
import { OutcomeChart } from './OutcomeChart.tsx';
import { OutcomeTable } from './OutcomeTable.tsx';
import { ServiceState } from './ServiceState.tsx';

const route = getRouteApi('/shell/health');

/** Whether the service itself is healthy, and the outcome of all that was sent. */
export function HealthPage() {
  const org = useOrg();
  const search = route.useSearch();
  const { project, range, start, end } = search;
  const filters = { project, range, start, end };
  const health = useQuery({ ...healthQuery, refetchInterval: 10_000, refetchOnMount: false });
  const outcomes = useQuery({ ...outcomesQuery(org, filters), refetchInterval: 30_000, refetchOnMount: false });
  const accounts = useQuery({ ...accountsQuery(org, filters), refetchInterval: 30_000, refetchOnMount: false });
  // All answers come together; drawn one by one they would push each other down the page.
  const isEarly = [health, outcomes, accounts].some(({ isPending }) => isPending);
  useTitle(health.data?.status === 'degraded' && m.degraded, m.title);
  return (
    <>
      <PageBar title={m.title}>
        <FilterBar environment={false} fallbackRange="24h" />
      </PageBar>
      <Column wide="full">
        {isEarly ? (
          <Skeleton rows={9} height={64} label={m.loading} />
        ) : (
          <>
            <QueryView query={health} loading={m.loading} failed={m.failed}>
              {(found) => <ServiceState health={found} stale={health.isError} />}
            </QueryView>
            <Section title={m.intake} note={m.intakeNote}>
              <QueryView query={outcomes} loading={m.loading} failed={m.outcomesFailed}>
                {(found) => (
                  <Stack gap={12}>
                    <OutcomeChart outcomes={found} />
                    <OutcomeTable groups={found.groups} />
                  </Stack>
                )}
              </QueryView>
            </Section>
            <Section title={m.accounts} note={m.accountsNote} id="accounts">
              <QueryView query={accounts} loading={m.loading} failed={m.accountsFailed}>
                {(found) => <AccountTable accounts={found.accounts} />}
              </QueryView>
            </Section>
            <KeptItems
              filters={filters}
              filter={{
                ...(search.type && { type: search.type }),
                ...(search.outcome && { outcome: search.outcome }),
                ...(search.reason && { reason: search.reason }),
              }}
              unknown={health.data?.unknownItemTypes ?? []}
            />
            {health.data && (
              <Section title={m.nodes} note={m.nodesNote}>
                <NodeTable nodes={health.data.nodes} />
              </Section>
            )}
            {health.data?.disk && <DiskUse disk={health.data.disk} />}
            {health.data && (
              <Section title={m.jobs} note={m.jobsNote}>
                <JobTable jobs={health.data.jobs} now={health.data.now} />
              </Section>
            )}
          </>
        )}
      </Column>
    </>
  );
}
