import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import type { KeyValueRow } from '../../features/event/KeyValues.tsx';
import type { Quantity } from '../../features/event/quantities.ts';
import * as m from '../../messages/issue-details.ts';
import styles from './ValueLink.module.css';

const longestValue = 300;

/**
 * Rows whose values lead to the issues that have them too. `keyOf`: what a search calls it; undefined for no link.
 * `quantityOf`: as it is read, where it is a measure.
 */
export function linked(
  rows: readonly KeyValueRow[],
  keyOf: (key: string) => string | undefined,
  quantityOf?: (key: string, value: unknown) => Quantity | undefined,
): KeyValueRow[] {
  return rows.map((row) => {
    const key = keyOf(row.key);
    const { value } = row;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (key === undefined || !isPlain || String(value).length > longestValue) return row;
    const { text, exact } = quantityOf?.(row.key, value) ?? { text: String(value), exact: undefined };
    return { ...row, shown: <ValueLink term={termText(key, String(value))} text={text} exact={exact} /> };
  });
}

function ValueLink({ term, text, exact }: Quantity & { readonly term: string }) {
  return (
    <Link
      to="/issues"
      search={{ q: term, status: 'all' }}
      className={styles.link}
      data-tip={exact ? `${exact}\n${m.sameValue}` : m.sameValue}
    >
      <span translate="no">{text}</span>
    </Link>
  );
}
