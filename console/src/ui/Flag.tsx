import { cx } from './cx.ts';
import styles from './Flag.module.css';

export type FlagKind =
  | 'new'
  | 'regressed'
  | 'escalating'
  | 'resolved'
  | 'archived'
  | 'unhandled'
  | 'disabled'
  | 'ok'
  | 'bad'
  | 'plain';

/** A word in a thin frame. */
export function Flag({ kind, children }: { readonly kind: FlagKind; readonly children?: string }) {
  return <span className={cx(styles.flag, styles[kind])}>{children ?? kind}</span>;
}
