/**
 * The console that cannot start, each cause made for real on a running server: the exact text, the digest where the server
 * failed, the report, and nothing asked of anybody else. Every page is served with the console's own strict policy.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { OwnConsole } from './own-console.ts';
import { lookAt } from './look.ts';

const clientText =
  'Application error: a client-side exception has occurred while loading 127.0.0.1 (see the browser console for more information).';
const serverText =
  'Application error: a server-side exception has occurred while loading 127.0.0.1 (see the server logs for more information).';

interface Stored {
  readonly eventID: string;
  readonly title: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly release: { readonly version: string } | null;
  readonly entries: readonly { readonly type: string }[];
}

let own: OwnConsole;
let server: Server;
let browser: Browser;
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
let context: BrowserContext;
let page: Page;
let foreign: string[];
let policyComplaints: string[];
let loads: number;

beforeAll(async () => {
  own = await OwnConsole.create();
  [server, browser] = await Promise.all([
    Server.create({ CULPRIT_CONSOLE_DIR: own.dir, CULPRIT_SELF_REPORT: 'on' }),
    launchChromium(),
  ]);
  // Once: the server takes only so many sign-ins in a row.
  const visitor = await browser.newContext();
  await visitor.request.post(`${server.url}/api/auth/sign-in/email`, { data: owner, headers: { origin: server.url } });
  signedIn = await visitor.storageState();
  await visitor.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await own?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  // A browser of its own, as scripts are kept for ever by their names.
  context = await browser.newContext({
    storageState: signedIn,
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  [foreign, policyComplaints, loads] = [[], [], 0];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${server.url}/`)) foreign.push(request.url());
    if (request.isNavigationRequest()) loads += 1;
  });
  page.on('console', (message) => {
    if (/content.security.policy/i.test(message.text())) policyComplaints.push(message.text());
  });
});
afterEach(async () => {
  const asked = { foreign, policyComplaints };
  await context.close();
  await own.mend();
  expect(asked).toEqual({ foreign: [], policyComplaints: [] });
});

const look = (name: string): Promise<void> => lookAt(page, name);

/** The screen is there with this text and two ways on; resolves to the event id that it shows. */
async function screen(text: string): Promise<string | undefined> {
  const heading = page.getByRole('alert').getByRole('heading', { level: 1 });
  await heading.waitFor();
  expect(await heading.innerText()).toBe(text);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await expect.poll(() => page.getByText('Try again').count()).toBe(1);
  const line = page.getByText(/^Event ID: /);
  return (await line.count()) > 0 ? /[0-9a-f]{32}/.exec(await line.innerText())?.[0] : undefined;
}

async function shownDigest(): Promise<string> {
  return /^Digest: (\d+)$/.exec(await page.getByText(/^Digest: /).innerText())?.[1] ?? 'none';
}

/** What Culprit stored of the event that the screen names. */
async function stored(eventId: string | undefined): Promise<Stored> {
  expect(eventId).toMatch(/^[0-9a-f]{32}$/);
  return server.until('the event is stored', () =>
    server.api<Stored>(`/projects/acme/culprit/events/${eventId}/`).catch(() => undefined),
  );
}

const tag = ({ tags }: Stored, key: string): string | undefined => tags.find((each) => each.key === key)?.value;

describe('before React', () => {
  test('an exception in the bootstrap', async () => {
    await own.replace(await own.script('index'), `throw new RangeError('bootstrap broke');`);
    const response = await page.goto(`${server.url}/issues`);
    expect(response?.headers()['content-security-policy']).toMatch(/script-src 'self' 'sha256-[^']+';/);
    const event = await stored(await screen(clientText));
    expect(event.title).toBe('RangeError: bootstrap broke');
    expect(event.release?.version).toMatch(/^culprit@\d/);
    await look('load-failure-bootstrap');
    await page.getByRole('button', { name: 'Copy' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(clientText);
    expect(copied).toContain(event.eventID);
  });

  test.each([
    ['the entry was deleted', (path: string) => own.remove(path)],
    [
      'HTML stands in the place of the entry',
      (path: string) => own.replace(path, '<!doctype html><title>Shop</title>'),
    ],
  ])('%s: the page is loaded once more, then the screen', async (_, spoil) => {
    await spoil(await own.script('index'));
    await page.goto(`${server.url}/issues`);
    const event = await stored(await screen(clientText));
    expect(event.title).toMatch(/Error/);
    await page.waitForTimeout(500);
    expect(loads).toBeLessThanOrEqual(2);
    await page.getByText('Try again').click();
    await screen(clientText);
    await page.waitForTimeout(500);
    expect(loads).toBeLessThanOrEqual(3);
  });
});

describe('while React renders', () => {
  test('a page that throws before anything was drawn', async () => {
    await own.replace(
      // Of a page whose script no other one imports from.
      await own.script('FeedbackPage'),
      `const broken = () => { throw new TypeError('render broke'); }; export { broken as FeedbackPage };`,
    );
    await page.goto(`${server.url}/feedback`);
    const event = await stored(await screen(clientText));
    expect(event.title).toBe('TypeError: render broke');
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(loads).toBe(1);
    await look('load-failure-render');
  });

  test.each([
    ['was deleted', (path: string) => own.remove(path)],
    ['is HTML', (path: string) => own.replace(path, '<!doctype html><title>Shop</title>')],
  ])('the script of the page %s: one reload, then the screen, and no loop', async (_, spoil) => {
    await spoil(await own.script('IssuesPage'));
    await page.goto(`${server.url}/issues`);
    await stored(await screen(clientText));
    await page.waitForTimeout(500);
    expect(loads).toBeLessThanOrEqual(2);
  });
});

describe('the server failed', () => {
  test('to send the page itself: its text with its digest, which leads to its event', async () => {
    await own.remove('index.html');
    await mkdir(join(own.dir, 'index.html'));
    const response = await page.goto(`${server.url}/issues`);
    expect(response?.status()).toBe(500);
    await screen(serverText);
    const digest = await shownDigest();
    expect(response?.headers()['x-error-digest']).toBe(digest);
    await expectServerEvent(digest);
    await look('load-failure-html');
    await rm(join(own.dir, 'index.html'), { recursive: true });
  });

  test('a request that the start needs: its text with its digest, on the event of the browser too', async () => {
    const bringBack = await server.takeTable('member');
    try {
      await page.goto(`${server.url}/issues`);
      const eventId = await screen(serverText);
      const digest = await shownDigest();
      await bringBack();
      expect(tag(await stored(eventId), 'digest')).toBe(digest);
      await expectServerEvent(digest);
      await look('load-failure-request');
      await page.getByText('Try again').click();
      await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
    } finally {
      await bringBack();
    }
  });
});

describe('after the start', () => {
  test('a page that throws leaves the rest of the console, reports, and is left by a link', async () => {
    await own.replace(
      await own.script('FeedbackPage'),
      `const broken = () => { throw new TypeError('feedback broke'); }; export { broken as FeedbackPage };`,
    );
    await page.goto(`${server.url}/issues`);
    await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Feedback', exact: true }).click();
    await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
    const line = await page.getByText(/^Event ID: /).innerText();
    expect((await stored(/[0-9a-f]{32}/.exec(line)?.[0])).title).toBe('TypeError: feedback broke');
    await look('load-failure-route');
    // The pointer rests on the link before, whose tip may lie over this one.
    await page.mouse.move(900, 600);
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
    expect(loads).toBe(1);
  });

  test('a script that stays away: one reload, then the screen, and no loop', async () => {
    await own.remove(await own.script('FeedbackPage'));
    await page.goto(`${server.url}/issues`);
    await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Feedback', exact: true }).click();
    await stored(await screen(clientText));
    await page.waitForTimeout(500);
    expect(loads).toBe(2);
  });

  test('a deployment under an open page: the click loads the page anew, once, and arrives', async () => {
    await own.remove(await own.script('FeedbackPage'));
    await page.goto(`${server.url}/issues`);
    await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
    await allLoaded();
    await deploy();
    await page.getByRole('link', { name: 'Feedback', exact: true }).click();
    await page.getByRole('heading', { name: 'Feedback', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/feedback');
    expect(loads).toBe(2);
  });
});

/** Everything that the page loads by itself is there: what is on its way while the server is away is another story. */
async function allLoaded(): Promise<void> {
  const count = () => page.evaluate(() => performance.getEntriesByType('resource').length);
  await expect
    .poll(async () => {
      const before = await count();
      await page.waitForTimeout(500);
      return (await count()) === before;
    })
    .toBe(true);
}

/** A deployment: the whole console with new names, and the server that serves them. */
async function deploy(): Promise<void> {
  await server.stop();
  await own.mend();
  await own.deploy();
  await server.start();
}

async function expectServerEvent(digest: string): Promise<void> {
  await server.until('the event of the server', async () => {
    const events = await server.api<{ digest: string | null; platform: string }[]>('/projects/acme/culprit/events/');
    return events.some((event) => event.digest === digest && event.platform === 'node');
  });
  expect(server.output).toContain(`"digest":"${digest}"`);
}
