import { Link } from '@tanstack/react-router';
import { OkIcon, WarningIcon } from '../../ui/icons.ts';
import type { ReactNode } from 'react';
import type { Health } from '../../features/intake/queries.ts';
import { duration } from '../../ui/durations.ts';
import { byteSize, exactNumber, percent, plural } from '../../ui/numbers.ts';
import styles from './ServiceState.module.css';

/** One sentence, what was rejected all the same, then the four things that can go wrong. */
export function ServiceState({ health, stale }: { readonly health: Health; readonly stale: boolean }) {
  const well = health.status === 'ok';
  const { log, engine, disk, notes, internal } = health;
  return (
    <section aria-label="Service">
      <output className={styles.sentence} data-well={well || undefined}>
        {well ? <OkIcon size={18} aria-hidden="true" /> : <WarningIcon size={18} aria-hidden="true" />}
        <span>
          <strong>{well ? 'Culprit is well.' : 'Culprit needs attention.'}</strong> {health.reasons.join(' ')}
          {stale && ' The newest answer is missing; these numbers are the last known.'}
        </span>
      </output>
      {(notes.length > 0 || internal.length > 0) && (
        <ul className={styles.notes}>
          {notes.map(({ weight, sentence }) => (
            <li key={sentence} data-weight={weight}>
              {weight === 'fault' && <WarningIcon size={14} role="img" aria-label="Look at this:" />}
              {sentence}
            </li>
          ))}
          {internal.map(({ project, sentence }) => (
            <li key={sentence} data-weight="fault">
              <WarningIcon size={14} role="img" aria-label="Look at this:" />
              <Link to="/health" search={{ project }}>
                Culprit itself
              </Link>
              {': '}
              {sentence}
            </li>
          ))}
          <li className={styles.note}>In the last hour; the table below has all of it.</li>
        </ul>
      )}
      <dl className={styles.facts}>
        <Fact
          name="Waiting to be stored"
          value={exactNumber(log.records)}
          note={`${byteSize(log.bytes)} of ${byteSize(log.limitBytes)}`}
        />
        <Fact name="Lag" value={lagOf(log)} note="age of the oldest waiting item" />
        <Fact
          name="Engine"
          value={engine.ready ? engine.state : <span className={styles.bad}>{engine.state}</span>}
          note={engine.restarts === 0 ? 'no restarts' : plural(engine.restarts, 'restart')}
        />
        {disk && (
          <Fact
            name="Disk"
            value={`${byteSize(disk.freeBytes)} free`}
            note={`${byteSize(disk.usedBytes)} used by data, ${percent(disk.freeBytes, disk.totalBytes)} of the disk free`}
          />
        )}
        <Fact name="Version" value={health.version} />
      </dl>
    </section>
  );
}

const lagOf = ({ lagMs }: Health['log']): string =>
  lagMs === null ? 'unknown' : lagMs === 0 ? 'none' : duration(lagMs * 1000);

function Fact({ name, value, note }: { readonly name: string; readonly value: ReactNode; readonly note?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
