import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import { adoptionWords, freeShare, healthTone, toneWords } from '../../features/releases/health-words.ts';
import type { ReleaseDetail, ReleaseHealth } from '../../features/releases/queries.ts';
import { Count } from '../../ui/Count.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasePage.module.css';

/** The numbers of a release, beside those of the one before. */
export function ReleaseFacts({ release }: { readonly release: ReleaseDetail }) {
  const { previous, dateReleased, dateCreated, firstEvent, lastEvent, health } = release;
  const before = (count: number): string => `${count} in ${previous?.shortVersion ?? ''}`;
  return (
    <section className={styles.facts} aria-label="Numbers">
      <dl>
        {health && health.sessions.total > 0 && <HealthFacts health={health} />}
        <div>
          <dt>New issues</dt>
          <dd className={styles.big}>
            <Count value={release.newGroups} />
          </dd>
          {previous && <dd className={styles.before}>{before(previous.newGroups)}</dd>}
        </div>
        <div>
          <dt>Events</dt>
          <dd className={styles.big}>
            <Link to="/issues" search={{ q: termText('release', release.version), status: 'all' }}>
              <Count value={release.eventCount} />
            </Link>
          </dd>
          {previous && <dd className={styles.before}>{before(previous.eventCount)}</dd>}
        </div>
        <div>
          <dt>Commits</dt>
          <dd className={styles.big}>
            <Count value={release.commitCount} />
          </dd>
          {previous && <dd className={styles.before}>{before(previous.commitCount)}</dd>}
        </div>
        <div>
          <dt>{dateReleased ? 'Released' : 'Created'}</dt>
          <dd>
            <Time at={dateReleased ?? dateCreated} />
          </dd>
        </div>
        <div>
          <dt>First event</dt>
          <dd>{firstEvent ? <Time at={firstEvent} /> : 'none yet'}</dd>
        </div>
        <div>
          <dt>Last event</dt>
          <dd>{lastEvent ? <Time at={lastEvent} /> : 'none yet'}</dd>
        </div>
      </dl>
    </section>
  );
}

/** Of the last fourteen days. */
function HealthFacts({ health }: { readonly health: ReleaseHealth }) {
  const adoption = adoptionWords(health);
  return (
    <>
      <Free label="Crash-free sessions" share={health.crashFreeSessions} crashed={health.sessions.crashed} />
      <Free label="Crash-free users" share={health.crashFreeUsers} crashed={health.users.crashed} />
      <div>
        <dt>Adoption</dt>
        <dd className={styles.big} data-tip={adoption.sentence}>
          {adoption.share}
        </dd>
        <dd className={styles.before}>{adoption.stage || 'last 24 hours'}</dd>
      </div>
    </>
  );
}

function Free({
  label,
  share,
  crashed,
}: {
  readonly label: string;
  readonly share: number | null;
  readonly crashed: number;
}) {
  const tone = healthTone(share);
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.big} data-tone={tone}>
        {freeShare(share)}
        {toneWords[tone] && <span className="visually-hidden"> ({toneWords[tone]})</span>}
      </dd>
      <dd className={styles.before}>{share === null ? 'no authors known' : `${crashed} crashed`}</dd>
    </div>
  );
}
