import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './DataList.module.css';

/** Rows under each other, in a box unless it is `open`. `label` names the list. */
export function DataList({
  label,
  open = false,
  compact = false,
  children,
}: {
  readonly label?: string;
  /** Lower rows, for lists within something. */
  readonly compact?: boolean;
  /** From edge to edge of what it stands in. */
  readonly open?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <ul className={cx(styles.list, !open && styles.boxed, compact && styles.compact)} aria-label={label}>
      {children}
    </ul>
  );
}

/**
 * A row: `lead` (a mark, an avatar), `title` with `facts` below it, `end` (numbers, times) and `actions` at its end, and
 * whatever it unfolds below as children. On narrow screens `end` goes below the title.
 */
export function DataRow({
  lead,
  title,
  facts,
  end,
  actions,
  current,
  children,
}: {
  readonly lead?: ReactNode;
  readonly title: ReactNode;
  readonly facts?: ReactNode;
  readonly end?: ReactNode;
  readonly actions?: ReactNode;
  /** The one that is shown beside the list. */
  readonly current?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <li className={styles.item} data-current={current || undefined}>
      <div className={styles.row}>
        {lead}
        <div className={styles.what}>
          <div className={styles.title}>{title}</div>
          {facts}
        </div>
        {end && <div className={styles.end}>{end}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children && <div className={styles.below}>{children}</div>}
    </li>
  );
}
