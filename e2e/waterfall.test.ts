/** The waterfall in the running console: everything odd that a trace may have, ten thousand spans, and spans that still arrive. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { lookAt, screenshots } from './look.ts';
import { sendLogs, sendSpans, type SentSpan, spanIdOf, traceIdOf } from './span-sender.ts';

const startMs = Date.now() - 120_000;
const eventId = newEventId();

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const complaints: string[] = [];

/** ms by which the clock of `api` runs ahead. */
const ahead = 300;

const db = (number: number): SentSpan => ({
  key: `query ${number}`,
  name: `SELECT price FROM item WHERE id = ${number}`,
  in: 'request',
  service: 'api',
  kind: 'client',
  at: 250 + ahead + number * 14,
  for: 11,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': `SELECT price FROM item WHERE id = ${number}` },
});

const oddSpans: readonly SentSpan[] = [
  {
    key: 'page',
    name: 'GET /checkout',
    kind: 'server',
    at: 0,
    for: 1200,
    attributes: { 'http.request.method': 'GET', 'http.route': '/checkout' },
  },
  { key: 'session', name: 'read the session', in: 'page', at: 12, for: 60, attributes: { 'cache.key': 'session' } },
  {
    key: 'fetch',
    name: 'POST http://api.internal/checkout',
    in: 'page',
    kind: 'client',
    at: 100,
    for: 700,
    failed: true,
    attributes: { 'http.request.method': 'POST', 'url.full': 'http://api.internal/checkout' },
  },
  {
    key: 'request',
    name: 'POST /checkout',
    in: 'fetch',
    service: 'api',
    kind: 'server',
    at: 240 + ahead,
    for: 520,
    failed: true,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/checkout',
      'http.response.status_code': 500,
      'http.response.body.size': 2_100_000,
    },
    links: [{ trace: 'live', span: 'root' }],
    events: [{ name: 'cart was locked', at: 250 + ahead }],
  },
  ...Array.from({ length: 12 }, (_, number) => db(number)),
  { key: 'charge', name: 'charge the card', in: 'request', service: 'api', at: 440 + ahead, for: 280, failed: true },
  { key: 'render', name: 'render the page', in: 'page', at: 820, for: 90 },
  { key: 'beacon', name: 'send the beacon', in: 'render', at: 1150, for: 40 },
  { key: 'lost', name: 'thread without its parent', in: 'never sent', at: 300, for: 200 },
  { key: 'one', name: 'one of a circle', in: 'other', at: 900, for: 50, service: 'jobs' },
  { key: 'other', name: 'other of a circle', in: 'one', at: 910, for: 20, service: 'jobs' },
];

/** One query, and then one for each of its rows. */
const slow: readonly SentSpan[] = [
  { key: 'request', name: 'GET /orders', kind: 'server', at: 0, for: 300 },
  ...[
    'SELECT id FROM orders',
    ...Array.from({ length: 10 }, (_, number) => `SELECT * FROM line WHERE order_id = ${number}`),
  ].map((text, number): SentSpan => ({
    key: `query ${number}`,
    name: text,
    in: 'request',
    kind: 'client',
    at: 10 + number * 20,
    for: 15,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
  })),
];

const large: readonly SentSpan[] = [
  { key: 'root', name: 'GET /report', kind: 'server', at: 0, for: 20_000 },
  ...Array.from({ length: 9_999 }, (_, number) => ({
    key: `${number}`,
    name: `step ${number}`,
    in: number % 10 ? `${number - (number % 10)}` : 'root',
    at: number * 2,
    for: number % 10 ? 3 : 19,
    // No two neighbours do the same.
    kind: number % 3 ? ('client' as const) : ('internal' as const),
    ...(number % 3 && {
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': `SELECT * FROM t${number % 7}` },
    }),
  })),
];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create({ CULPRIT_PERFORMANCE_WAIT_SECONDS: '1' }), launchChromium()]);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await Promise.all([
    context.request.post(`${server.url}/api/auth/sign-in/email`, { data: owner, headers: { origin: server.url } }),
    sendSpans(server, 'odd', startMs, oddSpans),
    sendLogs(server, 'odd', startMs, [
      { in: 'request', service: 'api', at: 300 + ahead, level: 'INFO', message: 'the cart has 12 items' },
      { in: 'charge', service: 'api', at: 500 + ahead, level: 'WARN', message: 'the bank answers slowly' },
    ]),
    sendSpans(server, 'slow', startMs, slow),
    sendSpans(server, 'large', startMs, large),
    fetch(envelopeUrl(server.installed.dsn), {
      method: 'POST',
      body: errorEnvelope(eventId, {
        timestamp: (startMs + 900) / 1000,
        contexts: { trace: { trace_id: traceIdOf('odd'), span_id: spanIdOf('odd charge') } },
      }),
    }),
  ]);
  // The same span once more, shorter.
  await server.drained();
  await sendSpans(server, 'odd', startMs, [{ key: 'session', name: 'read the session', in: 'page', at: 12, for: 50 }]);
  await server.drained();
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}waterfall-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const traceUrl = (trace: string, search = ''): string => `${server.url}/traces/${traceIdOf(trace)}${search}`;
const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name }).first();
const focused = (): Promise<string> =>
  page.evaluate(() => document.activeElement?.querySelector('[role=gridcell]')?.textContent ?? '');
const spanInAddress = (): string | null => new URL(page.url()).searchParams.get('span');

describe.sequential('a trace with everything odd', () => {
  test('is told at a glance, and every oddity in words', async () => {
    await page.goto(traceUrl('odd'));
    await page.getByRole('heading', { name: 'GET /checkout' }).waitFor();
    const header = await page.getByRole('list', { name: 'Summary' }).innerText();
    expect(header).toMatch(/1\.2\ss\s+http\.server\s+23 spans\s+web, api, jobs\s+error\s+1 error/);
    expect(await page.title()).toContain('1 error · GET /checkout');
    const unfold = page.getByRole('button', { name: /roots/ });
    await unfold.click();
    const notes = await page.getByRole('list').filter({ hasText: 'no parent' }).innerText();
    expect(notes).toContain('api is 260\u00a0ms ahead');
    expect(notes).toMatch(/1 span names a parent that was not received/);
    expect(notes).toMatch(/Culprit cut each cycle/);
    expect(notes).toMatch(/1 span started after its parent ended/);
    expect(notes).toMatch(/1 span arrived with the ID of another/);
    await unfold.click();
    expect(await row('POST /checkout').innerText()).toContain('the clock of api is ahead');
    expect(await row('thread without its parent').innerText()).toContain('was not received');
    await lookAt(page, 'waterfall');
  });

  test('twelve queries that do the same are one row, which opens', async () => {
    const run = row('12 ×');
    expect(await run.getAttribute('aria-expanded')).toBe('false');
    expect(await run.innerText()).toContain('Σ 132\u00a0ms');
    await run.getByRole('button', { name: 'Expand 12 spans' }).click();
    await row('WHERE id = 11').waitFor();
    expect(await run.getAttribute('aria-expanded')).toBe('true');
    await run.getByRole('button', { name: 'Collapse' }).click();
    await expect.poll(() => row('WHERE id = 11').count()).toBe(0);
  });

  test('is walked by keyboard alone, with one tab stop', async () => {
    await page.goto(traceUrl('odd'));
    await row('GET /checkout').waitFor();
    expect(await page.locator('[role=treegrid] [role=row][tabindex="0"]').count()).toBe(1);
    await page.locator('[role=row][tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('read the session');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => row('POST http://api').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(focused).toContain('POST /checkout');
    expect(await page.locator(':focus').getAttribute('aria-level')).toBe('3');
    await page.keyboard.press('End');
    await expect.poll(focused).toContain('of a circle');
    await page.keyboard.press('Home');
    await expect.poll(focused).toContain('GET /checkout');
    await page.keyboard.press('n');
    await expect.poll(focused).toContain('charge the card');
    await page.keyboard.press('Enter');
    const details = page.getByRole('complementary', { name: 'Span charge the card' });
    await details.waitFor();
    expect(spanInAddress()).toBe(spanIdOf('odd charge'));
    await page.keyboard.press('Escape');
    await expect.poll(() => details.count()).toBe(0);
    await expect.poll(focused).toContain('charge the card');
  });

  test('zooms, pans and shows a subtree alone', async () => {
    const ticks = (): Promise<string> => page.getByRole('columnheader', { name: 'Time' }).innerText();
    const before = await ticks();
    await page.keyboard.press('w');
    await page.keyboard.press('w');
    await page.keyboard.press('d');
    await expect.poll(ticks).not.toBe(before);
    await expect.poll(() => new URL(page.url()).searchParams.get('t')).toMatch(/^\d+-\d+$/);
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await expect.poll(ticks).toBe(before);
    const start = page.getByRole('slider', { name: 'Start of the time shown' });
    await start.focus();
    await page.keyboard.press('PageUp');
    await expect.poll(() => start.getAttribute('aria-valuetext')).toBe('120\u00a0ms');
    await page.keyboard.press('Home');
    await row('POST /checkout').focus();
    await page.keyboard.press('f');
    const path = page.getByRole('navigation', { name: 'Subtree shown' });
    await path.waitFor();
    expect(await path.innerText()).toContain('POST http://api.internal/checkout');
    expect(await page.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('4');
    await page.keyboard.press('Escape');
    await expect.poll(() => path.count()).toBe(0);
  });

  test('is searched: the rest is dimmed, n steps on', async () => {
    await page.keyboard.press('q');
    await page.keyboard.type('op:db where');
    await page.locator('output').filter({ hasText: /^12$/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 12').waitFor();
    await page.keyboard.press('n');
    await page.getByText('2 of 12').waitFor();
    await expect.poll(focused).toContain('WHERE id = 1');
    await page.keyboard.press('Shift+N');
    await page.getByText('1 of 12').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
  });

  test('details: what it did, units, links, the gap explained, and the way to the issue and back', async () => {
    await page.goto(traceUrl('odd', `?span=${spanIdOf('odd request')}&at=${Math.floor(startMs / 1000)}`));
    const details = page.getByRole('complementary', { name: 'Span POST /checkout' });
    await details.getByText('2.1 MB').waitFor();
    const text = await details.innerText();
    expect(text).toContain('the clock of api is ahead');
    expect(text).toContain('cart was locked');
    expect(text).toMatch(/No span covers \d+\sms/);
    await details.getByRole('link', { name: /^Trace [0-9a-f]{8}, span/ }).waitFor();
    await lookAt(page, 'waterfall-span');
    const mark = page.getByRole('treegrid').getByRole('link', { name: /^WEB-\d+: TypeError/ });
    await mark.click();
    await page.waitForURL(/\/issues\/WEB-\d+\?/);
    expect(page.url()).toContain(eventId);
    await page.goBack();
    await details.waitFor();
    expect(await row('POST /checkout').getAttribute('aria-selected')).toBe('true');
  });
});

test('logs stand at their spans, and beside the rows', async () => {
  await page.goto(traceUrl('odd'));
  await page.getByRole('button', { name: '2 logs' }).click();
  const logs = page.getByRole('complementary', { name: 'Logs of the trace' });
  await logs.getByText('the bank answers slowly').waitFor();
  expect(await row('charge the card').innerText()).toContain('1 log');
  await logs.getByRole('button', { name: 'Show span charge the card' }).first().click();
  await expect.poll(focused).toContain('charge the card');
});

test('a link from a performance problem marks its spans and what led to them', async () => {
  const problem = await server.until('the problem is found', async () => {
    const path = `/organizations/acme/trace/${traceIdOf('slow')}/spans/`;
    const { problems } = await server.api<{ problems: { eventId: string; type: string }[] }>(path);
    return problems.find(({ type }) => type === 'performance_n_plus_one_db_queries');
  });
  await page.goto(traceUrl('slow', `?problem=${problem.eventId}`));
  await page.getByText('10 spans marked. 1 span caused it').waitFor();
  expect(await row('order_id = 9').innerText()).toContain('N+1 query');
  expect(await row('SELECT id FROM orders').innerText()).toContain('cause of N+1 query');
  expect(await page.getByRole('list', { name: 'Summary' }).innerText()).toMatch(/[1-9] problem/);
  await page.screenshot({ path: `${screenshots}waterfall-problem.png` });
  await page.getByRole('button', { name: 'Remove marks' }).click();
  await expect.poll(() => page.url()).not.toContain('problem=');
});

test('ten thousand spans: few rows are drawn, and the last is reached by one key', async () => {
  await page.goto(traceUrl('large'));
  await row('GET /report').waitFor();
  expect(await page.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('10001');
  // Scrolled by hand, what is in sight is drawn, and few rows more.
  const grid = page.getByRole('treegrid');
  for (const top of [1400, 140_000, 280_000]) {
    await grid.evaluate((element, to) => element.scrollTo({ top: to }), top);
    const at = await grid.evaluate(async (element) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { x, y, height } = element.getBoundingClientRect();
      return [60, height - 20].map((from) =>
        Number(document.elementFromPoint(x + 40, y + from)?.closest<HTMLElement>('[data-at]')?.dataset['at']),
      );
    });
    const scrolled = await grid.evaluate((element) => element.scrollTop);
    expect(at[0]).toBe(Math.floor((scrolled + 60 - 28) / 28));
    expect(at[1]).toBeGreaterThan((at[0] ?? NaN) + 15);
    expect(await page.getByRole('row').count()).toBeLessThan(100);
  }
  await grid.evaluate((element) => element.scrollTo({ top: 0 }));
  await page.locator('[role=row][tabindex="0"]').focus();
  await page.keyboard.press('End');
  await expect.poll(focused).toContain('step 9998');
  expect(await page.getByRole('row').count()).toBeLessThan(100);
  // A span that arrives above does not move what is read.
  const placeOfLast = async (): Promise<number> => Math.round((await row('step 9998').boundingBox())?.y ?? 0);
  const before = await placeOfLast();
  await sendSpans(server, 'large', startMs, [{ key: 'early', name: 'came late', in: 'root', at: 1, for: 1 }]);
  await expect.poll(() => page.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('10002');
  expect(await placeOfLast()).toBe(before);
  await expect.poll(focused).toContain('step 9998');
  await page.keyboard.press('Home');
  await expect.poll(focused).toContain('GET /report');
});

test('an unknown trace says what that may mean, and turns into the waterfall when its spans arrive', async () => {
  await page.goto(traceUrl('live'));
  await page.getByText('Not sampled.').waitFor();
  await lookAt(page, 'waterfall-unknown');
  const now = Date.now();
  await sendSpans(server, 'live', now - 500, [{ key: 'root', name: 'GET /live', kind: 'server', at: 0, for: 400 }]);
  await row('GET /live').waitFor();
  await page.getByText('Still arriving').waitFor();
  await row('GET /live').click();
  await sendSpans(server, 'live', now - 500, [{ key: 'child', name: 'a late query', in: 'root', at: 100, for: 50 }]);
  await row('a late query').waitFor();
  expect(await row('GET /live').getAttribute('aria-selected')).toBe('true');
});

test('nothing complained', () => {
  expect(complaints).toEqual([]);
});
