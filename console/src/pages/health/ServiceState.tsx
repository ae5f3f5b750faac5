import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { OkIcon, WarningIcon } from '../../ui/icons.ts';
import type { Health } from '../../features/intake/queries.ts';
import * as m from '../../messages/health.ts';
import { duration } from '../../ui/durations.ts';
import { Stat, Stats } from '../../ui/KeyValue.tsx';
import { byteSize, exactNumber, percent } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ServiceState.module.css';

/** One sentence, what was rejected all the same, then the numbers of what can go wrong. */
export function ServiceState({ health, stale }: { readonly health: Health; readonly stale: boolean }) {
  const well = health.status === 'ok';
  const { log, engine, disk, backup, notes, internal } = health;
  return (
    <section aria-label={m.service}>
      <output className={styles.sentence} data-well={well || undefined}>
        {well ? <OkIcon size={18} aria-hidden="true" /> : <WarningIcon size={18} aria-hidden="true" />}
        <span>
          <strong>{well ? m.wellSentence : m.badSentence}</strong>{' '}
          <span translate="no">{health.reasons.join(' ')}</span> {stale && m.stale}
        </span>
      </output>
      {(notes.length > 0 || internal.length > 0) && (
        <ul className={styles.notes}>
          {notes.map(({ weight, sentence }) => (
            <li key={sentence} data-weight={weight}>
              {weight === 'fault' && <WarningIcon size={14} role="img" aria-label={m.attention} />}
              <span translate="no">{sentence}</span>
            </li>
          ))}
          {internal.map(({ project, sentence }) => (
            <li key={sentence} data-weight="fault">
              <WarningIcon size={14} role="img" aria-label={m.attention} />
              <Link to="/health" search={{ project }}>
                {m.itself}
              </Link>
              {': '}
              <span translate="no">{sentence}</span>
            </li>
          ))}
          <li>
            <Text tone="faint" small>
              {m.lastHour}
            </Text>
          </li>
        </ul>
      )}
      <Stats>
        <Stat name={m.waiting} note={m.waitingOf({ bytes: byteSize(log.bytes), limit: byteSize(log.limitBytes) })}>
          {exactNumber(log.records)}
        </Stat>
        <Stat name={m.lag} note={m.lagNote}>
          {lagOf(log)}
        </Stat>
        <EventsStore {...engine} />
        {disk && (
          <Stat name={m.disk} note={diskNote(disk)}>
            {m.free({ bytes: byteSize(disk.freeBytes) })}
          </Stat>
        )}
        {backup && (
          <Stat name={m.backup} note={backupNote(backup)}>
            {backup.lastTaken === null ? m.noBackup : <Time at={backup.lastTaken} />}
          </Stat>
        )}
        <Stat name={m.version}>
          <span translate="no">{health.version}</span>
        </Stat>
      </Stats>
    </section>
  );
}

/** The embedded one has states; one elsewhere responds or does not. */
function EventsStore({ state, ready, restarts }: Health['engine']) {
  const tone = ready ? undefined : 'poor';
  if (state === 'remote')
    return (
      <Stat name={m.store} tone={tone} note={m.anotherServer}>
        {ready ? m.responding : m.notResponding}
      </Stat>
    );
  return (
    <Stat name={m.store} tone={tone} note={m.restarts({ count: restarts })}>
      <span translate="no">{state}</span>
    </Stat>
  );
}

const diskNote = ({ usedBytes, freeBytes, totalBytes }: NonNullable<Health['disk']>): string => {
  const share = percent(freeBytes, totalBytes);
  return usedBytes === null ? m.diskShare({ share }) : m.diskNote({ used: byteSize(usedBytes), share });
};

const backupNote = ({ lastTaken, running, ...last }: NonNullable<Health['backup']>): ReactNode => {
  const { sizeBytes, durationMs, nextDue } = last;
  if (running) return m.backupRunning;
  if (lastTaken === null) return nextDue && m.backupFirst({ when: <Time at={nextDue} /> });
  const size = byteSize(sizeBytes);
  const took = duration(durationMs * 1000);
  return nextDue ? m.backupNext({ size, took, when: <Time at={nextDue} /> }) : m.backupSize({ size, took });
};

const lagOf = ({ lagMs }: Health['log']): string =>
  lagMs === null ? m.unknownLag : lagMs === 0 ? m.noLag : duration(lagMs * 1000);
