/** From a minified line to its source, commit and release, in the console: what is missing is said, and turns by itself. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { lookAt, screenshots } from './look.ts';
import { Shop } from './shop.ts';

const cli = fileURLToPath(new URL('./node_modules/.bin/sentry-cli', import.meta.url));
const first = 'shop@1.0.0';
const second = 'shop@1.1.0';
const source = 'return line.price!.amount;';

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let shop: Shop;
/** What the console itself complained about. */
const complaints: string[] = [];

beforeAll(async () => {
  [server, browser, shop] = await Promise.all([Server.create(), launchChromium(), Shop.create()]);
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.request.post(`${server.url}/api/auth/sign-in/email`, {
    data: owner,
    headers: { origin: server.url },
  });
  page = await newPage();
});
afterAll(async () => {
  await browser?.close();
  await shop?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}releases-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

async function newPage(): Promise<Page> {
  const opened = await context.newPage();
  opened.setDefaultTimeout(20_000);
  opened.on('pageerror', (error) => complaints.push(error.message));
  opened.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return opened;
}

/** The real client, as a build runs it in the shop's folder. */
async function sentryCli(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<void> {
  await promisify(execFile)(cli, [...args], { cwd: shop.dir, env: { ...process.env, ...environment } });
}

const asOwner = (): Record<string, string> => ({
  SENTRY_URL: server.url,
  SENTRY_ORG: 'acme',
  SENTRY_PROJECT: 'web',
  SENTRY_AUTH_TOKEN: server.installed.token,
});

const events = async (): Promise<number> =>
  (await server.api<unknown[]>('/projects/acme/web/events/?limit=100')).length;

/** Somebody buys, which fails; done when the event is stored. */
async function buy(): Promise<void> {
  const before = await events();
  const tab = await browser.newPage();
  await tab.goto(shop.url);
  await tab.click('button');
  await server.until('the event is stored', async () => (await events()) > before);
  await tab.close();
}

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });

describe.sequential('releases and source maps', () => {
  test('before the first release, the page says how one comes to be', async () => {
    await page.goto(`${server.url}/releases`);
    await page.getByRole('heading', { name: 'No releases yet' }).waitFor();
    await look('releases-empty');
  });

  test('a minified frame says why, and which command mends it', async () => {
    await shop.build({ dsn: server.installed.dsn, release: first });
    await sentryCli(['sourcemaps', 'inject', './dist']);
    await buy();
    await page.goto(`${server.url}/issues/WEB-1`);
    const box = page.getByRole('region', { name: 'Minified frames' });
    await box.waitFor();
    expect(await box.innerText()).toMatch(/No artifact has debug ID [0-9a-f]{8}-[0-9a-f-]{27}\./);
    expect(await box.innerText()).toContain('npx @sentry/cli sourcemaps upload --org acme --project web ./dist');
    expect(await page.getByText('minified, not uploaded').count()).toBeGreaterThan(0);
    await look('issue-unresolved');
    await box.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Symbolication retried').waitFor();
    expect(await box.count()).toBe(1);
  });

  test('the set-up makes a token by one click; after the upload the open pages turn by themselves', async () => {
    const setup = await newPage();
    await setup.goto(`${server.url}/projects/web/setup`);
    const check = setup.getByRole('status', { name: 'Source maps check' });
    await check.getByText(/^0 of \d+ frames? of the last event resolved$/).waitFor();
    const maps = setup.getByRole('region', { name: 'Source maps', exact: true });
    await maps.getByRole('button', { name: 'Create token' }).click();
    const line = maps.getByRole('region', { name: 'Set a token for the build' });
    await line.getByText('sntrys_').filter({ hasNotText: '…' }).waitFor();
    const token = (await line.innerText()).trim().replace('export SENTRY_AUTH_TOKEN=', '');
    await lookAt(setup, 'setup-source-maps', { whole: true });
    // The token alone knows the address and the organisation.
    await sentryCli(['sourcemaps', 'upload', '--project', 'web', '--release', first, '--wait', './dist'], {
      SENTRY_AUTH_TOKEN: token,
    });
    await check.getByText(/^(\d+) of \1 frames? of the last event resolved$/).waitFor();
    await setup.close();
    await page.getByText(source).first().waitFor();
    await expect.poll(() => page.getByRole('region', { name: 'Minified frames' }).count()).toBe(0);
  });

  test('the frame shows the original, and on request what was sent', async () => {
    await page.reload();
    const frame = page.locator('[data-frame]').filter({ hasText: source });
    await frame.getByText('amountOf').first().waitFor();
    expect(await frame.innerText()).toContain('price.ts:9:');
    await frame.getByText('minified', { exact: true }).click();
    expect(await frame.innerText()).toMatch(/\/assets\/main-\w+\.js:\d+:\d+/);
  });

  test('with a repository, a mapping and commits, the line links to its page and the commit is suspected', async () => {
    await page.goto(`${server.url}/settings/tokens`);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Organisation token').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Nightly');
    expect(await page.getByLabel('Expires').inputValue()).toBe('365');
    await page.getByLabel('Expires').selectOption('On a date');
    const create = page.getByRole('button', { name: 'Create token' });
    await page.getByLabel('Last day').fill('2020-01-01');
    await page.getByLabel('Last day').blur();
    await page.getByText('Choose a future date.').waitFor();
    expect(await create.isDisabled()).toBe(true);
    await look('tokens-kinds');
    await page.getByLabel('Last day').fill('2099-12-31');
    await create.click();
    await page.getByText(/^expires .*2099/).waitFor();
    await look('tokens-made');
    await page.getByRole('link', { name: 'Repositories' }).click();
    await page.getByRole('button', { name: 'Add repository' }).click();
    await page.getByLabel('URL').fill('https://github.com/acme/shop');
    expect(await page.getByLabel('Name').inputValue()).toBe('acme/shop');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('https://github.com/acme/shop').waitFor();
    await server.api(`/organizations/acme/releases/${encodeURIComponent(first)}/`, {
      method: 'PUT',
      body: JSON.stringify({
        dateReleased: new Date().toISOString(),
        commits: [
          {
            id: 'e1db737024b8508388780d8a612d1538e1db7370',
            repository: 'acme/shop',
            message: 'Prices come from the warehouse\n\nSome goods have none yet.',
            author_name: 'Grace Hopper',
            author_email: 'grace@example.com',
            timestamp: new Date(Date.now() - 7_200_000).toISOString(),
            patch_set: [
              { path: 'web/src/price.ts', type: 'M' },
              { path: 'web/src/stock.ts', type: 'A' },
            ],
          },
          {
            id: '0c0ffee024b8508388780d8a612d1538e1db7370',
            repository: 'acme/shop',
            message: 'New colours',
            author_name: 'Ada Lovelace',
            author_email: 'ada@example.com',
            timestamp: new Date(Date.now() - 10_800_000).toISOString(),
            patch_set: [{ path: 'web/src/style.css', type: 'M' }],
          },
        ],
      }),
    });
    await page.getByRole('button', { name: 'Add mapping' }).click();
    await page.getByRole('group', { name: 'Suggestions' }).getByRole('button').first().click();
    await look('repositories');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('web in acme/shop').waitFor();

    await page.goto(`${server.url}/issues/WEB-1`);
    const suspects = page.getByRole('region', { name: 'Suspect commit' });
    await suspects.getByText('Prices come from the warehouse').waitFor();
    expect(await suspects.innerText()).toContain('Grace Hopper');
    const link = page.getByRole('link', { name: /price\.ts:9:\d+ in the repository/ });
    expect(await link.getAttribute('href')).toMatch(
      /^https:\/\/github\.com\/acme\/shop\/blob\/[\w%.-]+\/web\/src\/price\.ts#L9$/,
    );
    await look('issue-suspects');
  });

  test('the page of a release: what it broke, what is in it, where it runs, how its source maps do', async () => {
    await sentryCli(['deploys', 'new', '--release', first, '--env', 'production', '--name', 'blue'], asOwner());
    await page.getByRole('region', { name: 'Statistics' }).getByRole('link', { name: '1.0.0' }).first().click();
    await page.waitForURL(`**/releases/${first}**`);
    await page.getByRole('heading', { level: 1, name: first }).waitFor();
    for (const text of ['WEB-1', 'Prices come from the warehouse', 'blue', 'in use', 'Grace Hopper'])
      await page.getByText(text).first().waitFor();
    const row = page.getByRole('row').filter({ hasText: /main-\w+\.js/ });
    expect(await row.innerText()).toMatch(/Debug ID [0-9a-f-]{36}/);
    expect(Number(await row.getByRole('cell').nth(2).innerText())).toBeGreaterThan(0);
    await look('release');
  });

  test('the next release knows the one before; the list opens by keys', async () => {
    await shop.build({ dsn: server.installed.dsn, release: second });
    await buy();
    await page.locator('body').press('g');
    await page.locator('body').press('r');
    await page.getByRole('link', { name: '1.1.0', exact: true }).waitFor();
    await look('releases');
    await page.locator('body').press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/releases/${second}**`);
    await page.getByRole('navigation', { name: 'Neighbouring releases' }).getByText('1.0.0').waitFor();
    await page.goto(`${server.url}/releases?q=nothing`);
    await page.getByRole('heading', { name: 'No releases match' }).waitFor();
    await page.goto(`${server.url}/releases/shop@9`);
    await page.getByRole('heading', { name: 'Release shop@9 not found' }).waitFor();
  });

  test('a release is archived with a way back, and deleted after a question', async () => {
    await page.goto(`${server.url}/releases/${second}`);
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Release restored').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete release' }).click();
    await page.waitForURL((url) => url.pathname === '/releases');
    await expect.poll(() => page.getByRole('link', { name: '1.1.0', exact: true }).count()).toBe(0);
  });

  test('releases of several packages with one version are told apart, and have neighbours of their own', async () => {
    const long = `shop-web@2026.11.22-nightly.${'4f2c1ab'.repeat(8)}`;
    for (const [age, version] of ['shop-web@1.0.0', 'shop-api@1.0.0', long].toReversed().entries()) {
      await server.api('/organizations/acme/releases/', {
        method: 'POST',
        body: JSON.stringify({
          version,
          projects: ['web'],
          dateReleased: new Date(Date.now() - age * 60_000).toISOString(),
        }),
      });
    }
    await page.goto(`${server.url}/releases`);
    for (const version of ['shop-web@1.0.0', 'shop-api@1.0.0', first])
      await page.getByRole('link', { name: version, exact: true }).waitFor();
    await look('releases-packages');
    await page.goto(`${server.url}/releases/shop-api@1.0.0`);
    await page.getByRole('heading', { level: 1, name: 'shop-api@1.0.0' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Neighbouring releases' }).count()).toBe(0);

    await page.goto(`${server.url}/issues/WEB-1`);
    await page.getByRole('button', { name: 'Resolve in…' }).click();
    await page.getByRole('option').filter({ hasText: 'after shop@1.0.0' }).waitFor();
    for (const version of ['shop-web@1.0.0', 'shop-api@1.0.0'])
      await page
        .getByRole('option')
        .filter({ hasText: `In ${version}` })
        .waitFor();
    await page.keyboard.press('Escape');

    // However long the name of a neighbour is, a phone's page keeps its width.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/releases/shop-web@1.0.0`);
    await page.getByRole('navigation', { name: 'Neighbouring releases' }).getByRole('link').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await look('release-long-neighbour');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the console complained about nothing of its own', () => {
    expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  });
});
