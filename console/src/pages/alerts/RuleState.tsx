import { CircleCheck, CircleDashed, CircleHelp, CircleOff, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AlertFiring, AlertRule } from '../../features/alerts/queries.ts';
import { severityWords, stateWords } from '../../features/alerts/words.ts';
import styles from './AlertsPage.module.css';

const icons: Readonly<Record<AlertRule['state'], ReactNode>> = {
  ok: <CircleCheck size={16} aria-hidden="true" />,
  warning: <TriangleAlert size={16} aria-hidden="true" />,
  critical: <OctagonAlert size={16} aria-hidden="true" />,
  no_data: <CircleDashed size={16} aria-hidden="true" />,
  learning: <CircleDashed size={16} aria-hidden="true" />,
  problem: <CircleHelp size={16} aria-hidden="true" />,
  disabled: <CircleOff size={16} aria-hidden="true" />,
};

/** A shape and a word; the colour only says it again. */
export function RuleState({ rule: { state } }: { readonly rule: Pick<AlertRule, 'state'> }) {
  return (
    <span className={styles.state} data-state={state}>
      {icons[state]}
      {stateWords[state]}
    </span>
  );
}

const severityIcons: Readonly<Record<AlertFiring['severity'], ReactNode>> = {
  info: <Info size={14} aria-hidden="true" />,
  warning: <TriangleAlert size={14} aria-hidden="true" />,
  critical: <OctagonAlert size={14} aria-hidden="true" />,
  resolved: <CircleCheck size={14} aria-hidden="true" />,
};

/** The same of a firing. */
export function Severity({ severity }: { readonly severity: AlertFiring['severity'] }) {
  return (
    <span className={styles.state} data-state={severity === 'resolved' ? 'ok' : severity}>
      {severityIcons[severity]}
      {severityWords[severity]}
    </span>
  );
}
