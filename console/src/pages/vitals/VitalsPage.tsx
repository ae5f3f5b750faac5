import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { lasting, rangeLabel } from '../../features/filters/filters.ts';
import { chosen, ofItsProject } from '../../features/filters/travel.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { PerformanceTabs } from '../../features/performance/PerformanceTabs.tsx';
import { vitalsQuery, vitalsRange } from '../../features/performance/queries.ts';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { Causes } from './Causes.tsx';
import { Groups } from './Groups.tsx';
import { OverTime } from './OverTime.tsx';
import { Pages } from './Pages.tsx';
import { VitalCards } from './VitalCards.tsx';
import styles from './VitalsPage.module.css';

const route = getRouteApi('/shell/performance/vitals');

/** How fast pages feel: all of them, or one with what makes it so. */
export function VitalsPage() {
  const org = useOrg();
  const search = ofItsProject(route.useSearch());
  const queries = useQueryClient();
  const { page } = search;
  const all = useQuery({ ...vitalsQuery(org, search, 'all', page), refetchOnMount: false });
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['performance', org, 'vitals'] });
  useCommand('list.refresh', refresh);
  useTitle(page, 'Web vitals');
  const group = all.data?.[0];
  const fill = useThrottled(refresh, 1000);
  useLive((message) => {
    if (message.type === 'reconnected' || (message.type === 'spans' && !group)) fill();
  });
  const vital = search.vital ?? group?.vitals[0]?.vital ?? 'lcp';

  return (
    <>
      <PageBar
        title={
          page === undefined ? (
            'Performance'
          ) : (
            <span className={styles.crumbs}>
              <Link to="/performance/vitals">Web vitals</Link>
              <span aria-hidden="true">/</span>
              <span className={styles.crumb} title={page}>
                {page}
              </span>
            </span>
          )
        }
      >
        <FilterBar project={page === undefined} fallbackRange={vitalsRange} />
      </PageBar>
      <PerformanceTabs />
      <BusyBar
        busy={all.isFetching && all.data !== undefined}
        cancel={() => void queries.cancelQueries({ queryKey: ['performance', org, 'vitals'] })}
      />
      {all.isPending ? (
        <Skeleton rows={8} height={60} label="Loading web vitals" />
      ) : all.isError && !all.data ? (
        <ErrorState error={all.error} retry={() => void all.refetch()} what="The web vitals could not be loaded" />
      ) : !group ? (
        <NoVitals search={search} />
      ) : (
        <div className={styles.page}>
          <VitalCards group={group} chosen={vital} />
          <OverTime search={search} vital={vital} />
          {page === undefined ? <Pages search={search} /> : search.project && <Causes search={search} page={page} />}
          <div className={styles.groups}>
            <Groups search={search} by="browser" title="Browsers" />
            <Groups search={search} by="device" title="Devices" />
          </div>
        </div>
      )}
    </>
  );
}

/** Never, not in this time, or not with these filters. */
function NoVitals({ search }: { readonly search: VitalsSearch }) {
  const longest = '90d';
  const ever = useQuery(vitalsQuery(useOrg(), { project: search.project, range: longest }, 'all'));
  if (ever.isPending) return <Skeleton rows={3} height={48} label="Looking for page loads" />;
  if (ever.data?.length === 0) return <NoSpans project={search.project} what="page load" />;
  return (
    <EmptyState
      title={`No web vital in this time: ${rangeLabel(search, vitalsRange)}`}
      icon={<NotFoundIcon size={24} />}
    >
      <p>
        There are some in the last 90 days{search.environment || search.page ? ', perhaps with other filters' : ''}.
      </p>
      <Link
        from="/performance/vitals"
        to="."
        search={({ project, elsewhere }) =>
          chosen({ project, elsewhere }, { environment: undefined, ...lasting(longest) })
        }
        className={buttonClass('primary')}
      >
        Show the last 90 days
      </Link>
    </EmptyState>
  );
}
