import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageCursors } from '../../api/link-header.ts';
import { PageLinks } from '../../features/list-pages/PageLinks.tsx';
import * as m from '../../messages/issue-lists.ts';
import { HeadCell, sortClass, SortMark } from '../../ui/DataTable.tsx';
import { tabClass, Tabs } from '../../ui/Tabs.tsx';
import { Text } from '../../ui/Text.tsx';
import { ToolbarGap } from '../../ui/Toolbar.tsx';
import { EventFilter } from './EventFilter.tsx';
import { IssueBar } from './IssueBar.tsx';

const route = getRouteApi('/shell/issues/$issue');

const tabs = [
  [undefined, m.event],
  ['events', m.allEvents],
  ['users', m.users],
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
    <section aria-label={list === 'users' ? m.affectedUsers : m.events}>
      <IssueBar label={m.views}>
        <Tabs label={m.views}>
          {tabs.map(([value, label]) => (
            <Link
              key={label}
              from="/issues/$issue"
              to="."
              search={(before) => ({ ...before, list: value, sort: undefined, cursor: undefined })}
              className={tabClass}
              activeOptions={exactly}
              aria-current={list === value ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </Tabs>
        <EventFilter filter={q} />
        <ToolbarGap />
        <Text tone="faint" small>
          {note}
        </Text>
      </IssueBar>
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
  hide,
  children,
}: {
  readonly value: Sort | undefined;
  /** Of the rows while they are sorted by it; undefined while they are not. */
  readonly direction: 'ascending' | 'descending' | undefined;
  readonly numeric?: boolean;
  readonly hide?: 'narrow';
  readonly children: ReactNode;
}) {
  return (
    <HeadCell number={numeric} hide={hide} sort={direction}>
      <Link
        from="/issues/$issue"
        to="."
        search={(before) => ({ ...before, sort: value, cursor: undefined })}
        className={sortClass}
      >
        {children}
        <SortMark sort={direction} />
      </Link>
    </HeadCell>
  );
}
