import { expect, test } from 'vitest';
import type { Breadcrumb } from '../event/types.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { some } from '../../ui/testing/some.ts';
import { expectToFitNarrow, hostileText } from '../../ui/testing/narrow.ts';
import { Breadcrumbs } from './Breadcrumbs.tsx';

const least: Breadcrumb = some<Breadcrumb>({
  type: 'default',
  level: 'info',
  category: null,
  message: null,
  timestamp: null,
  data: null,
});
const time = Date.parse('2026-11-25T10:00:00Z');
const everything = {
  ...least,
  type: 'http',
  level: 'error',
  category: 'fetch',
  timestamp: '2026-11-25T09:59:58Z',
  data: { method: 'GET', url: '/items', status_code: 500 },
} as Breadcrumb;

test('a breadcrumb unfolds its data; a search leaves those that match', async () => {
  const screen = await renderInApp(<Breadcrumbs crumbs={[least, everything]} eventTime={time} />);
  await screen.getByRole('button', { name: /GET \/items \[500\]/ }).click();
  await expect.element(screen.getByText('status_code')).toBeVisible();
  await expect.poll(() => screen.getByRole('listitem').elements().length).toBe(2);
  await screen.getByRole('searchbox', { name: 'Search breadcrumbs' }).fill('items');
  await expect.poll(() => screen.getByRole('listitem').elements().length).toBe(1);
  await screen.getByRole('searchbox').fill('nothing like it');
  await expect.element(screen.getByText('No breadcrumb matches.')).toBeVisible();
});

test('texts of any length fit, folded and open', async () => {
  const hostile = { ...everything, category: hostileText, data: null, message: hostileText } as Breadcrumb;
  const screen = await renderInApp(<Breadcrumbs crumbs={[hostile, least]} eventTime={time} />);
  await screen.getByRole('button').click();
  await expectToFitNarrow();
});
