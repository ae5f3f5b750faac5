import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { DataList } from '../../ui/DataList.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import type { Trouble } from './troubles.ts';
import { TroubleRow } from './Troubles.tsx';

const everything: Trouble = {
  key: 'e',
  level: 'fatal',
  title: 'TypeError: price is null',
  shortId: 'WEB-1',
  eventId: 'e'.repeat(32),
  offsetUs: 120_000,
  spans: 1,
  row: 3,
};
const least: Trouble = { ...everything, shortId: null, offsetUs: undefined, spans: 2, row: -1 };
const hostile: Trouble = { ...everything, title: `<b>${'x'.repeat(2000)}</b>`, shortId: `WEB-${'9'.repeat(300)}` };

const show = (trouble: Trouble, onShow = vi.fn()) =>
  renderInApp(
    <DataList label="Errors" open compact>
      <TroubleRow trouble={trouble} onShow={onShow} />
    </DataList>,
  );

test('a trouble leads to its issue and to its span', async () => {
  const onShow = vi.fn();
  const screen = await show(everything, onShow);
  await expect
    .element(screen.getByRole('link', { name: everything.title }))
    .toHaveAttribute('href', `/issues/WEB-1?event=${everything.eventId}`);
  await expect.element(screen.getByText('+120\u00a0ms')).toBeVisible();
  await screen.getByRole('button', { name: `Show the span of ${everything.title}` }).click();
  expect(onShow).toHaveBeenCalledOnce();
  expect(await violations()).toEqual([]);
});

test('one without issue and span says so', async () => {
  const screen = await show(least);
  await expect.element(screen.getByText('2 spans')).toBeVisible();
  await expect.element(screen.getByText('Span not received')).toBeVisible();
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their row, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await show(hostile);
  await expect.element(screen.getByRole('button')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
