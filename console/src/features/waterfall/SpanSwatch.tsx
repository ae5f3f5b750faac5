import { categoryOf, tokenOf } from './ops.ts';
import styles from './SpanSwatch.module.css';

/** The colour of the kind of work that a span is. */
export function SpanSwatch({ op }: { readonly op: string }) {
  return <i className={styles.swatch} style={{ '--bar': `var(${tokenOf(categoryOf(op))})` }} aria-hidden="true" />;
}
