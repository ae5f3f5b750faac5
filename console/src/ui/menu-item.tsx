import type { ReactNode } from 'react';
import styles from './Menu.module.css';

export { styles as menuStyles };

export interface ItemProps {
  readonly icon?: ReactNode;
  /** At the end of the line, e.g. the key. */
  readonly end?: ReactNode;
  readonly current?: boolean;
  readonly children: ReactNode;
}

/** What an item shows, whatever element it is. */
export const ItemContent = ({ icon, end, children }: ItemProps) => (
  <>
    {icon}
    {children}
    {end && <span className={styles.end}>{end}</span>}
  </>
);
