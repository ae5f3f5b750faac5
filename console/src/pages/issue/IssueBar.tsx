import type { ReactNode } from 'react';
import styles from './IssueBar.module.css';

/** Stays on top while the event or the list below it scrolls. */
export function IssueBar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section className={styles.stick} aria-label={label}>
      {children}
    </section>
  );
}
