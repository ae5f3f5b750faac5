import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { IssueLine } from '../../features/releases/IssueLine.tsx';
import type { Artifact, ReleaseCommit } from '../../features/releases/part-queries.ts';
import { DataList } from '../../ui/DataList.tsx';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { FileRow } from './Artifacts.tsx';
import { CommitRow } from './Commits.tsx';

const commit: ReleaseCommit = {
  id: 'e1db737c0ffee0000000000000000000000000ab',
  message: 'Prices come from the warehouse\n\nAll of them.',
  dateCreated: '2026-11-20T10:00:00Z',
  author: { name: 'Ada Lovelace', email: 'ada@example.com' },
  repository: { id: '1', name: 'acme/shop', url: null, provider: { id: 'git', name: 'Git' } },
  url: 'https://example.com/commit',
  pullRequest: null,
  fileCount: 3,
  files: [
    { path: 'src/price.ts', type: 'M' },
    { path: 'src/old.ts', type: 'D' },
  ],
};
const file: Artifact = {
  id: '1',
  bundleId: '1',
  name: '~/assets/main-4f2c1.js',
  debugId: null,
  dist: null,
  mapUrl: null,
  scriptSize: 104_900,
  mapSize: 0,
  sources: 0,
  mapped: false,
  problem: null,
  framesResolved: 0,
  dateLastUsed: null,
};
const long = `<b>${'x'.repeat(400)}</b>`;

test('a commit has its author and unfolds its files', async () => {
  const screen = await renderInApp(
    <DataList label="Commits">
      <CommitRow commit={commit} />
    </DataList>,
  );
  await expect
    .element(screen.getByRole('link', { name: 'Prices come from the warehouse' }))
    .toHaveAttribute('href', commit.url);
  await expect.element(screen.getByText('e1db737 by Ada Lovelace')).toBeVisible();
  await screen.getByText('3 files').click();
  await expect.element(screen.getByText('M src/price.ts')).toBeVisible();
  await expect.element(screen.getByText('and 1 more')).toBeVisible();
  expect(await violations()).toEqual([]);
});

test('one without author, address and files is a line', async () => {
  const screen = await renderInApp(
    <DataList label="Commits">
      <CommitRow commit={{ ...commit, author: null, url: null, fileCount: 0, files: [] }} />
    </DataList>,
  );
  await expect.element(screen.getByText('e1db737 by unknown')).toBeVisible();
  expect(screen.getByRole('link').elements()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 900);
  const issue = {
    shortId: `WEB-${'9'.repeat(90)}`,
    level: 'error',
    issueCategory: 'error',
    title: long,
    culprit: long,
    metadata: {},
  } as const;
  const screen = await renderInApp(
    <>
      <DataList label="Commits">
        <CommitRow commit={{ ...commit, message: long, author: { name: long, email: null } }} />
        <IssueLine issue={issue} end="12 events" />
      </DataList>
      <DataTable label="Files" head={<HeadCell main>File</HeadCell>}>
        <FileRow file={{ ...file, name: long, dist: long, problem: long }} />
      </DataTable>
    </>,
  );
  await expect.element(screen.getByText('12 events')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
