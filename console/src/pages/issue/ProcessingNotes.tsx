import type { ReactNode } from 'react';
import { JsonValue } from '../../features/event/JsonValue.tsx';
import * as m from '../../messages/issue-details.ts';
import { Notice } from '../../ui/Notice.tsx';

const kinds: Readonly<Record<string, (p: { readonly name: ReactNode }) => ReactNode>> = m.noteKinds;

/** What went wrong while the event was processed: there to be read, but not in the way. */
export function ProcessingNotes({ errors }: { readonly errors: readonly Record<string, unknown>[] }) {
  return (
    <Notice tone="warning">
      <details>
        <summary>{m.notes({ count: errors.length })}</summary>
        <ul>
          {errors.map(({ type, name, value, ...rest }, index) => (
            <li key={index}>
              {noteOf(String(type), name)} {value !== undefined && value !== null && <JsonValue value={value} />}
              {Object.keys(rest).length > 0 && <JsonValue value={rest} folded />}
            </li>
          ))}
        </ul>
      </details>
    </Notice>
  );
}

function noteOf(type: string, of: unknown): ReactNode {
  const name = of === undefined || of === null ? m.noteEvent : <code>{String(of)}</code>;
  return Object.hasOwn(kinds, type) ? (
    kinds[type]?.({ name })
  ) : (
    <>
      {name} <span translate="no">{type.replaceAll('_', ' ')}</span>
    </>
  );
}
