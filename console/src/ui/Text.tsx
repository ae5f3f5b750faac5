import { Children, type ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Text.module.css';

type Tone = 'muted' | 'faint' | 'ok' | 'warning' | 'error';

/** A few words that step back, or speak of a state. Small is what accompanies something else. */
export function Text({
  as: Tag = 'span',
  tone = 'muted',
  small = false,
  cut = false,
  id,
  children,
}: {
  readonly as?: 'span' | 'p' | 'div';
  readonly tone?: Tone;
  readonly small?: boolean;
  /** On one line, whose end is left out where there is no room. */
  readonly cut?: boolean;
  readonly id?: string;
  readonly children: ReactNode;
}) {
  return (
    <Tag id={id} className={cx(styles.text, styles[tone], small && styles.small, cut && styles.cut)}>
      {children}
    </Tag>
  );
}

/** The small line below a title: its children with dots between them. Those that are empty are left out. */
export function Facts({
  cut = false,
  children,
}: {
  /** On one line, whose end is left out where there is no room. */
  readonly cut?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={cx(styles.facts, cut && styles.line)}>
      {Children.map(children, (child) =>
        child === null || child === false || child === '' ? null : <span>{child}</span>,
      )}
    </div>
  );
}

/** What stands in the place of a list without entries, in a box or below a heading. */
export function Nothing({ children }: { readonly children: ReactNode }) {
  return <p className={styles.nothing}>{children}</p>;
}
