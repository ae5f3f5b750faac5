/**
 * One trace through five programs: a page with @sentry/react 11 in a browser, Express with @sentry/node 10, Fastify with
 * @sentry/node 11, PostgreSQL, and a service with OpenTelemetry's SDK that knows nothing of Sentry.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';
import { TraceShop } from './trace-shop.ts';

interface Row {
  id: string;
  projectId: string;
  parentId: string | null;
  parent: number;
  depth: number;
  below: number;
  offsetUs: number;
  durationUs: number;
  selfUs: number;
  op: string;
  name: string;
  service: string;
  status: string;
  kind: string;
  transaction?: string;
  segment?: true;
  failed?: true;
  orphan?: true;
  cycle?: true;
  late?: true;
  duplicates?: number;
  errors?: number[];
}

interface Waterfall {
  spans: number;
  left: number;
  duplicates: number;
  services: { name: string; projectId: string; platform: string; spans: number }[];
  projects: { id: string; slug: string }[];
  rows: Row[];
  errors: { eventId: string; issueId: string; shortId: string; projectId: string; row: number; title: string }[];
  problems: Problem[];
}

interface Problem {
  eventId: string;
  shortId: string;
  projectId: string;
  type: string;
  offenders: number[];
  causes: number[];
}

let server: Server;
let browser: Browser;
let shop: TraceShop;
let traceId: string;
let trace: Waterfall;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create({ CULPRIT_PERFORMANCE_WAIT_SECONDS: '1' }), launchChromium()]);
  shop = await TraceShop.create(server);
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  // Taken, not only sent: what is on its way when the page closes may come when all else is drained, or never. Spans go out
  // as they end, in several envelopes where the page takes its time.
  const taken = (op: string) =>
    page.waitForResponse(
      (response) =>
        response.ok() &&
        response.url().includes('/envelope/') &&
        new RegExp(`"sentry\\.op":\\{[^}]*"${op}"`).test(response.request().postData() ?? ''),
    );
  const [asked] = await Promise.all([
    page.waitForRequest('**/api/offers/tea'),
    taken('pageload'),
    taken('http.client'),
    page.goto(shop.url),
  ]);
  traceId = (await asked.headerValue('sentry-trace'))?.slice(0, 32) ?? '';
  await page.close();
  await shop.stop();
  await server.drained();
  trace = await readTrace();
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const org = (): string => server.installed.organization;
const readTrace = (): Promise<Waterfall> => server.api(`/organizations/${org()}/trace/${traceId}/spans/`);
const ofProgram = (name: keyof TraceShop['projects']): Row[] =>
  trace.rows.filter(({ projectId }) => projectId === shop.projects[name].id);

function only(rows: readonly Row[], op: string, name?: RegExp): Row {
  const found = rows.filter((row) => row.op === op && (name?.test(row.name) ?? true));
  expect(found, `${op} ${String(name ?? '')}`).toHaveLength(1);
  return found[0] as Row;
}

/** The rows that it hangs under, the nearest first. */
function above(row: Row): Row[] {
  const path: Row[] = [];
  for (let at = trace.rows[row.parent]; at; at = trace.rows[at.parent]) path.push(at);
  return path;
}

interface Span {
  description: string;
  status: string;
  release: string;
  environment: string;
  origin: string;
  sdk: { name: string; version: string };
  attributes: Record<string, string>;
  numbers: Record<string, number>;
}

const detailsOf = ({ id }: Row): Promise<Span> =>
  server.api(`/organizations/${org()}/trace/${traceId}/spans/${id}/?project=-1`);

test('it is one tree: one root, nothing lost, nothing twice, each span within its parent', () => {
  expect(trace).toMatchObject({ left: 0, duplicates: 0, spans: trace.rows.length });
  expect(trace.rows.filter(({ depth }) => depth === 0)).toEqual([trace.rows[0]]);
  expect(trace.rows.filter(({ orphan, cycle, duplicates }) => orphan || cycle || duplicates)).toEqual([]);
  for (const { name, parentId, parent } of trace.rows.slice(1)) expect(trace.rows[parent]?.id, name).toBe(parentId);
  expect(trace.projects.map(({ slug }) => slug).toSorted()).toEqual([
    'shop-api',
    'shop-billing',
    'shop-page',
    'shop-stock',
  ]);
  expect(trace.services.map(({ name, platform }) => [name, platform])).toEqual([
    ['', 'javascript'],
    ['shop-api', 'node'],
    ['stock', 'node'],
    ['billing', 'node'],
  ]);
});

const withoutHost = (name: string): string => name.replace(/127\.0\.0\.1:\d+/, 'HOST');

test('through each program the request goes on where the one before made it', () => {
  const last = only(ofProgram('stock'), 'http.server', /warehouses/);
  const way = [last, ...above(last)].filter(({ op }) => /^(?:http\.|pageload)/.test(op)).toReversed();
  expect(way.map(({ op, name, service }) => [op, withoutHost(name), service])).toEqual([
    ['pageload', 'Pageload', ''],
    ['http.client', 'GET HOST/api/offers/tea', ''],
    ['http.server', 'GET /api/offers/:category', 'shop-api'],
    ['http.client', 'GET http://HOST/stock/tea', 'shop-api'],
    ['http.server', 'GET /stock/:category', 'stock'],
    ['http.client', 'POST HOST/quotes', 'stock'],
    ['http.server', 'POST /quotes', 'billing'],
    ['http.client', 'GET HOST/warehouses/*', 'billing'],
    ['http.server', 'GET /warehouses/:id', 'stock'],
  ]);
});

describe('@sentry/react 11 in a browser', () => {
  test('the page load is the root, with its resources, its paint and its request', async () => {
    const page = only(ofProgram('page'), 'pageload');
    expect(trace.rows[0]).toBe(page);
    expect(page).toMatchObject({ segment: true, status: 'ok' });
    expect(await detailsOf(page)).toMatchObject({
      release: 'shop-page@11.0.0',
      environment: 'production',
      sdk: { name: 'sentry.javascript.react', version: expect.stringMatching(/^11\./) as string },
      attributes: { 'browser.name': expect.stringContaining('Chrome') as string, 'url.full': `${shop.url}/` },
    });
    expect((await detailsOf(only(ofProgram('page'), 'resource.script'))).description).toMatch(/\/page\.js$/);
    only(ofProgram('page'), 'browser.paint', /first-contentful-paint/);
    expect(above(only(ofProgram('page'), 'http.client'))).toEqual([page]);
  });
});

describe('@sentry/node 10 in Express', () => {
  test('the request is a segment under the request of the page', async () => {
    const request = only(ofProgram('api'), 'http.server');
    expect(request).toMatchObject({
      segment: true,
      kind: 'server',
      status: 'ok',
      transaction: 'GET /api/offers/:category',
    });
    expect(trace.rows[request.parent]).toBe(only(ofProgram('page'), 'http.client'));
    expect(await detailsOf(request)).toMatchObject({
      release: 'shop-api@10.0.0',
      sdk: { name: 'sentry.javascript.node', version: expect.stringMatching(/^10\./) as string },
      attributes: { 'http.request.method': 'GET', 'http.route': '/api/offers/:category' },
      numbers: { 'http.response.status_code': 200 },
    });
  });
});

describe('@sentry/node 11 in Fastify', () => {
  test('its spans are streamed, and hang where those of a transaction would', async () => {
    const request = only(ofProgram('stock'), 'http.server', /stock/);
    expect(request).toMatchObject({ segment: true, kind: 'server', status: 'ok', transaction: 'GET /stock/:category' });
    expect(trace.rows[request.parent]).toBe(only(ofProgram('api'), 'http.client'));
    const details = await detailsOf(request);
    expect(details).toMatchObject({
      release: 'stock@11.0.0',
      sdk: { name: 'sentry.javascript.node', version: expect.stringMatching(/^11\./) as string },
      attributes: { 'http.route': '/stock/:category' },
    });
    const handler = only(
      ofProgram('stock').filter((row) => above(row)[0] === request),
      'handler',
    );
    expect(handler.name).toBe('/stock/:category');
  });

  test('the error that it throws stands in the span that failed, with its issue, and no span around it failed but those', async () => {
    const index = trace.errors.findIndex(({ title }) => title === 'RangeError: warehouse 7 is closed');
    const error = trace.errors[index];
    expect(error).toMatchObject({ projectId: shop.projects.stock.id, shortId: 'SHOP-STOCK-1' });
    const failed = trace.rows[error?.row ?? -1];
    expect(failed).toMatchObject({ errors: [index], name: '/warehouses/:id', failed: true, status: 'internal_error' });
    expect(above(failed as Row)).toContain(only(ofProgram('stock'), 'http.server', /warehouses/));
    const issue = await server.api<{ title: string; project: { slug: string } }>(
      `/organizations/${org()}/issues/${error?.issueId}/`,
    );
    expect(issue).toMatchObject({ title: 'RangeError: warehouse 7 is closed', project: { slug: 'shop-stock' } });
  });
});

describe('PostgreSQL through pg', () => {
  test('version 10: a query, and one more for each of its rows, all of one description', async () => {
    const queries = ofProgram('api').filter(({ name }) => name.startsWith('SELECT'));
    const [first, ...prices] = await Promise.all(queries.map((row) => detailsOf(row)));
    expect(first).toMatchObject({
      description: 'SELECT .. FROM products WHERE category = %s',
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': 'SELECT id, name FROM products WHERE category = $1',
      },
    });
    expect(prices.map(({ description }) => description)).toEqual(
      Array.from({ length: 8 }, () => 'SELECT .. FROM prices WHERE product_id = %s'),
    );
    for (const { durationUs } of queries.slice(1)) expect(durationUs).toBeGreaterThanOrEqual(10_000);
    for (const row of queries) expect(above(row)).toContain(only(ofProgram('api'), 'http.server'));
  });

  test('version 11: the query under the handler that made it', async () => {
    const query = only(ofProgram('stock'), 'db', /^SELECT/);
    expect(above(query)).toContain(only(ofProgram('stock'), 'http.server', /stock/));
    expect(await detailsOf(query)).toMatchObject({
      description: 'SELECT sum(pieces)::int AS left FROM stock WHERE category = %s',
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': 'SELECT sum(pieces)::int AS left FROM stock WHERE category = $1',
      },
    });
  });
});

describe("OpenTelemetry's SDK", () => {
  test('by traceparent it goes on with the trace of Fastify, and Fastify with its', async () => {
    const served = only(ofProgram('billing'), 'http.server');
    expect(served).toMatchObject({ segment: true, kind: 'server', transaction: 'POST /quotes', service: 'billing' });
    expect(trace.rows[served.parent]).toBe(only(ofProgram('stock'), 'http.client'));
    expect(await detailsOf(served)).toMatchObject({
      release: 'billing@3.1.1',
      environment: 'production',
      sdk: { name: 'opentelemetry' },
      attributes: { 'otel.scope.name': 'billing', 'http.route': '/quotes' },
      numbers: { 'http.response.status_code': 200 },
    });
    const asked = only(ofProgram('billing'), 'http.client');
    expect(asked).toMatchObject({ failed: true, status: 'internal_error' });
    expect(trace.rows[only(ofProgram('stock'), 'http.server', /warehouses/).parent]).toBe(asked);
  });

  test('what it recorded is an issue of its own, in the span that recorded it', () => {
    const index = trace.errors.findIndex(({ title }) => title.startsWith('TypeError: no price'));
    expect(trace.errors[index]).toMatchObject({ projectId: shop.projects.billing.id, shortId: 'SHOP-BILLING-1' });
    expect(trace.rows[trace.errors[index]?.row ?? -1]).toMatchObject({
      name: 'delivery price',
      errors: [index],
      failed: true,
    });
  });

  test('what it caught is no failure of those who asked', () => {
    const failed = trace.rows.filter(({ failed: is }) => is).map(({ name }) => withoutHost(name));
    expect(failed.toSorted()).toEqual([
      '/warehouses/:id',
      '/warehouses/:id',
      'GET /warehouses/:id',
      'GET HOST/warehouses/*',
      'delivery price',
    ]);
    expect(trace.errors).toHaveLength(2);
  });
});

describe('one query for each product', () => {
  let problem: Problem;

  test('is found, though the pool connects between them', async () => {
    problem = await server.until('the problem', async () => {
      const { problems } = await readTrace();
      return problems.find(({ type }) => type === 'performance_n_plus_one_db_queries');
    });
    const { rows } = await readTrace();
    const offenders = problem.offenders.map((row) => rows[row]);
    expect(offenders.map((row) => [row?.projectId, row?.name])).toEqual(
      Array.from({ length: 8 }, () => [
        shop.projects.api.id,
        'SELECT amount, pg_sleep(0.01) FROM prices WHERE product_id = $1',
      ]),
    );
    expect(problem.causes.map((row) => rows[row]?.name)).toEqual(['SELECT id, name FROM products WHERE category = $1']);
    const query = encodeURIComponent('issue.category:performance');
    // Lists count by views of the events, which the engine fills after the events themselves can be read.
    const listed = await server.until('the issue in the list', async () => {
      const issues = await server.api<{ shortId: string; issueType: string; project: { slug: string } }[]>(
        `/organizations/${org()}/issues/?query=${query}`,
      );
      return issues.find(({ shortId }) => shortId === problem.shortId);
    });
    expect(listed).toMatchObject({
      issueType: 'performance_n_plus_one_db_queries',
      project: { slug: 'shop-api' },
    });
  });

  describe.sequential('in the console', () => {
    let page: Page;
    let complaints: ConsolePage['complaints'];

    beforeAll(async () => {
      ({ page, complaints } = await openConsole(server, browser));
    });
    afterEach(async ({ task }) => {
      if (task.result?.state !== 'fail') return;
      console.log(`${task.name}: failed at ${page.url()}`);
      await page.screenshot({ path: `${screenshots}distributed-trace-failure.png` });
    });

    test('the programs are one waterfall, with the error in its place and the problem marked', async () => {
      await goWithin(page, `${server.url}/traces/${traceId}?problem=${problem.eventId}`);
      await page.getByText('8 spans marked. 1 span caused it').waitFor();
      const header = await page.getByRole('list', { name: 'Summary' }).innerText();
      expect(header).toMatch(/\d+ spans\s+4 services\s+error\s+2 errors, 1 problem/);
      await lookAt(page, 'distributed-trace');
      // Further down: to the error of billing, and to that of stock within.
      await page.locator('[role=row][tabindex="0"]').focus();
      await page.keyboard.press('n');
      await page.keyboard.press('n');
      const failed = page.getByRole('row').filter({ hasText: '/warehouses/:id' });
      const mark = failed.getByRole('link', { name: 'SHOP-STOCK-1: RangeError: warehouse 7 is closed' });
      await mark.waitFor();
      await page.getByRole('link', { name: /^SHOP-BILLING-1: TypeError/ }).waitFor();
      await page.screenshot({ path: `${screenshots}distributed-trace-error.png` });
      await mark.click();
      await page.waitForURL('**/issues/SHOP-STOCK-1?**');
    });

    test('the page of the issue has its place in the trace', async () => {
      await goWithin(page, `${server.url}/issues/SHOP-STOCK-1`);
      const strip = page.getByRole('region', { name: 'Trace', exact: true });
      const failed = strip.getByRole('link', { name: /\/warehouses\/:id/ }).filter({ hasText: '1 error' });
      await failed.waitFor();
      expect(await strip.getByRole('listitem').first().innerText()).toContain('Pageload');
    });

    test('Find by the id of the trace leads to both', async () => {
      await goWithin(page, `${server.url}/find?q=${traceId}`);
      await page.getByRole('list', { name: 'Issues' }).getByText('SHOP-STOCK-1').waitFor();
      await page.getByRole('link', { name: 'Open trace' }).click();
      await page.waitForURL(`**/traces/${traceId}?**`);
      expect(complaints).toEqual([]);
    });
  });
});
