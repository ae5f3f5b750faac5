import type { ReactNode } from 'react';
import styles from './IssueStrip.module.css';

/** Above the issue: how one came here. */
export function IssueStrip({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section className={styles.strip} aria-label={label}>
      {children}
    </section>
  );
}

/** A line of it: words, and what can be done. */
export function StripLine({ children }: { readonly children: ReactNode }) {
  return <p className={styles.line}>{children}</p>;
}

/** What comes after the strip of a digest does not move when its words arrive. */
export const IssueStripSpace = () => <div className={styles.space} />;
