import { useMemo, useRef, useState } from 'react';
import { MarkedValue, ScrubMark } from '../event/ScrubMark.tsx';
import { type Scrubbed, scrubbedBelow } from '../event/scrubbed.ts';
import type { Breadcrumb } from '../event/types.ts';
import { cx } from '../../ui/cx.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { Level } from '../../ui/Level.tsx';
import * as m from '../../messages/breadcrumbs.ts';
import { Nothing } from '../../ui/Text.tsx';
import { SearchInput, Toolbar } from '../../ui/Toolbar.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { localTime } from '../../ui/relative-time.ts';
import styles from './Breadcrumbs.module.css';
import { useVirtualRows } from './use-virtual-rows.ts';
import { crumbRows, filterCrumbs, offsetLabel, type CrumbRow } from './crumbs.ts';

const rowHeight = 28;

/** What happened before the error, in order, the newest at the end and in sight. */
export function Breadcrumbs({
  crumbs,
  eventTime,
  scrubbed = [],
  project = '',
}: {
  readonly crumbs: readonly Breadcrumb[];
  readonly eventTime: number;
  /** Of the event, and the slug of its project. */
  readonly scrubbed?: readonly Scrubbed[];
  readonly project?: string;
}) {
  const [filter, setFilter] = useState({ text: '', category: '', level: '' });
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const box = useRef<HTMLElement>(null);
  const all = useMemo(() => crumbRows(crumbs, eventTime), [crumbs, eventTime]);
  const rows = useMemo(() => filterCrumbs(all, filter).toReversed(), [all, filter]);
  const virtual = useVirtualRows({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
  });
  const categories = [...new Set(all.map((row) => row.category))].toSorted();
  const levels = [...new Set(all.map((row) => row.crumb.level))].toSorted();
  const toggle = (key: number): void =>
    setOpen(open.has(key) ? new Set([...open].filter((each) => each !== key)) : new Set([...open, key]));

  return (
    <>
      <Toolbar bare>
        <SearchInput
          label={m.search}
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.target.value })}
          placeholder={m.search}
        />
        <InlineSelect
          label={m.category}
          value={filter.category}
          onChange={(event) => setFilter({ ...filter, category: event.target.value })}
        >
          <option value="">{m.allCategories}</option>
          {categories.map((category) => (
            <option key={category} translate="no">
              {category}
            </option>
          ))}
        </InlineSelect>
        <InlineSelect
          label={m.level}
          value={filter.level}
          onChange={(event) => setFilter({ ...filter, level: event.target.value })}
        >
          <option value="">{m.allLevels}</option>
          {levels.map((level) => (
            <option key={level} translate="no">
              {level}
            </option>
          ))}
        </InlineSelect>
        <output className="visually-hidden">{m.count({ count: rows.length })}</output>
      </Toolbar>
      <ScrollRegion ref={box} className={styles.box} label={m.list}>
        {rows.length === 0 && <Nothing>{m.none}</Nothing>}
        <ul style={{ height: virtual.getTotalSize() }} className={styles.crumbRows}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <li
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className={styles.place}
                  style={{ transform: `translateY(${item.start}px)` }}
                  aria-setsize={rows.length}
                  aria-posinset={item.index + 1}
                >
                  <Crumb
                    row={row}
                    open={open.has(row.key)}
                    found={scrubbedBelow(scrubbed, ['breadcrumbs', 'values', String(row.key)])}
                    project={project}
                    onToggle={() => toggle(row.key)}
                  />
                </li>
              )
            );
          })}
        </ul>
      </ScrollRegion>
    </>
  );
}

export function Crumb({
  row,
  open,
  found,
  project,
  onToggle,
}: {
  readonly row: CrumbRow;
  readonly open: boolean;
  readonly found: readonly Scrubbed[];
  readonly project: string;
  readonly onToggle: () => void;
}) {
  const { crumb } = row;
  const at = crumb.timestamp === null ? undefined : localTime(Date.parse(crumb.timestamp));
  const hasData = Object.keys(crumb.data ?? {}).length > 0;
  const bad = crumb.level === 'error' || crumb.level === 'fatal' || crumb.level === 'warning';
  const line = (
    <>
      <Level level={crumb.level} />
      <span className={styles.category} translate="no">
        {row.category}
      </span>
      <span className={cx(styles.text, open && styles.whole, bad && styles.bad)} translate="no">
        {row.text}
      </span>
      <span className={styles.when} data-tip={at}>
        {offsetLabel(row.offsetMs)}
      </span>
    </>
  );
  return (
    <>
      {hasData || row.text.length > 60 ? (
        <button type="button" className={styles.line} aria-expanded={open} onClick={onToggle}>
          {line}
        </button>
      ) : (
        <div className={styles.line}>{line}</div>
      )}
      {found.length > 0 && (
        <div className={styles.data}>
          <ScrubMark found={found} project={project} />
        </div>
      )}
      {open && hasData && (
        <div className={styles.data}>
          <MarkedValue value={crumb.data} found={scrubbedBelow(found, ['data'])} project={project} />
        </div>
      )}
    </>
  );
}
