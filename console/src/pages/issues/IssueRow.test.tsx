import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Issue } from '../../features/issues/queries.ts';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { IssueRow, type RowActions } from './IssueRow.tsx';

const least: Issue = {
  id: '1',
  shortId: 'WEB-1',
  shareId: null,
  title: 'Payment slow',
  culprit: '',
  permalink: '',
  logger: null,
  level: 'info',
  status: 'unresolved',
  substatus: 'ongoing',
  statusDetails: {},
  isPublic: false,
  isBookmarked: false,
  isSubscribed: false,
  isUnhandled: false,
  hasSeen: true,
  numComments: 0,
  annotations: [],
  subscriptionDetails: null,
  platform: 'node',
  project: { id: '1', slug: 'web', name: 'Web', platform: 'node' },
  type: 'default',
  issueType: 'error',
  issueCategory: 'error',
  metadata: {},
  assignedTo: null,
  priority: 'low',
  count: '1',
  estimated: null,
  userCount: 0,
  firstSeen: '2026-11-20T10:00:00Z',
  lastSeen: '2026-11-20T10:00:00Z',
  stats: { '14d': [[1_795_219_200, 1]] },
  lifetime: { count: '1', userCount: 0, firstSeen: '2026-11-20T10:00:00Z', lastSeen: '2026-11-20T10:00:00Z' },
};

const long = 'Cannot read properties of undefined reading '.repeat(40);
const everything: Issue = {
  ...least,
  level: 'fatal',
  culprit: `app/checkout/${'deep/'.repeat(60)}page.tsx`,
  metadata: { type: 'TypeError', value: long },
  status: 'ignored',
  substatus: 'archived_until_condition_met',
  statusDetails: { ignoreCount: 100, actor: { name: 'Ada' } },
  isBookmarked: true,
  isUnhandled: true,
  numComments: 3,
  assignedTo: { type: 'user', id: '2', name: 'Bob Builder', email: 'bob@example.com' },
  priority: 'high',
  count: '1234567',
  userCount: 34_400,
};
const hostile: Issue = {
  ...everything,
  shortId: 'WEB-2',
  project: { ...least.project, name: '<b>‮evil‬</b> '.repeat(30) },
  metadata: { type: '<script>'.repeat(80), value: 'x'.repeat(4000) },
};

const noActions = (): RowActions => ({ toggle: vi.fn(), focused: vi.fn(), filter: vi.fn(), openMenu: vi.fn() });
const row = (issue: Issue, actions = noActions()) => (
  <ul aria-label="Issues">
    <IssueRow
      issue={issue}
      position={1}
      size={1}
      selected={false}
      leaving={false}
      peeked={false}
      actions={actions}
      showProject
    />
  </ul>
);

test('a row with the least says what it is', async () => {
  const screen = await renderInApp(row(least));
  await expect.element(screen.getByRole('link', { name: 'Payment slow' })).toHaveAttribute('href', '/issues/WEB-1');
  await expect.element(screen.getByText('WEB-1')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Low priority' })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Unassigned' })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('a row with everything says all of it, and its values filter', async () => {
  const actions = noActions();
  const screen = await renderInApp(row(everything, actions));
  await expect.element(screen.getByText('3 comments')).toBeInTheDocument();
  await expect.element(screen.getByText('Bookmarked')).toBeInTheDocument();
  await expect.element(screen.getByText('1.23M', { exact: true })).toBeVisible();
  const state = screen.getByRole('button', { name: 'archived' });
  await expect.element(state).toHaveAttribute('data-tip', 'archived: until 100 more events\nBy Ada\nOnly is:archived');
  await state.click();
  expect(actions.filter).toHaveBeenLastCalledWith('is:archived');
  await screen.getByRole('button', { name: 'Assigned to Bob Builder' }).click();
  expect(actions.openMenu).toHaveBeenLastCalledWith(everything, 'assign', expect.any(Element));
  await screen.getByRole('checkbox', { name: 'Select WEB-1' }).click();
  expect(actions.toggle).toHaveBeenCalledWith(everything, false);
  expect(await violations()).toEqual([]);
});

test.each([
  ['everything', 1000, everything],
  ['everything', 390, everything],
  ['hostile texts', 1000, hostile],
  ['hostile texts', 390, hostile],
] as const)('%s, %i px wide, stays in its row', async (_name, width, issue) => {
  await page.viewport(width, 700);
  const screen = await renderInApp(row(issue));
  const item = screen.getByRole('listitem');
  await expect.element(item).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  expect(item.element().getBoundingClientRect().height).toBeLessThanOrEqual(64);
  if (width === 390) await expect.element(screen.getByText('×')).toBeVisible();
});
