import { JsonValue } from '../../features/event/JsonValue.tsx';
import * as m from '../../messages/issue-details.ts';
import { Notice } from '../../ui/Notice.tsx';

const kinds: Readonly<Record<string, string>> = m.noteKinds;

/** What went wrong while the event was processed: there to be read, but not in the way. */
export function ProcessingNotes({ errors }: { readonly errors: readonly Record<string, unknown>[] }) {
  return (
    <Notice tone="warning">
      <details>
        <summary>{m.notes({ count: errors.length })}</summary>
        <ul>
          {errors.map(({ type, name, value, ...rest }, index) => (
            <li key={index}>
              <code>{String(name ?? m.noteEvent)}</code>{' '}
              {Object.hasOwn(kinds, String(type)) ? (
                kinds[String(type)]
              ) : (
                <span translate="no">{String(type).replaceAll('_', ' ')}</span>
              )}{' '}
              {value !== undefined && value !== null && <JsonValue value={value} />}
              {Object.keys(rest).length > 0 && <JsonValue value={rest} depth={1} />}
            </li>
          ))}
        </ul>
      </details>
    </Notice>
  );
}
