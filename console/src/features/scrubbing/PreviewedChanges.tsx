import * as m from '../../messages/scrubbing.ts';
import { Cell, DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Text } from '../../ui/Text.tsx';
import type { ScrubbingPreview } from './queries.ts';

/** What rules would change in stored events: place, before and after. */
export function PreviewedChanges({ preview }: { readonly preview: ScrubbingPreview }) {
  const { events, examined, loosened, problems } = preview;
  if (problems.length > 0) return null;
  return (
    <Stack>
      <Text as="p">
        {events.length === 0
          ? m.nothing({ count: examined })
          : m.found({ changed: String(events.length), count: examined })}
      </Text>
      {loosened.length > 0 && <Notice tone="warning">{m.loosened({ rules: loosened.join('; ') })}</Notice>}
      {events.map(({ eventID, title, changes, more }) => (
        <DataTable
          key={eventID}
          label={title}
          boxed
          dense
          stacked
          head={
            <>
              <HeadCell>{m.place}</HeadCell>
              <HeadCell>{m.before}</HeadCell>
              <HeadCell>{m.after}</HeadCell>
              <HeadCell>{m.rule}</HeadCell>
            </>
          }
          foot={
            more > 0 && (
              <tr>
                <td colSpan={4}>{m.more({ count: more })}</td>
              </tr>
            )
          }
        >
          {changes.map(({ path, before, after, rules }) => (
            <tr key={path} translate="no">
              <Cell label={m.place}>
                <code>{path}</code>
              </Cell>
              <Cell label={m.before}>{before}</Cell>
              <Cell label={m.after}>{after ?? <Text tone="faint">{m.removed}</Text>}</Cell>
              <Cell label={m.rule}>
                <code>{rules.join(', ')}</code>
              </Cell>
            </tr>
          ))}
        </DataTable>
      ))}
    </Stack>
  );
}
