import { expect, test } from 'vitest';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { EventRow } from './EventList.tsx';
import type { AffectedUser, EventSummary } from './list-queries.ts';
import { UserRow } from './UserList.tsx';

const table = (row: React.ReactNode) =>
  renderInApp(
    <DataTable label="Rows" head={<HeadCell main>Name</HeadCell>}>
      {row}
    </DataTable>,
  );

const least = some<EventSummary>({
  id: '1',
  eventID: 'a'.repeat(32),
  dateCreated: '2026-11-25T10:00:00Z',
  message: '',
  title: 'TypeError',
  tags: [],
  user: null,
  release: null,
  environment: null,
  location: null,
});
const everything = some<EventSummary>({
  ...least,
  message: 'no price',
  tags: [{ key: 'transaction', value: 'GET /cart' }],
  user: { email: 'ada@example.com' },
  release: 'shop@2.0.0',
  environment: 'production',
});

test('an event leads to itself, and says what is known of it', async () => {
  const screen = await table(<EventRow event={everything} />);
  await expect.element(screen.getByRole('link', { name: `Event ${least.eventID}` })).toHaveTextContent('aaaaaaaa');
  for (const text of ['no price', 'GET /cart', 'ada@example.com', 'shop@2.0.0'])
    await expect.element(screen.getByText(text)).toBeInTheDocument();
});

test('an event of which little is known has its title and dashes', async () => {
  const screen = await table(<EventRow event={least} />);
  await expect.element(screen.getByRole('rowheader', { name: 'TypeError' })).toBeVisible();
  expect(screen.getByText('–').elements().length).toBe(4);
});

test('texts of any length stay in their columns', async () => {
  const hostile = some<EventSummary>({
    ...everything,
    message: hostileText,
    tags: [{ key: 'url', value: hostileText }],
    user: { username: hostileText },
    release: hostileText,
    environment: hostileText,
  });
  await table(<EventRow event={hostile} />);
  await expectToFitNarrow();
});

const [firstSeen, lastSeen] = ['2026-11-24T10:00:00Z', '2026-11-25T10:00:00Z'];
const user: AffectedUser = {
  value: 'id:1',
  name: 'ada@example.com',
  email: 'ada@example.com',
  username: 'Ada',
  id: '1',
  ipAddress: '203.0.113.9',
  count: 1200,
  share: 0.53,
  estimated: null,
  firstSeen,
  lastSeen,
} as AffectedUser;

test('a user leads to their events; what else is known stands below', async () => {
  const screen = await table(<UserRow user={user} filter="" />);
  const row = screen.getByRole('row', { name: /ada@example\.com/ });
  await expect.element(row).toHaveTextContent('ada@example.comAda1203.0.113.91,20053%');
  await expect.element(screen.getByRole('link', { name: 'ada@example.com' })).toBeVisible();
});

test('the events of a user may be an estimate', async () => {
  const screen = await table(<UserRow user={{ ...user, estimated: { low: 900, high: 1_500 } }} filter="" />);
  const row = screen.getByRole('row', { name: /ada@example\.com/ });
  await expect.element(row).toHaveTextContent('≈1,200about 1,200 (900–1,500)≈53%');
});

test('a user with a name without end fits, and so does one with an address alone', async () => {
  await table(
    <>
      <UserRow user={{ ...user, name: hostileText, username: hostileText }} filter="" />
      <UserRow
        user={{ value: 'ip:203.0.113.9', name: '203.0.113.9', count: 1, share: 1, firstSeen, lastSeen } as AffectedUser}
        filter=""
      />
    </>,
  );
  await expectToFitNarrow();
});
