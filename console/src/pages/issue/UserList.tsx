import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { splitTerms, withTerm } from '../../features/issues/query-terms.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Count } from '../../ui/Count.tsx';
import { compactNumber, percent, plural } from '../../ui/numbers.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { BusyBar, EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import { type AffectedUser, usersOf } from './list-queries.ts';
import { ListFrame, SortHead } from './ListFrame.tsx';
import styles from './ListFrame.module.css';

const route = getRouteApi('/shell/issues/$issue');

/** Who is affected, and how often. */
export function UserList({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const search = route.useSearch();
  const { q = '', sort } = search;
  const order = sort === 'last' || sort === 'first' ? sort : 'events';
  // The visit has asked (see the route).
  const found = useQuery({ ...usersOf(org, issue.shortId, search), refetchOnMount: false });
  const rows = useRef<HTMLTableSectionElement>(null);
  useRowKeys(rows);
  const directionOf = (column: 'events' | 'last' | 'first') => (column === order ? 'descending' : undefined);
  const sampled = found.data?.sampled;
  return (
    <ListFrame
      note={
        found.data &&
        `${plural(found.data.total, 'user')}${sampled === undefined ? '' : ` in the newest ${compactNumber(sampled)} events`}`
      }
      cursors={found.data?.cursors}
    >
      <BusyBar busy={found.isFetching && found.data !== undefined} />
      {found.isPending ? (
        <Skeleton rows={10} height={36} label="Loading users" />
      ) : found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="The users could not be loaded" />
      ) : found.data.users.length === 0 ? (
        <EmptyState title={q ? 'No event that matches the filter names a user' : 'No event of this issue names a user'}>
          <p>
            Call <code>Sentry.setUser</code> with an id in your application to see who is affected.
          </p>
        </EmptyState>
      ) : (
        <ScrollRegion label="Users" className={styles.scroll}>
          <table className={styles.table} aria-busy={found.isFetching}>
            <thead>
              <tr>
                <th scope="col">User</th>
                <SortHead value={undefined} direction={directionOf('events')} numeric>
                  Events
                </SortHead>
                <th scope="col" className={styles.number}>
                  Share
                </th>
                <SortHead value="last" direction={directionOf('last')}>
                  Last seen
                </SortHead>
                <SortHead value="first" direction={directionOf('first')}>
                  First seen
                </SortHead>
              </tr>
            </thead>
            <tbody ref={rows}>
              {found.data.users.map((user) => (
                <UserRow key={user.value} user={user} filter={q} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </ListFrame>
  );
}

function UserRow({ user, filter }: { readonly user: AffectedUser; readonly filter: string }) {
  const term = termText('user', user.value);
  const q = splitTerms(filter).includes(term) ? filter : withTerm(filter, term);
  const more = [user.email, user.username, user.id, user.ipAddress].filter((text) => text && text !== user.name);
  return (
    <tr>
      <td className={styles.wide}>
        <Link
          from="/issues/$issue"
          to="."
          search={(before) => ({ ...before, list: 'events', q, sort: undefined, cursor: undefined, event: undefined })}
          title={user.name}
          data-tip="Events of this user"
          data-row=""
        >
          {user.name}
        </Link>
        {more.length > 0 && <span className={styles.more}>{more.join(' · ')}</span>}
      </td>
      <td className={styles.number}>
        <Count value={user.count} />
      </td>
      <td className={styles.number}>{percent(user.share, 1)}</td>
      <td>
        <Time at={user.lastSeen} />
      </td>
      <td>
        <Time at={user.firstSeen} />
      </td>
    </tr>
  );
}
