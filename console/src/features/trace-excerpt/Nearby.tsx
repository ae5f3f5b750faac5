import { Link } from '@tanstack/react-router';
import * as m from '../../messages/trace-excerpt.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { PerformanceIcon } from '../../ui/icons.ts';
import { Level } from '../../ui/Level.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Text } from '../../ui/Text.tsx';
import styles from './Nearby.module.css';
import type { TraceExcerpt } from './queries.ts';
import { nearbyOf, relativeTo, type Nearby as NearbyEntry } from './words.ts';

/** The other issues of the trace, and what was logged around the event, in one order of time. Nothing where there is nothing. */
export function Nearby({ excerpt }: { readonly excerpt: TraceExcerpt }) {
  const entries = nearbyOf(excerpt);
  if (entries.length === 0) return null;
  return (
    <Panel title={m.nearby} id="nearby" boxed={false}>
      <DataList label={m.nearby} compact>
        {entries.map((entry, index) => (
          <NearbyRow key={index} entry={entry} eventUs={excerpt.offsetUs ?? 0} />
        ))}
      </DataList>
    </Panel>
  );
}

/** `eventUs`: when the event of the page happened, from the start of the trace. */
export function NearbyRow({ entry, eventUs }: { readonly entry: NearbyEntry; readonly eventUs: number }) {
  const isEvent = entry.kind === 'event';
  return (
    <DataRow
      current={isEvent}
      lead={
        <span className={styles.when}>
          {!isEvent && <Text small>{relativeTo(entry.offsetUs, eventUs)}</Text>}
          <Mark entry={entry} />
        </span>
      }
      title={<Title entry={entry} />}
      end={
        entry.kind === 'issue' && (
          <>
            <span translate="no">{entry.issue.shortId}</span>
            {entry.issue.count > 1 && m.eventCount({ count: entry.issue.count })}
          </>
        )
      }
    />
  );
}

function Mark({ entry }: { readonly entry: NearbyEntry }) {
  if (entry.kind === 'event') return null;
  if (entry.kind === 'log') return <Level level={entry.log.level} />;
  return entry.issue.category === 'performance' ? (
    <PerformanceIcon size={12} aria-label={m.performance} />
  ) : (
    <Level level={entry.issue.level} />
  );
}

function Title({ entry }: { readonly entry: NearbyEntry }) {
  if (entry.kind === 'event') return <strong>{m.thisEvent}</strong>;
  if (entry.kind === 'log')
    return (
      <Text as="div" cut>
        <code>{entry.log.message}</code>
      </Text>
    );
  const { issueId, shortId, eventId, title } = entry.issue;
  return (
    <Link to="/issues/$issue" params={{ issue: shortId ?? issueId }} search={{ event: eventId }} translate="no">
      {title}
    </Link>
  );
}
