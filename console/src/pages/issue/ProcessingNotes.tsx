import { JsonValue } from '../../features/event/JsonValue.tsx';
import { plural } from '../../ui/numbers.ts';
import styles from './ProcessingNotes.module.css';

/** What went wrong while the event was processed: said, but not in the way. */
export function ProcessingNotes({ errors }: { readonly errors: readonly Record<string, unknown>[] }) {
  if (errors.length === 0) return null;
  return (
    <details className={styles.notes}>
      <summary>{plural(errors.length, 'note')} from processing this event</summary>
      <ul>
        {errors.map((error, index) => (
          <li key={index}>
            <JsonValue value={error} />
          </li>
        ))}
      </ul>
    </details>
  );
}
