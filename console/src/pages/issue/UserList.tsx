import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { splitTerms, withTerm } from '../../features/issues/query-terms.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-lists.ts';
import { Count } from '../../ui/Count.tsx';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { compactNumber, percent } from '../../ui/numbers.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { noUserMatches, noUsers } from './empty-lists.ts';
import { type AffectedUser, usersOf } from './list-queries.ts';
import { ListFrame, SortHead } from './ListFrame.tsx';

const route = getRouteApi('/shell/issues/$issue');

/** Who is affected, and how often. */
export function UserList({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const search = route.useSearch();
  const { q = '', sort } = search;
  const order = sort === 'last' || sort === 'first' ? sort : 'events';
  // The visit has asked (see the route).
  const found = useQuery({ ...usersOf(org, issue.shortId, search), refetchOnMount: false });
  const rows = useRef<HTMLDivElement>(null);
  useRowKeys(rows);
  const directionOf = (column: 'events' | 'last' | 'first') => (column === order ? 'descending' : undefined);
  return (
    <ListFrame note={found.data && countWords(found.data)} cursors={found.data?.cursors}>
      <div ref={rows}>
        <QueryView
          query={found}
          loading={m.usersLoading}
          failed={m.usersFailed}
          rows={10}
          height={44}
          isEmpty={({ users }) => users.length === 0}
          empty={<Empty of={q ? noUserMatches : noUsers} />}
        >
          {({ users }) => (
            <DataTable
              label={m.users}
              head={
                <>
                  <HeadCell main>{m.user}</HeadCell>
                  <SortHead value={undefined} direction={directionOf('events')} numeric>
                    {m.events}
                  </SortHead>
                  <HeadCell number>{m.share}</HeadCell>
                  <SortHead value="last" direction={directionOf('last')}>
                    {m.lastSeen}
                  </SortHead>
                  <SortHead value="first" direction={directionOf('first')} hide="narrow">
                    {m.firstSeen}
                  </SortHead>
                </>
              }
            >
              {users.map((user) => (
                <UserRow key={user.value} user={user} filter={q} />
              ))}
            </DataTable>
          )}
        </QueryView>
      </div>
    </ListFrame>
  );
}

const countWords = ({ total: count, sampled }: { readonly total: number; readonly sampled: number | undefined }) =>
  sampled === undefined ? m.userCount({ count }) : m.userCountSampled({ count, events: compactNumber(sampled) });

export function UserRow({ user, filter }: { readonly user: AffectedUser; readonly filter: string }) {
  const term = termText('user', user.value);
  const q = splitTerms(filter).includes(term) ? filter : withTerm(filter, term);
  const more = [user.email, user.username, user.id, user.ipAddress].filter((text) => text && text !== user.name);
  return (
    <tr>
      <RowHead>
        <Link
          from="/issues/$issue"
          to="."
          search={(before) => ({ ...before, list: 'events', q, sort: undefined, cursor: undefined, event: undefined })}
          data-tip={m.userEvents}
          data-row=""
        >
          <span title={user.name} translate="no">
            {user.name}
          </span>
        </Link>
        <div translate="no">
          <Facts>{more}</Facts>
        </div>
      </RowHead>
      <Cell number>
        <Count value={user.count} />
      </Cell>
      <Cell number>{percent(user.share, 1)}</Cell>
      <Cell>
        <Time at={user.lastSeen} />
      </Cell>
      <Cell hide="narrow">
        <Time at={user.firstSeen} />
      </Cell>
    </tr>
  );
}
