import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import * as m from '../../messages/now.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { nowQuery } from '../../features/now/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { PageBar } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { Beside } from './Beside.tsx';
import { Charts } from './Charts.tsx';
import { noProject, waiting } from './empty.ts';
import { News } from './News.tsx';
import styles from './NowPage.module.css';
import { Verdict } from './Verdict.tsx';

/** Queried again this often, and when something new is stored. */
const refreshMs = 60_000;
const throttleMs = 5_000;

/** Whether something is wrong, and what changed. */
export function NowPage() {
  const org = useOrg();
  const search = useSearch({ from: '/shell' });
  const queries = useQueryClient();
  const asked = nowQuery(org, search);
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const answer = useQuery({ ...asked, refetchOnMount: false, refetchInterval: refreshMs });
  const { data: projects } = useQuery(projectsQuery(org));
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['now', org] });
  const soon = useThrottled(refresh, throttleMs);
  useCommand('list.refresh', refresh);
  useLive((message) => {
    if (message.type === 'reconnected' || message.type === 'events' || message.type === 'issues') soon();
  });
  const project = projects?.find((each) => each.slug === search.project);
  const now = answer.data;
  useTitle(now && now.counts.fresh > 0 && m.newTitle({ count: now.counts.fresh }), m.title, project?.name);

  return (
    <>
      <PageBar title={m.title}>
        <FilterBar range={false} />
      </PageBar>
      <QueryView
        query={answer}
        loading={m.loading}
        failed={m.failed}
        rows={4}
        height={120}
        cancel={() => void queries.cancelQueries(asked)}
      >
        {(data) =>
          data.level === 'empty' ? (
            <Waiting slug={(project ?? projects?.find((each) => !each.isInternal))?.slug} />
          ) : (
            <div className={styles.page}>
              <Verdict now={{ ...data, level: data.level }} />
              <Charts now={data} />
              <div className={styles.parts}>
                <News now={data} showProject={search.project === undefined && (projects?.length ?? 0) > 1} />
                <Beside now={data} />
              </div>
            </div>
          )
        }
      </QueryView>
    </>
  );
}

function Waiting({ slug }: { readonly slug: string | undefined }) {
  const may = useMay('project:write');
  return slug === undefined ? <Empty of={noProject} mayAct={may} /> : <Empty of={waiting} values={{ slug }} />;
}
