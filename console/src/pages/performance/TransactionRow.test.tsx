import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Transaction } from '../../features/performance/queries.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { TransactionRow } from './TransactionTable.tsx';

const measures = {
  count: 10,
  failed: 0,
  perMinute: 0.5,
  p50Ms: 40,
  p75Ms: 60,
  p95Ms: 120,
  p99Ms: 400,
  failureRate: 0,
  apdex: 0.93,
  users: 3,
  totalMs: 600,
};
const least: Transaction = {
  ...measures,
  project: { id: '1', slug: 'shop', name: 'Shop' },
  transaction: '',
  op: '',
  timeShare: 0,
  before: null,
} as Transaction;
const everything: Transaction = {
  ...least,
  transaction: 'GET /cart',
  op: 'http.server',
  failureRate: 0.031,
  users: 1_234_567,
  timeShare: 0.42,
  before: { ...measures, p95Ms: 30 },
};
const hostile: Transaction = { ...everything, transaction: `<b>${'x'.repeat(2000)}</b>`, op: 'op'.repeat(400) };

const show = (row: Transaction, narrow = false) =>
  renderInApp(
    <DataTable label="Transactions" sticky head={<th>Transaction</th>}>
      <TransactionRow row={row} release={undefined} showProject narrow={narrow} />
    </DataTable>,
  );

test('a transaction with the least leads to its page', async () => {
  await page.viewport(1280, 700);
  const screen = await show(least);
  await expect.element(screen.getByRole('link', { name: 'Unnamed transaction' })).toBeVisible();
  await expect.element(screen.getByRole('rowheader')).toHaveTextContent('no operationshop');
  await expect.element(screen.getByText('30/h')).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('one with everything says how it changed', async () => {
  await page.viewport(1280, 700);
  const screen = await show(everything);
  await expect
    .element(screen.getByRole('link', { name: 'GET /cart' }))
    .toHaveAttribute('href', expect.stringContaining('transaction=') as string);
  for (const words of ['3.1%', '0.93', '1.23M', '42%', '▲ 4×'])
    await expect.element(screen.getByText(words)).toBeVisible();
  await expect.element(screen.getByText('4× the period before, 30 ms')).toBeInTheDocument();
  expect(await violations()).toEqual([]);
});

test.each([1280, 390])('long texts stay in their row, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await show(hostile, width === 390);
  const row = screen.getByRole('row').nth(1);
  await expect.element(row).toBeVisible();
  expect(row.element().getBoundingClientRect().height).toBeLessThanOrEqual(60);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
