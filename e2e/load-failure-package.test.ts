/** `@culprit/react` in a real browser, under a strict content security policy, with each cause made for real. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { GuardPage } from './guard-page.ts';
import { lookAt } from './look.ts';

const clientText =
  'Application error: a client-side exception has occurred while loading localhost (see the browser console for more information).';
const serverText =
  'Application error: a server-side exception has occurred while loading localhost (see the server logs for more information).';

let site: GuardPage;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser console said, and which other origins were asked. */
let complaints: string[];
let foreign: string[];

beforeAll(async () => {
  [site, browser] = await Promise.all([GuardPage.open(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  complaints = [];
  foreign = [];
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${site.url}/`)) foreign.push(request.url());
  });
});
afterEach(async () => {
  expect(foreign).toEqual([]);
  expect(complaints.filter((text) => /content security policy/i.test(text))).toEqual([]);
  await context.close();
});

const open = (name = ''): Promise<unknown> => page.goto(`${site.url}/shop?case=${name}`);
const heading = (): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
/** Of the report that the screen names, once it has come. */
async function shownEvent() {
  const shown = await page.locator('main code').innerText();
  await expect.poll(() => site.events.map(({ event_id }) => event_id)).toContain(shown);
  const event = site.events.find(({ event_id }) => event_id === shown);
  if (!event) throw new Error('no event');
  return event;
}

/** `canvas`: all colours are the browser's own. Axe takes the canvas for white in the dark scheme too, so it cannot judge them. */
const look = (name: string, { canvas = false } = {}): Promise<void> =>
  lookAt(page, name, {
    tags: ['best-practice'],
    disabledRules: canvas ? ['color-contrast'] : [],
    isColorful: true,
  });

describe('the guard alone', () => {
  test('an exception in the bootstrap: the text, and a report with the line that threw', async () => {
    site.reset("function start() {\n  throw new TypeError('no configuration');\n}\nstart();");
    site.head = `<meta name="sentry-trace" content="${'a'.repeat(32)}-${'b'.repeat(16)}-1">`;
    await open();
    expect(await heading()).toBe(clientText);
    const event = await shownEvent();
    expect(event).toMatchObject({
      level: 'fatal',
      release: 'shop@1',
      environment: 'e2e',
      request: { url: `${site.url}/shop?case=`, headers: { 'User-Agent': expect.stringContaining('Chrome') } },
      contexts: { trace: { trace_id: 'a'.repeat(32), parent_span_id: 'b'.repeat(16) } },
      exception: { values: [{ type: 'TypeError', value: 'no configuration', mechanism: { handled: false } }] },
    });
    expect(event.exception.values[0]?.stacktrace?.frames).toEqual([
      { filename: `${site.url}/assets/entry.js`, function: '?', lineno: 4, colno: 1, in_app: true },
      { filename: `${site.url}/assets/entry.js`, function: 'start', lineno: 2, colno: 9, in_app: true },
    ]);
    expect(site.envelopes).toHaveLength(1);
    expect(complaints).toEqual(['no configuration']);
  });

  test.each<[string, () => void]>([
    ['is not there', () => site.remove('/assets/entry.js')],
    [
      'is a page',
      () =>
        site.file(
          '/assets/entry.js',
          (_, response) => void response.setHeader('content-type', 'text/html').end('<!doctype html>'),
        ),
    ],
  ])('an entry module that %s: one reload, then the text', async (_name, breakIt) => {
    site.reset('');
    breakIt();
    await open();
    await expect.poll(() => site.pageLoads).toBe(2);
    expect(await heading()).toBe(clientText);
    expect((await shownEvent()).exception.values).toEqual([
      {
        type: 'ScriptLoadError',
        value: 'Failed to load script /assets/entry.js',
        mechanism: { type: 'culprit.guard', handled: false },
      },
    ]);
    // Whoever tries again gets the answer, and no further reload by itself.
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => site.envelopes.length).toBe(2);
    expect(await heading()).toBe(clientText);
    expect(site.pageLoads).toBe(3);
  });

  test('a page from before a deployment heals by its one reload', async () => {
    site.reset("document.querySelector('#root').textContent = 'Shop'; __culpritGuard.ready();");
    site.entry = '/assets/entry-of-yesterday.js';
    site.file('/assets/entry-of-yesterday.js', (_, response) => {
      site.entry = '/assets/entry.js';
      response.writeHead(404).end();
    });
    await open();
    await page.getByText('Shop').waitFor();
    expect(site.pageLoads).toBe(2);
    expect(site.envelopes).toEqual([]);
  });

  test('without session storage there is no reload, so that there can be no loop', async () => {
    site.reset('');
    site.remove('/assets/entry.js');
    await page.addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError');
        },
      }),
    );
    await open();
    expect(await heading()).toBe(clientText);
    expect(site.pageLoads).toBe(1);
  });

  test('a part that is imported later and gone: one reload, then the text', async () => {
    site.reset("void import('/assets/gone.js');");
    await open();
    await expect.poll(() => site.pageLoads).toBe(2);
    expect(await heading()).toBe(clientText);
    expect((await shownEvent()).exception.values[0]).toMatchObject({ type: 'TypeError' });
  });

  test('a rejection with a digest, a text that is thrown, an error with its cause', async () => {
    site.reset("void Promise.reject(Object.assign(new Error('no start'), { digest: '1930860604@E7' }));");
    await open();
    expect(await heading()).toBe(serverText);
    expect(await page.getByRole('alert').innerText()).toBe(`${serverText}\n\nDigest: 1930860604`);
    expect((await shownEvent()).tags).toEqual({ digest: '1930860604' });

    site.reset("setTimeout(() => { throw 'a mere text' });");
    await open();
    expect((await shownEvent()).exception.values).toEqual([
      {
        type: 'Error',
        value: 'a mere text',
        stacktrace: {
          frames: [{ filename: `${site.url}/assets/entry.js`, function: '?', lineno: 1, colno: 20, in_app: true }],
        },
        mechanism: { type: 'culprit.guard', handled: false },
      },
    ]);

    site.reset("throw new Error('outer', { cause: new RangeError('inner') });");
    await open();
    expect((await shownEvent()).exception.values.map(({ value }) => value)).toEqual(['inner', 'outer']);
  });

  test('what is no failure of the app paints nothing', async () => {
    site.reset("document.querySelector('#root').textContent = 'Shop'; window.loaded = true;");
    site.head =
      '<script src="http://127.0.0.1:9/metrics.js"></script><script async src="/ads.js"></script><link rel="stylesheet" href="/gone.css">';
    await open();
    await page.waitForFunction(() => 'loaded' in window && document.readyState === 'complete');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(site.envelopes).toEqual([]);
    expect(foreign.splice(0)).toEqual(['http://127.0.0.1:9/metrics.js']);
    complaints = [];
  });

  test('an app that comes up late finds its root as it was', async () => {
    site.reset(`
      document.querySelector('#root').innerHTML = '<p hidden>Secret</p><p>Shop</p>';
      setTimeout(() => { throw new Error('a plug-in') });
      window.comeUp = () => __culpritGuard.ready();`);
    await open();
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('Shop').isVisible()).toBe(false);
    await page.evaluate('comeUp()');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText('Shop').isVisible()).toBe(true);
    expect(await page.getByText('Secret').isVisible()).toBe(false);
    expect(await page.evaluate('document.body.innerHTML.trim()')).toBe(
      '<div id="root"><p hidden="">Secret</p><p>Shop</p></div>',
    );
  });

  test('what it holds, and hands over once', async () => {
    site.reset(`
      __culpritGuard.ready();
      const again = new Error('held');
      setTimeout(() => { throw again });
      setTimeout(() => { throw again });
      for (let n = 0; n < 30; n += 1) setTimeout(() => { throw new Error('flood ' + n) });
      setTimeout(() => { window.done = true }, 50);`);
    await open();
    // A function: the policy lets a text be evaluated at the first look only.
    await page.waitForFunction(() => 'done' in window);
    expect(await page.evaluate('__culpritGuard.held().map(({ error }) => error.message)')).toEqual([
      'held',
      ...Array.from({ length: 19 }, (_, n) => `flood ${n}`),
    ]);
    expect(await page.evaluate('__culpritGuard.held().every(({ eventId }) => eventId === undefined)')).toBe(true);
    expect(await page.evaluate('__culpritGuard.handOver().length')).toBe(20);
    expect(await page.evaluate('__culpritGuard.handOver().length')).toBe(0);
    expect(site.envelopes).toEqual([]);
  });

  test('errors that were reported are not handed over', async () => {
    site.reset("throw new Error('early');");
    await open();
    const { event_id } = await shownEvent();
    expect(await page.evaluate('__culpritGuard.held().map(({ eventId }) => eventId)')).toEqual([event_id]);
    expect(await page.evaluate('__culpritGuard.report(__culpritGuard.held()[0].error)')).toBe(event_id);
    expect(await page.evaluate('__culpritGuard.handOver()')).toEqual([]);
    expect(site.envelopes).toHaveLength(1);
  });

  test('an SDK that listens before the app is up reports, and the guard shows', async () => {
    site.reset("__culpritGuard.handOver(); throw new Error('early');");
    await open();
    expect(await heading()).toBe(clientText);
    expect(await page.getByText('Event ID').count()).toBe(0);
    expect(await page.evaluate('__culpritGuard.handOver()')).toEqual([]);
    expect(site.envelopes).toEqual([]);
  });

  test('without a DSN: the screen, and no report', async () => {
    site.reset("throw new Error('early');");
    const { dsn } = site;
    site.dsn = '';
    try {
      await open();
      expect(await page.locator('main').innerText()).toBe(`${clientText}\nTry again Copy`);
      expect(site.envelopes).toEqual([]);
    } finally {
      site.dsn = dsn;
    }
  });

  test('an error whose own properties throw', async () => {
    site.reset("throw new Proxy({}, { get() { throw new Error('trap') }, has() { throw new Error('trap') } });");
    await open();
    expect(await heading()).toBe(clientText);
  });

  test('a tunnel that fails changes nothing', async () => {
    site.reset("throw new Error('early');");
    const { tunnelAnswer } = site;
    site.tunnelAnswer = (request) => void request.socket.destroy();
    try {
      await open();
      expect(await heading()).toBe(clientText);
      await expect.poll(() => site.envelopes.length).toBeGreaterThan(0);
    } finally {
      site.tunnelAnswer = tunnelAnswer;
    }
  });
});

describe('the screen', () => {
  const failing = "throw Object.assign(new Error('no start'), { digest: '1930860604' });";
  const hostile =
    'h1{font-size:90px;color:red}button,main,code,p{display:none}body{overflow:hidden}#root{display:flex}';

  test.each([
    ['guard', '', failing],
    ['guard-hostile-style', `<link rel="stylesheet" href="/hostile.css">`, failing],
  ])('%s: readable in both colour schemes and widths', async (name, head, source) => {
    site.reset(source);
    site.head = head;
    site.file('/hostile.css', (_, response) => void response.setHeader('content-type', 'text/css').end(hostile));
    await open();
    await page.getByText('Digest: 1930860604').waitFor();
    expect(await page.getByText('Event ID:').isVisible()).toBe(true);
    await look(`load-failure-${name}`);
  });

  test('React: the same', async () => {
    site.reset("import '/assets/app.js';");
    await open('render');
    expect(await heading()).toBe(clientText);
    await look('load-failure-react');
  });

  test.each(['', 'render'])('keyboard and copy: %s', async (name) => {
    site.reset(name ? "import '/assets/app.js';" : failing);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(name);
    const { event_id } = await shownEvent();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Try again');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Copied').waitFor();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(copied.slice(0, -1)).toEqual([
      ...(name ? [clientText] : [serverText, 'Digest: 1930860604']),
      `Event ID: ${event_id}`,
      `URL: ${site.url}/shop?case=${name}`,
    ]);
    expect(copied.at(-1)).toMatch(/^Time: \d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  test.each(['', 'render'])('where the clipboard is denied, the text stands there selected: %s', async (name) => {
    site.reset(name ? "import '/assets/app.js';" : failing);
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await open(name);
    await page.getByRole('button', { name: 'Copy' }).click();
    const text = page.getByLabel('Report to copy');
    await text.waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(await text.inputValue());
    expect(await text.inputValue()).toContain(name ? clientText : 'Digest: 1930860604');
  });
});

describe('the page of a server', () => {
  const eventId = '0123456789abcdef0123456789abcdef';
  const serve = (html: string, policy: string): void =>
    site.file('/failed', (_, response) => {
      response
        .writeHead(500, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
        .end(html);
    });

  test('under a policy that allows nothing, without stylesheet and script', async () => {
    const { loadFailureHtml } = await site.html();
    serve(loadFailureHtml({ host: 'localhost', digest: '1930860604', eventId }), "default-src 'none'");
    await page.goto(`${site.url}/failed?a=b`);
    expect(await page.getByRole('main').innerText()).toBe(
      `${serverText}\n\nDigest: 1930860604\n\nEvent ID: ${eventId}\n\nTry again`,
    );
    // The browser's own line about the status, and nothing else.
    expect(complaints).toHaveLength(1);
    await look('load-failure-html-plain', { canvas: true });
    serve('<p>well again</p>', "default-src 'none'");
    await page.getByText('Try again').click();
    await page.getByText('well again').waitFor();
    expect(page.url()).toBe(`${site.url}/failed?a=b`);
  });

  test('with its own style and Copy, which the policy names by hash', async () => {
    const { loadFailureCsp, loadFailureHtml } = await site.html();
    const { imgSrc, scriptSrc, styleSrc } = loadFailureCsp;
    serve(
      loadFailureHtml({ host: 'localhost', digest: '1930860604', eventId, inline: true }),
      `default-src 'none'; script-src 'self' ${scriptSrc}; style-src 'self' ${styleSrc}; img-src ${imgSrc}`,
    );
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${site.url}/failed`);
    await look('load-failure-html-inline');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(copied.slice(0, -1)).toEqual([
      serverText,
      'Digest: 1930860604',
      `Event ID: ${eventId}`,
      `URL: ${site.url}/failed`,
    ]);
    expect(complaints).toHaveLength(1);
  });
});

describe('React', () => {
  beforeEach(() => site.reset("import '/assets/app.js';"));

  test('an exception while rendering before the app is up', async () => {
    await open('render');
    expect(await heading()).toBe(clientText);
    expect((await shownEvent()).exception.values[0]).toMatchObject({
      type: 'RangeError',
      value: 'no price for product 7',
    });
    expect(site.envelopes).toHaveLength(1);
    expect(await page.getByRole('main').count()).toBe(1);
  });

  test('a start-up request that the server failed', async () => {
    const answers = [{ 'x-error-digest': '1930860604' }, { 'content-type': 'application/problem+json' }] as const;
    for (const headers of answers) {
      site.file('/api/start', (_, response) => void response.writeHead(500, headers).end('{"digest":"1930860604"}'));
      await open('start');
      expect(await page.getByRole('alert').innerText()).toBe(`${serverText}\n\nDigest: 1930860604`);
      expect((await shownEvent()).tags).toEqual({ digest: '1930860604' });
    }
  });

  test('a lazy part that is gone: one reload, then the text', async () => {
    await open('lazy');
    await expect.poll(() => site.pageLoads).toBe(2);
    expect(await heading()).toBe(clientText);
    await shownEvent();
    expect(site.pageLoads).toBe(2);
  });

  test('the reload of TanStack Router counts as the one', async () => {
    await page.addInitScript(
      (message) => sessionStorage.setItem(`tanstack_router_reload:${message}`, '1'),
      `Failed to fetch dynamically imported module: ${site.url}/assets/gone.js`,
    );
    await open('lazy');
    expect(await heading()).toBe(clientText);
    expect(site.pageLoads).toBe(1);
  });

  test('once the app is up, a part that fails leaves the rest, and can be tried again', async () => {
    await open('up');
    await page.getByText('Product 7').waitFor();
    await page.getByRole('button', { name: 'Reviews' }).click();
    await page.getByRole('heading', { name: 'This part of the page could not be shown.' }).waitFor();
    expect(await page.getByText('Product 7').isVisible()).toBe(true);
    expect(await page.getByText('Digest: 42').isVisible()).toBe(true);
    await expect.poll(() => site.events.map(({ tags }) => tags)).toEqual([{ digest: '42' }]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Reviews', exact: true }).click();
    await page.getByText('Reviews are open').waitFor();
    expect(site.pageLoads).toBe(1);
  });

  test('an SDK that reports is the only one that does', async () => {
    await open('sdk');
    await page.getByRole('button', { name: 'Reviews' }).click();
    await page.getByText(`Event ID: ${'f'.repeat(32)}`).waitFor();
    expect(site.envelopes).toEqual([]);
  });
});
