/** G5 in the running console: what is fetched ahead of a click, how much at once, and how long it may be used. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { Forwarder } from './forwarder.ts';

const projects = 30;

let server: Server;
let forwarder: Forwarder;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [{ server, forwarder }, browser] = await Promise.all([
    Forwarder.create((url) => Server.create({ CULPRIT_URL: url, CULPRIT_SELF_REPORT: 'on' })),
    launchChromium(),
  ]);
  for (let number = 1; number <= projects; number += 1) {
    const name = `Shop ${String(number).padStart(2, '0')}`;
    await server.api('/organizations/acme/projects/', { method: 'POST', body: JSON.stringify({ name }) });
  }
  const { host } = new URL(server.url);
  for (let number = 1; number <= 40; number += 1) {
    const value = `price of item ${'abcdefghij'[number % 10]}${'klmn'[number % 4]}${number} is missing`;
    const event = { exception: { values: [{ type: `PriceError${number}`, value }] } };
    await fetch(envelopeUrl(server.installed.dsn).replace(/\/\/[^/]+/, `//${host}`), {
      method: 'POST',
      body: errorEnvelope(newEventId(), event),
    });
  }
  await server.drained();
  context = await browser.newContext({ viewport: { width: 1440, height: 2600 } });
  await context.request.post(`${forwarder.url}/api/auth/sign-in/email`, {
    data: owner,
    headers: { origin: forwarder.url },
  });
});
afterAll(async () => {
  await browser?.close();
  await forwarder?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  page = await context.newPage();
  await page.clock.install();
});
afterEach(async () => {
  // What it still asks for must not count as the next one's.
  await page.close();
  forwarder.reset();
});

/** What lasts; discarded issues are asked for at the visit. */
const ofProject = /^\/api\/0\/projects\/acme\/shop-\d+\/(?:keys\/)?$/;
const settingsOf = (number: number) =>
  page.getByRole('link', { name: `Settings of Shop ${String(number).padStart(2, '0')}`, exact: true });

/** A click without the pointer passing over the link before. */
async function follow(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).dispatchEvent('click');
}

/** Nothing is on its way: what the page would ask for ahead, it has. */
async function quiet(): Promise<void> {
  await page.waitForLoadState('load');
  await expect
    .poll(async () => {
      const before = forwarder.arrivals.length;
      await page.waitForTimeout(300);
      return forwarder.arrivals.length === before;
    })
    .toBe(true);
}

const list = /\/organizations\/acme\/issues\/\?/;
const assets = (): string[] => forwarder.arrivals.map(({ path }) => path).filter((path) => path.startsWith('/assets/'));

describe('the start', () => {
  // Like a first visit, whatever was loaded before.
  beforeEach(async () => {
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
  });

  test('a server that does not answer: the frame is there, in the chosen theme, and one thing is asked', async () => {
    forwarder.holds = /^\/api\//;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.addInitScript(() => localStorage.setItem('culprit:theme', 'dark'));
    await page.goto(`${forwarder.url}/issues`, { waitUntil: 'commit' });
    const frame = page.getByRole('status', { name: 'Loading Culprit' });
    await frame.waitFor();
    expect(await frame.locator('div').evaluate((rail) => getComputedStyle(rail).backgroundColor)).toBe(
      'rgb(20, 24, 31)',
    );
    await page.waitForLoadState('load');
    await expect.poll(() => assets().some((path) => path.includes('IssuesPage'))).toBe(true);
    await page.waitForTimeout(500);
    expect(await frame.isVisible()).toBe(true);
    expect(forwarder.held.map(({ path }) => path)).toEqual(['/api/0/boot/']);
    forwarder.holds = undefined;
    forwarder.release();
    await page.locator('a[data-row]').first().waitFor();
    expect(await frame.count()).toBe(0);
    expect(forwarder.count(/^\/api\/0\/(?:organizations\/)?(?:\?|$)/)).toBe(0);
    await page.evaluate(() => localStorage.clear());
  });

  test.each([
    ['/issues', 'a[data-row]', [list]],
    ['/issues/WEB-1', '[aria-label="Event"]', [/\/WEB-1\/\?collapse=tags$/, /\/WEB-1\/events\/recommended\/$/]],
    ['/', 'main h2', [/\/acme\/now\/$/]],
  ])('a later visit to %s: all of it is asked for at once, and once', async (path, content, questions) => {
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').first().waitFor();
    await page.goto('about:blank');
    forwarder.arrivals.length = 0;
    // Neither who is there nor the script that would ask has come.
    forwarder.holds = /^\/(?:api\/0\/|assets\/index-[^/]*\.js)/;
    await page.goto(forwarder.url + path, { waitUntil: 'commit' });
    await expect
      .poll(() => forwarder.held.filter(({ path: each }) => each.startsWith('/api/')).length)
      .toBe(1 + questions.length);
    const pageScript = { '/issues': /IssuesPage/, '/issues/WEB-1': /IssuePage/, '/': /NowPage/ }[path] ?? /^$/;
    await expect.poll(() => assets().some((asset) => pageScript.test(asset) && asset.endsWith('.js'))).toBe(true);
    forwarder.holds = undefined;
    forwarder.release();
    await page.locator(content).first().waitFor();
    for (const question of [/\/boot\/\?org=acme$/, ...questions]) expect(forwarder.count(question)).toBe(1);
    await page.evaluate(() => localStorage.clear());
  });

  test('a style that the page does not bring itself is not applied', async () => {
    await page.goto(`${forwarder.url}/issues`);
    const refused = await page.evaluate(() => {
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.head.append(style);
      return getComputedStyle(document.body).display;
    });
    expect(refused).toBe('block');
  });

  test('a page before its content: few requests, none for what comes later', async () => {
    // What the page before this one still asks for comes first.
    await quiet();
    forwarder.arrivals.length = 0;
    forwarder.holds = list;
    await page.goto(`${forwarder.url}/issues`);
    await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
    await expect.poll(() => forwarder.held.length).toBe(1);
    await page.waitForTimeout(1000);
    // Without a cache, what is preloaded is loaded twice.
    const before = [...new Set(assets())];
    expect(before.length, before.join(' ')).toBeLessThanOrEqual(22);
    const later = /later-|sentry-|IssuePage|Palette|UserMenu|WatchNews/;
    expect(before.filter((path) => later.test(path))).toEqual([]);
    forwarder.holds = undefined;
    forwarder.release();
    await page.locator('a[data-row]').first().waitFor();
    for (const name of [/sentry-/, /IssuePage/, /Palette/, /UserMenu/]) {
      await expect.poll(() => assets().filter((path) => name.test(path)).length).toBeGreaterThan(0);
    }
    // The rail leads to a dozen of pages, of which most are not opened.
    await quiet();
    expect(assets().filter((path) => /HealthPage|TokensPage|ExplorePage|ReleasesPage/.test(path))).toEqual([]);
  });

  test('shortcuts that are pressed before their code is there act once it is', async () => {
    forwarder.holds = /^\/assets\/later-[^/]*\.js/;
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').first().waitFor();
    for (const key of ['j', 'j', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => forwarder.held.length).toBeGreaterThan(0);
    expect(new URL(page.url()).pathname).toBe('/issues');
    const [, second] = await page
      .locator('a[data-row]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('href')));
    forwarder.holds = undefined;
    forwarder.release();
    await page.waitForURL(`**${second}`);
  });

  test('an error before the SDK is sent when the page is left', async () => {
    // What the page before this one still sends comes first.
    await page.goto('about:blank');
    await quiet();
    forwarder.holds = /\/assets\/sentry-/;
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').first().waitFor();
    await expect.poll(() => forwarder.held.length).toBe(1);
    forwarder.arrivals.length = 0;
    await page.evaluate(() => void setTimeout(() => void Promise.reject(new Error('early'))));
    await page.waitForTimeout(200);
    expect(forwarder.count(/^\/monitoring/)).toBe(0);
    await page.goto('about:blank');
    await expect.poll(() => forwarder.count(/^\/monitoring/)).toBe(1);
  });
});

describe('the palette', () => {
  const input = () => page.getByRole('combobox', { name: 'Search or run a command' });

  test('keeps what is typed before it is there, and lies above an open chooser', async () => {
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').first().waitFor();
    await quiet();
    // Loaded ahead, it comes at once.
    forwarder.holds = /\/assets\/Palette/;
    await page.keyboard.press('t');
    const chooser = page.getByRole('dialog', { name: 'Time range' });
    await chooser.waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Digest 1');
    await input().waitFor();
    await expect.poll(() => input().inputValue()).toBe('Digest 1');
    expect(await chooser.count()).toBe(0);
    expect(forwarder.held).toEqual([]);
    // Where it leads is fetched while it is typed.
    await expect.poll(() => assets().some((path) => /FindPage/.test(path))).toBe(true);
  });

  test('on a slow line, too: text, corrections and Enter', async () => {
    await page.route(/\/assets\/Palette/, async (route) => {
      await page.waitForTimeout(1500);
      await route.continue();
    });
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Go to healhx');
    for (const key of ['Backspace', 'Backspace', 't', 'h', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL('**/health');
    await page.keyboard.press('Control+k');
    await input().waitFor();
    expect(await input().inputValue()).toBe('');
    // What was typed was no shortcut.
    const { status } = await server.api<{ status: string }>('/organizations/acme/issues/WEB-40/');
    expect(status).toBe('unresolved');
  });
});

describe('a browser without a network', () => {
  afterEach(() => context.setOffline(false));

  test('says so, says what cannot be had, and asks again when it is back', async () => {
    await page.goto(`${forwarder.url}/issues`);
    const row = page.locator('a[data-row]').first();
    await row.waitFor();
    await quiet();
    await context.setOffline(true);
    const banner = page.getByText('You are offline. This page shows what was loaded before');
    await banner.waitFor();
    expect(await row.isVisible()).toBe(true);
    // What was not loaded before says why, in the place of bones.
    await row.dispatchEvent('click');
    await page.getByText('The server cannot be reached').first().waitFor();
    expect(await banner.isVisible()).toBe(true);
    forwarder.arrivals.length = 0;
    await context.setOffline(false);
    await page.getByRole('region', { name: 'Event', exact: true }).waitFor();
    expect(await banner.count()).toBe(0);
    expect(forwarder.count(/\/issues\/WEB-\d+\//)).toBeGreaterThan(0);
  });

  test('a page whose code is not there yet fails in its place, and the console stays', async () => {
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').first().waitFor();
    await quiet();
    await context.setOffline(true);
    await follow('Releases');
    await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Releases', level: 1 }).waitFor();
  });
});

describe('prefetching', () => {
  test('thirty projects in view on a slow server: five requests at once, never more, and all in the end', async () => {
    forwarder.holds = ofProject;
    await page.goto(`${forwarder.url}/projects`);
    await settingsOf(30).waitFor();
    await expect.poll(() => forwarder.held.length).toBe(5);
    // Pointing at a link puts it first, and still waits for its turn.
    await settingsOf(20).hover();
    await page.waitForTimeout(300);
    expect(forwarder.held).toHaveLength(5);
    const wanted = projects * 2;
    let first: string | undefined;
    while (forwarder.count(ofProject) < wanted) {
      const before = forwarder.arrivals.length;
      forwarder.release(1);
      await expect.poll(() => forwarder.arrivals.length).toBeGreaterThan(before);
      first ??= forwarder.arrivals.filter(({ path }) => ofProject.test(path))[5]?.path;
    }
    expect(first).toMatch(/shop-20\//);
    forwarder.release();
    await quiet();
    expect(forwarder.most).toBe(5);
    expect(new Set(forwarder.arrivals.filter(({ path }) => ofProject.test(path)).map(({ path }) => path)).size).toBe(
      wanted,
    );
    console.log(
      `${projects} rows in view: ${forwarder.count(ofProject)} prefetches, at most ${forwarder.most} at once`,
    );
    // Everything is there: the visit asks for nothing.
    forwarder.reset();
    forwarder.holds = ofProject;
    await settingsOf(7).dispatchEvent('click');
    await page.getByRole('heading', { name: 'Keys', exact: false }).first().waitFor();
    expect(forwarder.count(ofProject)).toBe(0);
  });

  test('a click never waits behind them: they are aborted, and its requests leave at once', async () => {
    forwarder.holds = ofProject;
    await page.goto(`${forwarder.url}/projects`);
    await settingsOf(30).waitFor();
    await expect.poll(() => forwarder.held.length).toBe(5);
    const prefetches = [...forwarder.held];
    // A browser opens six connections to a server without TLS: five prefetches and the live stream have them all.
    await settingsOf(30).dispatchEvent('click');
    await expect.poll(() => forwarder.held.map(({ path }) => path)).toContain('/api/0/projects/acme/shop-30/keys/');
    expect(forwarder.held.map(({ path }) => path).toSorted()).toEqual([
      '/api/0/projects/acme/shop-30/',
      '/api/0/projects/acme/shop-30/keys/',
    ]);
    expect(prefetches.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'aborted'));
  });

  test('what is no longer wanted is dropped: links that left the view, a link that is not pointed at any more', async () => {
    forwarder.holds = ofProject;
    await page.setViewportSize({ width: 1440, height: 500 });
    await page.goto(`${forwarder.url}/projects`);
    await settingsOf(1).waitFor();
    await expect.poll(() => forwarder.held.length).toBe(5);
    const early = [...forwarder.held];
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => early.every(({ state }) => state === 'aborted')).toBe(true);
    await expect.poll(() => forwarder.held.length).toBe(5);
    const asked = new Set(forwarder.arrivals.map(({ path }) => /shop-\d+/.exec(path)?.[0]));
    expect(asked.has('shop-08')).toBe(false);

    forwarder.reset();
    await page.goto(`${forwarder.url}/issues`);
    const row = page.locator('a[data-row]').first();
    await row.waitFor();
    await quiet();
    forwarder.arrivals.length = 0;
    forwarder.holds = /\/issues\/WEB-\d+\//;
    await row.hover();
    await expect.poll(() => forwarder.held.length).toBe(3);
    const pointed = [...forwarder.held];
    await page.mouse.move(2, 2);
    await expect.poll(() => pointed.map(({ state }) => state)).toEqual(['aborted', 'aborted', 'aborted']);
  });

  test('links in view ask for nothing that would be out of date at the click', async () => {
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').nth(30).waitFor();
    await quiet();
    expect(forwarder.count(/\/issues\/WEB-/)).toBe(0);
    // Their code is there already.
    forwarder.holds = /^\/assets\//;
    await page.locator('a[data-row]').first().dispatchEvent('click');
    await page
      .getByRole('heading', { level: 1 })
      .getByText(/PriceError/)
      .waitFor();
    expect(forwarder.held.map(({ path }) => path).filter((path) => /IssuePage/.test(path))).toEqual([]);
  });
});

describe('stale times', () => {
  test('static: 300 s from the moment it was fetched, ahead of the click or not', async () => {
    const tokens = /\/api-tokens\//;
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').first().waitFor();
    await quiet();
    // The rail is fetched ahead for whoever points at it.
    expect(forwarder.count(tokens)).toBe(0);
    await page.getByRole('link', { name: 'Settings', exact: true }).hover();
    await expect.poll(() => forwarder.count(tokens)).toBe(1);
    const visit = async (): Promise<void> => {
      await follow('Settings');
      await page.getByRole('heading', { name: 'API tokens' }).waitFor();
      await quiet();
    };
    await visit();
    expect(forwarder.count(tokens)).toBe(1);
    await follow('Health');
    await page.clock.fastForward(290_000);
    await visit();
    expect(forwarder.count(tokens)).toBe(1);
    await follow('Health');
    await page.clock.fastForward(20_000);
    await visit();
    expect(forwarder.count(tokens)).toBe(2);
  });

  test('dynamic: 0, every visit asks once, and what is known is shown meanwhile, marked', async () => {
    await page.goto(`${forwarder.url}/issues`);
    await page.locator('a[data-row]').nth(30).waitFor();
    await quiet();
    expect(forwarder.count(list)).toBe(1);
    for (const visit of [2, 3]) {
      await follow('Projects');
      await settingsOf(1).waitFor();
      forwarder.holds = list;
      await follow('Issues');
      const rows = page.getByRole('list', { name: 'Issues' });
      await rows.and(page.locator('[aria-busy=true]')).waitFor();
      expect(await rows.getByRole('listitem').count()).toBe(40);
      expect(forwarder.held).toHaveLength(1);
      forwarder.holds = undefined;
      forwarder.release();
      await rows.and(page.locator('[aria-busy=false]')).waitFor();
      await quiet();
      expect(forwarder.count(list)).toBe(visit);
    }
  });

  test('an issue: asked once a visit with its event, from the first one on', async () => {
    await page.goto(`${forwarder.url}/issues`);
    const row = page.locator('a[data-row]').first();
    // Of the one that is visited: the next of the list is fetched ahead.
    const [shortId] = /WEB-\d+/.exec((await row.getAttribute('href')) ?? '') ?? [];
    const detail = new RegExp(`/issues/${shortId}/(?:\\?|$)`);
    const event = new RegExp(`/issues/${shortId}/events/recommended/`);
    for (const visit of [1, 2]) {
      await row.dispatchEvent('click');
      await page.getByRole('region', { name: 'Event', exact: true }).waitFor();
      await quiet();
      expect([forwarder.count(detail), forwarder.count(event)]).toEqual([visit, visit]);
      await page.goBack();
      await row.waitFor();
      await quiet();
    }
  });

  test('going back keeps the page, the place and the scroll, and asks again', async () => {
    await page.setViewportSize({ width: 1440, height: 700 });
    await page.goto(`${forwarder.url}/issues?sort=new`);
    const row = page.locator('a[data-row]').nth(25);
    await row.scrollIntoViewIfNeeded();
    await quiet();
    const scrolled = await page.evaluate(() => scrollY);
    expect(scrolled).toBeGreaterThan(300);
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Event', exact: true }).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await quiet();
    forwarder.arrivals.length = 0;
    forwarder.holds = /\/organizations\/acme\/issues\/\?/;
    await page.goBack();
    await page.getByRole('list', { name: 'Issues' }).and(page.locator('[aria-busy=true]')).waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    expect(page.url()).toContain('sort=new');
    expect(forwarder.held).toHaveLength(1);
    // The keyboard goes on from the row that was opened.
    await expect(row.evaluate((link) => link === document.activeElement)).resolves.toBe(true);
  });
});
