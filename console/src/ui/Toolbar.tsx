import { SearchIcon } from './icons.ts';
import type { InputHTMLAttributes, ReactNode } from 'react';
import styles from './Toolbar.module.css';

/** What is above a list: the first child, a search field, takes the room that the others leave, up to its measure. */
export function Toolbar({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  return (
    <div className={styles.toolbar} {...(label && { role: 'group', 'aria-label': label })}>
      {children}
    </div>
  );
}

/** Moves what follows to the end of the bar. */
export const ToolbarGap = () => <span className={styles.gap} />;

/** A field that narrows what is listed, named by `label` only. */
export function SearchInput({ label, ...rest }: { readonly label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <span className={styles.search}>
      <SearchIcon size={14} aria-hidden="true" />
      <input type="search" autoComplete="off" spellCheck={false} {...rest} aria-label={label} />
    </span>
  );
}
