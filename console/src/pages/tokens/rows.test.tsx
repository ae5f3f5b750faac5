import { expect, test, vi } from 'vitest';
import type { ApiToken } from '../../features/tokens/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { some } from '../../ui/testing/some.ts';
import { TokenRow } from './TokenRow.tsx';

const token = some<ApiToken>({
  id: '1',
  name: 'CI of shop',
  kind: 'organization',
  scopes: ['org:ci'],
  tokenLastCharacters: 'abcd',
  expiresAt: null,
  dateLastUsed: null,
  createdBy: { name: 'Ada', email: 'ada@example.com', isMember: false },
});

test('whose a token is, when it expires, and whether it is used', async () => {
  const onDelete = vi.fn();
  const screen = await renderInApp(
    <DataList label="Tokens">
      <TokenRow token={token} onDelete={onDelete} />
      <TokenRow
        token={some<ApiToken>({
          ...token,
          name: 'Mine',
          kind: 'user',
          scopes: ['event:read', 'org:read'],
          expiresAt: '2026-01-01T00:00:00Z',
          dateLastUsed: '2025-12-25T10:00:00Z',
        })}
        onDelete={() => undefined}
      />
    </DataList>,
  );
  const [build, mine] = screen.getByRole('listitem').elements();
  expect(build?.textContent).toMatch(/CI of shop …abcd.*created by Ada, who left.*no expiry.*never used/);
  expect(mine?.textContent).toMatch(/event:read, org:read.*expired.*used /);
  await screen.getByRole('button', { name: 'Delete CI of shop' }).click();
  expect(onDelete).toHaveBeenCalledOnce();
});

test('a token of long words has room on a phone', async () => {
  await renderInApp(
    <DataList label="Tokens">
      <TokenRow
        token={{ ...token, name: hostileText, createdBy: { ...token.createdBy, name: hostileText } }}
        onDelete={() => undefined}
      />
    </DataList>,
  );
  await expectToFitNarrow();
});
