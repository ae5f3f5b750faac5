import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { violations } from '../../ui/testing/axe.ts';
import type { IndexedTrace } from './index-trace.ts';
import { visibleRows } from './rows.ts';
import { testIndex } from './testing.ts';
import { Waterfall } from './Waterfall.tsx';

const hostile = `<b>${'SELECT * FROM t WHERE '.repeat(40)}</b>`;
const error = {
  eventId: 'e'.repeat(32),
  issueId: '1',
  shortId: 'WEB-1',
  projectId: '1',
  row: 1,
  offsetUs: 300_000,
  title: 'TypeError: price is null',
  culprit: '',
  level: 'error',
};
const problem = {
  eventId: 'slow',
  issueId: '2',
  shortId: 'WEB-2',
  projectId: '1',
  title: 'N+1 Query',
  type: 'performance_n_plus_one_db_queries',
  offenders: [1],
  causes: [0],
};

const least = testIndex([{ id: 'GET /cart', op: '' }]);
const everything = testIndex(
  [
    { id: 'page', op: 'pageload', durationUs: 900_000 },
    {
      id: 'request',
      in: 'page',
      op: 'http.server',
      service: 'api',
      name: 'POST /checkout',
      offsetUs: 240_000,
      durationUs: 520_000,
      failed: true,
      status: 'internal_error',
      shiftUs: -120_000,
      orphan: true,
      late: true,
      duplicates: 2,
      critical: true,
      errors: [0],
      logs: 3,
    },
    ...Array.from({ length: 6 }, (_, each) => ({ id: `query ${each}`, in: 'request', op: 'db', shape: 7 })),
  ],
  { errors: [error], problems: [problem] },
);
const long = testIndex([
  { id: hostile, op: hostile, service: hostile, status: hostile, failed: true },
  { id: `${hostile} 2`, in: hostile, op: hostile, service: `${hostile} 2`, shiftUs: 1e12 },
]);

const show = (index: IndexedTrace, narrow = false) =>
  renderInApp(
    <div style={{ display: 'flex', height: 400 }}>
      <Waterfall
        index={index}
        visible={visibleRows(index, { folded: new Set(), opened: new Set(), focus: -1 })}
        window={{ fromUs: 0, untilUs: 1_000_000 }}
        originUs={0}
        activeKey=""
        selectedRow={-1}
        hits={undefined}
        currentHit={undefined}
        fresh={new Set()}
        showCritical
        marked={new Map()}
        target={undefined}
        narrow={narrow}
        onAction={() => undefined}
      />
    </div>,
  );

test('a span with the least has a name, a duration and a place', async () => {
  const screen = await show(least);
  await expect.element(screen.getByRole('row', { name: /GET \/cart/ })).toHaveTextContent(/1\sms/);
  expect(await violations()).toEqual([]);
});

test('a span with everything says all of it, and its error leads to the issue', async () => {
  const screen = await show(everything);
  const row = screen.getByRole('row', { name: /POST \/checkout/ });
  for (const text of [
    'internal_error',
    'the clock of api is ahead',
    'N+1 query',
    'on the critical path, 1 error, 3 logs',
    'Starts at 240 ms, duration 520 ms',
  ])
    await expect.element(row).toHaveTextContent(text);
  await expect
    .element(row.getByRole('link', { name: 'WEB-1: TypeError: price is null' }))
    .toHaveAttribute('href', `/issues/WEB-1?event=${error.eventId}`);
  await expect.element(screen.getByRole('row', { name: /pageload/ })).toHaveTextContent('cause of N+1 query');
  await expect.element(screen.getByRole('button', { name: 'Expand 6 spans' })).toBeVisible();
  expect(await violations()).toEqual([]);
});

test.each([
  ['everything', everything, 1000],
  ['everything', everything, 390],
  ['hostile texts', long, 1000],
  ['hostile texts', long, 390],
])('%s stays in its row, %$, %i px wide', async (_name, index, width) => {
  await page.viewport(width, 700);
  const isNarrow = width === 390;
  const screen = await show(index, isNarrow);
  const row = screen.getByRole('row').nth(1);
  await expect.element(row).toBeVisible();
  const box = row.element().getBoundingClientRect();
  expect([box.height, Math.round(box.right) <= width]).toEqual([isNarrow ? 48 : 28, true]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
});
