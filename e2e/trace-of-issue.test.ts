/** Digest, error and trace in one place: from the issue to its span and back, from pasted ids to both, and setup by spans alone. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, owner, Server } from '../server/test/harness.ts';
import { storedEvent } from './built-script.ts';
import { launchChromium } from './chromium.ts';
import { lookAt, screenshots } from './look.ts';
import { sendSpans, spanIdOf, traceIdOf } from './span-sender.ts';

const digest = '1930860604';

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let issue: string;
/** What the failing service knows of its failure. */
let failed: { readonly traceId: string; readonly spanId: string; readonly eventId: string; readonly healthy: string };
const complaints: string[] = [];

const org = (): string => `/organizations/${server.installed.organization}`;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create({ CULPRIT_PERFORMANCE_WAIT_SECONDS: '1' }), launchChromium()]);
  const app = fileURLToPath(new URL('apps/traced-request.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [app, server.installed.dsn, digest]);
  failed = JSON.parse(stdout) as typeof failed;
  const event = await server.until('the event', () => storedEvent(server, failed.eventId));
  issue = (await server.api<{ shortId: string }>(`${org()}/issues/${event.groupID}/`)).shortId;
  await server.drained();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const origin = server.url;
  await context.request.post(`${origin}/api/auth/sign-in/email`, { data: owner, headers: { origin } });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}\n${complaints.join('\n')}`);
  await page.screenshot({ path: `${screenshots}trace-of-issue-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const strip = () => page.getByRole('region', { name: 'Trace', exact: true });
const failing = () => strip().getByRole('link', { name: /price the cart/ });
const openIssue = async (): Promise<void> => {
  await page.goto(`${server.url}/issues/${issue}?event=${failed.eventId}`);
  await failing().waitFor();
};
const paste = async (text: string): Promise<void> => {
  await page.goto(`${server.url}/find?q=${encodeURIComponent(text)}`);
};

describe('an issue and its trace', () => {
  test('the issue page has the place of its event: the way from the root, what is beside it, the error', async () => {
    await openIssue();
    const names = await strip().getByRole('listitem').allInnerTexts();
    expect(names.map((text) => text.split('\n')[0])).toEqual([
      // The request as the service sent it to itself, and as it came.
      expect.stringMatching(/^GET/),
      expect.stringMatching(/^GET/),
      'load the cart',
      'SELECT * FROM carts WHERE id = 7',
      'price the cart',
      'write the answer',
    ]);
    expect(await failing().innerText()).toContain('1 error');
    expect(
      await strip()
        .getByText(/spans?.*ms/)
        .first()
        .innerText(),
    ).toMatch(/\d+ spans/);
    await failing().scrollIntoViewIfNeeded();
    await look('issue-trace');
  });

  test('its span opens in the trace, and the way back leads to the issue', async () => {
    await openIssue();
    await failing().click();
    await page.waitForURL(`**/traces/${failed.traceId}?**span=${failed.spanId}**`);
    await page.getByRole('row', { name: /price the cart/ }).waitFor();
    await page.goBack();
    await failing().waitFor();
    expect(page.url()).toContain(`/issues/${issue}`);
  });

  test('an event without a trace has no room for one', async () => {
    const eventId = 'ab'.repeat(16);
    const sent = { event_id: eventId, platform: 'node', message: 'without a trace' };
    const body = `${JSON.stringify({ event_id: eventId })}\n{"type":"event"}\n${JSON.stringify(sent)}\n`;
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    const event = await server.until('the event', () => storedEvent(server, eventId));
    await page.goto(`${server.url}/issues/${event.groupID}`);
    await page.getByRole('heading', { name: 'Grouping' }).waitFor();
    expect(await strip().count()).toBe(0);
  });
});

describe('Find', () => {
  test('a digest leads to the issue with its trace', async () => {
    await paste(`Application error: a server-side exception has occurred. Digest: ${digest}`);
    await page.waitForURL(`**/issues/${issue}?**`);
    await failing().waitFor();
  });

  test('a trace id, the failing span and a trace header lead to the error first, with the trace', async () => {
    for (const text of [
      failed.traceId,
      failed.spanId,
      `traceparent: 00-${failed.traceId}-${failed.spanId}-01`,
      `sentry-trace: ${failed.traceId}-${failed.spanId}-1`,
    ]) {
      await paste(text);
      await page.getByRole('list', { name: 'Issues' }).getByText(issue).waitFor();
      await strip()
        .getByRole('link', { name: /price the cart/ })
        .waitFor();
    }
    await look('find-trace');
    await strip().getByRole('link', { name: 'Open trace' }).click();
    await page.waitForURL(`**/traces/${failed.traceId}?**`);
  });

  test('a span in which nothing failed leads to its trace', async () => {
    await paste(failed.healthy);
    await page.waitForURL(`**/traces/${failed.traceId}?**span=${failed.healthy}**`);
    await page.getByRole('row', { name: /load the cart/ }).waitFor();
  });

  test('what is not stored says so', async () => {
    await paste('0123456789abcdef');
    await page.getByRole('heading', { name: 'No span has this id yet' }).waitFor();
  });
});

describe('a project', () => {
  test('that sends spans alone is set up by them', async () => {
    const { slug, firstTransactionEvent } = await server.api<{ slug: string; firstTransactionEvent: boolean }>(
      `${org()}/projects/`,
      { method: 'POST', body: JSON.stringify({ name: 'Billing', platform: 'opentelemetry' }) },
    );
    expect(firstTransactionEvent).toBe(false);
    await page.goto(`${server.url}/projects/${slug}/setup`);
    const state = page.getByRole('status', { name: 'First trace' });
    await state.getByText('Waiting for the first trace').waitFor();
    await page.getByText('OTEL_EXPORTER_OTLP_ENDPOINT').first().waitFor();
    const project = await server.api<{ dsn: string }>(`/projects/${server.installed.organization}/${slug}/`);
    await sendSpans({ url: server.url, installed: project }, 'first', Date.now() - 2000, [
      { key: 'root', name: 'POST /invoice', at: 0, for: 900 },
    ]);
    await state.getByText('A trace has arrived').waitFor();
    await look('setup-first-trace');
    await state.getByRole('link', { name: 'Open trace' }).click();
    await page.waitForURL(`**/traces/${traceIdOf('first')}?**`);
    await page.getByRole('row', { name: /POST \/invoice/ }).waitFor();
    const stored = await server.api<{ firstEvent: unknown; firstTransactionEvent: boolean; firstSpan: string }>(
      `/projects/${server.installed.organization}/${slug}/`,
    );
    expect(stored).toMatchObject({ firstEvent: null, firstTransactionEvent: true });
    expect(Date.parse(stored.firstSpan)).toBeGreaterThan(Date.now() - 120_000);
    await page.goto(`${server.url}/issues?project=${slug}`);
    await page.getByRole('heading', { name: 'No errors yet, but traces arrive' }).waitFor();
  });

  test('has thresholds of its own', async () => {
    await page.goto(`${server.url}/projects/${server.installed.project}/settings`);
    const section = page.getByRole('region', { name: 'Performance problems' });
    const slow = section.getByRole('group', { name: 'Slow DB query' });
    const time = slow.getByRole('textbox');
    await expect.poll(() => time.inputValue()).toBe('500');
    await time.fill('0');
    await time.blur();
    await slow
      .getByRole('alert')
      .getByText(/whole number from 1/)
      .waitFor();
    expect(await section.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await time.fill('750');
    await section.getByRole('group', { name: 'Uncompressed asset' }).getByRole('checkbox').uncheck();
    await section.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved', { exact: true }).waitFor();
    const { settings } = await server.api<{ settings: { performance: Record<string, unknown> } }>(
      `/projects/${server.installed.organization}/${server.installed.project}/`,
    );
    expect(settings.performance).toMatchObject({
      slowDb: { minDurationMs: 750 },
      uncompressedAsset: { enabled: false },
    });
    await section.getByRole('button', { name: 'Reset all to defaults' }).click();
    await expect.poll(() => time.inputValue()).toBe('500');
  });
});

describe('a performance problem', () => {
  test('says what is wrong, how it is mended, and shows its spans', async () => {
    const query = (number: number) => ({
      key: `query ${number}`,
      name: `SELECT price FROM items WHERE id = ${number + 17}`,
      in: 'root',
      kind: 'client' as const,
      at: 60 + number * 20,
      for: 15,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': `SELECT price FROM items WHERE id = ${number + 17}`,
      },
    });
    const list = 'SELECT id FROM carts WHERE owner = 7';
    await sendSpans(server, 'n+1', Date.now() - 2000, [
      { key: 'root', name: 'GET /cart', kind: 'server', at: 0, for: 400, attributes: { 'http.route': '/cart' } },
      {
        key: 'list',
        name: list,
        in: 'root',
        kind: 'client',
        at: 10,
        for: 20,
        attributes: { 'db.system.name': 'postgresql', 'db.query.text': list },
      },
      ...Array.from({ length: 12 }, (_, number) => query(number)),
    ]);
    const found = await server.until('the problem', async () => {
      const [one] = await server.api<{ shortId: string; issueCategory: string }[]>(
        `${org()}/issues/?query=${encodeURIComponent('issue.category:performance')}`,
      );
      return one;
    });
    expect(found.issueCategory).toBe('performance');
    await page.goto(`${server.url}/issues?q=issue.category:performance`);
    await page.getByRole('combobox', { name: 'Issue category' }).waitFor();
    await look('issues-performance');
    await page.getByRole('link', { name: /N\+1 Query/ }).click();
    await page.getByText(/12 queries of the same shape ran one after the other/).waitFor();
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.getByText('SELECT price FROM items').first().waitFor();
    await evidence.getByText(/17, 18, 19/).waitFor();
    expect(await page.getByRole('region', { name: 'Stack trace' }).count()).toBe(0);
    const where = page.getByRole('region', { name: 'Where it happened' });
    await where.getByRole('link', { name: /SELECT price FROM items WHERE id = 17/ }).waitFor();
    await look('issue-problem');
    await where.getByRole('link', { name: 'Open trace' }).click();
    await page.waitForURL(`**/traces/${traceIdOf('n+1')}?**`);
    expect(new URL(page.url()).searchParams.get('problem')).toMatch(/^[0-9a-f]{32}$/);
    expect(new URL(page.url()).searchParams.get('span')).toBe(spanIdOf('n+1 query 0'));
  });
});

test('nothing complained', () => {
  expect(complaints).toEqual([]);
});

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });
