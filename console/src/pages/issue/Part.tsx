import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import styles from './Part.module.css';

/** A titled part of a panel; `boxed` where it stands alone. */
export function Part({
  title,
  boxed = false,
  data = false,
  children,
}: {
  readonly title: string;
  readonly boxed?: boolean;
  /** Whether the title comes from the event. */
  readonly data?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div
      role="group"
      className={cx(styles.part, boxed && styles.boxed)}
      aria-label={title}
      translate={data ? 'no' : undefined}
    >
      <h3>{title}</h3>
      {children}
    </div>
  );
}
