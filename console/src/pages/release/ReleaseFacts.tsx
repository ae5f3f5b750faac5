import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import { adoptionWords, freeShare, healthTone, toneWords } from '../../features/releases/health-words.ts';
import { EventCount } from '../../features/issues/EventCount.tsx';
import type { ReleaseDetail, ReleaseHealth } from '../../features/releases/queries.ts';
import * as m from '../../messages/release.ts';
import { Count } from '../../ui/Count.tsx';
import { Stat, Stats } from '../../ui/KeyValue.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './ReleasePage.module.css';

/** The numbers of a release, with those of the one before. */
export function ReleaseFacts({ release }: { readonly release: ReleaseDetail }) {
  const { previous, dateReleased, dateCreated, firstEvent, lastEvent, health } = release;
  const before = (of: 'newGroups' | 'eventCount' | 'commitCount') =>
    previous && m.before({ count: exactNumber(previous[of]), version: previous.shortVersion });
  return (
    <section className={styles.numbers} aria-label={m.numbers}>
      <Stats>
        {health && health.sessions.total > 0 && <HealthFacts health={health} />}
        <Stat name={m.newIssues} note={before('newGroups')}>
          <Count value={release.newGroups} />
        </Stat>
        <Stat name={m.events} note={before('eventCount')}>
          <Link to="/issues" search={{ q: termText('release', release.version), status: 'all' }}>
            <EventCount of={{ count: release.eventCount, estimated: release.estimated }} />
          </Link>
        </Stat>
        <Stat name={m.commits} note={before('commitCount')}>
          <Count value={release.commitCount} />
        </Stat>
        <Moment name={dateReleased ? m.released : m.created} at={dateReleased ?? dateCreated} />
        <Moment name={m.firstEvent} at={firstEvent} />
        <Moment name={m.lastEvent} at={lastEvent} />
      </Stats>
    </section>
  );
}

function Moment({ name, at }: { readonly name: string; readonly at: string | null }) {
  return (
    <Stat name={name}>
      <span className={styles.moment}>{at ? <Time at={at} /> : m.noEvent}</span>
    </Stat>
  );
}

/** Of the last fourteen days. */
function HealthFacts({ health }: { readonly health: ReleaseHealth }) {
  const adoption = adoptionWords(health);
  return (
    <>
      <Free name={m.crashFreeSessions} share={health.crashFreeSessions} crashed={health.sessions.crashed} />
      <Free name={m.crashFreeUsers} share={health.crashFreeUsers} crashed={health.users.crashed} />
      <Stat name={m.adoption} note={adoption.stage || m.lastDay}>
        <span data-tip={adoption.sentence}>{adoption.share}</span>
      </Stat>
    </>
  );
}

interface FreeProps {
  readonly name: string;
  readonly share: number | null;
  readonly crashed: number;
}

function Free({ name, share, crashed }: FreeProps) {
  const tone = healthTone(share);
  return (
    <Stat
      name={name}
      tone={tone === 'none' ? undefined : tone}
      note={share === null ? m.noUsers : m.crashed({ count: crashed })}
    >
      {freeShare(share)}
      {toneWords[tone] && <span className="visually-hidden"> ({toneWords[tone]})</span>}
    </Stat>
  );
}
