import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { WaitingIcon } from '../../ui/icons.ts';
import { useCommand } from '../../features/commands/commands.ts';
import { FilterBar } from '../../features/filters/FilterBar.tsx';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { nowQuery } from '../../features/now/queries.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { Beside } from './Beside.tsx';
import { Charts } from './Charts.tsx';
import { News } from './News.tsx';
import styles from './NowPage.module.css';
import { Verdict } from './Verdict.tsx';

/** Asked again by itself this often, and when something new is stored. */
const refreshMs = 60_000;
const throttleMs = 5_000;

/** Is something wrong, and what changed. */
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
  useTitle(now && now.counts.fresh > 0 && `${now.counts.fresh} new`, 'Now', project?.name);

  return (
    <>
      <PageBar title="Now">
        <FilterBar range={false} />
      </PageBar>
      <BusyBar busy={answer.isFetching && now !== undefined} cancel={() => void queries.cancelQueries(asked)} />
      {answer.isPending ? (
        <Skeleton rows={4} height={120} label="Loading what is new" />
      ) : now === undefined ? (
        <ErrorState error={answer.error} retry={() => void answer.refetch()} what="This could not be loaded" />
      ) : now.level === 'empty' ? (
        <Waiting slug={(project ?? projects?.find((each) => !each.isInternal))?.slug} />
      ) : (
        <div className={styles.page}>
          <Verdict now={{ ...now, level: now.level }} />
          <Charts now={now} />
          <div className={styles.columns}>
            <News now={now} showProject={search.project === undefined && (projects?.length ?? 0) > 1} />
            <Beside now={now} />
          </div>
        </div>
      )}
    </>
  );
}

function Waiting({ slug }: { readonly slug: string | undefined }) {
  return (
    <EmptyState title="Waiting for the first event…" icon={<WaitingIcon size={24} />}>
      <p>Nothing received yet. This page updates automatically when the first error or trace arrives.</p>
      {slug === undefined ? (
        <Link to="/projects/new" className={buttonClass('primary')}>
          Create a project
        </Link>
      ) : (
        <Link to="/projects/$slug/setup" params={{ slug }} className={buttonClass('primary')}>
          Show the set-up steps
        </Link>
      )}
    </EmptyState>
  );
}
