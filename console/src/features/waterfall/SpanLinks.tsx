import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { JsonValue } from '../event/JsonValue.tsx';
import { KeyValues } from '../event/KeyValues.tsx';
import * as m from '../../messages/waterfall.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { duration } from '../../ui/durations.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Nothing, Text } from '../../ui/Text.tsx';
import { type IndexedTrace, rowOfSpan } from './index-trace.ts';
import { nameOf } from './ops.ts';
import type { TraceSpan } from './queries.ts';

const maxShown = 100;

/** What the span says of others and of moments within it, and what was changed when it came. */
export function SpanLinks({
  index,
  span,
  shiftUs,
  onShow,
}: {
  readonly index: IndexedTrace;
  readonly span: TraceSpan;
  readonly shiftUs: number;
  readonly onShow: (row: number) => void;
}) {
  const { links, events, remarks } = span;
  return (
    <>
      {links.length > 0 && (
        <Panel title={m.links} id="span-links" count={links.length} boxed={false}>
          <DataList open compact>
            {links.slice(0, maxShown).map((link, number) => {
              const row = link.traceId === span.traceId ? rowOfSpan(index, link.spanId) : -1;
              const there = index.rows[row];
              return (
                <DataRow
                  key={number}
                  title={
                    there ? (
                      <Button size="small" variant="ghost" translate="no" onClick={() => onShow(row)}>
                        {nameOf(there)}
                      </Button>
                    ) : (
                      <Link to="/traces/$trace" params={{ trace: link.traceId }} search={{ span: link.spanId }}>
                        {m.linkTo({ trace: link.traceId.slice(0, 8), span: link.spanId })}
                      </Link>
                    )
                  }
                >
                  {attributesOf(link.attributes, m.linkAttributes)}
                </DataRow>
              );
            })}
          </DataList>
        </Panel>
      )}
      {events.length > 0 && (
        <Panel title={m.events} id="span-events" count={events.length} boxed={false}>
          <DataList open compact>
            {events.slice(0, maxShown).map((event, number) => (
              <DataRow
                key={number}
                lead={
                  <Text tone="faint" small>
                    +{duration(event.atUs + shiftUs - index.trace.startUs)}
                  </Text>
                }
                title={<span translate="no">{event.name}</span>}
              >
                {attributesOf(event.attributes, m.eventAttributes({ name: event.name }))}
              </DataRow>
            ))}
          </DataList>
          {events.length > maxShown && <Nothing>{m.moreInJson({ count: events.length - maxShown })}</Nothing>}
        </Panel>
      )}
      {remarks.length > 0 && (
        <Panel title={m.changed} id="span-changed" boxed={false}>
          <JsonValue value={remarks} />
        </Panel>
      )}
    </>
  );
}

function attributesOf(attributes: Readonly<Record<string, unknown>>, label: string): ReactNode {
  const rows = Object.entries(attributes).map(([key, value]) => ({ key, value }));
  return rows.length > 0 && <KeyValues rows={rows} label={label} />;
}
