import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Tabs.module.css';

/** Views of a page, each with its address: links in `tabClass`, the one that is shown with `aria-current`. */
export function Tabs({
  label,
  wrap = false,
  children,
}: {
  readonly label: string;
  /** Those that have no room go on in the next line, in the place of scrolling. */
  readonly wrap?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <nav className={cx(styles.tabs, wrap && styles.wrap)} aria-label={label}>
      {children}
    </nav>
  );
}

export const tabClass = styles.tab ?? '';

/** How many there are behind a tab. */
export function TabCount({ children }: { readonly children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}
