import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { Empty } from './Empty.tsx';
import type { EmptyRecord } from './empty.ts';

const nothingSent: EmptyRecord<{ readonly project: string; readonly slug: string }> = {
  kind: 'not-set-up',
  title: ({ project }) => `No events from ${project} yet`,
  hint: 'Add the SDK.',
  action: { label: 'Open setup', to: '/projects/$slug/setup' },
};
const noMatch: EmptyRecord = { kind: 'no-match', title: 'No rule matches', action: { label: 'Clear search' } };

test('the values of the page are in its texts and in the address that it leads to', async () => {
  await renderInApp(<Empty of={nothingSent} values={{ project: 'Shop', slug: 'shop' }} />);
  await expect.element(page.getByRole('heading', { level: 2, name: 'No events from Shop yet' })).toBeVisible();
  await expect.element(page.getByText('Add the SDK.')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Open setup' })).toHaveAttribute('href', '/projects/shop/setup');
  expect(await violations()).toEqual([]);
});

test('the page acts itself, where it may', async () => {
  const onAct = vi.fn();
  const screen = await renderInApp(<Empty of={noMatch} onAct={onAct} />);
  await page.getByRole('button', { name: 'Clear search' }).click();
  expect(onAct).toHaveBeenCalledOnce();
  await screen.unmount();
  await renderInApp(<Empty of={noMatch} />);
  await expect.element(page.getByRole('heading', { name: 'No rule matches' })).toBeVisible();
  expect(page.getByRole('button').elements()).toEqual([]);
});
