import { Link } from '@tanstack/react-router';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import { EventCount, shortCount } from '../../features/issues/EventCount.tsx';
import { adoptionWords, freeShare, healthTone, toneWords } from '../../features/releases/health-words.ts';
import { ReleaseName } from '../../features/releases/ReleaseName.tsx';
import type { Release, ReleaseHealth } from '../../features/releases/queries.ts';
import { authorName } from '../../features/releases/words.ts';
import * as m from '../../messages/releases.ts';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { Cell, RowHead } from '../../ui/DataTable.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
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
  const { lastEvent, version } = release;
  const spare = showHealth ? 'wide' : 'narrow';
  return (
    <tr>
      <RowHead>
        <span className={styles.line}>
          <Link
            to="/releases/$version"
            params={{ version }}
            className={cx(rowLinkClass, styles.version)}
            translate="no"
            data-row=""
            title={version}
          >
            <ReleaseName release={release} among={among} />
          </Link>
          {release.status === 'archived' && <Flag kind="archived">{m.archived}</Flag>}
        </span>
        <ReleaseFacts release={release} showProjects={showProjects} />
        <NarrowFacts release={release} />
      </RowHead>
      {showHealth && <HealthCells health={release.health} />}
      <Cell number hide="narrow">
        <span className={release.newGroups > 0 ? styles.fresh : undefined}>
          <Count value={release.newGroups} />
        </span>
      </Cell>
      <Cell number hide="narrow">
        <EventCount of={{ count: release.eventCount, estimated: release.estimated }} />
      </Cell>
      <Cell number hide={spare}>
        {release.commitCount > 0 ? <Count value={release.commitCount} /> : '–'}
      </Cell>
      <Cell number hide={spare}>
        <Time at={release.dateReleased ?? release.dateCreated} />
      </Cell>
      <Cell number hide="narrow">
        {lastEvent ? <Time at={lastEvent} /> : m.noEvent}
      </Cell>
    </tr>
  );
}

/** As many names as fit, and how many more there are. */
const someOf = (names: readonly string[], more: (some: { names: string; count: number }) => string): string => {
  const some = names.slice(0, 2).join(', ');
  return names.length > 2 ? more({ names: some, count: names.length - 2 }) : some;
};

/** Where it is and who wrote it. */
function ReleaseFacts({ release, showProjects }: Pick<Props, 'release' | 'showProjects'>) {
  const { lastDeploy, authors, projects, environments, artifactCount } = release;
  return (
    <Facts>
      {showProjects && projects.length > 0 && (
        <span translate="no">
          {someOf(
            projects.map(({ name }) => name),
            m.moreProjects,
          )}
        </span>
      )}
      {lastDeploy
        ? m.deployedTo({ environment: lastDeploy.environment, when: <Time at={lastDeploy.dateFinished} /> })
        : environments.length > 0 && <span translate="no">{environments.slice(0, 2).join(', ')}</span>}
      {authors.length > 0 && <span translate="no">{someOf(authors.map(authorName), m.moreAuthors)}</span>}
      {artifactCount > 0 && m.uploads({ count: artifactCount })}
    </Facts>
  );
}

/** The numbers where there is no room for their columns. */
function NarrowFacts({ release: { health, newGroups, eventCount, estimated } }: Pick<Props, 'release'>) {
  return (
    <div className={styles.narrow}>
      <Facts>
        {health && health.sessions.total > 0 && m.crashFree({ share: freeShare(health.crashFreeSessions) })}
        {newGroups > 0 && m.newIssueCount({ count: newGroups })}
        {m.eventCount({ count: eventCount, text: shortCount({ count: eventCount, estimated }) })}
      </Facts>
    </div>
  );
}

function HealthCells({ health }: { readonly health: ReleaseHealth | undefined }) {
  if (!health || (health.sessions.total === 0 && health.stage === null))
    return (
      <>
        <Cell number hide="narrow">
          –
        </Cell>
        <Cell number hide="wide">
          –
        </Cell>
        <Cell number hide="narrow">
          –
        </Cell>
        <Cell hide="wide" />
      </>
    );
  const adoption = adoptionWords(health);
  return (
    <>
      <Cell number hide="narrow">
        <Rate share={health.crashFreeSessions} />
      </Cell>
      <Cell number hide="wide">
        <Rate share={health.crashFreeUsers} />
      </Cell>
      <Cell number hide="narrow">
        <span data-tip={adoption.sentence}>{adoption.share}</span>
        <span className={styles.stage} data-stage={health.stage ?? undefined}>
          {adoption.stage}
        </span>
      </Cell>
      <Cell hide="wide">
        <div className={styles.spark}>
          <Sparkline points={health.series} counted="session" />
        </div>
      </Cell>
    </>
  );
}

function Rate({ share }: { readonly share: number | null }) {
  const tone = healthTone(share);
  return (
    <span className={styles.rate} data-tone={tone}>
      {freeShare(share)}
      {toneWords[tone] && <span className="visually-hidden">, {toneWords[tone]}</span>}
    </span>
  );
}
