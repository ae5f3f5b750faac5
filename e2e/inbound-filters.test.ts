/** Real SDKs send what filters are for, and what they are not; the console shows what was dropped, and the way back. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { servePage } from './app-server.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';
import { runNodeApp } from './node-app.ts';
import { type PythonSdk, runPythonApp } from './python-app.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

interface Filter {
  readonly id: string;
  readonly active: boolean;
  readonly dropped: { readonly category: string; readonly quantity: number }[];
}

const project = (): string => `/projects/${server.installed.organization}/${server.installed.project}`;
const filters = (): Promise<Filter[]> => server.api(`${project()}/filters/`);

/** What a filter has dropped, by category. */
async function droppedBy(id: string): Promise<Record<string, number>> {
  const found = (await filters()).find((one) => one.id === id);
  return Object.fromEntries((found?.dropped ?? []).map(({ category, quantity }) => [category, quantity]));
}

/** Titles of the stored errors of a release, and names of its segments. */
async function storedOf(release: string): Promise<{ titles: string[]; segments: string[] }> {
  await using events = await server.events();
  const titles = await events.query<{ title: string }>(
    'SELECT title FROM errors WHERE release = {release:String} ORDER BY title',
    { release },
  );
  const segments = await events.query<{ transaction: string }>(
    'SELECT DISTINCT transaction FROM spans WHERE release = {release:String} ORDER BY transaction',
    { release },
  );
  return { titles: titles.map(({ title }) => title), segments: segments.map(({ transaction }) => transaction) };
}

describe.sequential('filters', () => {
  /** `run`: three health checks, a crawler that meets an error and a person who does. */
  async function visited(release: string, run: () => Promise<void>): Promise<string[]> {
    const [spansBefore = 0, errorsBefore = 0] = [
      (await droppedBy('filtered-transaction'))['span'],
      (await droppedBy('web-crawlers'))['error'],
    ];
    await run();
    await server.drained();
    const { titles, segments } = await storedOf(release);
    expect(titles).toEqual([expect.stringMatching(/Error: no price for a person$/)]);
    expect(segments.filter((name) => name.includes('healthz'))).toEqual([]);
    expect((await droppedBy('web-crawlers'))['error']).toBe(errorsBefore + 1);
    // Three segments, and a span in each.
    expect((await droppedBy('filtered-transaction'))['span']).toBeGreaterThanOrEqual(spansBefore + 6);
    return segments;
  }

  test.each(['sentry-node-7', 'sentry-node-10', '@sentry/node'])(
    'of %s, health checks and errors of crawlers are dropped',
    async (sdk) => {
      const release = `visited@${sdk.replace(/\W/g, '')}`;
      const segments = await visited(release, () =>
        runNodeApp({ sdk, dsn: server.installed.dsn, scenario: '-', release, program: 'visited-service.mjs' }),
      );
      // Without a route, one major of the SDK names both visits by their method.
      expect(segments).toContainEqual(expect.stringMatching(/^GET(?: \/cart\/.*)?$/));
    },
  );

  test.each<PythonSdk>(['sentry-sdk 1.45', 'sentry-sdk 2.75'])('of %s, too', async (sdk) => {
    const release = `visited@${sdk.replace(/\W/g, '')}`;
    const segments = await visited(release, () =>
      runPythonApp(server, { sdk, program: 'visited_program.py', scenario: release }),
    );
    expect(segments).toContainEqual(expect.stringMatching(/^(?:GET )?\/cart\//));
  });

  test('of a browser, an error of an extension is dropped, and that of the page stays', async () => {
    const release = 'page@1';
    const { dsn } = server.installed;
    await using app = await servePage({ entry: 'browser-app.ts', sdk: '@sentry/browser', dsn, release });
    const visitor = await browser.newPage();
    await visitor.goto(app.url);
    const sent = () => visitor.waitForResponse((response) => response.url().includes('/envelope/') && response.ok());
    const ofExtension = sent();
    await visitor.addScriptTag({
      content:
        'setTimeout(() => { throw new Error("of an extension") });\n//# sourceURL=chrome-extension://gighmmpiobklfepjocnamgkkbiglidom/content.js',
    });
    await ofExtension;
    const ofPage = sent();
    await visitor.getByRole('button', { name: 'Buy' }).click();
    await ofPage;
    await visitor.close();
    await server.until('the error of the page', async () => (await storedOf(release)).titles.length > 0 || undefined);
    await server.drained();
    expect((await storedOf(release)).titles).toEqual([expect.stringContaining('TypeError')]);
    expect(await droppedBy('browser-extensions')).toEqual({ error: 1 });
  });

  test('in the console: what was dropped, what would be, a switch with the way back', async () => {
    await page.goto(`${server.url}/projects/${server.installed.project}/settings`);
    const section = page.getByRole('region', { name: 'Inbound filters', exact: true });
    await section.getByText(/Dropped in the last 7 days: 1 error(?!s)/).waitFor();
    await section.getByText(/Dropped in the last 7 days: 5 errors/).waitFor();
    // Chromium’s page stood on the local machine.
    await section.getByRole('button', { name: 'Preview' }).click();
    await section.getByText(/^Checked 6 errors, \d+ transactions and \d+ logs\.$/).waitFor();
    await section.getByText('Would drop: 1 error', { exact: true }).first().waitFor();
    const local = section.getByLabel('Pages on localhost');
    await local.click();
    await page.getByText('Pages on localhost: filter turned on').first().waitFor();
    expect((await filters()).find(({ id }) => id === 'localhost')?.active).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(() => local.isChecked()).toBe(false);
    expect((await filters()).find(({ id }) => id === 'localhost')?.active).toBe(false);
  });

  test('patterns are tried before they are saved, and what is wrong in them is said', async () => {
    const section = page.getByRole('region', { name: 'Inbound filters', exact: true });
    await section.getByRole('button', { name: 'No patterns' }).nth(2).click();
    const addresses = section.getByLabel('Patterns of IP addresses');
    await addresses.fill('127.0.0.0/8\nnowhere');
    await section.getByRole('button', { name: 'Save patterns' }).click();
    await section.getByText(/"nowhere" is no IP address/).waitFor();
    await addresses.fill('192.0.2.0/24');
    await section.getByRole('button', { name: 'Save patterns' }).click();
    await page.getByText('Patterns of IP addresses saved').first().waitFor();
    await section.getByRole('button', { name: '1 pattern' }).waitFor();
    await section.getByLabel('IP addresses', { exact: true }).click();
    await page.getByText('IP addresses: filter turned on').first().waitFor();
    await lookAt(page, 'inbound-filters', { whole: true });
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  });

  test('a filter that is turned off drops nothing from then on, and a preview says what it would drop', async () => {
    const off = { method: 'PUT', body: JSON.stringify({ active: false }) };
    for (const id of ['web-crawlers', 'filtered-transaction']) await server.api(`${project()}/filters/${id}/`, off);
    const release = 'visited@later';
    await runNodeApp({
      sdk: '@sentry/node',
      dsn: server.installed.dsn,
      scenario: '-',
      release,
      program: 'visited-service.mjs',
    });
    await server.drained();
    expect((await storedOf(release)).titles).toEqual(['Error: no price for a crawler', 'Error: no price for a person']);
    const preview = await server.api<{ filters: (Filter & { errors: number; transactions: number })[] }>(
      `${project()}/filters/preview/`,
      { method: 'POST', body: '{}' },
    );
    const of = (id: string) => preview.filters.find((one) => one.id === id);
    expect(of('web-crawlers')?.errors).toBe(1);
    expect(of('filtered-transaction')?.transactions).toBe(3);
  });
});
