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
    Forwarder.create((url) => Server.create({ CULPRIT_URL: url })),
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
  forwarder.reset();
  await page.close();
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
    await expect.poll(() => forwarder.held.length).toBe(2);
    const pointed = [...forwarder.held];
    await page.mouse.move(2, 2);
    await expect.poll(() => pointed.map(({ state }) => state)).toEqual(['aborted', 'aborted']);
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
    const list = /\/organizations\/acme\/issues\/\?/;
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
