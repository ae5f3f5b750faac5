import { termText } from '@culprit/search';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { EventCount, marked } from '../../features/issues/EventCount.tsx';
import type { IssueDetail } from '../../features/issues/queries.ts';
import { splitTerms, withTerm } from '../../features/issues/query-terms.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/issue-lists.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { compactNumber, percent } from '../../ui/numbers.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { noUserMatches, noUsers } from './empty-lists.ts';
import { type AffectedUser, usersOf } from './list-queries.ts';
import { ListFrame, SortHead } from './ListFrame.tsx';

const route = getRouteApi('/shell/issues/$issue');

/** Who is affected, and how often. */
export function UserList({ issue }: { readonly issue: IssueDetail }) {
  const org = useOrg();
  const search = route.useSearch();
  const mayErase = useMay('org:admin');
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
                  {mayErase && <HeadCell hide="narrow">{m.data}</HeadCell>}
                </>
              }
            >
              {users.map((user) => (
                <UserRow key={user.value} user={user} filter={q} mayErase={mayErase} />
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

/** What a search for what is stored of the user begins with. */
function identifierOf({ id, email, username, ipAddress }: AffectedUser) {
  if (id) return { kind: 'id', value: id } as const;
  if (email) return { kind: 'email', value: email } as const;
  if (username) return { kind: 'name', value: username } as const;
  return ipAddress ? ({ kind: 'ip', value: ipAddress } as const) : undefined;
}

export function UserRow({
  user,
  filter,
  mayErase = false,
}: {
  readonly user: AffectedUser;
  readonly filter: string;
  readonly mayErase?: boolean;
}) {
  const term = termText('user', user.value);
  const q = splitTerms(filter).includes(term) ? filter : withTerm(filter, term);
  const erased = mayErase ? identifierOf(user) : undefined;
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
        <EventCount of={user} />
      </Cell>
      <Cell number>{marked(percent(user.share, 1), user)}</Cell>
      <Cell>
        <Time at={user.lastSeen} />
      </Cell>
      <Cell hide="narrow">
        <Time at={user.firstSeen} />
      </Cell>
      {mayErase && (
        <Cell hide="narrow">
          {erased && (
            <Link to="/settings/erase" search={erased} aria-label={m.eraseUserOf({ user: user.name })}>
              <Text small>{m.eraseUser}</Text>
            </Link>
          )}
        </Cell>
      )}
    </tr>
  );
}
