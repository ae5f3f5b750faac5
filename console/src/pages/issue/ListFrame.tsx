import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageCursors } from '../../api/link-header.ts';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import { cx } from '../../ui/cx.ts';
import { EventFilter } from './EventFilter.tsx';
import styles from './ListFrame.module.css';

const route = getRouteApi('/shell/issues/$issue');

const tabs = [
  [undefined, 'Event'],
  ['events', 'All events'],
  ['users', 'Users'],
] as const;

/** The first tab adds nothing to the address, and would be current on all of them. */
const exactly = { exact: true };

/** What the lists of an issue share: the way to the others and back to the event, the filter, the pages. */
export function ListFrame({
  note,
  cursors,
  children,
}: {
  readonly note: ReactNode;
  readonly cursors: PageCursors | undefined;
  readonly children: ReactNode;
}) {
  const { list, q = '', cursor } = route.useSearch();
  return (
    <section aria-label={list === 'users' ? 'Affected users' : 'Events'}>
      <div className={styles.bar}>
        <nav className={styles.tabs} aria-label="Of this issue">
          {tabs.map(([value, label]) => (
            <Link
              key={label}
              from="/issues/$issue"
              to="."
              search={(before) => ({ ...before, list: value, sort: undefined, cursor: undefined })}
              className={styles.tab}
              activeOptions={exactly}
              aria-current={list === value ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        <EventFilter filter={q} />
        <span className={styles.note}>{note}</span>
      </div>
      {children}
      <PageLinks list="/issues/$issue" cursors={cursors} cursor={cursor} />
    </section>
  );
}

type Sort = 'oldest' | 'last' | 'first';

/** The head of a column whose link sorts by it; `value` is undefined for the order that needs no word. */
export function SortHead({
  value,
  direction,
  numeric = false,
  children,
}: {
  readonly value: Sort | undefined;
  /** Of the rows while they are sorted by it; undefined while they are not. */
  readonly direction: 'ascending' | 'descending' | undefined;
  readonly numeric?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <th scope="col" className={cx(numeric && styles.number)} aria-sort={direction}>
      <Link
        from="/issues/$issue"
        to="."
        search={(before) => ({ ...before, sort: value, cursor: undefined })}
        className={styles.sort}
      >
        {children}
        {direction && <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
      </Link>
    </th>
  );
}
