/** Visitors say what happened, to the SDKs' dialog and API: it is read, tied to its issue and worked off. And the page Now. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { type PageServer, servePage } from './app-server.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let shop: PageServer;
let page: Page;
let complaints: ConsolePage['complaints'];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { dsn } = server.installed;
  shop = await servePage({ entry: 'feedback-page.ts', sdk: '@sentry/browser', dsn, release: 'shop@2.0.0' });
});
afterAll(async () => {
  await browser?.close();
  await shop?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}feedback-failure.png` });
});

test('before anything came, Now says what is missing, and turns by itself', async () => {
  await goWithin(page, `${server.url}/`);
  await page.getByRole('heading', { name: 'Waiting for the first event…' }).waitFor();
  await lookAt(page, 'now-empty');
});

describe('a visitor', () => {
  let visitor: Page;
  beforeAll(async () => {
    visitor = await browser.newPage();
    await visitor.goto(shop.url);
  });
  afterAll(() => visitor?.close());

  test('tells the crash dialog what happened', async () => {
    await visitor.getByRole('button', { name: 'Fail' }).click();
    const dialog = visitor.getByRole('dialog', { name: 'The cart is broken' });
    await dialog.getByLabel('What happened?').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Ada');
    await dialog.getByRole('button', { name: 'Send the report' }).click();
    await dialog.getByText('Some fields are not valid').waitFor();
    await lookAt(visitor, 'report-dialog');
    await dialog.getByLabel('What happened?').fill('I only wanted to pay');
    await visitor.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Send the report' }).click();
    await dialog.getByText('Thank you').waitFor();
    await visitor.keyboard.press('Escape');
    await expect.poll(() => visitor.locator('body').getAttribute('data-closed')).toBe('yes');
    expect(await dialog.count()).toBe(0);
  });

  test('writes by the API of the SDK', async () => {
    await visitor.getByRole('button', { name: 'Say' }).click();
    await server.until('both', async () => {
      const org = server.installed.organization;
      const { counts } = await server.api<{ counts: { open: number } }>(`/organizations/${org}/feedback/`);
      return counts.open === 2 ? true : undefined;
    });
  });
});

test('the list is read and worked off by keyboard, with a way back', async () => {
  await goWithin(page, `${server.url}/feedback`);
  await page.getByRole('link', { name: /Grace/ }).waitFor();
  await lookAt(page, 'feedback-list');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const one = page.getByRole('article', { name: 'Feedback from Grace' });
  await one.getByText('The new checkout is lovely').waitFor();
  await one.getByText('notes.txt').waitFor();
  await lookAt(page, 'feedback-one');
  await page.keyboard.press('e');
  // The next one is open.
  const next = page.getByRole('article', { name: 'Feedback from Ada' });
  await next.getByText('I only wanted to pay').waitFor();
  await page.getByRole('link', { name: 'Resolved 1' }).click();
  const current = page.getByRole('navigation', { name: 'Status' }).locator('[aria-current]');
  await expect.poll(() => current.allInnerTexts()).toEqual([expect.stringContaining('Resolved')]);
  await page.goBack();
  await page.keyboard.press('u');
  await page.getByRole('link', { name: 'Open 2' }).waitFor();
});

test('it leads to the issue, which has what was said and the attachments; none of them runs', async () => {
  await page
    .getByRole('article')
    .getByRole('link', { name: /the cart has no price/ })
    .click();
  const said = page.getByRole('region', { name: /^User feedback/ });
  await said.getByText('I only wanted to pay').waitFor();
  const attachments = page.getByRole('region', { name: /^Attachments/ });
  await attachments.getByText('screen.png').waitFor();
  const width = () =>
    attachments.getByRole('img', { name: 'screen.png' }).evaluate((image: HTMLImageElement) => image.naturalWidth);
  await attachments.scrollIntoViewIfNeeded();
  await expect.poll(width).toBe(1);
  await attachments.getByRole('button', { name: 'Show cart.json' }).click();
  await page.getByRole('dialog', { name: 'cart.json' }).getByText('"price": null').waitFor();
  await page.keyboard.press('Escape');
  await attachments.getByRole('button', { name: 'Show page.html' }).click();
  await page.getByRole('dialog', { name: 'page.html' }).getByText('<script>parent.hacked = 1</script>').waitFor();
  await lookAt(page, 'attachment-text');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  const download = await attachments.getByRole('link', { name: 'Download page.html' }).getAttribute('href');
  const answer = await page.request.get(`${server.url}${download}`);
  expect(answer.headers()).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-security-policy': expect.stringMatching(/^sandbox;/) as string,
  });
});

test('Now says what is new since which release, and leads there', async () => {
  await page.keyboard.press('Escape');
  await goWithin(page, `${server.url}/`);
  const verdict = page.getByRole('region', { name: 'Status' });
  await verdict.getByText(/1 new issue since release/i).waitFor();
  const news = page.getByRole('region', { name: 'New, regressed, escalating' });
  await news.getByRole('link', { name: /the cart has no price/ }).waitFor();
  await lookAt(page, 'now', { whole: true });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/issues\//);
  await page.goBack();
  await verdict.getByRole('link', { name: '2.0.0' }).click();
  await page.waitForURL(/\/releases\//);
});

test('the console complained about nothing', () => expect(complaints).toEqual([]));
