import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Release } from '../../features/releases/queries.ts';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { ReleaseRow } from './ReleaseRow.tsx';

const least: Release = {
  id: 1,
  version: 'web@1.0.0',
  shortVersion: '1.0.0',
  status: 'open',
  ref: null,
  url: null,
  dateCreated: '2026-11-20T10:00:00Z',
  dateStarted: null,
  dateReleased: null,
  firstEvent: null,
  lastEvent: null,
  eventCount: 0,
  estimated: null,
  newGroups: 0,
  commitCount: 0,
  lastCommit: null,
  authors: [],
  deployCount: 0,
  lastDeploy: null,
  artifactCount: 0,
  projects: [],
  environments: [],
  data: {},
};
const parts = { total: 100, healthy: 96, errored: 0, unhandled: 0, abnormal: 0, crashed: 4 };
const everything: Release = {
  ...least,
  status: 'archived',
  lastEvent: '2026-11-20T10:00:00Z',
  eventCount: 34_400,
  newGroups: 2,
  commitCount: 12,
  artifactCount: 3,
  authors: ['Ada', 'Grace', 'Joan'].map((name) => ({ name, email: null })),
  environments: ['production', 'staging'],
  health: {
    sessions: parts,
    users: parts,
    crashFreeSessions: 0.96,
    crashFreeUsers: null,
    adoption: 0.42,
    stage: 'adopted',
    series: [
      [0, 1],
      [3600, 4],
    ],
  },
};
const long = 'x'.repeat(300);
const hostile: Release = {
  ...everything,
  version: `${long}@${long}`,
  shortVersion: long,
  authors: [{ name: `<b>${long}</b>`, email: null }],
  environments: [long],
};

const show = (release: Release) =>
  renderInApp(
    <DataTable label="Releases" head={<HeadCell main>Release</HeadCell>}>
      <ReleaseRow release={release} among={[release]} showProjects showHealth={release.health !== undefined} />
    </DataTable>,
  );

test('a release without anything has dashes and leads to its page', async () => {
  const screen = await show(least);
  await expect
    .element(screen.getByRole('link', { name: '1.0.0' }))
    .toHaveAttribute('href', expect.stringContaining('1.0.0'));
  await expect.element(screen.getByText('None')).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('one with everything shows who it is of, its health and its numbers', async () => {
  await page.viewport(1600, 700);
  const screen = await show(everything);
  for (const text of [
    'archived',
    'production, staging',
    'Ada, Grace and 1 more',
    '3 uploads',
    '42%',
    'adopted',
    '34.4K',
  ])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('row').nth(1)).toHaveTextContent('96%, below 98%');
  expect(await violations()).toEqual([]);
});

test('on a phone the numbers are below the version, and long names stay in the row', async () => {
  await page.viewport(390, 700);
  const screen = await show(hostile);
  await expect.element(screen.getByText('96% crash-free')).toBeVisible();
  await expect.element(screen.getByText('34.4K events')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
