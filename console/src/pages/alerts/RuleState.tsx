import { BrokenIcon, CriticalIcon, DisabledIcon, InfoIcon, NoDataIcon, OkIcon, WarningIcon } from '../../ui/icons.ts';
import type { ReactNode } from 'react';
import type { AlertFiring, AlertRule } from '../../features/alerts/queries.ts';
import * as m from '../../messages/alerts.ts';
import { cx } from '../../ui/cx.ts';
import styles from './RuleState.module.css';

const icons: Readonly<Record<AlertRule['state'], ReactNode>> = {
  ok: <OkIcon size={16} aria-hidden="true" />,
  warning: <WarningIcon size={16} aria-hidden="true" />,
  critical: <CriticalIcon size={16} aria-hidden="true" />,
  no_data: <NoDataIcon size={16} aria-hidden="true" />,
  learning: <NoDataIcon size={16} aria-hidden="true" />,
  problem: <BrokenIcon size={16} aria-hidden="true" />,
  disabled: <DisabledIcon size={16} aria-hidden="true" />,
};

/** A shape and a word; the colour only says it again. */
export function RuleState({
  rule: { state },
  lead = false,
}: {
  readonly rule: Pick<AlertRule, 'state'>;
  /** At the beginning of a row. */
  readonly lead?: boolean;
}) {
  return (
    <span className={cx(styles.state, lead && styles.lead, lead && styles.wide)} data-state={state}>
      {icons[state]}
      {m.states[state]}
    </span>
  );
}

const severityIcons: Readonly<Record<AlertFiring['severity'], ReactNode>> = {
  info: <InfoIcon size={14} aria-hidden="true" />,
  warning: <WarningIcon size={14} aria-hidden="true" />,
  critical: <CriticalIcon size={14} aria-hidden="true" />,
  resolved: <OkIcon size={14} aria-hidden="true" />,
};

/** The same of a firing, at the beginning of its row. */
export function Severity({ severity }: { readonly severity: AlertFiring['severity'] }) {
  return (
    <span className={cx(styles.state, styles.lead)} data-state={severity === 'resolved' ? 'ok' : severity}>
      {severityIcons[severity]}
      {m.severities[severity]}
    </span>
  );
}
