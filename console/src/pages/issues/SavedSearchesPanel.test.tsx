import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SavedSearch } from '../../features/search-box/queries.ts';
import { type Session, SessionContext } from '../../features/session/organization.ts';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { SavedSearchesPanel } from './SavedSearchesPanel.tsx';

const own: SavedSearch = {
  id: '1',
  name: 'Payers',
  query: 'is:unresolved plan:pro',
  sort: '',
  type: 'issues',
  visibility: 'owner',
  state: null,
  isPinned: true,
  owner: { id: '1', name: 'Ada' },
  canChange: true,
  dateCreated: '2026-11-20T10:00:00Z',
};
const shared: SavedSearch = {
  ...own,
  id: '2',
  name: '<b>‮Everything‬</b> '.repeat(6).slice(0, 128),
  query: `release:[${'4f2c1, '.repeat(400)}]`,
  visibility: 'organization',
  isPinned: false,
  owner: { id: '2', name: 'Bob Builder' },
  canChange: false,
};
const session: Session = {
  user: { id: '1', name: 'Ada', email: 'ada@example.com' } as Session['user'],
  organization: { slug: 'acme', access: ['event:write'] as readonly string[] } as Session['organization'],
  organizations: [],
  closedOrganizations: [],
  mayCreateOrganizations: false,
  serverVersion: '1',
};
const panel = (saved: readonly SavedSearch[]) => (
  <SessionContext value={session}>
    <SavedSearchesPanel search={{}} saved={saved} onDone={vi.fn()} />
  </SessionContext>
);

test('one’s own can be changed, those of others only pinned', async () => {
  const screen = await renderInApp(panel([own, shared]));
  const rows = screen.getByRole('list', { name: 'Saved searches' }).getByRole('listitem');
  await expect.element(rows.first().getByRole('button', { name: 'Unpin Payers' })).toBeVisible();
  await expect.element(rows.first().getByRole('button', { name: 'Delete Payers' })).toBeVisible();
  await expect.element(rows.last()).toHaveTextContent('by Bob Builder');
  expect(rows.last().getByRole('button').elements()).toHaveLength(1);
  expect(await violations()).toEqual([]);
});

test('a new name is written in the row', async () => {
  const screen = await renderInApp(panel([own]));
  await screen.getByRole('button', { name: 'Rename Payers' }).click();
  const name = screen.getByRole('textbox', { name: 'New name' });
  await expect.element(name).toHaveFocus();
  await expect.element(name).toHaveValue('Payers');
  await name.fill(' ');
  await userEvent.tab();
  await expect.element(screen.getByRole('button', { name: 'Rename', exact: true })).toBeDisabled();
});

test.each([1000, 390])('long texts stay within rows, %i px wide', async (width) => {
  await page.viewport(width, 900);
  await renderInApp(panel([own, shared]));
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
