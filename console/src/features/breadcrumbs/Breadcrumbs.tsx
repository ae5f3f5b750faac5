import { SearchIcon } from '../../ui/icons.ts';
import { useMemo, useRef, useState } from 'react';
import { JsonValue } from '../event/JsonValue.tsx';
import type { Breadcrumb } from '../event/types.ts';
import { cx } from '../../ui/cx.ts';
import { InlineSelect } from '../../ui/Field.tsx';
import { Level } from '../../ui/Level.tsx';
import { plural } from '../../ui/numbers.ts';
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
}: {
  readonly crumbs: readonly Breadcrumb[];
  readonly eventTime: number;
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
      <div className={styles.tools}>
        <label className={styles.search}>
          <SearchIcon size={14} aria-hidden="true" />
          <input
            value={filter.text}
            onChange={(event) => setFilter({ ...filter, text: event.target.value })}
            placeholder="Search breadcrumbs"
            aria-label="Search breadcrumbs"
          />
        </label>
        <InlineSelect
          label="Category"
          value={filter.category}
          onChange={(event) => setFilter({ ...filter, category: event.target.value })}
        >
          <option value="">All categories</option>
          {categories.map((category) => (
            <option key={category}>{category}</option>
          ))}
        </InlineSelect>
        <InlineSelect
          label="Level"
          value={filter.level}
          onChange={(event) => setFilter({ ...filter, level: event.target.value })}
        >
          <option value="">All levels</option>
          {levels.map((level) => (
            <option key={level}>{level}</option>
          ))}
        </InlineSelect>
        <output className="visually-hidden">{plural(rows.length, 'breadcrumb')}</output>
      </div>
      <ScrollRegion ref={box} className={styles.box} label="Breadcrumbs, the newest first">
        {rows.length === 0 && <p className={styles.none}>No breadcrumb matches.</p>}
        <ul style={{ height: virtual.getTotalSize() }} className={styles.list}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <li
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className={styles.item}
                  style={{ transform: `translateY(${item.start}px)` }}
                  aria-setsize={rows.length}
                  aria-posinset={item.index + 1}
                >
                  <Crumb row={row} open={open.has(row.key)} onToggle={() => toggle(row.key)} />
                </li>
              )
            );
          })}
        </ul>
      </ScrollRegion>
    </>
  );
}

function Crumb({
  row,
  open,
  onToggle,
}: {
  readonly row: CrumbRow;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const { crumb } = row;
  const at = crumb.timestamp === null ? undefined : localTime(Date.parse(crumb.timestamp));
  const hasData = Object.keys(crumb.data ?? {}).length > 0;
  const bad = crumb.level === 'error' || crumb.level === 'fatal' || crumb.level === 'warning';
  const line = (
    <>
      <span className={styles.level}>
        <Level level={crumb.level} />
      </span>
      <span className={styles.category}>{row.category}</span>
      <span className={cx(styles.text, open && styles.whole, bad && styles.bad)}>{row.text}</span>
      <span className={styles.when} data-tip={at}>
        {offsetLabel(row.offsetMs)}
      </span>
    </>
  );
  return (
    <>
      {hasData || row.text.length > 60 ? (
        <button type="button" className={styles.row} aria-expanded={open} onClick={onToggle}>
          {line}
        </button>
      ) : (
        <div className={styles.row}>{line}</div>
      )}
      {open && hasData && (
        <div className={styles.data}>
          <JsonValue value={crumb.data} />
        </div>
      )}
    </>
  );
}
