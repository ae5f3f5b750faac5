/** From the list of queries to the line of code that calls one, as Sentry's SDK for Django and OpenTelemetry name it. */
import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { goWithin, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;

const id = (bytes: number): string => randomBytes(bytes).toString('hex');
const author = 'SELECT "authors"."name" FROM "authors" WHERE "authors"."id" = %s';
const books = 'SELECT "books"."id", "books"."title" FROM "books" ORDER BY "books"."title" LIMIT 21';

const older = { 'code.filepath': '/app/shop/views.py', 'code.namespace': 'shop.views', 'code.function': 'authors' };
const newer = { 'code.file.path': '/app/shop/report.py', 'code.function.name': 'shop.report.total' };

/** A page of books, whose authors are asked for one by one. */
async function sendPage(transaction: string, site: object, line: object): Promise<void> {
  const [event_id, trace_id, span_id] = [id(16), id(16), id(8)];
  const start = Date.now() / 1000 - 5;
  const query = (index: number, description: string, data: object) => ({
    trace_id,
    span_id: id(8),
    parent_span_id: span_id,
    op: 'db',
    description,
    origin: 'auto.db.django',
    data: { 'db.system': 'postgresql', 'db.name': 'shop', ...data },
    start_timestamp: start + index * 0.13,
    timestamp: start + index * 0.13 + 0.12,
  });
  const item = {
    type: 'transaction',
    event_id,
    platform: 'python',
    sdk: { name: 'sentry.python.django', version: '2.75.0' },
    transaction,
    transaction_info: { source: 'route' },
    release: 'shop@1.0.0',
    start_timestamp: start,
    timestamp: start + 1.2,
    contexts: { trace: { trace_id, span_id, op: 'http.server', status: 'ok' } },
    spans: [
      query(0, books, {}),
      ...Array.from({ length: 7 }, (_, index) => query(index + 1, author, { ...site, ...line })),
    ],
  };
  const body = `${JSON.stringify({ event_id })}\n{"type":"transaction"}\n${JSON.stringify(item)}\n`;
  const answer = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  expect(answer.status).toBe(200);
}

async function mapCode(): Promise<void> {
  const { organization, project } = server.installed;
  const post = <T>(path: string, body: object): Promise<T> =>
    server.api<T>(`/organizations/${organization}/${path}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { id: repoId } = await post<{ id: string }>('repos', {
    url: 'https://github.com/acme/shop',
    defaultBranch: 'main',
  });
  await post('code-mappings', { project, repoId, stackRoot: '/app/', sourceRoot: '' });
}

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page } = await openConsole(server, browser));
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

test('without queries the page says what would be there', async () => {
  await goWithin(page, `${server.url}/performance/queries`);
  await page.getByText('No database queries in this range').waitFor();
});

test('each query has its calls, percentiles, share of the time and callers', async () => {
  await Promise.all([
    sendPage('/books/', older, { 'code.lineno': 31 }),
    sendPage('/books/', older, { 'code.lineno': 31 }),
    sendPage('/report/', newer, { 'code.line.number': 7 }),
    mapCode(),
  ]);
  await server.drained();
  await page.reload();
  const row = page.getByRole('row', { name: /FROM "authors"/ });
  await row.waitFor();
  await row.getByText('/books/ and 1 more').waitFor();
  const cells = await row.getByRole('cell').allInnerTexts();
  expect(cells.slice(1).map((text) => text.replaceAll(/\s/g, ' '))).toEqual([
    expect.stringMatching(/^1(19|2[01]) ms$/),
    expect.stringMatching(/^1(19|2[01]) ms$/),
    '88%',
  ]);
  await lookAt(page, 'queries');
});

test('a search that nothing fulfils can be taken back', async () => {
  await page.getByRole('searchbox', { name: 'Search queries' }).fill('nothing');
  await page.keyboard.press('Enter');
  await page.getByText('No queries match these filters').waitFor();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByRole('row', { name: /FROM "books"/ }).waitFor();
});

test('a query leads to the line that calls it, by keyboard too', async () => {
  await page.locator('body').press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/performance/queries?*query=*');
  await page.getByRole('heading', { name: 'Call sites' }).waitFor();
  const sites = page.getByRole('list', { name: 'Call sites' });
  const django = sites.getByRole('listitem').filter({ hasText: 'shop.views.authors' });
  await django.getByText('/app/shop/views.py:31').waitFor();
  await django.getByText('14 calls').waitFor();
  expect(await django.getByRole('link', { name: /Open .*views\.py:31 in the repository/ }).getAttribute('href')).toBe(
    'https://github.com/acme/shop/blob/main/shop/views.py#L31',
  );
  await sites.getByText('/app/shop/report.py:7').waitFor();
  await page.getByText('21 of 21 slowest calls have a call site.').waitFor();
  const callers = page.getByRole('list', { name: 'Called by' });
  expect((await callers.getByRole('listitem').first().innerText()).replaceAll(/\s+/g, ' ')).toContain('/books/');
  await lookAt(page, 'query', { whole: true });
});

test('from there to the trace, the transaction and the spans', async () => {
  const at = page.url();
  await page
    .getByRole('link', { name: /^Longest/ })
    .first()
    .click();
  await page.waitForURL('**/traces/**');
  await page.goto(at);
  await page.getByRole('link', { name: '/report/' }).first().click();
  await page.waitForURL('**/performance/transaction?**');
  await page.getByText('in web').first().waitFor();
  await page.goto(at);
  await page.getByRole('link', { name: 'Show spans' }).click();
  await page.waitForURL('**/explore?**');
  await page.getByText('FROM "authors"').first().waitFor();
});

test('a query that nobody called says so', async () => {
  await goWithin(page, `${server.url}/performance/queries?of=web&query=0123456789abcdef`);
  await page.getByText('Not called in this range').waitFor();
  await lookAt(page, 'query-none');
});
