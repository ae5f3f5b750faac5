import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { NowIssue } from '../../features/now/queries.ts';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { NewsRow } from './News.tsx';

const least: NowIssue = {
  id: '1',
  shortId: 'WEB-1',
  title: 'Payment slow',
  culprit: '',
  type: 'error',
  issueCategory: 'error',
  level: 'warning',
  metadata: {},
  substatus: 'regressed',
  project: { id: '1', slug: 'web', name: 'Web', platform: 'node' },
  count: 1,
  estimated: null,
  userCount: 1,
  firstSeen: '2026-11-20T10:00:00Z',
  lastSeen: '2026-11-20T10:00:00Z',
  sinceChange: false,
  series: [],
};
const everything: NowIssue = {
  ...least,
  culprit: `app/${'deep/'.repeat(80)}page.tsx`,
  metadata: { type: 'TypeError', value: '<b>‮not a price‬</b> '.repeat(200) },
  substatus: 'new',
  count: 1_234_567,
  userCount: 34_400,
  sinceChange: true,
  series: [
    [1_795_219_200, 3],
    [1_795_222_800, 9],
  ],
};

const row = (issue: NowIssue) => (
  // As far from the edges as on the page.
  <ul style={{ paddingInline: 12 }}>
    <NewsRow issue={issue} showProject />
  </ul>
);

test('a row with the least', async () => {
  const screen = await renderInApp(row(least));
  const item = screen.getByRole('listitem');
  await expect.element(item).toHaveTextContent(/1 event1 user$/);
  await expect.element(item).toHaveTextContent('last seen');
  await expect.element(screen.getByRole('link', { name: 'Payment slow' })).toHaveAttribute('href', '/issues/WEB-1');
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('a row with everything and long texts, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await renderInApp(row(everything));
  const item = screen.getByRole('listitem');
  await expect.element(item).toHaveTextContent('after the last deploy');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  expect(item.element().getBoundingClientRect().height).toBeLessThanOrEqual(60);
  await expect
    .element(width === 390 ? screen.getByText('× · 34.4K users') : screen.getByText('1.23M', { exact: true }))
    .toBeVisible();
  expect(await violations()).toEqual([]);
});
