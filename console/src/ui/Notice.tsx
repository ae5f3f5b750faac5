import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Notice.module.css';

/** Something to know, in a box with a coloured edge. `says` how it is announced when it comes. */
export function Notice({
  tone = 'info',
  says,
  children,
}: {
  readonly tone?: 'info' | 'ok' | 'warning' | 'error';
  readonly says?: 'status' | 'alert';
  readonly children: ReactNode;
}) {
  const className = cx(styles.notice, styles[tone]);
  return says === 'status' ? (
    <output className={className}>{children}</output>
  ) : (
    <div className={className} role={says}>
      {children}
    </div>
  );
}
