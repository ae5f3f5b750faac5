/** The Vite + React example, built for production, in a real browser before a real Culprit. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { readFrame, storedEvent } from './built-script.ts';
import { launchChromium } from './chromium.ts';
import { buildExample, exampleDir, type ExampleProcess, startExample } from './example-process.ts';
import { eventById, eventsTitled } from './failure-events.ts';
import { openIssueOf } from './issue-page.ts';
import { screenshots } from './look.ts';
import { indexed, uploadSettings } from './uploads.ts';
import { expectVitals, sufferVitals, watchVitals } from './vitals.ts';

const release = 'vite-react@1';
const clientText =
  'Application error: a client-side exception has occurred while loading 127.0.0.1 (see the browser console for more information).';

let server: Server;
let browser: Browser;
let app: ExampleProcess;
const dist = join(exampleDir('vite-react'), 'dist');
let page: Page;
/** Whatever the page asked of another origin. */
let strangers: string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  const { dsn } = server.installed;
  const environment = { VITE_DSN: dsn, VITE_RELEASE: release, ...(await uploadSettings(server)) };
  await buildExample('vite-react', 'vite', ['build'], environment);
  app = await startExample('vite-react', ['server.ts'], { DSN: dsn, DIST: dist });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await rm(dist, { recursive: true, force: true });
});

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  strangers = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(app.url) && !url.startsWith('data:')) strangers.push(url);
  });
});
afterEach(async () => {
  expect(strangers).toEqual([]);
  await page.close();
});

const shownEventId = (): Promise<string> => page.locator('code').first().innerText();

test('a page load is a trace, with web vitals as the browser measured them', async () => {
  await watchVitals(page);
  const [asked] = await Promise.all([page.waitForRequest('**/api/products**'), page.goto(app.url)]);
  const traceId = (await asked.headerValue('sentry-trace'))?.slice(0, 32) ?? '';
  const details = page.getByRole('button', { name: 'Details' }).first();
  await details.waitFor();
  const measured = await sufferVitals(page, () => details.click());
  // Layout shift and interactions are told when the page is left.
  await page.goto('about:blank');
  const spans = await expectVitals(server, { traceId, project: server.installed.project, measured });
  expect(spans.map(({ op }) => op).toSorted()).toEqual([
    'pageload',
    'ui.interaction.click',
    'ui.webvital.cls',
    'ui.webvital.lcp',
  ]);
});

test('the shop itself works, and nothing is reported', async () => {
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Details' }).first().click();
  expect(await page.getByText('Origin: Japan').isVisible()).toBe(true);
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a throw while React renders: the text of the client, and the event that the screen names', async () => {
  await page.goto(`${app.url}/?category=new`);
  expect(await page.getByRole('alert').innerText()).toBe(clientText);
  const event = await eventById(server, await shownEventId());
  expect(event.title).toContain('TypeError');
  expect(event.tags).toMatchObject({ release });
  expect(event.tags.digest).toBeUndefined();
});

test('a throw before React is there: the guard shows and reports it, once', async () => {
  await page.goto(app.url);
  await page.evaluate(() => localStorage.setItem('shop-settings', '{'));
  await page.reload();
  expect(await page.getByRole('alert').innerText()).toBe(clientText);
  const eventId = await shownEventId();
  expect((await eventById(server, eventId)).title).toContain('SyntaxError');
  await server.drained();
  const events = await eventsTitled(server, release, 'SyntaxError');
  expect(events.map(({ id }) => id)).toEqual([eventId]);
});

test('start-up data that the server fails: the text of the server, one digest on screen, in the log and in the event', async () => {
  await page.goto(`${app.url}/?category=coffee`);
  const text = await page.getByRole('alert').innerText();
  const digest = /Digest: (\d+)$/.exec(text)?.[1];
  await page.screenshot({ path: 'e2e/screenshots/vite-react-390.png' });
  expect(text.split('\n')[0]).toBe(
    'Application error: a server-side exception has occurred while loading 127.0.0.1 (see the server logs for more information).',
  );
  expect(app.output()).toContain(`${digest} Error: no price list for coffee`);
  expect((await eventById(server, await shownEventId())).tags.digest).toBe(digest);
});

test('a throw after the app is up leaves the rest of the page', async () => {
  await page.goto(app.url);
  await page.getByRole('button', { name: 'Details' }).nth(1).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('heading', { name: 'Shop' }).isVisible()).toBe(true);
  expect(await page.getByText('Application error').count()).toBe(0);
  expect((await eventById(server, await shownEventId())).title).toContain('TypeError');
});

test('the build uploaded its maps and left none beside the page; its release is known', async () => {
  expect((await readdir(dist, { recursive: true })).filter((file) => file.endsWith('.map'))).toEqual([]);
  const { organization } = server.installed;
  const known = await server.api<{ version: string; dateReleased: string | null }>(
    `/organizations/${organization}/releases/${release}/`,
  );
  expect(known).toMatchObject({ version: release, dateReleased: expect.any(String) });
});

test('the console shows the line of TypeScript that threw', async () => {
  await indexed(server);
  await page.goto(`${app.url}/?category=new`);
  const id = await shownEventId();
  const event = await server.until('the event', () => storedEvent(server, id));
  const own = event.stacks.at(-1)?.findLast(({ inApp }) => inApp);
  expect(own && readFrame(own)).toMatch(/ src\/Shop\.tsx:29:44$/);
  expect(event.symbolication.unresolved).toBe(0);

  await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const desk = await context.newPage();
  await openIssueOf(server, desk, id);
  await desk.getByText('{product.name}, {product.price.toFixed(2)} {settings.currency}').first().waitFor();
  await desk.screenshot({ path: `${screenshots}vite-react-source-lines.png` });
});

test('a page that cannot be read: the server renders the screen itself', async () => {
  await using broken = await startExample('vite-react', ['server.ts'], { DSN: '', DIST: join(dist, 'nowhere') });
  strangers = [];
  const response = await page.request.get(broken.url, { headers: { accept: 'text/html' } });
  const digest = response.headers()['x-error-digest'];
  await page.setContent(await response.text());
  expect(response.status()).toBe(500);
  expect(await page.getByRole('alert').innerText()).toContain(`Digest: ${digest}`);
});
