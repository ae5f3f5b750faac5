import { expect, test, vi } from 'vitest';
import { domainsOf, missingSetting, newProviderId, settingsOf } from '../../../features/providers/kinds.ts';
import type { Provider } from '../../../features/providers/queries.ts';
import { renderSignedIn } from '../../../features/session/testing/render-signed-in.tsx';
import { DataList } from '../../../ui/DataList.tsx';
import { expectToFitNarrow, hostileText } from '../../../ui/testing/narrow.ts';
import { some } from '../../../ui/testing/some.ts';
import { ProviderRow } from './ProviderRow.tsx';

const provider = some<Provider>({
  id: 'abc',
  kind: 'oidc',
  name: 'Acme SSO',
  domains: [{ domain: 'acme.example', verified: true, record: null }],
  settings: {},
  secrets: ['clientSecret'],
  enabled: true,
  required: false,
  people: 3,
  problem: '',
  problemAt: null,
  lastUsed: null,
});

const show = (one: Provider, onEdit = vi.fn(), onDelete = vi.fn()) =>
  renderSignedIn(
    <DataList label="Providers">
      <ProviderRow provider={one} onEdit={onEdit} onDelete={onDelete} />
    </DataList>,
  );

test('what a provider is, and whether it may be used', async () => {
  const [onEdit, onDelete] = [vi.fn(), vi.fn()];
  const screen = await show({ ...provider, enabled: false, required: true }, onEdit, onDelete);
  const row = screen.getByRole('listitem').element();
  expect(row.textContent).toMatch(/Acme SSO Disabled RequiredOpenID Connect.*acme\.example.*3 people/);
  await screen.getByRole('button', { name: 'Edit Acme SSO' }).click();
  await screen.getByRole('button', { name: 'Delete Acme SSO' }).click();
  expect([onEdit.mock.calls.length, onDelete.mock.calls.length]).toEqual([1, 1]);
});

test('what keeps people out: no domain, one that waits for its record, a failure', async () => {
  const none = await show({ ...provider, domains: [], people: 0 });
  expect(none.getByRole('listitem').element().textContent).toMatch(
    /No domain: no one can sign in.*No one has signed in/,
  );
  await none.unmount();
  const record = { name: '_culprit.acme.example', value: 'culprit-domain=0123' };
  const screen = await show({
    ...provider,
    domains: [{ domain: 'acme.example', verified: false, record }],
    problem: 'The provider cannot be reached',
    problemAt: '2026-11-20T10:00:00Z',
  });
  const { textContent } = screen.getByRole('listitem').element();
  expect(textContent).toMatch(/Failed .*The provider cannot be reached/);
  expect(textContent).toMatch(/TXT record to acme\.example.*_culprit\.acme\.example.*culprit-domain=0123/);
});

test('fits a narrow screen whatever it is called', async () => {
  const record = { name: `_culprit.${hostileText}`, value: hostileText };
  await show({
    ...provider,
    name: hostileText,
    domains: [{ domain: hostileText, verified: false, record }],
    problem: hostileText,
    problemAt: '2026-11-20T10:00:00Z',
  });
  await expectToFitNarrow();
});

test('what the form says, as the server wants it', () => {
  expect(domainsOf(' Acme.example,@b.example;c.example \n')).toEqual(['acme.example', 'b.example', 'c.example']);
  expect(settingsOf('google', { clientId: ' a ', issuer: 'x' })).toEqual({
    clientId: 'a',
    clientSecret: '',
    hostedDomain: '',
  });
  expect(missingSetting('google', { clientId: 'a' }, undefined)?.key).toBe('clientSecret');
  expect(missingSetting('google', { clientId: 'a' }, provider)).toBeUndefined();
  expect(newProviderId()).toMatch(/^[a-z0-9]{16}$/);
});
