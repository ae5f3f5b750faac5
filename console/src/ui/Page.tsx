import { Children, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Page.module.css';

/** The bar on top of every page: where one is on the left, what one sees of it on the right. */
export function PageBar({ title, children }: { readonly title: ReactNode; readonly children?: ReactNode }) {
  return (
    <header className={styles.bar}>
      <h1 className={styles.title}>{title}</h1>
      {children && <div className={styles.tools}>{children}</div>}
    </header>
  );
}

/** The way to where one is, for the title of a bar: links, then the name of what is shown. */
export function Crumbs({ children }: { readonly children: ReactNode }) {
  return (
    <span className={styles.crumbs}>
      {Children.map(children, (child) => child && <span className={styles.crumb}>{child}</span>)}
    </span>
  );
}

/** A column of readable width for forms and settings; `full` ends where the bar above it does. */
export function Column({ children, wide = false }: { readonly children: ReactNode; readonly wide?: boolean | 'full' }) {
  return <div className={cx(styles.column, wide && styles[wide === 'full' ? 'full' : 'wide'])}>{children}</div>;
}

/** A named part of a page; `actions` stand beside the heading. */
export function Section({
  title,
  note,
  actions,
  children,
  id,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly id?: string;
}) {
  return (
    <section className={styles.section} aria-label={title} id={id}>
      <div className={styles.heading}>
        <div>
          <h2>{title}</h2>
          {note && <p className={styles.note}>{note}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** A bordered box around rows. */
export function Card({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <div className={cx(styles.card, className)}>{children}</div>;
}
