import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { releaseQuery } from '../../features/releases/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { SymbolicationProgress } from '../../features/source-maps/SymbolicationProgress.tsx';
import * as m from '../../messages/release.ts';
import { Sides } from '../../ui/Layout.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { Artifacts } from './Artifacts.tsx';
import { Commits } from './Commits.tsx';
import { Deploys } from './Deploys.tsx';
import { notFound } from './empty.ts';
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
  useTitle(version, m.releases);
  const follow = useThrottled(
    () => void queries.invalidateQueries({ queryKey: ['releases', org, 'one', version] }),
    5000,
  );
  const slugs = release.data?.projects.map((project) => project.slug) ?? [];
  useLive((message) => {
    if (message.type === 'reconnected' || (message.type === 'events' && slugs.includes(message.projectSlug))) follow();
  });

  if (!release.data && release.error instanceof ApiError && release.error.status === 404)
    return <Empty of={notFound} values={{ version }} />;
  return (
    <QueryView query={release} loading={m.loading} failed={m.failed} rows={8} height={64}>
      {(found) => (
        <>
          <ReleaseHeader release={found} />
          <ReleaseFacts release={found} />
          <div className={styles.progress}>
            {slugs.slice(0, 3).map((slug) => (
              <SymbolicationProgress key={slug} project={slug} />
            ))}
          </div>
          <Sides
            main={
              <>
                <Health release={found} filters={filters} />
                <NewIssues release={found} filters={filters} />
                <Artifacts release={found} />
                <Commits release={found} />
              </>
            }
            side={<Deploys release={found} />}
          />
        </>
      )}
    </QueryView>
  );
}
