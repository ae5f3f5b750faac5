import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { KeptItem } from '../../features/intake/queries.ts';
import { DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { type Job, JobRow } from './JobTable.tsx';
import { ItemRow } from './KeptItems.tsx';
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
