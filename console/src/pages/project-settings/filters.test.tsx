import { expect, test, vi } from 'vitest';
import type { FilterPreview, ProjectFilter } from '../../features/inbound-filters/queries.ts';
import { inOrder, itemsText } from '../../features/inbound-filters/words.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { FilterRow } from './FilterRow.tsx';

const crawlers: ProjectFilter = {
  id: 'web-crawlers',
  active: true,
  patterns: null,
  dropped: [
    { category: 'error', quantity: 1204 },
    { category: 'attachment', quantity: 1 },
  ],
};
const environments: ProjectFilter = { id: 'environment', active: true, patterns: [], dropped: [] };
const actions = {
  previewed: undefined,
  draft: undefined,
  busy: false,
  onToggle: vi.fn(),
  onDraft: vi.fn(),
  onSave: vi.fn(),
};

test('a filter with what it dropped is turned off', async () => {
  const screen = await renderInApp(<FilterRow filter={crawlers} {...actions} />);
  await expect.element(screen.getByText(/Dropped in the last 7 days: 1,204 errors, 1 attachment/)).toBeVisible();
  await screen.getByLabelText('Crawlers').click();
  expect(actions.onToggle).toHaveBeenCalledWith(false);
});

test('what it would drop, with examples', async () => {
  const previewed: FilterPreview['filters'][number] = {
    id: 'web-crawlers',
    errors: 2,
    transactions: 31,
    logs: 5,
    examples: [
      { title: 'Error: seen by a bot', eventID: 'a'.repeat(32), dateCreated: '2026-11-26T10:00:00Z' },
      { title: 'GET /healthz', count: 31 },
    ],
  };
  const screen = await renderInApp(<FilterRow filter={crawlers} {...actions} previewed={previewed} />);
  await expect.element(screen.getByText('Would drop: 2 errors, 31 transactions, 5 logs')).toBeVisible();
  await expect.element(screen.getByText('GET /healthz (31 times)')).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: 'Error: seen by a bot' }))
    .toHaveAttribute('href', `/find?q=${'a'.repeat(32)}`);
});

test('one that is on without patterns says so, and takes some', async () => {
  const screen = await renderInApp(<FilterRow filter={environments} {...actions} />);
  await expect.element(screen.getByText('Drops nothing until it has patterns.')).toBeVisible();
  await screen.getByRole('button', { name: 'No patterns' }).click();
  await screen.getByLabelText('Patterns of Environments').fill('dev*');
  expect(actions.onDraft).toHaveBeenLastCalledWith('dev*');
  await expect.element(screen.getByRole('button', { name: 'Save patterns' })).toBeDisabled();
});

test('who may change nothing sees all, and changes nothing', async () => {
  const filter = { ...environments, patterns: ['dev*'] };
  const screen = await renderInApp(<FilterRow filter={filter} {...actions} onToggle={undefined} />);
  await expect.element(screen.getByLabelText('Environments', { exact: true })).toBeDisabled();
  await screen.getByRole('button', { name: '1 pattern' }).click();
  await expect.element(screen.getByLabelText('Patterns of Environments')).toHaveAttribute('readonly');
  expect(screen.getByRole('button', { name: 'Save patterns' }).elements()).toEqual([]);
});

test('long titles and patterns fit a narrow screen', async () => {
  const previewed: FilterPreview['filters'][number] = {
    id: 'environment',
    errors: 1,
    transactions: 1,
    logs: 0,
    examples: [
      { title: hostileText, eventID: 'b'.repeat(32) },
      { title: hostileText, count: 2 },
    ],
  };
  const filter = { ...environments, patterns: ['x'.repeat(200)] };
  const screen = await renderInApp(<FilterRow filter={filter} {...actions} previewed={previewed} />);
  await screen.getByRole('button', { name: '1 pattern' }).click();
  await expectToFitNarrow();
});

test('all filters have a place, and items of any category are counted', () => {
  const ids = ['error-message', 'filtered-transaction', 'browser-extensions'] as const;
  expect(inOrder(ids.map((id) => ({ ...environments, id }))).map(({ id }) => id)).toEqual([
    'browser-extensions',
    'filtered-transaction',
    'error-message',
  ]);
  const item = (category: string, quantity: number) => ({ category, quantity });
  expect(itemsText([item('replay', 2), item('profile', 1), item('error', 0)])).toBe('3 other items');
  expect(itemsText([])).toBe('');
});
