import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { rangeLabel } from '../../features/filters/range-words.ts';
import { ofItsProject } from '../../features/filters/travel.ts';
import { longestRange } from '../../features/filters/widen.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { NoSpans } from '../../features/performance/NoSpans.tsx';
import { PerformanceTabs } from '../../features/performance/PerformanceTabs.tsx';
import { vitalsQuery, vitalsRange } from '../../features/performance/queries.ts';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { vitalNames } from '../../features/performance/vitals.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { performance } from '../../messages/places.ts';
import * as m from '../../messages/vitals.ts';
import { Columns } from '../../ui/Layout.tsx';
import { Crumbs, PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { Causes } from './Causes.tsx';
import { noneInRange } from './empty.ts';
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
  useTitle(page, m.title);
  const group = all.data?.[0];
  const fill = useThrottled(refresh, 1000);
  useLive((message) => {
    if (message.type === 'reconnected' || (message.type === 'spans' && !group)) fill();
  });
  const vital = vitalNames.find((one) => one === search.vital) ?? group?.vitals[0]?.vital ?? 'lcp';

  return (
    <>
      <PageBar
        title={
          page === undefined ? (
            performance
          ) : (
            <Crumbs>
              <Link to="/performance/vitals">{m.title}</Link>
              <span title={page} translate="no">
                {page}
              </span>
            </Crumbs>
          )
        }
      >
        <FilterBar project={page === undefined} fallbackRange={vitalsRange} />
      </PageBar>
      <PerformanceTabs />
      <QueryView
        query={all}
        loading={m.loading}
        failed={m.failed}
        rows={8}
        height={60}
        cancel={() => void queries.cancelQueries({ queryKey: ['performance', org, 'vitals'] })}
      >
        {([found]) =>
          found ? (
            <div className={styles.page}>
              <VitalCards group={found} chosen={vital} />
              <OverTime search={search} vital={vital} />
              {page === undefined ? (
                <Pages search={search} />
              ) : (
                search.project && <Causes search={search} page={page} />
              )}
              <Columns min={480} gap={24}>
                <Groups search={search} by="browser" />
                <Groups search={search} by="device" />
              </Columns>
            </div>
          ) : (
            <NoVitals search={search} />
          )
        }
      </QueryView>
    </>
  );
}

/** Never, not in this time, or not with these filters. */
function NoVitals({ search }: { readonly search: VitalsSearch }) {
  const ever = useQuery(vitalsQuery(useOrg(), { project: search.project, range: longestRange }, 'all'));
  return (
    <QueryView
      query={ever}
      loading={m.loading}
      failed={m.failed}
      height={48}
      empty={<NoSpans project={search.project} kind="pageLoad" />}
    >
      {() => (
        <Empty
          of={noneInRange}
          values={{
            range: rangeLabel(search, vitalsRange),
            isNarrowed: search.environment !== undefined || search.page !== undefined,
          }}
        />
      )}
    </QueryView>
  );
}
