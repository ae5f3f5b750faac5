import { Link } from '@tanstack/react-router';
import type { Release } from '../../features/releases/queries.ts';
import { authorName } from '../../features/releases/words.ts';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { Flag } from '../../ui/Flag.tsx';
import { compactNumber, plural } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasesPage.module.css';

export function ReleaseRow({ release, showProjects }: { readonly release: Release; readonly showProjects: boolean }) {
  const { lastDeploy, lastEvent, authors, projects } = release;
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.line}>
          <Link
            to="/releases/$version"
            params={{ version: release.version }}
            className={styles.version}
            data-row=""
            title={release.version}
          >
            {release.shortVersion}
          </Link>
          {release.status === 'archived' && <Flag kind="archived" />}
        </div>
        <div className={styles.sub}>
          {showProjects && projects.length > 0 && (
            <span>
              {projects
                .slice(0, 2)
                .map((each) => each.name)
                .join(', ')}
              {projects.length > 2 && ` and ${projects.length - 2} more`}
            </span>
          )}
          {lastDeploy ? (
            <span>
              deployed to {lastDeploy.environment} <Time at={lastDeploy.dateFinished} />
            </span>
          ) : (
            release.environments.length > 0 && <span>{release.environments.slice(0, 2).join(', ')}</span>
          )}
          {authors.length > 0 && (
            <span className={styles.optional}>
              {authors.slice(0, 2).map(authorName).join(', ')}
              {authors.length > 2 && ` and ${authors.length - 2} more`}
            </span>
          )}
          {release.artifactCount > 0 && (
            <span className={styles.optional}>{plural(release.artifactCount, 'upload')}</span>
          )}
          <span className={styles.compact}>
            {release.newGroups > 0 && `${plural(release.newGroups, 'new issue')}, `}
            {compactNumber(release.eventCount)} ×
          </span>
        </div>
      </div>
      <span className={cx(styles.number, release.newGroups > 0 && styles.fresh)}>
        <Count value={release.newGroups} />
        <span className="visually-hidden"> new issues</span>
      </span>
      <span className={styles.number}>
        <Count value={release.eventCount} />
        <span className="visually-hidden"> events</span>
      </span>
      <span className={styles.number}>
        {release.commitCount > 0 ? <Count value={release.commitCount} /> : '–'}
        <span className="visually-hidden"> commits</span>
      </span>
      <span className={styles.when}>
        <span className="visually-hidden">released </span>
        <Time at={release.dateReleased ?? release.dateCreated} />
      </span>
      <span className={styles.when}>
        <span className="visually-hidden">last event </span>
        {lastEvent ? <Time at={lastEvent} /> : <span>none</span>}
      </span>
    </li>
  );
}
