import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Tabs.module.css';

/** Views of a page, each with its address: links in `tabClass`, the one that is shown with `aria-current`. */
export function Tabs({
  label,
  many = false,
  children,
}: {
  readonly label: string;
  /** More than a narrow screen has room for: they begin at the one that is shown, and fade where there are more. */
  readonly many?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <nav ref={many ? centreCurrent : undefined} className={cx(styles.tabs, many && styles.many)} aria-label={label}>
      {children}
    </nav>
  );
}

/** By its own scrolling alone: the page stays where it is. */
function centreCurrent(tabs: HTMLElement | null): void {
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
