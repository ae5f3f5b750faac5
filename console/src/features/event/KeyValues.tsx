import type { ReactNode } from 'react';
import { JsonValue } from './JsonValue.tsx';
import styles from './KeyValues.module.css';

export interface KeyValue {
  readonly key: string;
  readonly value: unknown;
  /** Drawn instead of the plain value. */
  readonly shown?: ReactNode;
}

/** A list of names and values, monospaced, any depth. */
export function KeyValues({ rows, label }: { readonly rows: readonly KeyValue[]; readonly label: string }) {
  return (
    <dl className={styles.list} aria-label={label}>
      {rows.map(({ key, value, shown }, index) => (
        <div key={`${key}-${index}`} className={styles.row}>
          <dt>{key}</dt>
          <dd>{shown ?? <JsonValue value={value} />}</dd>
        </div>
      ))}
    </dl>
  );
}
