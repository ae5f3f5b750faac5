import { expect, test, vi } from 'vitest';
import type { AccountSession } from '../../features/account/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { some } from '../../ui/testing/some.ts';
import { SessionRow } from './SessionRow.tsx';

const session = some<AccountSession>({
  id: 'a',
  device: 'Firefox 140, Linux',
  address: '203.0.113.7',
  dateCreated: '2026-11-20T10:00:00Z',
  lastUsed: '2026-11-21T10:00:00Z',
  isCurrent: false,
});

test('which browser a session is, and that this one is not signed out here', async () => {
  const onEnd = vi.fn();
  const screen = await renderInApp(
    <DataList label="Sessions">
      <SessionRow session={session} busy={false} onEnd={onEnd} />
      <SessionRow session={{ ...session, device: '', address: '', isCurrent: true }} busy={false} onEnd={onEnd} />
    </DataList>,
  );
  const [other, own] = screen.getByRole('listitem').elements();
  expect(other?.textContent).toMatch(/Firefox 140, Linux.*203\.0\.113\.7.*signed in .*used /);
  expect(own?.textContent).toMatch(/Unknown device.*this one/);
  expect(own?.querySelector('button')).toBeNull();
  await screen.getByRole('button', { name: 'Sign out Firefox 140, Linux' }).click();
  expect(onEnd).toHaveBeenCalledOnce();
});

test('a session of long words has room on a phone', async () => {
  await renderInApp(
    <DataList label="Sessions">
      <SessionRow
        session={{ ...session, device: hostileText, address: '2001:db8:85a3:8d3:1319:8a2e:370:7348' }}
        busy={false}
        onEnd={() => undefined}
      />
    </DataList>,
  );
  await expectToFitNarrow();
});
