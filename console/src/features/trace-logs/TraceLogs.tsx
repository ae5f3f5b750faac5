import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import * as m from '../../messages/trace-logs.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { levels } from '../../ui/Level.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { Text } from '../../ui/Text.tsx';
import { SearchInput, Toolbar, ToolbarGap } from '../../ui/Toolbar.tsx';
import { Empty } from '../places/Empty.tsx';
import { useVirtualRows } from '../breadcrumbs/use-virtual-rows.ts';
import { none, noMatch } from './empty.ts';
import { entriesOf, type EntryFilter, filterEntries } from './entries.ts';
import { LogLine } from './LogLine.tsx';
import styles from './TraceLogs.module.css';

const rowHeight = 29;
const noFilter: EntryFilter = { text: '', level: '' };

/** What a trace wrote: its logs and errors by time. `onSpan` shows the row of the waterfall in which one was written. */
export function TraceLogs({
  trace,
  onSpan,
}: {
  readonly trace: Schemas['Waterfall'];
  readonly onSpan?: ((row: number) => void) | undefined;
}) {
  const [filter, setFilter] = useState(noFilter);
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

  if (!all.length) return <Empty of={none} />;
  return (
    <section className={styles.logs} aria-label={m.title}>
      <Toolbar>
        <SearchInput
          label={m.search}
          placeholder={m.search}
          value={filter.text}
          maxLength={200}
          onChange={(event) => setFilter({ ...filter, text: event.target.value })}
        />
        <InlineSelect
          label={m.minimumLevel}
          value={filter.level}
          onChange={(event) => setFilter({ ...filter, level: levels.find((one) => one === event.target.value) ?? '' })}
        >
          <option value="">{m.allLevels}</option>
          {levels.map((level) => (
            <option key={level} value={level}>
              {m.atLeast[level]}
            </option>
          ))}
        </InlineSelect>
        <ToolbarGap />
        <output>
          <Text small>
            {entries.length === all.length
              ? countWords(trace)
              : m.matching({ shown: entries.length, count: all.length })}
          </Text>
        </output>
      </Toolbar>
      <ScrollRegion ref={box} className={styles.box} label={m.list}>
        {entries.length === 0 && <Empty of={noMatch} onAct={() => setFilter(noFilter)} />}
        <ul style={{ height: virtual.getTotalSize() }} className={styles.entries}>
          {virtual.getVirtualItems().map((item) => {
            const entry = entries[item.index];
            return (
              entry && (
                <li
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  style={{ transform: `translateY(${item.start}px)` }}
                  aria-setsize={entries.length}
                  aria-posinset={item.index + 1}
                >
                  <LogLine
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
    logsLeft > 0
      ? m.firstLogs({ shown: logs.length, count: logs.length + logsLeft })
      : logs.length > 0 && m.logCount({ count: logs.length }),
    errors.length > 0 && m.errorCount({ count: errors.length }),
  ];
  return words.filter(Boolean).join(', ');
}
