import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Operation, SlowTags, Vital } from '../../features/performance/queries.ts';
import type { SampleRow as Row } from '../../features/performance/sample-rows.ts';
import { DataList } from '../../ui/DataList.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { OperationRow } from './Operations.tsx';
import { VitalRow } from './PageVitals.tsx';
import { SampleHead, SampleRow } from './Samples.tsx';
import { TagRow } from './SlowTags.tsx';

const text = `<b>${'x'.repeat(2000)}</b>`;
const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), startUs: 1_700_000_000_000_000 };
const operation = {
  op: 'db',
  description: 'SELECT * FROM carts',
  count: 1204,
  share: 0.42,
  totalMs: 600,
  p75Ms: 12,
  longest: place,
} as Operation;
const sample = {
  ...place,
  heading: 'p95',
  percentile: 'p95',
  durationMs: 120,
  status: 'internal_error',
  release: 'shop@1',
} as Row;
const tag: SlowTags['tags'][number] = { key: 'machine', value: 'old', lift: 3.2, slow: 10, count: 31 };
const vital = { vital: 'lcp', p75: 4200, count: 10, good: 5, poor: 2, score: 40 } as Vital;

const show = (one: Operation, trace: Row, slow: SlowTags['tags'][number]) =>
  renderInApp(
    <>
      <DataList label="Operations" compact>
        <OperationRow operation={one} />
      </DataList>
      <DataTable label="Samples" boxed dense head={<SampleHead />}>
        <SampleRow sample={trace} />
      </DataTable>
      <DataList label="Tags" compact>
        <TagRow tag={slow} found={{ slow: 10, count: 100 }} />
      </DataList>
      <DataList label="Vitals" compact>
        <VitalRow vital={vital} />
      </DataList>
    </>,
  );

test('rows say what they measure and lead to traces', async () => {
  const screen = await show(operation, sample, tag);
  const row = (list: string) => screen.getByRole('list', { name: list }).getByRole('listitem');
  await expect.element(row('Operations')).toHaveTextContent('SELECT * FROM cartsdb1,204 spansp75 12 ms42%');
  await expect
    .element(row('Operations').getByRole('link'))
    .toHaveAttribute('href', `/traces/${place.traceId}?span=${place.spanId}&at=1700000000`);
  for (const words of ['p95', '120 ms', 'aaaaaaaa', 'internal error', 'shop@1'])
    await expect.element(screen.getByRole('row').nth(1)).toHaveTextContent(words);
  await expect.element(row('Tags')).toHaveTextContent('machine old100% of these, 31% of all3.2× as frequent');
  await expect.element(row('Vitals')).toHaveTextContent(/LCP4\.2\ss■\s?Poor/);
  await expect.element(screen.getByRole('img', { name: '50% good, 30% needs work, 20% poor' })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('rows with the least', async () => {
  const screen = await show(
    { ...operation, op: '', description: '' },
    { ...sample, heading: '', status: '', release: '' },
    { ...tag, value: '' },
  );
  await expect.element(screen.getByRole('link', { name: 'Unnamed operation' })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await show(
    { ...operation, op: text, description: text },
    { ...sample, status: text, release: text },
    { ...tag, key: text, value: text },
  );
  await expect.element(screen.getByRole('listitem').first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
