import { Fragment, type ReactNode } from 'react';
import styles from './JsonValue.module.css';

const deepest = 8;
const maxEntries = 100;
const longestText = 2000;

/** Any JSON value as text that wraps and folds: leaves in line, small lists at once, the rest behind a click. */
export function JsonValue({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): ReactNode {
  if (value === null || value === undefined) return <span className={styles.empty}>null</span>;
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object') return <span className={styles.number}>{String(value)}</span>;
  const entries: [string, unknown][] = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return <span className={styles.empty}>{isList ? '[]' : '{}'}</span>;
  if (depth >= deepest) return <span className={styles.empty}>…</span>;
  return (
    <details className={styles.details} open={depth === 0}>
      <summary>{isList ? `[${entries.length}]` : `{${entries.length}}`}</summary>
      <div className={styles.entries}>
        {entries.slice(0, maxEntries).map(([key, each]) => (
          <Fragment key={key}>
            <span className={styles.key}>{key}</span>
            <span className={styles.value}>
              <JsonValue value={each} depth={depth + 1} />
            </span>
          </Fragment>
        ))}
        {entries.length > maxEntries && <span className={styles.empty}>{entries.length - maxEntries} more</span>}
      </div>
    </details>
  );
}

function Text({ text }: { readonly text: string }) {
  if (text === '') return <span className={styles.empty}>&quot;&quot;</span>;
  if (text.length <= longestText) return <span className={styles.text}>{text}</span>;
  return (
    <details className={styles.details}>
      <summary className={styles.text}>{text.slice(0, 200)}…</summary>
      <span className={styles.text}>{text}</span>
    </details>
  );
}
