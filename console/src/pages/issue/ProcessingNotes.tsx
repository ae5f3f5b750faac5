import { JsonValue } from '../../features/event/JsonValue.tsx';
import { plural } from '../../ui/numbers.ts';
import styles from './ProcessingNotes.module.css';

const words: Readonly<Record<string, string>> = {
  clock_drift: 'was moved, because the clock of the sender was wrong',
  past_timestamp: 'was moved, because it lay too far in the past',
  future_timestamp: 'was moved, because it lay in the future',
  invalid_data: 'was not valid and left out',
  value_too_long: 'was too long and cut',
};

/** What went wrong while the event was processed: said, but not in the way. */
export function ProcessingNotes({ errors }: { readonly errors: readonly Record<string, unknown>[] }) {
  return (
    <details className={styles.notes}>
      <summary>{plural(errors.length, 'note')} from processing this event</summary>
      <ul>
        {errors.map(({ type, name, value, ...rest }, index) => (
          <li key={index} className={styles.note}>
            <code>{String(name ?? 'event')}</code> {words[String(type)] ?? String(type).replaceAll('_', ' ')}
            {value !== undefined && value !== null && (
              <>
                : <JsonValue value={value} />
              </>
            )}
            {Object.keys(rest).length > 0 && <JsonValue value={rest} depth={1} />}
          </li>
        ))}
      </ul>
    </details>
  );
}
