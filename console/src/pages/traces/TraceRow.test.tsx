import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { ListedTrace } from '../../features/traces/queries.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { TraceHead, TraceRow } from './TraceRow.tsx';

const match: ListedTrace['match'] = {
  spanId: 'b'.repeat(16),
  project: { id: '1', slug: 'shop', name: 'Shop' },
  service: '',
  op: '',
  transaction: '',
  status: '',
  failed: false,
  startUs: 1_700_000_000_000_000,
  durationMs: 340,
} as ListedTrace['match'];
const least: ListedTrace = {
  traceId: 'a'.repeat(32),
  root: null,
  rootMissing: true,
  match,
  services: ['shop'],
  spans: 1,
  errors: 0,
  failedSegments: 0,
} as ListedTrace;
const everything: ListedTrace = {
  ...least,
  rootMissing: false,
  root: {
    ...match,
    spanId: 'c'.repeat(16),
    service: 'web',
    op: 'pageload',
    transaction: '/checkout',
    status: 'internal_error',
    failed: true,
    durationMs: 2100,
  },
  match: { ...match, transaction: 'POST /charge', service: 'pay', failed: true },
  services: Array.from({ length: 20 }, (_, each) => `service ${each}`),
  spans: 1_234_567,
  errors: 12_345,
  failedSegments: 3,
};
const text = `<b>${'x'.repeat(2000)}</b>`;
const hostile: ListedTrace = {
  ...everything,
  root: { ...match, service: text, op: text, transaction: text, status: text, failed: true },
  match: { ...match, transaction: text, service: text },
};

const show = (trace: ListedTrace, isMatching = false, narrow = false) =>
  renderInApp(
    <DataTable label="Traces" sticky head={<TraceHead />}>
      <TraceRow trace={trace} longestMs={2100} isMatching={isMatching} showProject narrow={narrow} />
    </DataTable>,
  );

test('a trace with the least leads to it', async () => {
  await page.viewport(1280, 700);
  const screen = await show(least);
  const link = screen.getByRole('link', { name: 'Unnamed trace' });
  await expect.element(link).toHaveAttribute('href', expect.stringContaining(`/traces/${least.traceId}`) as string);
  await expect.element(screen.getByRole('rowheader')).toHaveTextContent('no operationshoproot not received');
  expect(await violations()).toEqual([]);
});

test('a trace with everything says all of it, and its errors are listed', async () => {
  await page.viewport(1280, 700);
  const screen = await show(everything, true);
  for (const words of ['internal error', 'pageload', 'failed in POST /charge of pay, 2.1 s in total'])
    await expect.element(screen.getByRole('rowheader')).toHaveTextContent(words);
  for (const words of ['1.23M', '20+']) await expect.element(screen.getByText(words)).toBeVisible();
  await expect
    .element(screen.getByRole('link', { name: '12,345 errors in this trace' }))
    .toHaveAttribute('href', `/issues?q=trace%3A${least.traceId}&status=all`);
  expect(await violations()).toEqual([]);
});

test.each([
  ['everything', everything, 1280],
  ['everything', everything, 390],
  ['hostile texts', hostile, 1280],
  ['hostile texts', hostile, 390],
] as const)('%s: stays in its row at %s', async (_name, trace, width) => {
  await page.viewport(width, 700);
  const screen = await show(trace, true, width === 390);
  const row = screen.getByRole('row').nth(1);
  await expect.element(row).toBeVisible();
  expect(row.element().getBoundingClientRect().height).toBeLessThanOrEqual(60);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
