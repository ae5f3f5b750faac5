import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Filters } from '../../features/filters/filters.ts';
import { issuesQuery } from '../../features/issues/queries.ts';
import { EventCount } from '../../features/issues/EventCount.tsx';
import { IssueLine } from '../../features/releases/IssueLine.tsx';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/release.ts';
import { DataList } from '../../ui/DataList.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

const shown = 10;
/** All that is still stored. */
const range = '90d';

/** Issues that were first seen in this release, most events first. */
export function NewIssues({ release, filters }: { readonly release: ReleaseDetail; readonly filters: Filters }) {
  const query = termText('firstRelease', release.version);
  const asked = { project: filters.project, environment: filters.environment, range };
  const list = useQuery(
    issuesQuery({
      org: useOrg(),
      query,
      sort: 'freq',
      limit: shown,
      filters: asked,
    }),
  );
  return (
    <Panel
      title={m.newIssues}
      id="new-issues"
      count={release.newGroups}
      boxed={false}
      tools={
        release.newGroups > 0 && (
          <Link to="/issues" search={{ q: query, status: 'all', ...asked }}>
            {m.openAsList}
          </Link>
        )
      }
    >
      <QueryView
        query={list}
        loading={m.loadingIssues}
        failed={m.issuesFailed}
        height={44}
        isEmpty={({ issues }) => issues.length === 0}
        empty={<Nothing>{m.noNewIssues}</Nothing>}
      >
        {({ issues }) => (
          <DataList label={m.newIssues}>
            {issues.map((issue) => (
              <IssueLine
                key={issue.id}
                issue={issue}
                end={
                  <>
                    <span>{m.eventCount({ count: Number(issue.count), n: <EventCount of={issue} /> })}</span>
                    <Time at={issue.lastSeen} />
                  </>
                }
              />
            ))}
          </DataList>
        )}
      </QueryView>
    </Panel>
  );
}
