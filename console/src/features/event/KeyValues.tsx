import type { ReactNode } from 'react';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { JsonValue } from './JsonValue.tsx';
import styles from './KeyValues.module.css';

export interface KeyValueRow {
  readonly key: string;
  readonly value: unknown;
  /** Drawn instead of the plain value. */
  readonly shown?: ReactNode;
  /** Whether the key is a word of ours, not one of the event. */
  readonly ours?: boolean;
}

/** A list of names and values, monospaced, any depth. */
export function KeyValues({ rows, label }: { readonly rows: readonly KeyValueRow[]; readonly label: string }) {
  return (
    <KeyValue label={label} compact boxed>
      {rows.map(({ key, value, shown, ours = false }, index) => (
        <Pair key={`${key}-${index}`} name={<span translate={ours ? undefined : 'no'}>{key}</span>}>
          <div className={styles.mono}>{shown ?? <JsonValue value={value} />}</div>
        </Pair>
      ))}
    </KeyValue>
  );
}
