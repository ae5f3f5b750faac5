/**
 * The Playwright tests of briefs, on bugs of six kinds: a visitor with the official SDK comes upon each, and the test that
 * its brief has fails on that page, and passes on the repaired one.
 */
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripTypeScriptTypes } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lasting } from '../server/src/base/testing.ts';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';

let server: Server;
let browser: Browser;
const servers: HttpServer[] = [];

const here = fileURLToPath(new URL('.', import.meta.url));

async function listen(httpServer: HttpServer): Promise<string> {
  httpServer.listen(0, '127.0.0.1');
  await once(httpServer, 'listening');
  servers.push(httpServer);
  return `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`;
}

/** The shop: broken as its visitors found it, or repaired. */
async function openShop(isFixed: boolean, widget: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./apps/bugs-page.tsx', import.meta.url))],
    alias: { sdk: '@sentry/browser' },
    define: {
      DSN: JSON.stringify(server.installed.dsn),
      RELEASE: JSON.stringify('shop@1.0.0'),
      FIXED: String(isFixed),
      'process.env.NODE_ENV': '"production"',
      'process.env.WIDGET': JSON.stringify(widget),
    },
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    write: false,
    logLevel: 'silent',
    absWorkingDir: here,
  });
  const script = outputFiles[0]?.contents ?? new Uint8Array();
  const slow = new AbortController();
  const shop = createServer((request, response) => {
    const { url = '' } = request;
    if (url === '/app.js') response.setHeader('content-type', 'text/javascript').end(script);
    else if (url === '/api/prices') response.writeHead(500).end();
    else if (url === '/api/slow') {
      void wait(1_500, undefined, { signal: slow.signal }).then(
        () => response.setHeader('content-type', 'application/json').end('{"total":3}'),
        () => response.destroy(),
      );
    } else
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><html lang="en"><title>Shop</title><body><script src="/app.js"></script></body></html>');
  });
  shop.once('close', () => slow.abort());
  return listen(shop);
}

let broken: string;
let repaired: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  const others = createServer((_request, response) =>
    response.setHeader('content-type', 'text/javascript').end('globalThis.widget = {}'),
  );
  const widget = `${await listen(others)}/widget.js`;
  [broken, repaired] = await Promise.all([openShop(false, widget), openShop(true, widget)]);
});
afterAll(async () => {
  await browser?.close();
  for (const one of servers) {
    one.closeAllConnections();
    one.close();
  }
  await server?.[Symbol.asyncDispose]();
});

/** Runs the text as Playwright's runner would. */
async function run(source: string, base: string): Promise<unknown> {
  const code = stripTypeScriptTypes(source).replace(/^import .*$/m, '');
  type Body = (fixtures: { page: Page }) => Promise<void>;
  const tests: Body[] = [];
  const collect = (_name: string, body: Body): void => void tests.push(body);
  // The text is what is tested; it came from the server that this test started.
  new Function('test', 'expect', 'process', code)(collect, expect, { env: { BASE_URL: base } });
  const page = await browser.newPage();
  try {
    for (const body of tests) await body({ page });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await page.close();
  }
}

const visits: readonly (readonly [bug: string, act: (page: Page) => Promise<void>])[] = [
  [
    'form',
    async (page) => {
      await page.getByLabel('Phone').pressSequentially('+1');
      await page.getByRole('button').click();
    },
  ],
  ['network', (page) => page.getByRole('button').click()],
  ['navigation', (page) => page.getByRole('link').click()],
  [
    'race',
    async (page) => {
      await page.getByText('Load').click();
      await page.getByText('Show').click();
    },
  ],
  ['hydration', async () => {}],
  ['third', (page) => page.getByRole('button').click()],
];

/** What differs between the others is the text of the test, which is tested where it is written (`domains/brief`). */
const each = lasting(
  visits.filter(([bug]) => bug === 'form' || bug === 'hydration'),
  visits,
);

describe.sequential('a bug of the kind', () => {
  test.each(each)('%s: its test fails, and passes once it is repaired', async (bug, act) => {
    const visitor = await browser.newPage();
    await visitor.goto(`${broken}/${bug}`);
    const told = visitor.waitForRequest(
      (request) => request.url().includes('/envelope/') && (request.postData() ?? '').includes('"exception"'),
    );
    if (bug !== 'hydration') {
      await visitor.waitForLoadState('networkidle');
      await act(visitor);
      await told;
    } else void told.catch(() => undefined);
    const shortId = await server.until(`the issue of ${bug}`, async () => {
      const [issue] = await server.api<{ shortId: string }[]>(`/organizations/acme/issues/?query=bug:${bug}`);
      return issue?.shortId;
    });
    await visitor.close();

    const { reproduce } = await server.api<{ reproduce: { playwright: string | null; missing: unknown } }>(
      `/organizations/acme/issues/${shortId}/brief/`,
    );
    expect(reproduce.playwright, JSON.stringify(reproduce.missing)).not.toBeNull();
    const source = reproduce.playwright ?? '';
    const failure = await run(source, broken);
    expect([source, String(failure)]).toEqual([source, expect.stringContaining('to deeply equal []')]);
    expect([source, await run(source, repaired)]).toEqual([source, undefined]);
  });
});

test('one key copies the brief of an issue', async () => {
  const { context, page, complaints } = await openConsole(server, browser);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [issue] = await server.api<{ shortId: string }[]>('/organizations/acme/issues/?query=bug:form');
  await page.goto(`${server.url}/issues/${issue?.shortId}`);
  await page.getByRole('button', { name: 'More actions' }).waitFor();
  // What the page shows of the event is what the key needs of it.
  await page.getByText('Breadcrumbs').first().waitFor();
  await page.keyboard.press('Shift+C');
  await page.getByText('Brief copied').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(new RegExp(`^# ${issue?.shortId}: \`TypeError`));
  expect(copied).toContain('## What would prove a fix');
  expect(complaints).toEqual([]);
  await context.close();
});
