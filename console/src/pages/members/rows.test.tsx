import { expect, test, vi } from 'vitest';
import type { Member, Role } from '../../features/people/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { some } from '../../ui/testing/some.ts';
import { MemberRow } from './MemberRow.tsx';

const member = some<Member>({
  id: '1',
  user: { id: '7' },
  name: 'Ada',
  email: 'ada@example.com',
  handle: 'ada',
  role: 'admin',
  teams: [],
  pending: false,
  expired: false,
  expiresAt: null,
  inviterName: null,
});
const invited = some<Member>({
  ...member,
  id: '2',
  user: null,
  name: 'kim@example.com',
  email: 'kim@example.com',
  pending: true,
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  inviterName: 'Ada',
  teams: ['payments', 'web'],
});
const all: readonly Role[] = ['owner', 'admin', 'member'];
const row = (one: Member, props: Partial<Parameters<typeof MemberRow>[0]> = {}) => (
  <MemberRow
    key={one.id}
    member={one}
    role={one.role}
    choices={[]}
    isSelf={false}
    changing={false}
    renewing={false}
    onRole={() => undefined}
    onRenew={() => undefined}
    onRemove={() => undefined}
    {...props}
  />
);

test('a person is what the reader may change of them', async () => {
  const onRole = vi.fn();
  const screen = await renderInApp(
    <DataList label="Members">
      {row(member, { isSelf: true })}
      {row(invited, { choices: all, onRole })}
      {row({ ...invited, id: '3', expired: true, inviterName: null })}
    </DataList>,
  );
  const [self, guest, late] = screen.getByRole('listitem').elements();
  expect(self?.textContent).toMatch(/Ada you.*ada@example\.com@ada.*Admin.*Leave/);
  expect(guest?.textContent).toMatch(/invited by Ada.*link expires.*#payments #web.*New link.*Revoke/);
  expect(late?.textContent).toMatch(/link expired/);
  expect(late?.querySelector('button')).toBeNull();
  await screen.getByLabelText('Role of kim@example.com').selectOptions('Owner');
  expect(onRole).toHaveBeenCalledWith('owner');
});

test('names and addresses without end have room on a phone', async () => {
  await renderInApp(
    <DataList label="Members">
      {row({ ...member, name: hostileText, email: hostileText, teams: [hostileText] }, { choices: all })}
      {row({ ...invited, name: hostileText, inviterName: hostileText }, { choices: all })}
    </DataList>,
  );
  await expectToFitNarrow();
});
