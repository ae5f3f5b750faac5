import { Link } from '@tanstack/react-router';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import { adoptionWords, freeShare, healthTone, toneWords } from '../../features/releases/health-words.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import type { Release, ReleaseHealth } from '../../features/releases/queries.ts';
import { authorName } from '../../features/releases/words.ts';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { Flag } from '../../ui/Flag.tsx';
import { compactNumber, plural, withUnit } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasesPage.module.css';

interface Props {
  readonly release: Release;
  /** The whole list. */
  readonly among: readonly Release[];
  readonly showProjects: boolean;
  /** Whether any release of the list has sessions. */
  readonly showHealth: boolean;
}

export function ReleaseRow({ release, among, showProjects, showHealth }: Props) {
  const { lastDeploy, lastEvent, authors, projects, health } = release;
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
            <ReleaseName release={release} among={among} />
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
            {health && health.sessions.total > 0 && `${freeShare(health.crashFreeSessions)} crash-free, `}
            {release.newGroups > 0 && `${plural(release.newGroups, 'new issue')}, `}
            {withUnit(compactNumber(release.eventCount), '×')}
          </span>
        </div>
      </div>
      {showHealth && <HealthCells health={health} />}
      <span className={cx(styles.number, release.newGroups > 0 && styles.fresh)}>
        <Count value={release.newGroups} />
        <span className="visually-hidden"> new issues</span>
      </span>
      <span className={styles.number}>
        <Count value={release.eventCount} />
        <span className="visually-hidden"> events</span>
      </span>
      <span className={cx(styles.number, showHealth && styles.spare)}>
        {release.commitCount > 0 ? <Count value={release.commitCount} /> : '–'}
        <span className="visually-hidden"> commits</span>
      </span>
      <span className={cx(styles.when, showHealth && styles.spare)}>
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

function HealthCells({ health }: { readonly health: ReleaseHealth | undefined }) {
  const none = !health || (health.sessions.total === 0 && health.stage === null);
  if (none) {
    return (
      <>
        <span className={styles.rate}>
          –<span className="visually-hidden"> no sessions</span>
        </span>
        <span className={cx(styles.rate, styles.ofUsers)} aria-hidden="true">
          –
        </span>
        <span className={styles.adoption} aria-hidden="true">
          –
        </span>
        <span className={styles.spark} />
      </>
    );
  }
  const adoption = adoptionWords(health);
  return (
    <>
      <Rate share={health.crashFreeSessions} of="sessions" />
      <Rate share={health.crashFreeUsers} of="users" />
      <span className={styles.adoption} data-tip={adoption.sentence}>
        {adoption.share}
        <span className={styles.stage} data-stage={health.stage ?? undefined}>
          {adoption.stage}
        </span>
      </span>
      <span className={styles.spark}>
        <Sparkline points={health.series} counted="session" />
      </span>
    </>
  );
}

function Rate({ share, of }: { readonly share: number | null; readonly of: 'sessions' | 'users' }) {
  const tone = healthTone(share);
  return (
    <span className={cx(styles.rate, of === 'users' && styles.ofUsers)} data-tone={tone}>
      {freeShare(share)}
      <span className="visually-hidden">
        {` crash-free ${of}`}
        {toneWords[tone] && `, ${toneWords[tone]}`}
      </span>
    </span>
  );
}
