import type { ReactNode } from 'react';
import styles from './Panel.module.css';

/** A titled part of the event; `tools` stand at the end of the title's line. */
export function Panel({
  title,
  id,
  count,
  tools,
  boxed = true,
  children,
}: {
  readonly title: string;
  readonly id: string;
  readonly count?: number;
  readonly tools?: ReactNode;
  readonly boxed?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.panel} aria-labelledby={`panel-${id}`}>
      <PanelHead id={`panel-${id}`} title={title} count={count}>
        {tools}
      </PanelHead>
      <div className={boxed ? styles.box : undefined}>{children}</div>
    </section>
  );
}

/** The line of the title, for parts that are no box. */
export function PanelHead({
  title,
  id,
  count,
  children,
}: {
  readonly title: string | undefined;
  readonly id?: string;
  readonly count?: number | undefined;
  readonly children: ReactNode;
}) {
  return (
    <header className={styles.head}>
      <h2 id={id}>
        {title}
        {count !== undefined && <span className={styles.count}>{count}</span>}
      </h2>
      {children}
    </header>
  );
}
