/** From a list of transactions to the reason why one is slow, and from web vitals to the element: in the console, by mouse and keys. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { goToSearch } from './keypress.ts';
import { expectWholeUnits, misplacedInTables } from './layout.ts';
import { lookAt, screenshots } from './look.ts';
import { deployedHoursAgo, releases, sendTraffic, slowMachine } from './performance-traffic.ts';

let server: Server;
let browser: Browser;
let page: Page;
/** What the console itself complained about. */
let complaints: ConsolePage['complaints'];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}performance-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });
const search = (name: string): string | null => new URL(page.url()).searchParams.get(name);
const panel = (name: string | RegExp) => page.getByRole('region', { name });
const rowNames = (): Promise<string[]> => page.locator('tbody a[data-row]').allInnerTexts();

/** Presses at one share of an element's width and lets go at another. */
async function drag(selector: string, from: number, until: number, meanwhile?: () => Promise<void>): Promise<void> {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not on the screen`);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await meanwhile?.();
  await page.mouse.move(box.x + box.width * ((from + until) / 2), y, { steps: 3 });
  await page.mouse.move(box.x + box.width * until, y, { steps: 3 });
  await page.mouse.up();
}

const cart = '/performance/transaction?of=web&transaction=GET%20/cart&op=http.server';

describe.sequential('performance', () => {
  test('before the first span, the pages say how tracing is turned on', async () => {
    await goWithin(page, `${server.url}/performance`);
    await page.getByRole('heading', { name: 'No transactions yet' }).waitFor();
    await page.getByText('tracesSampleRate').first().waitFor();
    await look('performance-empty');
    await goWithin(page, `${server.url}/performance/vitals`);
    await page.getByRole('heading', { name: 'No page loads yet' }).waitFor();
  });

  test('transactions: the most time first, beside the period before; in every order, by keys', async () => {
    await sendTraffic(server.installed.dsn);
    // The empty page fills by itself.
    await panel('Score and vitals').waitFor();
    await server.drained();
    const version = encodeURIComponent(releases[1]);
    const organization = '/organizations/acme';
    await server.api(`${organization}/releases/`, {
      method: 'POST',
      body: JSON.stringify({ version: releases[1], projects: ['web'] }),
    });
    await server.api(`${organization}/releases/${version}/deploys/`, {
      method: 'POST',
      body: JSON.stringify({
        environment: 'production',
        dateFinished: new Date(Date.now() - deployedHoursAgo * 3_600_000).toISOString(),
      }),
    });
    await goWithin(page, `${server.url}/issues`);
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
    await page.locator('body').press('g');
    await page.locator('body').press('v');
    await page.waitForURL('**/performance');
    await page.getByRole('row').filter({ hasText: 'GET /cart' }).waitFor();
    expect((await rowNames()).slice(0, 2)).toEqual(['/product/:id', 'GET /cart']);
    const row = page.getByRole('row').filter({ hasText: 'GET /cart' });
    expect(await row.innerText()).toMatch(/[▲▼] \S+/);
    await page.locator('canvas').nth(2).waitFor();
    await look('performance');
    expect(await misplacedInTables(page)).toEqual([]);
    await expectWholeUnits(page);
    // The bars of what takes how much of the time have one track.
    const tracks = await page.locator('[data-row]').evaluateAll((links) =>
      links.map((link) => {
        const box = link.closest('tr')?.querySelector('span[style]')?.parentElement?.getBoundingClientRect();
        return box && `${Math.round(box.left)} to ${Math.round(box.right)}`;
      }),
    );
    expect(new Set(tracks).size).toBe(1);

    await page.getByRole('link', { name: 'Failure rate' }).click();
    await page.waitForURL('**sort=failure**');
    await expect.poll(rowNames).toContain('GET /cart');
    await expect.poll(async () => (await rowNames())[0]).toBe('GET /cart');
    expect(await page.getByRole('columnheader', { name: 'Failure rate' }).getAttribute('aria-sort')).toBe('descending');
    await page.locator('body').press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/performance/transaction?**transaction=GET+/cart**');
    await page.goBack();
  });

  test('text and release narrow list, sum and charts; the list has pages; what matches nothing says so', async () => {
    await goWithin(page, `${server.url}/performance`);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**cursor=**');
    await expect.poll(async () => (await rowNames()).length).toBeLessThan(25);
    await goToSearch(page);
    await page.keyboard.type('/cart');
    await page.keyboard.press('Enter');
    await page.waitForURL('**q=/cart**');
    expect(search('cursor')).toBeNull();
    await expect.poll(rowNames).toEqual(['GET /cart']);
    await page.getByLabel('Release', { exact: true }).selectOption(releases[1]);
    await page.waitForURL('**release=**');
    await expect.poll(() => page.locator('tfoot').innerText()).toContain('All transactions');
    await goWithin(page, `${server.url}/performance?q=nothing`);
    await page.getByRole('heading', { name: 'No transactions match these filters' }).waitFor();
    await page.getByRole('button', { name: 'Remove Name contains nothing' }).click();
    await page.getByRole('row').filter({ hasText: 'GET /cart' }).waitFor();
  });

  test('a range that is drawn on a chart is the range of the page', async () => {
    await goWithin(page, `${server.url}/performance`);
    await page.locator('[data-plot]').first().waitFor();
    // A picture that is due while the range is drawn, here for other colours, comes after it.
    await drag('[data-plot]', 0.8, 0.97, async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    });
    await page.waitForURL('**start=**end=**');
    await page.emulateMedia({ colorScheme: 'light' });
    const hours = (Date.parse(search('end') ?? '') - Date.parse(search('start') ?? '')) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(3);
    expect(hours).toBeLessThanOrEqual(7);
    await page.goBack();
    expect(search('start')).toBeNull();
  });

  test('charts share the crosshair; keys read values and zoom into a range', async () => {
    await goWithin(page, `${server.url}/performance`);
    const charts = page.getByRole('slider');
    await charts.nth(2).waitFor();
    const columns = (): Promise<(string | null)[]> =>
      charts.evaluateAll((all) => all.map((chart) => chart.getAttribute('aria-valuenow')));
    const [newest] = await columns();
    await charts.first().hover();
    await expect.poll(async () => new Set(await columns()).size).toBe(1);
    expect((await columns())[2]).not.toBe(newest);
    await page.mouse.move(2, 2);
    expect(await columns()).toEqual([newest, newest, newest]);
    await charts.nth(1).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await columns()).toEqual(Array.from({ length: 3 }, () => String(Number(newest) - 1)));
    expect(await charts.nth(1).getAttribute('aria-valuetext')).toMatch(/: Now .+, Previous period .+/);
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Shift+ArrowLeft');
    // What is chosen is let go first, then what is read.
    await page.keyboard.press('Escape');
    expect((await columns())[0]).toBe(String(Number(newest) - 4));
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL('**start=**end=**');
    await page.goBack();
  });

  test('a finger reads a chart, and what it read stays until it touches something else', async () => {
    const storageState = await page.context().storageState();
    await using context = await browser.newContext({
      hasTouch: true,
      viewport: { width: 390, height: 844 },
      storageState,
    });
    const phone = await context.newPage();
    await phone.goto(`${server.url}/performance`);
    const charts = phone.getByRole('slider');
    await charts.nth(2).waitFor();
    const column = (): Promise<string | null> => charts.nth(2).getAttribute('aria-valuenow');
    const newest = await column();
    await charts.first().tap();
    await expect.poll(column).not.toBe(newest);
    await phone.getByRole('heading', { level: 1 }).tap();
    await expect.poll(column).toBe(newest);
  });

  test('outcomes of items are stacked bars: read and zoomed into by keys, and a table', async () => {
    await goWithin(page, `${server.url}/health`);
    const chart = page.getByRole('figure').filter({ hasText: 'Items by outcome' });
    await chart.getByRole('slider').focus();
    await page.keyboard.press('End');
    expect(await chart.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/: Accepted [\d,]+ items?$/);
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/health?**start=**end=**');
    await chart.getByRole('button', { name: 'View as table' }).click();
    const table = page.getByRole('region', { name: 'Items by outcome, table' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['From', 'Accepted']);
    await page.goBack();
  });

  test('Now stands still under the pointer; a part of its time that is drawn is listed, and no page has it afterwards', async () => {
    await goWithin(page, server.url);
    await page.locator('[data-plot]').nth(2).waitFor();
    const news = panel('New, regressed, escalating');
    const top = async () => (await news.boundingBox())?.y;
    const before = await top();
    for (const chart of [0, 1, 2]) {
      await page.locator('[data-plot]').nth(chart).hover();
      expect(await top()).toBe(before);
    }
    await drag('[data-plot]', 0.6, 0.99);
    await page.waitForURL('**/issues?**start=**end=**');
    await page.getByRole('button', { name: '–' }).waitFor();
    await page.getByRole('link', { name: 'Releases' }).click();
    await page.waitForURL('**/releases**');
    expect([search('start'), search('elsewhere')]).toEqual([null, null]);
    await goWithin(page, server.url);
    await page.locator('[data-plot]').nth(2).waitFor();
    await drag('[data-plot] >> nth=2', 0.6, 0.99);
    await page.waitForURL('**/traces?**start=**end=**');
  });

  test('a transaction keeps its project to itself; what is chosen there goes along', async () => {
    await goWithin(page, `${server.url}/performance`);
    await page.getByRole('link', { name: 'GET /cart' }).click();
    await page.waitForURL('**/performance/transaction?**');
    await panel('Time by operation').waitFor();
    await page.getByRole('link', { name: 'Releases' }).click();
    await page.waitForURL('**/releases');
    // As links had it that were kept.
    await page.goto(`${server.url}${cart.replace('of=', 'project=')}&range=7d`);
    await page.waitForURL('**of=web**');
    await panel('Issues').getByRole('link', { name: 'Show in issue list' }).click();
    await page.waitForURL('**/issues?**project=web**');
    await page.getByRole('link', { name: 'Releases' }).click();
    await page.waitForURL('**/releases?range=7d');
  });

  test('one transaction: percentiles with the deploy, operations, samples, its issue', async () => {
    await goWithin(page, server.url + cart);
    await panel('Time by operation')
      .getByRole('link', { name: /^SELECT \* FROM carts WHERE id = / })
      .waitFor();
    const chart = page.getByRole('figure').filter({ hasText: 'Duration' }).first();
    expect(await chart.innerText()).toMatch(/p95: last .+, highest .+ at /s);
    await page
      .getByRole('link', { name: `${releases[1]}: deployed to production` })
      .first()
      .waitFor();
    expect(await panel('Summary').innerText()).toMatch(/from a sample of 1\sin\s2/);
    const share = panel('Time by operation').getByRole('listitem').first();
    expect(await share.innerText()).toMatch(/db\s*\d+ spans\s*p75 .*\d+%/s);
    expect(await panel('Sample traces').getByRole('link').first().getAttribute('href')).toMatch(
      /^\/traces\/[0-9a-f]{32}\?span=[0-9a-f]{16}&at=\d{10}|^\/traces\/[0-9a-f]{32}\?.*span=[0-9a-f]{16}/,
    );
    await panel('Issues')
      .getByRole('link', { name: /TypeError/ })
      .waitFor();
    await look('transaction');
    await page.getByRole('button', { name: 'View as table' }).first().click();
    const table = page.getByRole('region', { name: 'Duration, table' });
    expect(await table.getByRole('row').count()).toBeGreaterThan(20);
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['From', 'p50', 'p75', 'p95', 'p99']);
  });

  test('the tag that slow ones share leads to those that have it', async () => {
    await goWithin(page, server.url + cart);
    const tag = panel('Tags of slow transactions').getByRole('listitem').filter({ hasText: slowMachine });
    expect(await tag.innerText()).toMatch(/100% of these, .+× as frequent/s);
    await tag.getByRole('link').click();
    await page.waitForURL(`**tag=machine:${slowMachine}**`);
    await page.getByRole('button', { name: `Remove machine ${slowMachine}` }).click();
    await expect.poll(() => search('tag')).toBeNull();
  });

  test('dragging over the histogram picks durations for samples, tags and operations; fields do the same', async () => {
    await goWithin(page, server.url + cart);
    await panel('Sample traces').getByRole('row').nth(1).waitFor();
    await drag('role=slider[name="Durations, values"]', 0.75, 0.999);
    await page.waitForURL('**from=**until=**');
    const from = Number(search('from'));
    expect(from).toBeGreaterThan(300);
    await panel('Tags of the selection').getByText(slowMachine).waitFor();
    const samples = panel('Sample traces')
      .getByRole('row')
      .filter({ has: page.getByRole('link') });
    await expect
      .poll(async () => (await samples.allInnerTexts()).every((text) => /\d+(\.\d+)?\ss\t/.test(text)))
      .toBe(true);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => search('from')).toBeNull();
    await page.getByRole('spinbutton', { name: 'From' }).fill('60');
    await page.getByRole('spinbutton', { name: 'to' }).fill('100');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL('**from=60&until=100**');
    await page.getByRole('button', { name: 'Remove Duration 60 ms to 100 ms' }).waitFor();
    await goWithin(page, `${server.url}${cart}&range=1h&environment=nowhere`);
    await page.getByRole('heading', { name: /^Not seen in this range/ }).waitFor();
  });

  test('web vitals: score, ratings in words, pages; one page with the element and the resource responsible', async () => {
    await goWithin(page, `${server.url}/performance/vitals`);
    const cards = panel('Score and vitals');
    await cards.getByText('Needs work').first().waitFor();
    expect(await cards.innerText()).toMatch(/LCP[\s\S]*% good, \d+% needs work, \d+% poor/);
    await panel('Pages').getByRole('link', { name: '/product/:id' }).waitFor();
    await panel('Browsers').getByText('Mobile Safari').waitFor();
    await look('vitals');
    await cards.getByRole('link', { name: /^INP/ }).click();
    await page.waitForURL('**vital=inp**');
    await panel('INP over time').waitFor();
    await page.locator('body').press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**page=/product/:id**');
    await panel('LCP: largest element').getByText('section.hero > img.cover').waitFor();
    expect(await panel('LCP: largest element').innerText()).toContain('covers/hero.avif');
    expect(await panel('INP: slow interactions').innerText()).toContain('button#buy');
    expect(await panel('CLS: shifted elements').innerText()).toContain('aside.offers');
    const resources = panel(/^Slowest resources/);
    expect(await resources.innerText()).toMatch(
      /hero\.avif[\s\S]*in 100% of page loads[\s\S]*main\.css[\s\S]*blocks rendering/,
    );
    await look('vitals-page');
  });

  test('the console complained about nothing of its own', () => {
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  });
});
