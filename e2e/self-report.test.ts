/** The console watches itself: what its SDK is really set to and really does (G4, G6, G7), and that it tells nobody else. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { Forwarder } from './forwarder.ts';

interface SpanItem {
  readonly name: string;
  readonly is_segment?: boolean;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly attributes: Readonly<Record<string, { readonly value: unknown }>>;
}

interface SentEvent {
  readonly event_id: string;
  readonly timestamp: number;
  readonly release: string;
  readonly environment: string;
  readonly tags?: { readonly digest?: string };
  readonly breadcrumbs?: readonly { readonly message?: string }[];
  readonly contexts: { readonly trace: { readonly trace_id: string } };
  readonly exception: { readonly values: readonly { readonly type: string; readonly value: string }[] };
}

let server: Server;
let forwarder: Forwarder;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Bodies sent to /monitoring, and whatever was asked of anybody else. */
let sent: string[];
let foreign: string[];

beforeAll(async () => {
  [{ server, forwarder }, browser] = await Promise.all([
    // The program as it is shipped.
    Forwarder.create((url) => Server.create({ CULPRIT_URL: url, CULPRIT_SELF_REPORT: 'on' })),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await forwarder?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(() => openPage(forwarder.url));
afterEach(async () => {
  forwarder.reset();
  await context.close();
  expect(foreign).toEqual([]);
});

/** A signed-in page of a browser of its own, whose traces are all kept. */
async function openPage(url: string): Promise<void> {
  [sent, foreign] = [[], []];
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.request.post(`${url}/api/auth/sign-in/email`, { data: owner, headers: { origin: url } });
  await context.addInitScript(() => {
    Math.random = () => 0;
  });
  page = await context.newPage();
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) foreign.push(request.url());
    if (new URL(request.url()).pathname === '/monitoring') sent.push(request.postData() ?? '');
  });
}

/** The page is drawn and its SDK is there. */
async function open(path: string): Promise<void> {
  await page.goto(forwarder.url + path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await expect.poll(() => page.evaluate(hasSdk)).toBe(true);
}

const hasSdk = (): boolean => '__SENTRY__' in window;

function items<T>(type: string): T[] {
  return sent.flatMap((body) => {
    const lines = body.split('\n');
    return lines.flatMap((line, index) =>
      index % 2 === 1 && (JSON.parse(line) as { type: string }).type === type
        ? [JSON.parse(lines[index + 1] ?? '') as T]
        : [],
    );
  });
}

const eventOf = (message: string): SentEvent | undefined =>
  items<SentEvent>('event').find(({ exception }) => exception.values.some(({ value }) => value === message));

const segments = (): SpanItem[] =>
  items<{ items: SpanItem[] }>('span')
    .flatMap((container) => container.items)
    .filter((span) => span.is_segment);

const reasonOf = (span: SpanItem | undefined): unknown =>
  span?.attributes['sentry.idle_span_finish_reason']?.value ??
  span?.attributes['sentry.idle_span.finish_reason']?.value;

async function throwInPage(message: string): Promise<void> {
  await page.evaluate((text) => {
    setTimeout(() => {
      throw new Error(text);
    });
  }, message);
}

test('the options in force: the tunnel, a hundred breadcrumbs, the release', async () => {
  await open('/issues');
  const options = await page.evaluate(() => {
    interface Client {
      getOptions(): Record<string, unknown>;
      getIntegrationByName(name: string): unknown;
    }
    interface Carrier {
      readonly version: string;
      readonly [version: string]: string | { readonly defaultCurrentScope?: { getClient(): Client | undefined } };
    }
    const carrier = Reflect.get(window, '__SENTRY__') as Carrier;
    const globals = carrier[carrier.version];
    const client = typeof globals === 'object' ? globals.defaultCurrentScope?.getClient() : undefined;
    const { dsn, tunnel, maxBreadcrumbs, release, environment, tracesSampleRate } = client?.getOptions() ?? {};
    const tracing = client?.getIntegrationByName('BrowserTracing') !== undefined;
    return { dsn, tunnel, maxBreadcrumbs, release, environment, tracesSampleRate, tracing };
  });
  const { consoleDsn } = (await (await fetch(`${forwarder.url}/api/0/`)).json()) as { consoleDsn: string };
  expect(options).toEqual({
    dsn: consoleDsn,
    tunnel: '/monitoring',
    maxBreadcrumbs: 100,
    release: expect.stringMatching(/^culprit@\d+\.\d+\.\d+/),
    environment: 'production',
    tracesSampleRate: 0.2,
    tracing: true,
  });
});

test('of 150 breadcrumbs the newest 100 are sent', async () => {
  await open('/issues');
  await page.evaluate(() => {
    for (let number = 0; number < 150; number += 1) console.info(`b${number}`);
    setTimeout(() => {
      throw new Error('with crumbs');
    });
  });
  await expect.poll(() => eventOf('with crumbs')).toBeDefined();
  const crumbs = eventOf('with crumbs')?.breadcrumbs?.map(({ message }) => message) ?? [];
  expect(crumbs).toHaveLength(100);
  // The console may ask its server for something meanwhile, which is a breadcrumb too.
  const ours = crumbs.filter((message) => message?.startsWith('b'));
  expect(ours.length).toBeGreaterThan(90);
  expect(ours).toEqual(Array.from({ length: ours.length }, (_, index) => `b${150 - ours.length + index}`));
});

test('an error from before the SDK is held, and sent once when it comes', async () => {
  forwarder.holds = /\/assets\/sentry-/;
  await page.goto(`${forwarder.url}/issues`);
  await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
  await expect.poll(() => forwarder.held.length).toBe(1);
  await throwInPage('before the SDK');
  const thrown = Date.now();
  await page.waitForTimeout(300);
  expect(sent).toEqual([]);
  forwarder.release();
  await expect.poll(() => eventOf('before the SDK')).toBeDefined();
  expect((eventOf('before the SDK')?.timestamp ?? 0) * 1000).toBeLessThan(thrown + 250);
  await throwInPage('with the SDK');
  await expect.poll(() => eventOf('with the SDK')).toBeDefined();
  expect(items<SentEvent>('event')).toHaveLength(2);
  // Up by then: the page stays as it is.
  expect(await page.getByText('Application error').count()).toBe(0);
});

test("what it reports is not among what is the people's, and what is rejected as usual alarms nobody", async () => {
  await open('/issues');
  await throwInPage('of the console');
  await expect.poll(() => eventOf('of the console')).toBeDefined();
  await server.until('the report is stored', async () =>
    JSON.stringify(await server.api('/projects/acme/culprit/events/')).includes('of the console'),
  );
  await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
  const started = new Date(Date.now() - 6 * 86_400_000).toISOString();
  const old = () =>
    `{"type":"session"}\n${JSON.stringify({ sid: newEventId(), init: true, started, status: 'exited', attrs: { release: 'shop@1' } })}`;
  const body = ['{}', ...Array.from({ length: 12 }, old)].join('\n');
  await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  await server.until('both are counted', async () => {
    const { groups } = await server.api<{ groups: { reason: string }[] }>('/organizations/acme/outcomes/');
    return groups.length > 1 && groups.some(({ reason }) => reason === 'too_old');
  });

  await open('/issues');
  await page.getByText('WEB-1').first().waitFor();
  expect(await page.getByText(/CULPRIT-\d/).count()).toBe(0);
  const chooser = page.getByLabel('Project', { exact: true });
  const own = chooser.locator('optgroup[label="This installation"] > option');
  expect(await own.allTextContents()).toEqual(['Culprit itself']);
  await chooser.selectOption('Culprit itself');
  await page
    .getByText(/CULPRIT-\d/)
    .first()
    .waitFor();

  const sentence = '12 sessions rejected: too old.';
  await open('/');
  await page.getByRole('region', { name: 'Ingestion, last hour' }).getByText(sentence).waitFor();
  expect(await page.getByText('could not be read').count()).toBe(0);
  await open('/health');
  await page.getByText('Culprit is healthy.').waitFor();
  await page.getByText(sentence).waitFor();
  expect(await page.getByRole('cell', { name: 'Dropped by the client' }).count()).toBe(0);
});

test('a call that the server failed: one digest on the screen, on the event of the browser and on the server’s, in one trace', async () => {
  await open('/issues');
  const bringBack = await server.takeTable('api_token');
  let digest: string;
  let trace: string | undefined;
  try {
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    digest = await page.getByRole('alert').locator('code').last().innerText();
    expect(digest).toMatch(/^\d+$/);
    await expect.poll(() => items<SentEvent>('event').find(({ tags }) => tags?.digest === digest)).toBeDefined();
    trace = items<SentEvent>('event').find(({ tags }) => tags?.digest === digest)?.contexts.trace.trace_id;
    // Asked again, it fails again, and is not reported again.
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('alert').waitFor();
    expect(items<SentEvent>('event').filter(({ tags }) => tags?.digest === digest)).toHaveLength(1);
  } finally {
    await bringBack();
  }
  const theirs = await server.until('the event of the server', async () => {
    const events = await server.api<{ digest: string; platform: string; traceId: string }[]>(
      '/projects/acme/culprit/events/',
    );
    return events.find((event) => event.digest === digest && event.platform === 'node');
  });
  expect(theirs.traceId).toBe(trace);
});

describe('time-outs of tracing, with a clock that is moved', () => {
  /** Lets seconds pass until a segment ended for this reason. */
  async function endedBy(reason: string): Promise<SpanItem> {
    for (let second = 0; second < 12; second += 1) {
      const found = segments().find((span) => reasonOf(span) === reason);
      if (found) return found;
      await page.clock.runFor(1000);
      await page.waitForTimeout(100);
    }
    throw new Error(`no segment ended by ${reason}: ${JSON.stringify(ended())}`);
  }

  /** Why segments ended; those of web vitals end for no reason. */
  const ended = (): unknown[] => segments().flatMap((span) => reasonOf(span) ?? []);

  /** A navigation whose request stays open. */
  async function hangingNavigation(): Promise<void> {
    await page.clock.install();
    await open('/issues');
    await endedBy('idleTimeout');
    sent.length = 0;
    forwarder.holds = /^\/api\/0\/health\//;
    await page.getByRole('link', { name: 'Health', exact: true }).dispatchEvent('click');
    await expect.poll(() => forwarder.held.length).toBe(1);
  }

  test('1 s idle: the page load ends when nothing has happened for a second', async () => {
    await page.clock.install();
    await open('/issues');
    const span = await endedBy('idleTimeout');
    expect(span.name).toBe('/shell/issues');
  });

  test('15 s child span: a request that never ends is not waited for longer', async () => {
    await hangingNavigation();
    await page.clock.runFor(13_000);
    await page.waitForTimeout(200);
    expect(ended()).toEqual([]);
    const span = await endedBy('heartbeatFailed');
    expect(span.name).toBe('/shell/health');
  });

  test('30 s final: an end even when something new goes on all the time', async () => {
    await hangingNavigation();
    for (const part of [1, 2]) {
      await page.clock.runFor(10_000);
      await page.evaluate((number) => void fetch(`/api/0/health/?part=${number}`), part);
      await expect.poll(() => forwarder.held.length).toBe(1 + part);
    }
    await page.clock.runFor(8000);
    await page.waitForTimeout(200);
    expect(ended()).toEqual([]);
    const span = await endedBy('finalTimeout');
    expect(span.end_timestamp - span.start_timestamp).toBeLessThanOrEqual(30);
  });
});

test('switched off: no SDK, and nothing is sent, whatever fails', async () => {
  await using off = await Server.create({ CULPRIT_SELF_REPORT: 'off' });
  await context.close();
  await openPage(off.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${off.url}/issues`);
  await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
  await throwInPage('nobody hears');
  await page.waitForTimeout(6000);
  expect(await page.evaluate(hasSdk)).toBe(false);
  expect(asked.filter((path) => path === '/monitoring' || path.includes('sentry'))).toEqual([]);
});
