import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Bar.module.css';

type Tone = 'accent' | 'ok' | 'warning' | 'error';

/** A share, 0 to 1, as the length of a bar. What it says stands beside it in words or numbers. */
export function Bar({ share, tone = 'accent' }: { readonly share: number; readonly tone?: Tone }) {
  return (
    <span className={styles.bar} aria-hidden="true">
      <span className={cx(styles.part, styles[tone])} style={{ width: `${Math.min(Math.max(share, 0), 1) * 100}%` }} />
    </span>
  );
}

/** Several shares of one whole, one after the other. */
export function SplitBar({
  parts,
  label,
}: {
  readonly parts: readonly { readonly share: number; readonly tone: Tone }[];
  readonly label: string;
}) {
  return (
    <span className={styles.bar} role="img" aria-label={label}>
      {parts.map(({ share, tone }) => (
        <span key={tone} className={cx(styles.part, styles[tone])} style={{ width: `${share * 100}%` }} />
      ))}
    </span>
  );
}

/** Values with their shares under each other. */
export function ShareList({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className={styles.shares} aria-label={label}>
      {children}
    </ul>
  );
}

/** One of them: its `name`, its `value` at the end, and the bar below both. */
export function Share({
  share,
  name,
  value,
}: {
  readonly share: number;
  readonly name: ReactNode;
  readonly value: ReactNode;
}) {
  return (
    <li className={styles.share}>
      <span className={styles.name}>{name}</span>
      <span className={styles.value}>{value}</span>
      <Bar share={share} />
    </li>
  );
}
