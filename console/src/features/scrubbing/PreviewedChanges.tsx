import * as m from '../../messages/scrubbing.ts';
import { Cell, DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Text } from '../../ui/Text.tsx';
import type { ScrubbingPreview } from './queries.ts';

interface Props {
  readonly preview: ScrubbingPreview;
  /** Events, spans and logs each that are shown; all counted. */
  readonly most?: number;
}

/** What rules would change in stored events, spans and logs: place, before and after. */
export function PreviewedChanges({ preview, most }: Props) {
  const { events, examined, spans, examinedSpans, logs, examinedLogs, loosened, problems } = preview;
  if (problems.length > 0) return null;
  return (
    <Stack>
      {loosened.length > 0 && <Notice tone="warning">{m.loosened({ rules: loosened.join('; ') })}</Notice>}
      <Text as="p">
        {events.length === 0
          ? m.nothing({ count: examined })
          : m.found({ changed: String(events.length), count: examined })}
      </Text>
      {events.slice(0, most).map((event) => (
        <Changes key={event.eventID} of={event} />
      ))}
      {examinedSpans > 0 && (
        <Text as="p">
          {spans.length === 0
            ? m.nothingInSpans({ count: examinedSpans })
            : m.foundInSpans({ changed: String(spans.length), count: examinedSpans })}
        </Text>
      )}
      {spans.slice(0, most).map((span) => (
        <Changes key={`${span.traceId} ${span.spanId}`} of={span} />
      ))}
      {examinedLogs > 0 && (
        <Text as="p">
          {logs.length === 0
            ? m.nothingInLogs({ count: examinedLogs })
            : m.foundInLogs({ changed: String(logs.length), count: examinedLogs })}
        </Text>
      )}
      {logs.slice(0, most).map((log, index) => (
        <Changes key={index} of={log} />
      ))}
    </Stack>
  );
}

/** Values may be long, and without a blank: they push no column out of sight. */
const breaking = { overflowWrap: 'anywhere' } as const;
const ofName = { width: '22%' };
const ofValue = { width: '28%' };

function Changes({ of: { title, changes, more } }: { readonly of: ScrubbingPreview['logs'][number] }) {
  return (
    <DataTable
      label={title}
      boxed
      dense
      stacked
      head={
        <>
          <HeadCell style={ofName}>{m.place}</HeadCell>
          <HeadCell style={ofValue}>{m.before}</HeadCell>
          <HeadCell style={ofValue}>{m.after}</HeadCell>
          <HeadCell style={ofName}>{m.rule}</HeadCell>
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
        <tr key={path} translate="no" style={breaking}>
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
  );
}
