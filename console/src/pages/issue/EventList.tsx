import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-lists.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { noEventMatches, noEvents } from './empty-lists.ts';
import styles from './EventList.module.css';
import { eventsOf, type EventSummary } from './list-queries.ts';
import { ListFrame, SortHead } from './ListFrame.tsx';

const route = getRouteApi('/shell/issues/$issue');

/** Every event of the issue, a row each. */
export function EventList({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const search = route.useSearch();
  const { q } = search;
  const oldest = search.sort === 'oldest';
  // The visit has asked (see the route).
  const found = useQuery({ ...eventsOf(org, issue.shortId, search), refetchOnMount: false });
  const rows = useRef<HTMLDivElement>(null);
  useRowKeys(rows);
  return (
    <ListFrame note={oldest ? m.oldestFirst : m.newestFirst} cursors={found.data?.cursors}>
      <div ref={rows}>
        <QueryView
          query={found}
          loading={m.eventsLoading}
          failed={m.eventsFailed}
          rows={10}
          height={44}
          isEmpty={({ events }) => events.length === 0}
          empty={<Empty of={q ? noEventMatches : noEvents} />}
        >
          {({ events }) => (
            <DataTable
              label={m.events}
              head={
                <>
                  <HeadCell>{m.event}</HeadCell>
                  <SortHead value={oldest ? undefined : 'oldest'} direction={oldest ? 'ascending' : 'descending'}>
                    {m.time}
                  </SortHead>
                  <HeadCell main>{m.message}</HeadCell>
                  <HeadCell hide="medium">{m.transaction}</HeadCell>
                  <HeadCell hide="narrow">{m.user}</HeadCell>
                  <HeadCell hide="narrow">{m.release}</HeadCell>
                  <HeadCell hide="wide">{m.environment}</HeadCell>
                </>
              }
            >
              {events.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </DataTable>
          )}
        </QueryView>
      </div>
    </ListFrame>
  );
}

export function EventRow({ event }: { readonly event: EventSummary }) {
  const tag = (key: string): string => event.tags.find((each) => each.key === key)?.value ?? '';
  const message = event.message || event.title;
  return (
    <tr>
      <Cell>
        <Link
          from="/issues/$issue"
          to="."
          search={(before) => ({
            ...before,
            event: event.eventID,
            list: undefined,
            sort: undefined,
            cursor: undefined,
          })}
          aria-label={m.eventLabel({ id: event.eventID })}
          data-row=""
        >
          <code>{event.eventID.slice(0, 8)}</code>
        </Link>
      </Cell>
      <Cell>
        <Time at={event.dateCreated} />
      </Cell>
      <RowHead title={message} translate="no">
        <Cut text={message} />
      </RowHead>
      <Cell hide="medium">
        <Cut text={tag('transaction') || tag('url') || (event.location ?? '')} />
      </Cell>
      <Cell hide="narrow">
        <Cut text={personOf(event)} />
      </Cell>
      <Cell hide="narrow">
        <Cut text={event.release ?? ''} />
      </Cell>
      <Cell hide="wide">
        <Cut text={event.environment ?? ''} />
      </Cell>
    </tr>
  );
}

/** As much as the column has room for; the whole text is in its tip. */
const Cut = ({ text }: { readonly text: string }) =>
  text ? (
    <span className={styles.cut} title={text} translate="no">
      {text}
    </span>
  ) : (
    <Text tone="faint">–</Text>
  );

const personOf = ({ user }: EventSummary): string =>
  user ? (user.email ?? user.username ?? user.name ?? user.id ?? user.ip_address ?? '') : '';
