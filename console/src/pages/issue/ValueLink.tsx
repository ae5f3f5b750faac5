import { termText } from '@culprit/search';
import { Link } from '@tanstack/react-router';
import type { KeyValue } from '../../features/event/KeyValues.tsx';
import styles from './ValueLink.module.css';

const longestValue = 300;

/** Rows whose values lead to the issues that have them too. `keyOf`: what a search calls it; undefined for no link. */
export function linked(rows: readonly KeyValue[], keyOf: (key: string) => string | undefined): KeyValue[] {
  return rows.map((row) => {
    const key = keyOf(row.key);
    const { value } = row;
    const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (key === undefined || !isPlain || String(value).length > longestValue) return row;
    return { ...row, shown: <ValueLink term={termText(key, String(value))} text={String(value)} /> };
  });
}

function ValueLink({ term, text }: { readonly term: string; readonly text: string }) {
  return (
    <Link to="/issues" search={{ q: term, status: 'all' }} className={styles.link} data-tip="Issues that have it, too">
      {text}
    </Link>
  );
}
