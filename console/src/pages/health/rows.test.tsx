import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { KeptItem } from '../../features/intake/queries.ts';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { AccountTable } from './AccountTable.tsx';
import { type Disk, DiskUse } from './DiskUse.tsx';
import { type Job, JobRow } from './JobTable.tsx';
import { ItemRow } from './KeptItems.tsx';
import { type Node, NodeTable } from './NodeTable.tsx';
import { OutcomeTableRow } from './OutcomeTable.tsx';

const job: Job = {
  name: 'notify.send',
  title: 'Sends notifications',
  state: 'waiting',
  lastBegan: null,
  lastEnded: null,
  nextDue: null,
  waiting: null,
  running: null,
  attempts: 0,
  failure: '',
  dateFailed: null,
};
const failing: Job = {
  ...job,
  attempts: 12,
  waiting: 1200,
  running: 4,
  failure: 'the disk is full',
  dateFailed: '2026-11-20T10:00:00Z',
  lastBegan: '2026-11-20T10:00:00Z',
};
const item: KeptItem = {
  id: '1',
  projectId: '1',
  projectSlug: 'shop',
  dateReceived: '2026-11-20T10:00:00Z',
  type: 'weather',
  category: 'default',
  outcome: 'invalid',
  reason: 'unknown_type',
  detail: '',
  eventId: null,
  sizeBytes: 640,
};
const long = `<b>${'x'.repeat(400)}</b>`;
const head = <HeadCell main>Name</HeadCell>;

test('a job that rests, and one that fails', async () => {
  const screen = await renderInApp(
    <DataTable label="Jobs" head={head}>
      <JobRow job={job} now={0} />
      <JobRow job={{ ...failing, name: 'other' }} now={0} />
    </DataTable>,
  );
  for (const text of ['Idle', 'Failing', '1,204', 'the disk is full'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
});

test('an invalid outcome leads to its items, and an item opens', async () => {
  const onOpen = vi.fn();
  const screen = await renderInApp(
    <DataTable label="Items" head={head}>
      <OutcomeTableRow row={{ outcome: 'invalid', category: 'error', reason: 'json', total: 1204 }} />
      <OutcomeTableRow row={{ outcome: 'accepted', category: 'error', reason: '', total: 3 }} />
      <ItemRow item={item} onOpen={onOpen} />
    </DataTable>,
  );
  await expect
    .element(screen.getByRole('link', { name: '1,204' }))
    .toHaveAttribute('href', expect.stringContaining('#kept'));
  expect(screen.getByRole('link').elements()).toHaveLength(1);
  await screen.getByRole('button', { name: 'weather' }).click();
  expect(onOpen).toHaveBeenCalledOnce();
});

test.each([1000, 390])('long texts stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await renderInApp(
    <DataTable label="Jobs" head={head}>
      <JobRow job={{ ...failing, title: long, failure: long }} now={0} />
      <ItemRow item={{ ...item, type: long, reason: long, detail: long }} onOpen={vi.fn()} />
    </DataTable>,
  );
  await expect.element(screen.getByText('Failing')).toBeInTheDocument();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  expect(await violations()).toEqual([]);
});

const disk: Disk = {
  usedBytes: 7e9,
  freeBytes: 3e9,
  totalBytes: 10e9,
  measuredAt: '2026-11-26T10:00:00Z',
  stores: [
    {
      store: 'events',
      bytes: 5e9,
      waitingBytes: 2e8,
      isHere: true,
      oldest: '2026-09-01T00:00:00Z',
      oldestLeaves: '2026-12-07T00:00:00Z',
    },
    { store: 'state', bytes: 1e6, waitingBytes: 0, isHere: false, oldest: null, oldestLeaves: null },
  ],
  projects: [{ project: 'shop', bytes: 4e9 }],
  forecast: { state: 'unknown', horizonDays: 90, bytesPerDay: null, full: null, earliest: null, latest: null },
};

test('what takes how much of the disk, and when that is full', async () => {
  const { forecast } = disk;
  const full = { ...forecast, state: 'full', bytesPerDay: 1e9, full: '2026-11-29T00:00:00Z' } as const;
  const earliest = '2026-11-28T00:00:00Z';
  const screen = await renderInApp(
    <>
      <DiskUse disk={disk} />
      <DiskUse
        disk={{ ...disk, stores: [], projects: [], forecast: { ...forecast, state: 'none', bytesPerDay: -5 } }}
      />
      <DiskUse disk={{ ...disk, stores: [], projects: [], forecast: { ...full, earliest } }} />
      <DiskUse
        disk={{
          ...disk,
          stores: [],
          measuredAt: null,
          projects: [],
          forecast: { ...full, earliest, latest: earliest },
        }}
      />
    </>,
  );
  for (const text of ['Events store', 'State store (another server)', '5 GB', '200 MB', 'shop', '4 GB'])
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  await expect.element(screen.getByText('The forecast needs one day of measurements.')).toBeVisible();
  await expect.element(screen.getByText('Not full in the next 90 days. Growth: 0 B a day.')).toBeVisible();
  await expect.element(screen.getByText('perhaps never')).toBeVisible();
  await expect.element(screen.getByText('Not measured yet')).toBeVisible();
});

const node: Node = {
  id: 'a',
  roles: ['intake', 'process'],
  version: '0.3.0',
  address: '10.0.0.1:7420',
  started: '2026-11-26T10:00:00Z',
  lastSeen: '2026-11-26T11:00:00Z',
  state: 'running',
  stores: [{ store: 'log', state: 'reachable', since: '2026-11-26T10:00:00Z' }],
};

test.each([1000, 390])('nodes, and which stores they see, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const down = { store: 'state', state: 'down', since: '2026-11-26T10:30:00Z' } as const;
  const slow = { store: 'blobs', state: 'slow', since: '2026-11-26T10:30:00Z' } as const;
  const screen = await renderInApp(
    <NodeTable
      nodes={[
        node,
        { ...node, id: 'b', roles: ['api', 'jobs'], address: '10.0.0.2:7420', stores: [down, slow] },
        { ...node, id: 'c', address: '10.0.0.3:7420', state: 'gone' },
      ]}
    />,
  );
  for (const text of ['Intake, Processing', 'API, Jobs'])
    await expect.element(screen.getByText(text).first()).toBeVisible();
  await expect.element(screen.getByText('Reachable', { exact: true })).toBeVisible();
  await expect.element(screen.getByText(/^State store went down/)).toBeVisible();
  await expect.element(screen.getByText(/^Blob store became slow/)).toBeVisible();
  await expect.element(screen.getByText('Gone', { exact: true })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('an account says what was sent, what became of it and why, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const screen = await renderInApp(
    <AccountTable
      accounts={[
        {
          projectId: '1',
          projectSlug: 'shop',
          keyId: '7',
          keyLabel: 'Browser',
          category: 'error',
          sent: 88_310,
          accepted: 1_204,
          filtered: 87_000,
          limited: 100,
          invalid: 4,
          discarded: 2,
          dropped: [
            { outcome: 'filtered', reason: 'storm', total: 87_000 },
            { outcome: 'rate_limited', reason: 'key_quota', total: 100 },
            { outcome: 'invalid', reason: 'json', total: 4 },
            { outcome: 'client_discard', reason: 'before_send', total: 2 },
          ],
        },
      ]}
    />,
  );
  for (const text of ['88,310', '1,204', 'shop: Browser', /87,000 storm, 100 key_quota, 4 json, 2 before_send/]) {
    await expect.element(screen.getByText(text, { exact: typeof text === 'string' })).toBeVisible();
  }
  expect(await violations()).toEqual([]);
});
