import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { VitalCauses, VitalsGroup } from '../../features/performance/queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { ElementRow, ResourceRow } from './Causes.tsx';
import { GroupRow } from './Groups.tsx';
import { PageHead, PageRow } from './Pages.tsx';

const text = `/b/${'x'.repeat(2000)}`;
const least = {
  name: '',
  project: { id: '1', slug: 'shop', name: 'Shop' },
  count: 1,
  score: null,
  rating: null,
  vitals: [],
  opportunity: 0,
} as VitalsGroup;
const everything: VitalsGroup = {
  ...least,
  name: '/product/:id',
  count: 1_234_567,
  score: 62.4,
  rating: 'meh',
  vitals: [{ vital: 'lcp', p75: 4200, count: 10, good: 5, poor: 2, score: null }] as VitalsGroup['vitals'],
  opportunity: 3.24,
};
const element: VitalCauses['elements'][number] = {
  vital: 'lcp',
  element: 'section.hero > img.cover',
  detail: '/covers/hero.avif',
  count: 3,
  p75: 4200,
  highest: 5000,
  size: 120_000,
};
const resource = {
  op: 'resource.css',
  description: '/main.css',
  count: 3,
  p75Ms: 120,
  bytes: 2_100_000,
  blocking: true,
} as VitalCauses['resources'][number];

const show = (group: VitalsGroup, cause = element, file = resource) =>
  renderInApp(
    <>
      <DataTable label="Pages" boxed head={<PageHead />}>
        <PageRow group={group} showProject />
      </DataTable>
      <DataTable label="Browsers" boxed dense head={<th>Browser</th>}>
        <GroupRow group={group} />
      </DataTable>
      <DataList label="Causes" compact>
        <ElementRow element={cause} />
        <ResourceRow resource={file} pageLoads={4} />
      </DataList>
    </>,
  );

test('rows say how fast it is and what makes it so', async () => {
  const screen = await show(everything);
  await expect.element(screen.getByRole('link', { name: '/product/:id' })).toBeVisible();
  await expect.element(screen.getByRole('row').nth(1)).toHaveTextContent(/shop62 ▲Needs work4.2 s ■Poor.*1.23M3.2/);
  const rows = screen.getByRole('list', { name: 'Causes' }).getByRole('listitem');
  await expect.element(rows.nth(0)).toHaveTextContent('3 page loads120,000 px²/covers/hero.avif4.2 s ■Poor');
  await expect.element(rows.nth(1)).toHaveTextContent('css2.1 MBin 75% of page loadsblocks rendering120 ms');
  expect(await violations()).toEqual([]);
});

test('rows with the least', async () => {
  const screen = await show(least);
  await expect.element(screen.getByRole('link', { name: 'Unnamed page' })).toBeVisible();
  await expect.element(screen.getByText('Not scored')).toBeVisible();
  await expect.element(screen.getByText('Unknown')).toBeVisible();
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await show(
    { ...everything, name: text },
    { ...element, element: text, detail: text },
    { ...resource, description: text },
  );
  await expect.element(screen.getByRole('listitem').first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
