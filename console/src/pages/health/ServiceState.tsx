import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Health } from '../../features/intake/queries.ts';
import { byteSize, exactNumber, percent } from '../../ui/numbers.ts';
import styles from './ServiceState.module.css';

/** One sentence, then the four things that can go wrong. */
export function ServiceState({ health, stale }: { readonly health: Health; readonly stale: boolean }) {
  const well = health.status === 'ok';
  const { log, engine, disk } = health;
  return (
    <section aria-label="Service">
      <output className={styles.sentence} data-well={well || undefined}>
        {well ? <CircleCheck size={18} aria-hidden="true" /> : <TriangleAlert size={18} aria-hidden="true" />}
        <span>
          <strong>{well ? 'Culprit is well.' : 'Culprit needs attention.'}</strong> {health.reasons.join(' ')}
          {stale && ' The newest answer is missing; these numbers are the last known.'}
        </span>
      </output>
      <dl className={styles.facts}>
        <Fact
          name="Waiting to be stored"
          value={exactNumber(log.records)}
          note={`${byteSize(log.bytes)} of ${byteSize(log.limitBytes)}`}
        />
        <Fact
          name="Lag"
          value={log.lagMs === null ? 'unknown' : lagLabel(log.lagMs)}
          note="age of the oldest that waits"
        />
        <Fact
          name="Engine"
          value={engine.ready ? engine.state : <span className={styles.bad}>{engine.state}</span>}
          note={engine.restarts === 0 ? 'no restarts' : `${exactNumber(engine.restarts)} restarts`}
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

function Fact({ name, value, note }: { readonly name: string; readonly value: ReactNode; readonly note?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}

function lagLabel(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}
