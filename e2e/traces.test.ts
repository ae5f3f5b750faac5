/** Which requests were slow or failed: from the list of traces and its heatmap to the trace, by mouse and by keys. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { goToSearch } from './keypress.ts';
import { lookAt, screenshots } from './look.ts';
import { sendCheckouts, sendOneMore, slowHours, traceId } from './traces-traffic.ts';

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
  await page.screenshot({ path: `${screenshots}traces-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });
const search = (name: string): string | null => new URL(page.url()).searchParams.get(name);
const list = () => page.getByRole('table', { name: 'Traces' });
const rows = () => list().locator('tbody tr');
const sentence = (): Promise<string> => page.getByRole('figure').locator('figcaption').innerText();
const chip = (name: string | RegExp) => page.getByRole('list', { name: 'Filters' }).getByRole('link', { name });
const value = (field: string, name: RegExp) =>
  page.getByRole('region', { name: field, exact: true }).getByRole('button', { name });
const open = async (query = ''): Promise<void> => {
  await page.goto(`${server.url}/traces${query}`);
  await rows().first().waitFor();
};

/** Presses at one place of the heatmap and lets go at another; shares from the left and from the top. */
async function drag(from: readonly [number, number], until: readonly [number, number]): Promise<void> {
  const box = await page.locator('[data-heatmap]').boundingBox();
  if (!box) throw new Error('the heatmap is not on the screen');
  const at = ([x, y]: readonly [number, number]) => [box.x + box.width * x, box.y + box.height * y] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at([(from[0] + until[0]) / 2, (from[1] + until[1]) / 2]), { steps: 3 });
  await page.mouse.move(...at(until), { steps: 3 });
  await page.mouse.up();
}

/** The colours that the heatmap is drawn in. */
const drawn = (): Promise<string[]> =>
  page.locator('[data-heatmap] canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set<string>();
    for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) colours.add(data.slice(at, at + 3).join(' '));
    return [...colours];
  });

describe.sequential('the list of traces', () => {
  test('before the first span it says how tracing is turned on, and fills by itself', async () => {
    await page.goto(`${server.url}/traces`);
    await page.getByRole('heading', { name: 'No traces yet' }).waitFor();
    await look('traces-empty');
    await sendCheckouts(server.installed.dsn);
    await rows().first().waitFor();
    await server.drained();
  });

  test('newest first, each with what the whole trace has; keys lead from the rail to a trace', async () => {
    await page.goto(`${server.url}/issues`);
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
    await page.locator('body').press('g');
    await page.locator('body').press('t');
    await page.waitForURL('**/traces');
    // The second key has a meaning of its own, which it has not here.
    expect(await page.getByRole('dialog', { name: 'Time range' }).isVisible()).toBe(false);
    await rows().first().waitFor();
    expect(await rows().count()).toBe(25);
    const first = rows().first();
    expect(await first.innerText()).toMatch(/^\/checkout\s+pageload/);
    expect(await first.innerText()).not.toContain('POST /charge');
    expect((await first.getByRole('cell').allInnerTexts()).slice(1, 4)).toEqual(['4', '3', '0']);
    expect(await sentence()).toMatch(/540 requests, \d+ failed \(\d%\)\. Most took .+, the longest .+ to \d.\d+\ss\./);
    await look('traces');
    await page.locator('body').press('j');
    await page.locator('body').press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/traces/${traceId(178)}?**`);
    expect(search('span')).toMatch(/^[0-9a-f]{16}$/);
    expect(search('at')).toMatch(/^\d{10}$/);
    await page.getByRole('treegrid').waitFor();
    await page.goBack();
  });

  test('the canvas follows the theme; the same stands in a table', async () => {
    await open();
    await expect.poll(async () => (await drawn()).length).toBeGreaterThan(0);
    const light = await drawn();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(drawn).not.toEqual(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: 'View as table' }).click();
    const table = page.getByRole('region', { name: 'Requests over time, table' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'From',
      'Requests',
      'Failed',
      'Most took',
      'Longest',
    ]);
    expect(await table.getByRole('row').count()).toBeGreaterThan(10);
  });

  test('dragging over the heatmap narrows the list to a time and durations, and says what differs there', async () => {
    await open();
    const from = 1 - (slowHours.from + 0.5) / 24.5;
    const until = 1 - (slowHours.until - 0.5) / 24.5;
    await drag([from, 0.01], [until, 0.12]);
    await page.waitForURL('**t=**');
    expect(Number(search('from'))).toBeGreaterThan(1000);
    expect(Number(search('until'))).toBeGreaterThan(3000);
    const differs = page.getByRole('region', { name: 'What differs here' });
    await differs.getByRole('button', { name: /500/ }).waitFor();
    await expect.poll(async () => (await rows().allInnerTexts()).every((text) => /\ss\b/.test(text))).toBe(true);
    expect(await differs.innerText()).toMatch(/500\s+HTTP status: \d+% here, \d+% overall/);
    // The heatmap still shows all, with the part marked.
    expect(await sentence()).toContain('540 requests');
    await look('traces-region');
    await chip(/^Remove Duration/).click();
    await page.waitForURL((url) => !url.searchParams.has('from'));
    expect(search('t')).not.toBeNull();
    await page.getByRole('link', { name: 'Zoom to this time' }).click();
    await page.waitForURL('**start=**end=**');
    expect(search('t')).toBeNull();
    await expect.poll(sentence).not.toContain('540 requests');
  });

  test('the same without a pointer', async () => {
    await open();
    await page.getByRole('button', { name: 'Choose a part…' }).focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Choose a part' });
    await form.getByLabel('Duration at least, ms').fill('3000');
    await form.getByLabel('Duration below, ms').fill('2000');
    await page.keyboard.press('Tab');
    await form.getByText('Must be more than the minimum.').waitFor();
    await form.getByLabel('Duration below, ms').fill('');
    await page.keyboard.press('Enter');
    await page.waitForURL('**from=3000**');
    await chip('Remove Duration at least 3 s').waitFor();
    await expect.poll(async () => (await rows().allInnerTexts()).every((text) => /\ss\b/.test(text))).toBe(true);
  });

  test('a value filters, and filters no more; order, outcome and errors', async () => {
    await open();
    await value('Service', /^pay,/).click();
    await page.waitForURL('**service=pay**');
    await chip('Remove Service pay').waitFor();
    expect(await value('Service', /^pay,/).getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('Sort by').selectOption('slowest');
    await page.getByLabel('Outcome').selectOption('true');
    await page.waitForURL('**failed=true**');
    await expect.poll(async () => (await rows().first().innerText()).includes('failed in POST /charge')).toBe(true);
    const errors = rows().first().getByRole('link', { name: '1 error in this trace' });
    expect(await errors.getAttribute('href')).toMatch(/^\/issues\?q=trace:[0-9a-f]{32}&status=all/);
    // The order is that of the request which the filter finds; what the whole took stands beside.
    const took = await list().locator('[class*=took]').allInnerTexts();
    const seconds = took.map((text) => Number(/([\d.]+)\ss/.exec(text)?.[1]));
    expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
    expect(await rows().first().innerText()).toMatch(/of pay, [\d.]+\ss in total/);
    await look('traces-filtered');
    await errors.click();
    await page.getByRole('listitem').filter({ hasText: 'TypeError' }).waitFor();
    await page.goBack();
    await value('Service', /^pay,/).click();
    await page.waitForURL((url) => !url.searchParams.has('service'));
  });

  test('pages go on and back, and have no trace twice', async () => {
    await open();
    const hrefs = (): Promise<(string | null)[]> =>
      list()
        .locator('a[data-row]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const first = await hrefs();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**cursor=**');
    await expect.poll(hrefs).not.toEqual(first);
    expect(new Set([...first, ...(await hrefs())]).size).toBe(50);
    await page.getByRole('link', { name: 'Previous' }).click();
    await expect.poll(hrefs).toEqual(first);
  });

  test('text, an id that is pasted, and what nothing matches', async () => {
    await open();
    await goToSearch(page);
    await page.keyboard.type('charge');
    await page.keyboard.press('Enter');
    await page.waitForURL('**q=charge**');
    await expect.poll(async () => (await value('Name', /./).allInnerTexts()).length).toBe(1);
    const box = page.getByRole('searchbox');
    await box.fill('nothing like this');
    await box.press('Enter');
    await page.getByRole('heading', { name: 'No traces match these filters' }).waitFor();
    await page.getByText('540 requests without it').waitFor();
    await look('traces-none');
    await page.getByRole('list', { name: 'Filters without matches' }).getByRole('link').click();
    await rows().first().waitFor();
    await box.fill(`00-${traceId(3)}-${'0'.repeat(16)}-01`);
    await box.press('Enter');
    await page.waitForURL(`**/traces/${traceId(3)}**`);
    await open();
    const href = await list().locator('a[data-row]').nth(4).getAttribute('href');
    const span = new URL(href ?? '', server.url).searchParams.get('span') ?? '';
    await page.getByRole('searchbox').fill(span);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/traces/*?**span=${span}**`);
  });

  test('what arrives waits above the list until it is wanted', async () => {
    await open();
    const before = await rows().first().innerText();
    await sendOneMore(server.installed.dsn, 1000);
    const news = page.getByRole('button', { name: /^1 new trace/ });
    await news.waitFor();
    expect(await rows().first().innerText()).toBe(before);
    expect(await page.title()).toMatch(/^1 new · Traces/);
    await page.locator('body').press('.');
    await page.locator(`a[data-row][href*="${traceId(1000)}"]`).waitFor();
    await news.waitFor({ state: 'detached' });
  });

  test('the console complained about nothing', () => {
    expect(complaints).toEqual([]);
  });
});
