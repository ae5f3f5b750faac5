import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { DataList } from '../../ui/DataList.tsx';
import { violations } from '../../ui/testing/axe.ts';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { NearbyRow } from './Nearby.tsx';
import type { ExcerptRow, TraceExcerpt } from './queries.ts';
import { TraceRows } from './TraceRows.tsx';
import type { Nearby } from './words.ts';

const row: ExcerptRow = {
  id: 'a'.repeat(16),
  skipped: 0,
  depth: 0,
  hidden: 0,
  offsetUs: 0,
  durationUs: 340_000,
  op: '',
  name: 'GET /cart',
  service: '',
  status: 'ok',
  errors: 0,
};
const everything: ExcerptRow = {
  ...row,
  depth: 3,
  hidden: 12,
  op: 'http.server',
  service: 'api',
  status: 'internal_error',
  failed: true,
  errors: 2,
  asked: true,
};
const hostile: ExcerptRow = { ...everything, depth: 400, name: `<b>${'x'.repeat(2000)}</b>`, op: 'op'.repeat(400) };

const rowsOf = (...rows: ExcerptRow[]) => (
  <TraceRows
    excerpt={
      { traceId: 'b'.repeat(32), startUs: 1_700_000_000_000_000, offsetUs: 100_000, after: 3, rows } as TraceExcerpt
    }
    label="Spans"
    roles={new Map([[row.id, 'cause']])}
  />
);

test('a span leads into its trace and says what it has to do with the page', async () => {
  const screen = await renderInApp(rowsOf(everything));
  const link = screen.getByRole('link', { name: /GET \/cart/ });
  await expect.element(link).toHaveAttribute('href', expect.stringContaining(`span=${row.id}`) as string);
  for (const text of ['cause', '2 errors', 'failed: internal_error', 'Starts at 0 µs, duration 340 ms'])
    await expect.element(link).toHaveTextContent(text);
  await expect.element(screen.getByText('12 more spans')).toBeVisible();
  await expect.element(screen.getByText('3 more spans')).toBeVisible();
  expect(await violations()).toEqual([]);
});

const issue: Nearby = {
  kind: 'issue',
  offsetUs: 0,
  issue: {
    issueId: '1',
    shortId: 'WEB-1',
    eventId: 'e',
    category: 'performance',
    title: 'N+1 Query',
    level: 'warning',
    offsetUs: 0,
    count: 3,
  },
};
const near = (...entries: Nearby[]) => (
  <DataList label="Nearby" compact>
    {entries.map((entry, index) => (
      <NearbyRow key={index} entry={entry} eventUs={120_000} />
    ))}
  </DataList>
);

test('what is near says when it happened, from the event', async () => {
  const log: Nearby = {
    kind: 'log',
    offsetUs: 300_000,
    log: { offsetUs: 300_000, level: 'warn', message: 'stock low' },
  };
  const screen = await renderInApp(near(issue, { kind: 'event', offsetUs: 120_000 }, log));
  const rows = screen.getByRole('listitem');
  await expect.element(rows.nth(0)).toHaveTextContent(/120\sms before.*N\+1 QueryWEB-13 events/);
  await expect.element(rows.nth(1)).toHaveTextContent('This event');
  await expect.element(rows.nth(2)).toHaveTextContent(/180\sms after.*stock low/);
  expect(await violations()).toEqual([]);
});

test.each([1000, 390])('long texts stay in their rows, %i px wide', async (width) => {
  await page.viewport(width, 700);
  const message = 'long '.repeat(1000);
  const screen = await renderInApp(
    <>
      {rowsOf(hostile)}
      {near({ kind: 'log', offsetUs: 0, log: { offsetUs: 0, level: 'x'.repeat(400), message } })}
    </>,
  );
  await expect.element(screen.getByRole('link').first()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
