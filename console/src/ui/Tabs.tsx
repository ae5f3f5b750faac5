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

/** More ways than a narrow screen has room for begin at the one that is shown; the page stays where it is. */
export function centreCurrent(tabs: HTMLElement | null): void {
  const current = tabs?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!tabs || !current) return;
  const { left, width } = tabs.getBoundingClientRect();
  tabs.scrollLeft += current.left + current.width / 2 - left - width / 2;
}

export const tabClass = styles.tab ?? '';

/** How many there are behind a tab. */
export function TabCount({ children }: { readonly children: ReactNode }) {
  return <span className={styles.count}>{children}</span>;
}
