/** Any question about errors and spans: groups, charts, samples, one part against the rest; kept, shared and taken elsewhere. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { burstErrors, oddRoute, sendErrors, steadyErrors } from './explore-traffic.ts';
import { goToSearch } from './keypress.ts';
import { expectWholeUnits, misplacedInTables } from './layout.ts';
import { lookAt, screenshots } from './look.ts';
import { failedCharges, sendCheckouts, slowHours } from './traces-traffic.ts';

let server: Server;
let browser: Browser;
let page: Page;
/** What the console itself complained about. */
let complaints: ConsolePage['complaints'];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  const opened = await openConsole(server, browser);
  ({ page, complaints } = opened);
  // Colours that are on their way to the other theme are no colours to judge.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}explore-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });
const parameter = (name: string): string | null => new URL(page.url()).searchParams.get(name);
const rows = () => page.getByRole('group', { name: 'Groups', exact: true }).locator('tbody tr');
const texts = async (): Promise<string[]> =>
  (await rows().allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
const value = (text: string) => rows().getByRole('button', { name: text, exact: true }).first();
const menu = (name: string | RegExp) => page.getByRole('menuitem', { name, exact: typeof name === 'string' });
const open = async (query = '', { anew = false } = {}): Promise<void> => {
  const url = `${server.url}/explore${query}`;
  await (anew ? page.goto(url) : goWithin(page, url));
  await rows().first().waitFor();
};
const groupBy = async (name: string): Promise<void> => {
  await page.getByLabel('Add attribute').fill(name);
  await page.keyboard.press('Enter');
};

/** Draws over the first chart; shares from the left of the plot. */
async function draw(from: number, until: number): Promise<void> {
  const box = await page.locator('[data-plot]').first().boundingBox();
  if (!box) throw new Error('no chart is on the screen');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from + until) / 2), y, { steps: 3 });
  await page.mouse.move(box.x + box.width * until, y, { steps: 3 });
  await page.mouse.up();
}

describe.sequential('explore', () => {
  test('before the first error it says so; a key leads here', async () => {
    await goWithin(page, `${server.url}/issues`);
    await page.getByRole('heading', { level: 1, name: 'Issues' }).waitFor();
    await page.locator('body').press('g');
    await page.locator('body').press('x');
    await page.waitForURL('**/explore');
    await page.getByRole('heading', { name: 'No errors yet' }).waitFor();
    await Promise.all([sendErrors(server.installed.dsn), sendCheckouts(server.installed.dsn)]);
    await server.drained();
    await page.locator('body').press('.');
    await rows().first().waitFor();
  });

  test('errors are grouped by any attribute, each group a line and a row with its share', async () => {
    await open();
    await groupBy('release');
    await page.waitForURL('**groupBy=release**');
    await expect
      .poll(async () => (await texts()).map((text) => text.split(' ').slice(0, 2).join(' ')))
      .toEqual([`shop@1.0.0 ${steadyErrors}`, `shop@2.0.0 ${burstErrors}`, `(none) ${failedCharges}`]);
    expect((await texts())[0]).toBe(`shop@1.0.0 ${steadyErrors} 55%`);
    expect(await misplacedInTables(page, 'first')).toEqual([]);
    await expectWholeUnits(page);
    // The chart before stays until the next is there.
    await expect
      .poll(() => page.getByRole('figure').locator('figcaption').innerText())
      .toMatch(/count.*shop@1\.0\.0: last.*shop@2\.0\.0: last/s);
    await groupBy('tenant');
    await page.waitForURL((url) => url.searchParams.get('groupBy') === 'release,tenant');
    await expect.poll(async () => (await texts()).length).toBeGreaterThan(4);
    await page.getByRole('button', { name: 'Add aggregate' }).click();
    await page.waitForURL((url) => url.searchParams.get('yAxis') === 'count(),count_unique(user)');
    await expect.poll(() => page.getByRole('figure').count()).toBe(2);
    await look('explore-groups');
    await page.getByRole('button', { name: 'Remove tenant' }).click();
    await page.waitForURL((url) => url.searchParams.get('groupBy') === 'release');
  });

  test('what is estimated says so, is followed by the exact answer in its place, and stays where that fails', async () => {
    const estimates = /\/events\/\?.*sampling=allow/;
    const exact = /\/events\/\?(?!.*sampling=allow)/;
    let isDown = false;
    onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
    const arrived = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    await page.route(estimates, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: Record<string, number>[]; meta: object };
      const intervals = answer.data.map((row) => {
        const value = Number(row['count()']);
        return { 'count()': [Math.round(value * 0.95), Math.round(value * 1.1)] };
      });
      await route.fulfill({
        response,
        json: { ...answer, meta: { ...answer.meta, sampling: { share: 0.04, intervals } } },
      });
    });
    await page.route(exact, async (route) => {
      if (isDown) return route.abort('connectionreset');
      arrived.resolve();
      await waiting.promise;
      return route.continue();
    });
    // Nothing is known from before.
    await open('?groupBy=release', { anew: true });
    await page.getByText('Estimated from 4% of errors').waitFor();
    // What all of them are of is a question of its own.
    await expect.poll(async () => (await texts())[0]).toBe(`shop@1.0.0 ${steadyErrors} ±10% 55%`);
    await arrived.promise;
    await look('explore-estimated');
    const before = await rows().last().boundingBox();
    waiting.resolve();
    await page.getByText('Exact', { exact: true }).waitFor();
    await expect.poll(async () => (await texts())[0]).toBe(`shop@1.0.0 ${steadyErrors} 55%`);
    expect(await rows().last().boundingBox()).toEqual(before);
    isDown = true;
    await open('?groupBy=environment', { anew: true });
    await page.getByText('No exact result').waitFor();
    expect((await texts())[0]).toContain('±10%');
    await look('explore-estimated-only');
    isDown = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Exact', { exact: true }).waitFor();
  });

  test('an exact answer that nobody waits for any more is given up', async () => {
    onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
    const given = Promise.withResolvers<string>();
    page.on('requestfailed', (request) => {
      // That of the page before may end only now.
      if (/\/events\/\?(?!.*sampling=allow).*field=platform/.test(request.url())) given.resolve(request.url());
    });
    await page.route(/\/events\/\?/, async (route) => {
      if (!route.request().url().includes('sampling=allow')) return;
      const response = await route.fetch();
      const answer = (await response.json()) as { data: object[]; meta: object };
      const sampling = { share: 0.04, intervals: answer.data.map(() => ({ 'count()': [1, 9] })) };
      await route.fulfill({ response, json: { ...answer, meta: { ...answer.meta, sampling } } });
    });
    const asked = page.waitForRequest((request) => /\/events\/\?(?!.*sampling=allow)/.test(request.url()));
    await open('?groupBy=platform', { anew: true });
    await page.getByText('Estimated from 4% of errors').waitFor();
    await asked;
    await page.getByRole('link', { name: 'Issues', exact: true }).first().click();
    expect(await given.promise).toContain('field=platform');
  });

  test('requests have durations: aggregates are chosen, columns sort', async () => {
    await open();
    await page.getByRole('navigation', { name: 'Data set' }).getByRole('link', { name: 'Transactions' }).click();
    await page.waitForURL('**dataset=transactions**');
    await groupBy('transaction');
    await page.getByRole('button', { name: 'Add aggregate' }).click();
    await page.waitForURL((url) => url.searchParams.get('yAxis') === 'count(),p95(span.duration)');
    await page.getByLabel('Aggregate 2', { exact: true }).selectOption('avg');
    await page.waitForURL((url) => url.searchParams.get('yAxis') === 'count(),avg(span.duration)');
    await page.getByLabel('Attribute of aggregate 2').selectOption('span.self_time');
    await page.waitForURL((url) => url.searchParams.get('yAxis') === 'count(),avg(span.self_time)');
    await page.getByLabel('Aggregate 2', { exact: true }).selectOption('failure_rate');
    await page.waitForURL((url) => url.searchParams.get('yAxis') === 'count(),failure_rate()');
    await page.getByRole('columnheader', { name: 'failure rate' }).getByRole('link').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === '-failure_rate()');
    await expect.poll(async () => (await texts())[0]).toMatch(/^POST \/charge 180 33% [\d.]+%$/);
    const head = page.getByRole('columnheader', { name: 'failure rate' });
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await head.getByRole('link').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === 'failure_rate()');
  });

  test('a clicked value filters, is excluded, and is grouped by', async () => {
    await open('?groupBy=transaction');
    await value(oddRoute).click();
    await look('explore-menu');
    await menu('Filter by this value').click();
    await page.waitForURL('**query=**');
    expect(parameter('query')).toBe(String.raw`transaction:"GET /search?q=\"a b\" (beta)"`);
    await expect.poll(async () => (await texts()).length).toBe(1);
    await value(oddRoute).click();
    await menu('Exclude this value').click();
    await page.waitForURL('**query=!**');
    await expect.poll(async () => (await texts()).some((text) => text.startsWith('/cart'))).toBe(true);
    expect((await texts()).some((text) => text.startsWith('GET /search'))).toBe(false);
    // The row leads to its samples, whose values are clicked as well.
    await page.getByRole('link', { name: 'Samples of /cart' }).click();
    await page.waitForURL('**tab=samples**');
    expect(parameter('query')).toContain('transaction:/cart');
    const samples = page.getByRole('group', { name: 'Samples', exact: true });
    await samples.getByRole('button', { name: 'shop@1.0.0' }).first().click();
    await menu('Group by release').click();
    await page.waitForURL((url) => url.searchParams.get('groupBy') === 'transaction,release');
    expect(parameter('tab')).toBeNull();
  });

  test('samples lead to the event and to the trace', async () => {
    await goWithin(page, `${server.url}/explore?tab=samples`);
    const samples = page.getByRole('group', { name: 'Samples', exact: true });
    await samples.locator('tbody tr').first().waitFor();
    await look('explore-samples');
    await page.locator('body').press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/issues/*?event=*');
    await page.getByRole('heading', { level: 1, name: /Error/ }).waitFor();
    await goWithin(page, `${server.url}/explore?dataset=spans&tab=samples&query=span.op:db`);
    await samples
      .getByRole('link', { name: /^Trace/ })
      .first()
      .click();
    await page.waitForURL('**/traces/*?span=*');
    await page.getByRole('treegrid').waitFor();
  });

  test('a part that is drawn is compared with the rest, by attribute, and can be zoomed into', async () => {
    await open();
    await draw(1 - slowHours.from / 24, 1 - slowHours.until / 24);
    await page.waitForURL('**tab=compare**selection=**');
    const differs = page.getByRole('region', { name: 'Differences' });
    const release = differs.getByRole('table', { name: 'release' });
    expect((await release.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/shop@2\.0\.0 \d\d% 0%/);
    expect(await differs.getByRole('table').count()).toBeGreaterThan(2);
    await look('explore-compare');
    await release.getByRole('button', { name: 'shop@2.0.0' }).click();
    await menu('Compare with the rest').click();
    await page.waitForURL('**subset=release:shop@2.0.0**');
    await differs
      .getByText(`${burstErrors} errors selected, compared with ${steadyErrors + failedCharges} others`)
      .waitFor();
    await page.getByRole('link', { name: 'Clear selection' }).click();
    await rows().first().waitFor();
    await draw(0.5, 0.9);
    await page.getByRole('link', { name: 'Zoom to this time' }).click();
    await page.waitForURL('**start=**end=**');
    expect(parameter('selection')).toBeNull();
  });

  test('a question is saved, changed, shared with its range, deleted and brought back', async () => {
    await open('?groupBy=release&range=7d');
    const saved = page.getByRole('button', { name: 'Saved', exact: true });
    await saved.click();
    const panel = page.getByRole('dialog', { name: 'Saved queries' });
    await panel.getByLabel('Name').fill('Errors by release');
    await panel.getByLabel('Share with the organisation').check();
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**saved=**');
    await page.getByRole('button', { name: 'Errors by release', exact: true }).waitFor();
    await groupBy('level');
    await page.getByRole('button', { name: 'Errors by release (changed)' }).waitFor();
    await page.getByRole('button', { name: 'Update Errors by release' }).click();
    await page.getByText('Errors by release updated').waitFor();

    await open();
    await saved.click();
    await look('explore-saved');
    await panel.getByRole('link', { name: /Errors by release/ }).click();
    await page.waitForURL('**saved=**');
    expect([parameter('groupBy'), parameter('range')]).toEqual(['release,level', '7d']);
    await page.getByRole('button', { name: 'Errors by release', exact: true }).click();
    await panel.getByRole('button', { name: 'Delete Errors by release' }).click();
    await page.getByText('Errors by release deleted').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await saved.click();
    await panel.getByRole('link', { name: /Errors by release/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('what is found is a file, and a call of the API', async () => {
    await open('?groupBy=release&yAxis=count(),count_unique(user)&sort=-count()');
    const exporting = page.getByRole('button', { name: 'Export', exact: true });
    await exporting.click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const state = page.getByRole('region', { name: 'Export' });
    await state.getByText(/\.csv: 3 rows/).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      state.getByRole('link', { name: 'Download' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines[0]).toBe('release,count(),count_unique(user)');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 2).join(','))).toEqual([
      `shop@1.0.0,${steadyErrors}`,
      `shop@2.0.0,${burstErrors}`,
      `,${failedCharges}`,
    ]);
    await exporting.click();
    await page.getByRole('menuitem', { name: 'Copy as API call' }).click();
    await page.getByText('API call copied').waitFor();
    const call = await page.evaluate(() => navigator.clipboard.readText());
    const { stdout } = await promisify(execFile)('sh', ['-c', `${call} -s`], {
      env: { ...process.env, CULPRIT_TOKEN: server.installed.token },
    });
    const answer = JSON.parse(stdout) as { data: Record<string, unknown>[] };
    expect(answer.data[0]).toMatchObject({ release: 'shop@1.0.0', 'count()': steadyErrors });
  });

  test('a query that makes no sense says where; one that finds nothing says what to take away', async () => {
    await open();
    await goToSearch(page);
    await page.keyboard.type('error.handled:maybe');
    await page.keyboard.press('Enter');
    await page.getByRole('search').getByRole('alert').waitFor();
    expect(parameter('query')).toBeNull();
    await goWithin(page, `${server.url}/explore?query=error.handled:maybe`);
    await page.getByRole('heading', { name: 'Invalid search' }).waitFor();
    await goWithin(page, `${server.url}/explore?yAxis=p95(level)`);
    await page.getByRole('alert').filter({ hasText: '“level” is not a number' }).first().waitFor();
    await goWithin(page, `${server.url}/explore?query=release:shop@2.0.0 level:info`);
    await page.getByRole('heading', { name: 'No errors match' }).waitFor();
    await page.getByText(`${burstErrors} errors without it`).waitFor();
    await page.getByRole('link', { name: 'Remove level:info' }).click();
    await rows().first().waitFor();
    expect(parameter('query')).toBe('release:shop@2.0.0');
  });

  test('other pages lead here with the question filled in', async () => {
    await goWithin(page, `${server.url}/traces?service=pay&failed=true`);
    await page.getByRole('main').getByRole('link', { name: 'Explore' }).click();
    await page.waitForURL('**/explore?**');
    expect(parameter('query')).toBe('service:pay failed:true');
    await expect.poll(async () => (await texts())[0]).toMatch(/^POST \/charge 10 100% [\d.]+ s 100%$/);
    await goWithin(page, `${server.url}/performance`);
    await page.getByRole('main').getByRole('link', { name: 'Explore' }).click();
    await expect.poll(async () => (await texts()).length).toBe(3);
    // Refused questions, and the exact answer that was cut off.
    expect(complaints.filter((text) => !/400|ERR_CONNECTION_RESET/.test(text))).toEqual([]);
  });
});
