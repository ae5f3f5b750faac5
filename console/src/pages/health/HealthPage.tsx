import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { healthQuery, outcomesQuery } from '../../features/intake/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Column, PageBar, Section } from '../../ui/Page.tsx';
import { BusyBar, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { JobTable } from './JobTable.tsx';
import { KeptItems } from './KeptItems.tsx';
import { OutcomeChart } from './OutcomeChart.tsx';
import { OutcomeTable } from './OutcomeTable.tsx';
import { ServiceState } from './ServiceState.tsx';

const route = getRouteApi('/shell/health');

/** Is the service itself well, and what became of everything that was sent. */
export function HealthPage() {
  const org = useOrg();
  const search = route.useSearch();
  const { project, range, start, end } = search;
  const filters = { project, range, start, end };
  const health = useQuery({ ...healthQuery, refetchInterval: 10_000, refetchOnMount: false });
  const outcomes = useQuery({ ...outcomesQuery(org, filters), refetchInterval: 30_000, refetchOnMount: false });
  // Both answers come together; drawn one by one they would push each other down the page.
  const loading = health.isPending || outcomes.isPending;
  useTitle(health.data?.status === 'degraded' && 'Degraded', 'Health');
  return (
    <>
      <PageBar title="Health">
        <FilterBar environment={false} fallbackRange="24h" />
      </PageBar>
      <BusyBar busy={!loading && (health.isFetching || outcomes.isFetching)} />
      <Column wide="full">
        {loading ? (
          <Skeleton rows={9} height={64} label="Loading health" />
        ) : (
          <>
            {health.data ? (
              <ServiceState health={health.data} stale={health.isError} />
            ) : (
              <ErrorState error={health.error} retry={() => void health.refetch()} what="Health could not be loaded" />
            )}
            <Section title="Intake" note="Each item received counts as exactly one of these.">
              {outcomes.data ? (
                <>
                  <OutcomeChart outcomes={outcomes.data} />
                  <OutcomeTable groups={outcomes.data.groups} />
                </>
              ) : (
                <ErrorState
                  error={outcomes.error}
                  retry={() => void outcomes.refetch()}
                  what="The outcomes could not be loaded"
                />
              )}
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
              <Section title="Background work" note="Runs automatically. Failed runs are retried at growing intervals.">
                <JobTable jobs={health.data.jobs} now={health.data.now} />
              </Section>
            )}
          </>
        )}
      </Column>
    </>
  );
}
