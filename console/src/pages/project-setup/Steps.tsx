import type { ReactNode } from 'react';
import styles from './Steps.module.css';

/** Numbered steps, each a heading with what to do below it. */
export const Steps = ({ children }: { readonly children: ReactNode }) => <ol className={styles.steps}>{children}</ol>;

export function Step({
  title,
  level = 2,
  end,
  children,
}: {
  readonly title: string;
  readonly level?: 2 | 3;
  /** At the end of the heading's line. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}) {
  const Heading = `h${level}` as const;
  return (
    <li className={styles.step}>
      <div className={styles.head}>
        <Heading>{title}</Heading>
        {end}
      </div>
      {children}
    </li>
  );
}
