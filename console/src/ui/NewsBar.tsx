import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './NewsBar.module.css';

/** How much is new above a list, which shows it when this is pressed; it stays in sight, below what else does. */
export function NewsBar({
  tip,
  className,
  onClick,
  children,
}: {
  readonly tip: string;
  /** Where it stays. */
  readonly className?: string | undefined;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <button type="button" className={cx(styles.news, className)} data-tip={tip} onClick={onClick}>
      {children}
    </button>
  );
}
