import * as m from '../messages/flags.ts';
import { cx } from './cx.ts';
import styles from './Flag.module.css';

type NamedKind = keyof typeof m.flags;
export type FlagKind = NamedKind | 'plain';

/** A word in a thin frame; what it says is left out where it is what its kind says. */
export function Flag({
  kind,
  children,
}: { readonly kind: FlagKind; readonly children: string } | { readonly kind: NamedKind; readonly children?: string }) {
  return <span className={cx(styles.flag, styles[kind])}>{children ?? (kind === 'plain' ? '' : m.flags[kind])}</span>;
}
