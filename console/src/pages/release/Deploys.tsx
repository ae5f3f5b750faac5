import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { releaseDeploysQuery } from '../../features/releases/part-queries.ts';
import type { ReleaseDetail } from '../../features/releases/queries.ts';
import { authorName, shortCommit } from '../../features/releases/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { plural } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasePage.module.css';

/** Where it was deployed, who wrote it, and in which projects it was seen. */
export function Deploys({ release }: { readonly release: ReleaseDetail }) {
  const deploys = useQuery(releaseDeploysQuery(useOrg(), release.version));
  return (
    <>
      <Panel title="Deploys" id="deploys" count={release.deployCount}>
        {deploys.isPending ? (
          <Skeleton rows={2} height={36} label="Loading deploys" />
        ) : deploys.isError ? (
          <ErrorState
            error={deploys.error}
            retry={() => void deploys.refetch()}
            what="The deploys could not be loaded"
          />
        ) : deploys.data.length === 0 ? (
          <p className={styles.none}>
            None was noted. Plugins do it with deploy: {'{ env }'}, sentry-cli with deploys new.
          </p>
        ) : (
          <ul>
            {deploys.data.map((deploy) => (
              <li key={deploy.id} className={styles.sideRow}>
                <span>
                  {deploy.url && /^https?:/i.test(deploy.url) ? (
                    <a href={deploy.url} target="_blank" rel="noreferrer">
                      {deploy.environment}
                    </a>
                  ) : (
                    deploy.environment
                  )}
                  {deploy.name && <span className={styles.faint}> {deploy.name}</span>}
                </span>
                <span className={styles.faint}>
                  <Time at={deploy.dateFinished} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {release.authors.length > 0 && (
        <Panel title="Authors" id="authors">
          <ul>
            {release.authors.map((author) => (
              <li key={`${author.name}-${author.email}`} className={styles.sideRow}>
                <span>{authorName(author)}</span>
                {author.name && author.email && <span className={styles.faint}>{author.email}</span>}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {release.refs.length > 0 && (
        <Panel title="Head commits" id="refs">
          <ul>
            {release.refs.map((ref) => (
              <li key={ref.repository} className={styles.sideRow}>
                <span>{ref.repository}</span>
                <code title={ref.commit}>{shortCommit(ref.commit)}</code>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {release.projects.length > 0 && (
        <Panel title="Projects" id="projects">
          <ul>
            {release.projects.map((project) => (
              <li key={project.id} className={styles.sideRow}>
                <Link to="." search={(before) => ({ ...before, project: project.slug })}>
                  {project.name}
                </Link>
                <span className={styles.faint}>
                  {plural(project.newGroups, 'new issue')}
                  {project.lastSeen && (
                    <>
                      , <Time at={project.lastSeen} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {release.environments.length > 0 && (
        <Panel title="Environments" id="environments">
          <p className={styles.none}>{release.environments.join(', ')}</p>
        </Panel>
      )}
    </>
  );
}
