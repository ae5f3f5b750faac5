import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { NotFoundIcon } from '../../ui/icons.ts';
import { ApiError } from '../../api/errors.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { releaseQuery } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { SymbolicationProgress } from '../../features/source-maps/SymbolicationProgress.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { Artifacts } from './Artifacts.tsx';
import { Commits } from './Commits.tsx';
import { Deploys } from './Deploys.tsx';
import { Health } from './Health.tsx';
import { NewIssues } from './NewIssues.tsx';
import { ReleaseFacts } from './ReleaseFacts.tsx';
import { ReleaseHeader } from './ReleaseHeader.tsx';
import styles from './ReleasePage.module.css';

const route = getRouteApi('/shell/releases/$version');

/** What a release brought: new issues first, then what is in it and where it runs. */
export function ReleasePage() {
  const org = useOrg();
  const { version } = route.useParams();
  const filters = route.useSearch();
  const queries = useQueryClient();
  // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
  const release = useQuery({ ...releaseQuery(org, version, filters), refetchOnMount: false });
  useTitle(version, 'Releases');
  const follow = useThrottled(
    () => void queries.invalidateQueries({ queryKey: ['releases', org, 'one', version] }),
    5000,
  );
  const slugs = release.data?.projects.map((project) => project.slug) ?? [];
  useLive((message) => {
    if (message.type === 'reconnected' || (message.type === 'events' && slugs.includes(message.projectSlug))) follow();
  });

  if (release.isPending) return <Skeleton rows={8} height={64} label="Loading release" />;
  if (release.isError && !release.data) {
    if (release.error instanceof ApiError && release.error.status === 404)
      return (
        <EmptyState level={1} title={`There is no release ${version}`} icon={<NotFoundIcon size={24} />}>
          <p>It may have been deleted, or no event has named it yet.</p>
          <Link to="/releases" className={buttonClass()}>
            Go to releases
          </Link>
        </EmptyState>
      );
    return (
      <ErrorState error={release.error} retry={() => void release.refetch()} what="The release could not be loaded" />
    );
  }
  return (
    <div aria-busy={release.isFetching}>
      <BusyBar busy={release.isFetching} />
      <ReleaseHeader release={release.data} />
      <ReleaseFacts release={release.data} />
      <div className={styles.progress}>
        {slugs.slice(0, 3).map((slug) => (
          <SymbolicationProgress key={slug} project={slug} />
        ))}
      </div>
      <div className={styles.body}>
        <div className={styles.column}>
          <Health release={release.data} filters={filters} />
          <NewIssues release={release.data} filters={filters} />
          <Artifacts release={release.data} />
          <Commits release={release.data} />
        </div>
        <aside className={styles.column} aria-label="Where and by whom">
          <Deploys release={release.data} />
        </aside>
      </div>
    </div>
  );
}
