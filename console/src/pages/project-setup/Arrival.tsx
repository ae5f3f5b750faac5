import type { ReactNode } from 'react';
import { OkIcon, WarningIcon } from '../../ui/icons.ts';
import styles from './Arrival.module.css';

/** Whether something has arrived, in a box that changes when it does; `action` leads there. */
export function Arrival({
  label,
  state,
  title,
  detail,
  action,
}: {
  readonly label: string;
  readonly state: 'waiting' | 'ok' | 'bad';
  readonly title: string;
  readonly detail?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <output className={styles.arrival} data-state={state} aria-label={label}>
      {state === 'waiting' ? (
        <span className={styles.pulse} aria-hidden="true" />
      ) : state === 'ok' ? (
        <OkIcon size={18} aria-hidden="true" />
      ) : (
        <WarningIcon size={18} aria-hidden="true" />
      )}
      <div className={styles.text}>
        <strong>{title}</strong>
        {detail && <div>{detail}</div>}
      </div>
      {action}
    </output>
  );
}
