import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './KeyValue.module.css';

/** Names and values, a line each. */
export function KeyValue({
  label,
  compact = false,
  boxed = false,
  children,
}: {
  readonly label?: string;
  /** Smaller and closer, for panels with many. */
  readonly compact?: boolean;
  /** In a box, from whose edge they keep away. */
  readonly boxed?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <dl className={cx(styles.pairs, compact && styles.compact, boxed && styles.boxed)} aria-label={label}>
      {children}
    </dl>
  );
}

export function Pair({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.pair}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The few numbers that a page is about, side by side. */
export function Stats({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

/** One of them; `note` stands below, e.g. what it was before. */
export function Stat({
  name,
  tone,
  note,
  children,
}: {
  readonly name: ReactNode;
  readonly tone?: 'good' | 'meh' | 'poor' | undefined;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.stat}>
      <dt>{name}</dt>
      <dd className={styles.value} data-tone={tone}>
        {children}
      </dd>
      {note && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}
