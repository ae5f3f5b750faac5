import { Link } from '@tanstack/react-router';
import { LocateIcon, SearchIcon } from '../../ui/icons.ts';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { duration } from '../../ui/durations.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { Level, levelOf, levels } from '../../ui/Level.tsx';
import { exactNumber, plural } from '../../ui/numbers.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { EmptyState } from '../../ui/State.tsx';
import { useVirtualRows } from '../breadcrumbs/use-virtual-rows.ts';
import { entriesOf, type EntryFilter, filterEntries, markWords, type TraceEntry } from './entries.ts';
import { LogDetails } from './LogDetails.tsx';
import styles from './TraceLogs.module.css';

const rowHeight = 29;

/** What a trace wrote: its logs and errors by time. `onSpan` shows the row of the waterfall in which one was written. */
export function TraceLogs({
  trace,
  onSpan,
}: {
  readonly trace: Schemas['Waterfall'];
  readonly onSpan?: ((row: number) => void) | undefined;
}) {
  const [filter, setFilter] = useState<EntryFilter>({ text: '', level: '' });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLElement>(null);
  const all = useMemo(() => entriesOf(trace), [trace]);
  const wanted = useDeferredValue(filter);
  const entries = useMemo(() => filterEntries(all, wanted), [all, wanted]);
  const virtual = useVirtualRows({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan: 10,
  });
  const toggle = (key: string): void => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };

  if (!all.length) {
    return (
      <EmptyState title="No log of this trace">
        Logs that are written while a span is active carry its trace: <code>enableLogs: true</code> in Sentry&apos;s
        SDKs, or any logger that OpenTelemetry knows.
      </EmptyState>
    );
  }
  return (
    <section className={styles.logs} aria-label="Logs and errors">
      <div className={styles.tools}>
        <label className={styles.search}>
          <SearchIcon size={14} aria-hidden="true" />
          <input
            type="search"
            value={filter.text}
            maxLength={200}
            onChange={(event) => setFilter({ ...filter, text: event.target.value })}
            placeholder="Search logs"
            aria-label="Search logs"
          />
        </label>
        <InlineSelect
          label="Least level"
          value={filter.level}
          onChange={(event) => setFilter({ ...filter, level: levels.find((one) => one === event.target.value) ?? '' })}
        >
          <option value="">All levels</option>
          {levels.map((level, index) => (
            <option key={level} value={level}>
              {index === 0 ? level : `${level} and worse`}
            </option>
          ))}
        </InlineSelect>
        <output className={styles.count}>
          {entries.length === all.length
            ? countWords(trace)
            : `${exactNumber(entries.length)} of ${exactNumber(all.length)}`}
        </output>
      </div>
      <ScrollRegion ref={box} className={styles.box} label="Logs and errors by time">
        {entries.length === 0 && (
          <p className={styles.none}>
            No log matches.{' '}
            <Button size="small" onClick={() => setFilter({ text: '', level: '' })}>
              Show all
            </Button>
          </p>
        )}
        <ul style={{ height: virtual.getTotalSize() }} className={styles.list}>
          {virtual.getVirtualItems().map((item) => {
            const entry = entries[item.index];
            return (
              entry && (
                <li
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className={styles.item}
                  style={{ transform: `translateY(${item.start}px)` }}
                  aria-setsize={entries.length}
                  aria-posinset={item.index + 1}
                >
                  <Entry
                    entry={entry}
                    span={trace.rows[entry.row]?.name}
                    search={wanted.text}
                    open={open.has(entry.key)}
                    onToggle={() => toggle(entry.key)}
                    onSpan={onSpan && entry.row >= 0 ? () => onSpan(entry.row) : undefined}
                  />
                </li>
              )
            );
          })}
        </ul>
      </ScrollRegion>
    </section>
  );
}

function countWords({ logs, errors, logsLeft }: Schemas['Waterfall']): string {
  const words = [
    logsLeft > 0 ? `the first ${exactNumber(logs.length)} of ${plural(logs.length + logsLeft, 'log')}` : '',
    logsLeft === 0 && logs.length > 0 ? plural(logs.length, 'log') : '',
    errors.length > 0 ? plural(errors.length, 'error') : '',
  ];
  return words.filter(Boolean).join(', ');
}

function Entry({
  entry,
  span,
  search,
  open,
  onToggle,
  onSpan,
}: {
  readonly entry: TraceEntry;
  /** Name of its span, where that is there. */
  readonly span: string | undefined;
  readonly search: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onSpan: (() => void) | undefined;
}) {
  const level = levelOf(entry.level);
  const line = (
    <>
      <span className={styles.level}>
        <Level level={entry.level} word />
      </span>
      <span className={styles.when}>{duration(entry.offsetUs)}</span>
      <span className={styles.service}>{entry.service}</span>
      <span className={cx(styles.text, open && styles.whole)}>
        {markWords(entry.text, search).map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text))}
      </span>
    </>
  );
  return (
    <>
      <div className={cx(styles.line, (level === 'error' || level === 'fatal') && styles.bad)}>
        {entry.kind === 'log' ? (
          <button type="button" className={styles.row} aria-expanded={open} onClick={onToggle}>
            {line}
          </button>
        ) : entry.shortId ? (
          <Link
            className={styles.row}
            to="/issues/$issue"
            params={{ issue: entry.shortId }}
            search={{ event: entry.eventId }}
          >
            {line}
          </Link>
        ) : (
          <div className={styles.row}>{line}</div>
        )}
        {onSpan && (
          <IconButton
            size="small"
            className={styles.toSpan}
            icon={<LocateIcon size={14} />}
            label={`Show its span, ${span ?? ''}`}
            onClick={onSpan}
          />
        )}
      </div>
      {open && entry.kind === 'log' && (
        <div className={styles.details}>
          <LogDetails id={entry.id} text={entry.text} />
        </div>
      )}
    </>
  );
}
