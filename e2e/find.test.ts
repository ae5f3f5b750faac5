/** From the text on an error page to the line that threw: every wording, several causes, none, and on a phone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { goWithin } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Of the walk-through; they replace those of the guide when asked for: `WRITE_IMAGES=1 npx vitest run e2e/find.test.ts`. */
const images = process.env['WRITE_IMAGES'] ? folder('../docs/images/') : screenshots;
const captured = folder('../../shared/fixtures/nextjs/');
const haveCaptured = existsSync(captured);
if (!haveCaptured) console.warn('the captured Next.js envelopes are not there; left out: finding what they hold');

const digest = '1930860604';
const shared = '695951548';
const trace = 'd3b07384d113edec49eaa6238ad5ff00';
const release = 'shop@1.4.0';

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let dsn: string;
let causeId: string;
/** What the console itself complained about. */
const complaints: string[] = [];

beforeAll(async () => {
  await mkdir(images, { recursive: true });
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ dsn } = server.installed);
  await serverFails({ digest, trace });
  await browserShows({ digest, trace });
  await serverFails({ digest: shared, trace: newEventId() });
  await serverFails({ digest: shared, trace: newEventId(), what: 'stock' });
  await browserShows({ digest: '555000111', trace: newEventId() });
  if (haveCaptured) {
    for (const name of ['next15-helper', 'next16-helper-action'])
      for (const side of ['server', 'browser'])
        await post(addressed(readFileSync(`${captured}${name}-${side}.envelope`, 'utf8')));
  }
  await server.drained();
  causeId = await server.until('the cause is found', async () => {
    const answer = await server.api<{ kind: string; causes?: { event: { id: string } }[] }>(
      `/organizations/acme/find/?q=${digest}`,
    );
    return answer.causes?.[0]?.event.id;
  });
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await newPage(context);
  await signIn(page);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** A real server SDK reports a real error of a real program. */
async function serverFails(failure: { digest: string; trace: string; what?: 'price' | 'stock' }): Promise<void> {
  const words = [dsn, failure.digest, failure.trace, failure.what ?? 'price', release];
  const child = spawn(process.execPath, [folder('./apps/product-page.mjs'), ...words], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`the failing program ended with ${code}`);
}

/** What the browser's SDK sends when the screen is shown: it knows only that the server failed. */
async function browserShows(failure: { digest: string; trace: string }): Promise<void> {
  await post(
    errorEnvelope(newEventId(), {
      platform: 'javascript',
      sdk: { name: 'sentry.javascript.nextjs', version: '11.10.0' },
      release,
      environment: 'production',
      tags: { digest: failure.digest },
      request: { url: 'https://shop.example.com/product/7' },
      contexts: { trace: { trace_id: failure.trace, span_id: newEventId().slice(16), op: 'pageload' } },
      exception: {
        values: [
          {
            type: 'Error',
            value:
              'Minified React error #441; visit https://react.dev/errors/441 for the full message or use the non-minified dev environment for full errors and additional helpful warnings.',
            mechanism: { type: 'auto.browser.global_handlers.onerror', handled: false },
          },
        ],
      },
    }),
  );
}

/** A captured envelope under the DSN of this installation. */
function addressed(envelope: string): string {
  const end = envelope.indexOf('\n');
  return JSON.stringify({ ...(JSON.parse(envelope.slice(0, end)) as object), dsn }) + envelope.slice(end);
}

async function post(body: string): Promise<void> {
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
  expect(response.status).toBe(200);
}

/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}find-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

async function newPage(where: BrowserContext): Promise<Page> {
  const opened = await where.newPage();
  opened.setDefaultTimeout(15_000);
  opened.on('pageerror', (error) => complaints.push(error.message));
  opened.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return opened;
}

async function signIn(on: Page): Promise<void> {
  await on.goto(`${server.url}/sign-in`);
  await on.getByLabel('Email').fill(owner.email);
  await on.getByLabel('Password').fill(owner.password);
  await on.getByRole('button', { name: 'Sign in', exact: true }).click();
  await on.waitForURL(`${server.url}/`);
}

async function copy(text: string, on = page): Promise<void> {
  await on.evaluate((each) => navigator.clipboard.writeText(each), text);
}

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });

/** Away from where the last test led, by the rail: loading a page takes five times as much. */
async function goToHealth(): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Health', exact: true }).click();
  await page.waitForURL('**/health');
  await line().waitFor({ state: 'detached' });
}

const strip = (number: string) => page.getByRole('region', { name: `Digest ${number}` });
const line = () => page.locator('li[aria-current="true"]').getByText('price.amount');

/** Every way in which the number reaches somebody; the texts are those of the error pages, copied with what is around. */
const wordings: readonly (readonly [string, string])[] = [
  [
    'Next.js 15.2 to 16.1',
    `Application error: a server-side exception has occurred while loading shop.example.com (see the server logs for more information).\nDigest: ${digest}`,
  ],
  [
    'the same with what stood around it',
    `  Shop — Product 7\n\n Application error: a server-side exception has occurred while loading shop.example.com (see the server\u00a0logs for more information).\r\n\r\nDigest:\u00a0${digest}\nSent from my phone`,
  ],
  [
    'Next.js 16.2 and later',
    `This page couldn’t load\nA server error occurred. Reload to try again.\nReload\nERROR ${digest}`,
  ],
  [
    'with a typewriter apostrophe',
    `This page couldn't load\nA server error occurred. Reload to try again.\nERROR ${digest}`,
  ],
  ['its last line', `Digest: ${digest}`],
  ['its footer', `ERROR ${digest}`],
  ['the number alone', digest],
  ['the number of a framework error', `${digest}@E7`],
];

const boxWordings = new Set(['the same with what stood around it', 'Next.js 16.2 and later', 'the number alone']);

describe.sequential('find', () => {
  test.each(wordings)('paste into the palette: %s', async (_, text) => {
    await goToHealth();
    await copy(text);
    await page.locator('body').press('/');
    await page.getByRole('combobox', { name: 'Search or run a command' }).press('Control+v');
    await page.waitForURL(`**/issues/WEB-1?*`);
    expect(new URL(page.url()).searchParams.get('event')).toBe(causeId);
    await line().waitFor();
    await strip(digest).getByText(`Digest ${digest}: 1 visit on shop.example.com since`).waitFor();
    expect(await strip(digest).innerText()).toContain('Showing the newest');
  });

  test('the strip tells who saw it, in which release, in which trace, and leads there', async () => {
    await strip(digest)
      .getByText(/in shop@1\.4\.0 · 1 browser event · 1 trace/)
      .click();
    await strip(digest).getByRole('link', { name: trace }).waitFor();
    await look('issue-digest');
    await strip(digest).getByRole('link', { name: /441/ }).click();
    await page.getByText('Minified React error #441').filter({ visible: true }).first().waitFor();
  });

  test('narrow by time keeps to the time in the address, and says so where nothing is left', async () => {
    await page.goto(`${server.url}/d/${digest}`);
    await strip(digest).getByRole('button', { name: 'Narrow by time' }).click();
    await page.getByRole('button', { name: 'Last hour' }).click();
    await page.waitForURL(/timestamp/);
    expect(new URL(page.url()).searchParams.get('q')).toBe(`digest:${digest} timestamp:-1h`);
    await strip(digest).getByText('1 visit').waitFor();
    await strip(digest).getByRole('button', { name: 'Narrow by time' }).click();
    await page.getByLabel(/Time you saw it/).fill('2026-01-02T03:04');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await strip(digest).getByText('no server event with it in this time').waitFor();
    await strip(digest).getByRole('button', { name: 'Narrow by time' }).click();
    await page.getByRole('button', { name: 'All times' }).click();
    await strip(digest).getByText('Showing the newest').waitFor();
  });

  // It reads what is pasted as the palette does: one of each kind is enough.
  test.each(wordings.filter(([name]) => boxWordings.has(name)))('paste into the box: %s', async (_, text) => {
    await goWithin(page, `${server.url}/find`);
    await copy(text);
    await page.getByRole('textbox', { name: 'Find' }).press('Control+v');
    await page.waitForURL(`**/issues/WEB-1?*`);
    await line().waitFor();
  });

  test('paste into the search of the issue list', async () => {
    await goWithin(page, `${server.url}/issues`);
    await copy(wordings[0]?.[1] ?? '');
    await page.locator('body').press('s');
    await page.getByLabel('Search issues').press('Control+v');
    await page.waitForURL(`**/issues/WEB-1?*`);
    await line().waitFor();
  });

  test.each([
    ['event id', () => causeId],
    ['event id with dashes', () => causeId.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5')],
    ['trace id', () => trace],
    ['issue id', () => 'WEB-1'],
    ['address of the issue', () => `${server.url}/issues/WEB-1?event=${causeId}`],
  ])('type and Enter: %s', async (_, text) => {
    await goWithin(page, `${server.url}/find`);
    await page.getByRole('textbox', { name: 'Find' }).fill(text());
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/issues/WEB-1**`);
    await line().waitFor();
  });

  test('links: /find?q= and /d/, also before signing in; back leads to where one came from', async () => {
    await page.goto(`${server.url}/projects`);
    await page.goto(`${server.url}/d/${digest}`);
    await page.waitForURL(`**/issues/WEB-1?*`);
    await line().waitFor();
    await page.goBack();
    await page.waitForURL('**/projects');
    const stranger = await browser.newContext();
    const door = await newPage(stranger);
    await door.goto(`${server.url}/d/${digest}`);
    await door.waitForURL('**/sign-in**');
    await door.getByLabel('Email').fill(owner.email);
    await door.getByLabel('Password').fill(owner.password);
    await door.getByRole('button', { name: 'Sign in', exact: true }).click();
    await door.waitForURL(`**/issues/WEB-1?*`);
    await stranger.close();
  });

  test('an address of the application lists what failed on that page', async () => {
    await goWithin(page, `${server.url}/find`);
    await copy('https://shop.example.com/product/7');
    await page.getByRole('textbox', { name: 'Find' }).press('Control+v');
    await page.getByRole('heading', { name: 'Errors on this page in the last 24 hours' }).waitFor();
    expect(
      await page.getByRole('list', { name: 'Latest event of each issue' }).getByRole('link').count(),
    ).toBeGreaterThan(0);
    await look('find-page');
  });

  test('a screen without a number names the side: what browsers reported there', async () => {
    await goWithin(page, `${server.url}/find`);
    await copy(
      'Application error: a client-side exception has occurred while loading shop.example.com (see the browser console for more information).',
    );
    await page.getByRole('textbox', { name: 'Find' }).press('Control+v');
    await page.getByRole('heading', { name: 'Errors on shop.example.com in the last 24 hours' }).waitFor();
    await page.getByText('the error happened in the browser').waitFor();
  });

  test('words go to the list of issues', async () => {
    await page.goto(`${server.url}/find?q=${encodeURIComponent('Cannot read')}`);
    await page.waitForURL('**/issues?*');
    await page
      .getByRole('link', { name: /Cannot read properties/ })
      .first()
      .waitFor();
  });

  test('several issues: both with their line, the one that differs marked; chips can be taken away', async () => {
    await goWithin(
      page,
      `${server.url}/find?q=${encodeURIComponent(`while loading shop.example.com. Digest: ${shared}`)}`,
    );
    await page.getByRole('heading', { name: `2 issues match digest ${shared}` }).waitFor();
    const cards = page.getByRole('list', { name: 'Issues' }).locator('> li');
    await expect.poll(() => cards.count()).toBe(2);
    expect(await page.getByText('differs', { exact: true }).count()).toBe(1);
    await page.locator('li[aria-current="true"]').getByText('place.count').waitFor();
    await look('find-several');
    await page.getByRole('button', { name: 'Remove host shop.example.com' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Remove host shop.example.com' }).count()).toBe(0);
    await cards.first().getByRole('link').first().click();
    await page.waitForURL('**/issues/WEB-*');
  });

  test('only the browser saw it', async () => {
    await goWithin(page, `${server.url}/find?q=555000111`);
    await page.getByRole('heading', { name: 'The server did not report this error' }).waitFor();
    await page
      .getByText(/Last server event from Web/)
      .first()
      .waitFor();
    await page.getByRole('list', { name: 'Shown in the browser' }).getByText('/product/7').waitFor();
    await look('find-browser-only');
  });

  test('nothing: evidence and the lines to add; it asks again by itself, and opens what arrives', async () => {
    await goWithin(
      page,
      `${server.url}/find?q=${encodeURIComponent('…while loading shop.example.com (see the server logs). Digest: 4242424242')}`,
    );
    await page.getByRole('heading', { name: 'No event has this digest yet' }).waitFor();
    await page.getByText(/Retrying automatically for/).waitFor();
    await page.getByText('Server errors on shop.example.com in the last hour').waitFor();
    expect(
      await page.getByRole('list', { name: 'Server errors in the last hour' }).getByRole('link').count(),
    ).toBeGreaterThan(0);
    await page.getByText('Digest tagging').waitFor();
    await look('find-nothing');
    await serverFails({ digest: '4242424242', trace: newEventId() });
    await page.waitForURL('**/issues/WEB-*');
    await strip('4242424242').waitFor();
  });

  test('after two minutes it stops, and offers to look again', async () => {
    // A page left open would hear of the digests that the next tests watch.
    await using clocked = await newPage(context);
    await clocked.clock.install();
    let asked = 0;
    let answered = 0;
    const finds = (request: Request): boolean => request.url().includes('/find/');
    clocked.on('request', (request) => (asked += finds(request) ? 1 : 0));
    clocked.on('requestfinished', (request) => (answered += finds(request) ? 1 : 0));
    clocked.on('requestfailed', (request) => (answered += finds(request) ? 1 : 0));
    await clocked.goto(`${server.url}/find?q=4000000001`);
    await clocked.getByRole('heading', { name: 'No event has this digest yet' }).waitFor();
    await clocked.clock.runFor(121_000);
    await clocked.getByText('No result after 2 minutes.').waitFor();
    // The clock of the page outruns the server: the last question may be under way still, and be asked a second time.
    await expect.poll(() => asked - answered).toBe(0);
    await clocked.clock.runFor(10_000);
    await expect.poll(() => asked - answered).toBe(0);
    const before = asked;
    await clocked.clock.runFor(60_000);
    expect(asked).toBe(before);
    await clocked.getByRole('button', { name: 'Search again' }).click();
    await clocked.getByText(/Retrying automatically for/).waitFor();
    expect(asked).toBeGreaterThan(before);
  });

  test('watch: told on any page when it arrives, and led there', async () => {
    await goWithin(page, `${server.url}/find?q=4000000002`);
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('button', { name: 'Stop watching', exact: true }).waitFor();
    await page.getByRole('list', { name: 'Your watches' }).getByText('4000000002').waitFor();
    await goWithin(page, `${server.url}/issues`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await serverFails({ digest: '4000000002', trace: newEventId() });
    await page.getByText(/Digest 4000000002 arrived: TypeError/).waitFor();
    await page.screenshot({ path: `${screenshots}watch-arrived.png` });
    await page.getByRole('button', { name: /^Open WEB-/ }).click();
    await strip('4000000002').waitFor();
  });

  test('watch: told on the next visit when it came meanwhile, once', async () => {
    await page.goto(`${server.url}/find?q=4000000003`);
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('button', { name: 'Stop watching', exact: true }).waitFor();
    await page.goto('about:blank');
    await serverFails({ digest: '4000000003', trace: newEventId() });
    await server.until('the watch has found it', async () => {
      const watches = await page.request.get(`${server.url}/api/0/organizations/acme/digest-watches/`);
      return ((await watches.json()) as { digest: string; status: string }[]).some(
        (watch) => watch.digest === '4000000003' && watch.status === 'found',
      );
    });
    const seen = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
    await goWithin(page, `${server.url}/issues`);
    await page.getByText(/Digest 4000000003 arrived/).waitFor();
    await seen;
    await goWithin(page, `${server.url}/find`);
    await page
      .getByRole('list', { name: 'Your watches' })
      .getByText(/4000000003: TypeError/)
      .waitFor();
    expect(await page.getByText(/^Digest \d+ arrived/).count()).toBe(0);
  });

  test('a watch is removed, and brought back', async () => {
    await goWithin(page, `${server.url}/find?q=4000000004`);
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    const own = page.getByRole('list', { name: 'Your watches' });
    await own.getByText('4000000004').waitFor();
    await goWithin(page, `${server.url}/find`);
    await look('find-empty');
    await own.getByRole('button', { name: 'Stop watching 4000000004' }).click();
    await expect.poll(() => own.getByText('4000000004').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await own.getByText('4000000004').waitFor();
  });

  test.skipIf(!haveCaptured).each([
    ['2078977624', 'invoice 7 missing'],
    ['897338432', 'server action failed'],
  ])('what Next.js itself sent is found by its digest %s', async (number, words) => {
    await page.goto(`${server.url}/d/${number}`);
    await page.waitForURL('**/issues/WEB-*');
    await strip(number).waitFor();
    await page.getByText(words).filter({ visible: true }).first().waitFor();
  });

  test('the walk-through on a phone: two taps from the copied text to the line', async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const hand = await newPage(phone);
    await signIn(hand);
    await hand.getByRole('heading', { level: 1 }).waitFor();
    await copy(wordings[0]?.[1] ?? '', hand);
    const picture = async (name: string): Promise<void> => {
      await hand.waitForTimeout(300);
      await hand.screenshot({ path: `${images}find-phone-${name}.png` });
    };
    await picture('1-issues');
    await hand.getByRole('link', { name: 'Find', exact: true }).tap();
    await hand.getByRole('button', { name: 'Paste' }).waitFor();
    await picture('2-find');
    await hand.getByRole('button', { name: 'Paste' }).tap();
    const failing = hand.locator('li[aria-current="true"]').getByText('price.amount');
    await failing.waitFor();
    const onStrip = hand.getByRole('region', { name: `Digest ${digest}` }).getByText('price.amount');
    await onStrip.waitFor();
    const at = await onStrip.boundingBox();
    expect(at && at.y + at.height, 'the line is on the first screen').toBeLessThan(844);
    await picture('3-cause');
    await failing.scrollIntoViewIfNeeded();
    await picture('4-line');
    await phone.close();
  });

  test('the walk-through at a desk: one paste', async () => {
    await goWithin(page, `${server.url}/issues`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await copy(wordings[0]?.[1] ?? '');
    await page.locator('body').press('/');
    const box = page.getByRole('combobox', { name: 'Search or run a command' });
    await box.waitFor();
    await page.waitForTimeout(200);
    await page.screenshot({ path: `${images}find-desk-1-palette.png` });
    await box.press('Control+v');
    await line().waitFor();
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${images}find-desk-2-cause.png` });
    const at = await line().boundingBox();
    expect(at && at.y + at.height, 'the line is on the first screen').toBeLessThan(900);
  });

  test('the server fails while looking: sentence, code, retry', async () => {
    await page.route('**/find/?*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          status: 500,
          code: 'EVENTS_UNAVAILABLE',
          detail: 'The events store is away.',
          digest: '77',
        }),
      }),
    );
    await goWithin(page, `${server.url}/find?q=4000000005`);
    await page.getByRole('alert').getByText('The search failed').waitFor({ timeout: 15_000 });
    await look('find-failed');
    await page.unroute('**/find/?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'No event has this digest yet' }).waitFor();
  });

  test('the console complained about nothing of its own', () => {
    expect(complaints.filter((text) => !/status of (40[14]|503)/.test(text))).toEqual([]);
  });
});
