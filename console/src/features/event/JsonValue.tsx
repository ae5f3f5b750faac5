import { Fragment, type ReactNode } from 'react';
import * as m from '../../messages/event.ts';
import { Text as Small } from '../../ui/Text.tsx';
import code from '../../ui/code.module.css';
import styles from './JsonValue.module.css';

const deepest = 8;
const maxEntries = 100;
const longestText = 2000;

/** Any JSON value as text that wraps and folds: leaves in line, small lists at once, the rest behind a click. */
export function JsonValue({ value, depth = 0 }: { readonly value: unknown; readonly depth?: number }): ReactNode {
  if (value === null || value === undefined) return <code className={code.comment}>null</code>;
  if (typeof value === 'string') return <Text text={value} />;
  if (typeof value !== 'object') return <span className={code.number}>{String(value)}</span>;
  const entries: [string, unknown][] = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return <span className={code.comment}>{isList ? '[]' : '{}'}</span>;
  if (depth >= deepest) return <span className={code.comment}>…</span>;
  return (
    <details className={styles.details} dir="ltr" open={depth === 0}>
      <summary>{isList ? `[${entries.length}]` : `{${entries.length}}`}</summary>
      <div className={styles.entries}>
        {entries.slice(0, maxEntries).map(([key, each]) => (
          <Fragment key={key}>
            <span className={styles.key} translate="no">
              {key}
            </span>
            <span className={styles.value}>
              <JsonValue value={each} depth={depth + 1} />
            </span>
          </Fragment>
        ))}
        {entries.length > maxEntries && <Small tone="faint">{m.more({ count: entries.length - maxEntries })}</Small>}
      </div>
    </details>
  );
}

function Text({ text }: { readonly text: string }) {
  if (text === '') return <span className={code.comment}>{'""'}</span>;
  const whole = (
    <span className={styles.text} translate="no">
      {text}
    </span>
  );
  if (text.length <= longestText) return whole;
  return (
    <details className={styles.details}>
      <summary className={styles.text} translate="no">
        {text.slice(0, 200)}…
      </summary>
      {whole}
    </details>
  );
}
