import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import styles from './stacktrace.module.css';

/** What the frame is, at the end of its line. */
export const Mark = ({ warning = false, children }: { readonly warning?: boolean; readonly children: ReactNode }) => (
  <span className={cx(styles.mark, warning && styles.unresolved)}>{children}</span>
);
