import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { useCommand } from '../../features/commands/commands.ts';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { useLive } from '../../features/live/live.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { releasesQuery } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/releases.ts';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { withUnit } from '../../ui/numbers.ts';
import { PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { noMatch } from './empty.ts';
import { ListTools } from './ListTools.tsx';
import { LeftOut } from './LeftOut.tsx';
import { NoReleases } from './NoReleases.tsx';
import { ReleaseRow } from './ReleaseRow.tsx';

const route = getRouteApi('/shell/releases');

/** Releases, with the new issues and the health of each. */
export function ReleasesPage() {
  const org = useOrg();
  const search = route.useSearch();
  const queries = useQueryClient();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const list = useQuery({ ...releasesQuery(org, search), refetchOnMount: false });
  const { data: projects } = useQuery(projectsQuery(org));
  const page = useRef<HTMLDivElement>(null);
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['releases', org, 'list'] });
  useRowKeys(page);
  useCommand('list.refresh', refresh);
  useCommand('list.search', () => page.current?.querySelector('input')?.focus());
  const releases = list.data?.releases ?? [];
  // Columns of dashes would tell nothing.
  const showHealth = releases.some(({ health }) => health !== undefined && health.sessions.total > 0);
  useLive((message) => {
    // Rows do not move under the reader's eyes; an empty list updates automatically.
    if (message.type === 'reconnected' || (message.type === 'events' && releases.length === 0)) refresh();
  });
  const project = projects?.find((each) => each.slug === search.project);
  useTitle(m.title, project?.name);
  const narrowed = search.q || search.status || search.environment || search.range || search.start;

  const spare = showHealth ? 'wide' : 'narrow';

  return (
    <>
      <PageBar title={m.title}>
        <FilterBar fallbackRange="" />
      </PageBar>
      <div ref={page}>
        <ListTools search={search} />
        {list.data && <LeftOut leftOut={list.data.leftOut} />}
        <QueryView
          query={list}
          loading={m.loading}
          failed={m.failed}
          rows={10}
          height={54}
          cancel={() => void queries.cancelQueries({ queryKey: ['releases', org, 'list'] })}
          isEmpty={() => releases.length === 0}
          empty={narrowed ? <Empty of={noMatch} /> : <NoReleases project={project ?? projects?.[0]} />}
        >
          {() => (
            <DataTable
              label={m.title}
              head={
                <>
                  <HeadCell main>{m.release}</HeadCell>
                  {showHealth && (
                    <>
                      <HeadCell number hide="narrow">
                        {m.crashFreeSessions}
                      </HeadCell>
                      <HeadCell number hide="wide">
                        {m.crashFreeUsers}
                      </HeadCell>
                      <HeadCell number hide="narrow">
                        {m.adoption({ period: withUnit(24, 'h') })}
                      </HeadCell>
                      <HeadCell hide="wide">
                        {m.sessions({ period: search.range ?? (search.start ? m.customRange : withUnit(14, 'd')) })}
                      </HeadCell>
                    </>
                  )}
                  <HeadCell number hide="narrow">
                    {m.newIssues}
                  </HeadCell>
                  <HeadCell number hide="narrow">
                    {m.events}
                  </HeadCell>
                  <HeadCell number hide={spare}>
                    {m.commits}
                  </HeadCell>
                  <HeadCell number hide={spare}>
                    {m.released}
                  </HeadCell>
                  <HeadCell number hide="narrow">
                    {m.lastEvent}
                  </HeadCell>
                </>
              }
            >
              {releases.map((release) => (
                <ReleaseRow
                  key={release.id}
                  release={release}
                  among={releases}
                  showProjects={search.project === undefined}
                  showHealth={showHealth}
                />
              ))}
            </DataTable>
          )}
        </QueryView>
        <PageLinks list="/releases" cursors={list.data} cursor={search.cursor} />
      </div>
    </>
  );
}
