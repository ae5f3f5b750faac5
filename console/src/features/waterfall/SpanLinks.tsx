import { Link } from '@tanstack/react-router';
import { KeyValues } from '../event/KeyValues.tsx';
import { JsonValue } from '../event/JsonValue.tsx';
import { Button } from '../../ui/Button.tsx';
import { duration } from '../../ui/durations.ts';
import { plural } from '../../ui/numbers.ts';
import { type IndexedTrace, rowOfSpan } from './index-trace.ts';
import { nameOf } from './ops.ts';
import type { TraceSpan } from './queries.ts';
import styles from './SpanPanel.module.css';

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
  const entries = (attributes: Readonly<Record<string, unknown>>) =>
    Object.entries(attributes).map(([key, value]) => ({ key, value }));
  return (
    <>
      {links.length > 0 && (
        <section className={styles.section} aria-label="Links">
          <h3>{plural(links.length, 'link')}</h3>
          <ul>
            {links.slice(0, maxShown).map((link, number) => {
              const row = link.traceId === span.traceId ? rowOfSpan(index, link.spanId) : -1;
              const there = index.rows[row];
              return (
                <li key={number} className={styles.item}>
                  {there ? (
                    <Button size="small" variant="ghost" onClick={() => onShow(row)}>
                      {nameOf(there)}
                    </Button>
                  ) : (
                    <Link to="/traces/$trace" params={{ trace: link.traceId }} search={{ span: link.spanId }}>
                      trace {link.traceId.slice(0, 8)}, span {link.spanId}
                    </Link>
                  )}
                  {Object.keys(link.attributes).length > 0 && (
                    <KeyValues rows={entries(link.attributes)} label="Attributes of the link" />
                  )}
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {events.length > 0 && (
        <section className={styles.section} aria-label="Events of the span">
          <h3>{plural(events.length, 'event')}</h3>
          <ul>
            {events.slice(0, maxShown).map((event, number) => (
              <li key={number} className={styles.item}>
                <span className={styles.faint}>+{duration(event.atUs + shiftUs - index.trace.startUs)}</span>{' '}
                {event.name}
                {Object.keys(event.attributes).length > 0 && (
                  <KeyValues rows={entries(event.attributes)} label={`Attributes of ${event.name}`} />
                )}
              </li>
            ))}
            {events.length > maxShown && <li className={styles.faint}>{events.length - maxShown} more in its JSON</li>}
          </ul>
        </section>
      )}
      {remarks.length > 0 && (
        <section className={styles.section} aria-label="Changed when it came">
          <h3>Changed when it came</h3>
          <JsonValue value={remarks} />
        </section>
      )}
    </>
  );
}
