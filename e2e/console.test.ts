/** The newcomer's way in a real browser: set-up, snippet, an error, its issue. How pages look, pages.test.ts tells. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner, Server } from '../server/test/harness.ts';
import { servePage } from './app-server.ts';
import { launchChromium } from './chromium.ts';
import { runNodeApp } from './node-app.ts';
import { pastTheBar } from './layout.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the console itself complained about. */
const complaints: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create({}, { init: false }), launchChromium()]);
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

describe.sequential('the newcomer', () => {
  test('set-up: owner, organisation and project in one form, with its mistakes explained', async () => {
    await page.goto(server.url);
    await page.waitForURL('**/setup');
    await page.getByText('the link that the server printed').waitFor();
    const [link = ''] = /http:\S+\/setup#\S+/.exec(server.output) ?? [];
    await page.goto(link);
    await page.getByRole('button', { name: 'Create account and project' }).click();
    await expect.poll(() => page.getByText(/email address/).count()).toBeGreaterThan(0);
    await lookAt(page, 'setup-mistakes', { whole: true });
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByLabel('Organisation').fill('Acme');
    await page.getByLabel('First project').fill('Web');
    await page.getByRole('button', { name: 'Create account and project' }).click();
    await page.waitForURL('**/projects/web/setup');
  });

  test('the snippet carries the DSN; the page waits for the first event and turns to its issue by itself', async () => {
    await page.getByText('Waiting for the first event').waitFor();
    const dsn = await page.locator('section[aria-label="DSN"] code').innerText();
    expect(dsn).toMatch(new RegExp(`^http://[0-9a-f]{32}@127\\.0\\.0\\.1:${server.port}/1$`));
    await using shop = await servePage({ entry: 'browser-app.ts', sdk: '@sentry/browser', dsn, release: 'shop@1.0.0' });
    const tab = await context.newPage();
    await tab.goto(shop.url);
    await tab.click('button');
    const thrown = performance.now();
    await page.waitForURL('**/issues/WEB-1**', { timeout: 10_000 });
    console.log(`thrown → its issue on the screen: ${Math.round(performance.now() - thrown)} ms`);
    await tab.close();
    await page
      .getByRole('heading', { level: 1 })
      .getByText(/TypeError/)
      .waitFor();
  });

  test('the issue page shows where it threw, what happened before, and for whom', async () => {
    // A server error beside the browser's: SDKs of servers send source lines.
    const dsn = await dsnOfProject();
    await runNodeApp({ sdk: '@sentry/node', dsn, scenario: 'handled', release: 'shop@1.0.0' });
    // The list of a page that is open does not jump: what comes later waits behind a bar.
    await expect.poll(titles, { timeout: 20_000 }).toContain('Error: checkout failed');
    await page.goto(`${server.url}/issues`);
    await page
      .getByRole('link', { name: /checkout failed/ })
      .first()
      .click();
    await page.waitForURL('**/issues/WEB-2**');
    await page.getByText('return item.price.amount;').first().waitFor();
    for (const text of ['readPrice', 'signed in', 'ada@example.com', 'staging', 'shop@1.0.0']) {
      await page.getByText(text).first().waitFor();
    }
  });

  test('resolve by key with undo, search, and what follows the filter', async () => {
    await page.locator('body').press('e');
    await page.getByText(/undo/i).first().waitFor();
    await page.goto(`${server.url}/issues?status=resolved`);
    await page
      .getByRole('link', { name: /checkout failed/ })
      .first()
      .waitFor();
    await page.goto(`${server.url}/issues?status=all&q=${encodeURIComponent('release:shop@1.0.0 plan:pro')}`);
    await expect.poll(() => page.getByText(/checkout failed|Cannot read properties/).count()).toBeGreaterThanOrEqual(2);
    await page.goto(`${server.url}/issues?q=${encodeURIComponent('release:nothing')}`);
    await page
      .getByText(/no issue/i)
      .first()
      .waitFor();
  });

  test('on Health, tables end where the bar does', async () => {
    await page.goto(`${server.url}/health`);
    await page.locator('main section[aria-label="Intake"]').waitFor();
    await expect.poll(() => pastTheBar(page, 'main section[aria-label="Intake"]')).toBeLessThanOrEqual(1);
  });

  test('a link that needs signing in comes back to its page afterwards', async () => {
    await context.clearCookies();
    await page.goto(`${server.url}/issues/WEB-1`);
    await page.waitForURL('**/sign-in**');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password').fill('wrong password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/issues/WEB-1**');
  });

  test('the console complained about nothing of its own', () => {
    expect(complaints.filter((text) => !/status of 40[14]/.test(text))).toEqual([]);
  });
});

async function titles(): Promise<string[]> {
  return page.evaluate(async () => {
    const response = await fetch('/api/0/organizations/acme/issues/');
    return ((await response.json()) as { title: string }[]).map((issue) => issue.title);
  });
}

async function dsnOfProject(): Promise<string> {
  const keys = await page.evaluate(async () => {
    const response = await fetch('/api/0/projects/acme/web/keys/');
    return (await response.json()) as { dsn: { public: string } }[];
  });
  const dsn = keys[0]?.dsn.public;
  if (!dsn) throw new Error('the project has no key');
  return dsn;
}
