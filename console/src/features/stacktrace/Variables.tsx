import { JsonValue } from '../event/JsonValue.tsx';
import styles from './stacktrace.module.css';

/** Local variables of a frame, as names and values. */
export function Variables({ vars }: { readonly vars: readonly (readonly [string, unknown])[] }) {
  return (
    <dl className={styles.vars} aria-label="Local variables">
      {vars.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <JsonValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
