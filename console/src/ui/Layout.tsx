import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import styles from './Layout.module.css';

type Gap = 4 | 8 | 12 | 16 | 24;
const gapOf = (gap: Gap) => ({ gap: `var(--space-${gap})` });

/** Under each other. */
export function Stack({ gap = 16, children }: { readonly gap?: Gap; readonly children: ReactNode }) {
  return (
    <div className={styles.stack} style={gapOf(gap)}>
      {children}
    </div>
  );
}

/** Side by side, going on in the next line. `end` moves them to the end, `apart` to both ends. */
export function Inline({
  gap = 8,
  align,
  children,
}: {
  readonly gap?: Gap;
  readonly align?: 'end' | 'apart';
  readonly children: ReactNode;
}) {
  return (
    <div className={cx(styles.inline, align && styles[align])} style={gapOf(gap)}>
      {children}
    </div>
  );
}

/** Columns of equal width, as many as have at least `min` px. */
export function Columns({
  min,
  gap = 16,
  children,
}: {
  readonly min: number;
  readonly gap?: Gap;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={styles.columns}
      style={{ ...gapOf(gap), gridTemplateColumns: `repeat(auto-fit, minmax(min(${min}px, 100%), 1fr))` }}
    >
      {children}
    </div>
  );
}

/** What a page is about, and beside it, or below it on narrow screens, what goes with it. */
export function Sides({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={styles.sides}>
      <div className={styles.stack}>{main}</div>
      <div className={styles.stack}>{side}</div>
    </div>
  );
}
