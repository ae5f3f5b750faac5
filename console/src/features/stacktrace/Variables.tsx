import { JsonValue } from '../event/JsonValue.tsx';
import * as m from '../../messages/stack-parts.ts';
import styles from './stacktrace.module.css';

/** Local variables of a frame, as names and values. */
export function Variables({ vars }: { readonly vars: readonly (readonly [string, unknown])[] }) {
  return (
    <dl className={styles.vars} aria-label={m.variables}>
      {vars.map(([name, value]) => (
        <div key={name}>
          <dt translate="no">{name}</dt>
          <dd>
            <JsonValue value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
