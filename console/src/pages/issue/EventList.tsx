import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import { eventsOf, type EventSummary } from './list-queries.ts';
import { ListFrame, SortHead } from './ListFrame.tsx';
import styles from './ListFrame.module.css';

const route = getRouteApi('/shell/issues/$issue');

/** Every event of the issue, a row each. */
export function EventList({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const search = route.useSearch();
  const { q } = search;
  const oldest = search.sort === 'oldest';
  // The visit has asked (see the route).
  const found = useQuery({ ...eventsOf(org, issue.shortId, search), refetchOnMount: false });
  const rows = useRef<HTMLTableSectionElement>(null);
  useRowKeys(rows);
  return (
    <ListFrame note={oldest ? 'Oldest first' : 'Newest first'} cursors={found.data?.cursors}>
      <BusyBar busy={found.isFetching && found.data !== undefined} />
      {found.isPending ? (
        <Skeleton rows={10} height={36} label="Loading events" />
      ) : found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="The events could not be loaded" />
      ) : found.data.events.length === 0 ? (
        <EmptyState title={q ? 'No event of this issue matches the filter' : 'No event of this issue is stored'}>
          <p>
            {q
              ? 'Remove the filter above to see all events.'
              : 'Events are deleted when they are older than the retention time.'}
          </p>
        </EmptyState>
      ) : (
        <ScrollRegion label="Events" className={styles.scroll}>
          <table className={styles.table} aria-busy={found.isFetching}>
            <thead>
              <tr>
                <th scope="col">Event</th>
                <SortHead value={oldest ? undefined : 'oldest'} direction={oldest ? 'ascending' : 'descending'}>
                  Time
                </SortHead>
                <th scope="col">Message</th>
                <th scope="col">Transaction</th>
                <th scope="col">User</th>
                <th scope="col">Release</th>
                <th scope="col">Environment</th>
              </tr>
            </thead>
            <tbody ref={rows}>
              {found.data.events.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </ListFrame>
  );
}

function EventRow({ event }: { readonly event: EventSummary }) {
  const tag = (key: string): string => event.tags.find((each) => each.key === key)?.value ?? '';
  return (
    <tr>
      <td>
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
          aria-label={`Event ${event.eventID}`}
          data-row=""
        >
          <code>{event.eventID.slice(0, 8)}</code>
        </Link>
      </td>
      <td>
        <Time at={event.dateCreated} />
      </td>
      <Cell text={event.message || event.title} className={styles.wide} />
      <Cell text={tag('transaction') || tag('url') || (event.location ?? '')} />
      <Cell text={personOf(event)} />
      <Cell text={event.release ?? ''} />
      <Cell text={event.environment ?? ''} />
    </tr>
  );
}

/** Cut to the column; the whole text is in its tip. */
function Cell({ text, className = styles.text }: { readonly text: string; readonly className?: string | undefined }) {
  return (
    <td className={className} title={text || undefined}>
      {text || <span className={styles.none}>–</span>}
    </td>
  );
}

const personOf = ({ user }: EventSummary): string =>
  user ? (user.email ?? user.username ?? user.name ?? user.id ?? user.ip_address ?? '') : '';
