import type { ReactNode } from 'react';
import styles from './Tabs.module.css';

/** Views of a page, each with its address: links in `tabClass`, the one that is shown with `aria-current`. */
export function Tabs({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

export const tabClass = styles.tab ?? '';

/** How many there are behind a tab. */
export function TabCount({ children }: { readonly children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}
