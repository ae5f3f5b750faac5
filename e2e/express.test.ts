/** The Express example before a real Culprit: what it shows and what its event says is the same number. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ExampleProcess, startExample } from './example-process.ts';
import { eventById } from './failure-events.ts';

let server: Server;
let browser: Browser;
let app: ExampleProcess;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  app = await startExample('express-api', ['--import', './instrument.ts', 'server.ts'], {
    DSN: server.installed.dsn,
    RELEASE: 'express@1',
  });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

test('a page that the server fails: the exact text, and the digest of the event', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(app.url);
  const [response] = await Promise.all([page.waitForResponse('**/orders/2'), page.goto(`${app.url}/orders/2`)]);
  const digest = await response.headerValue('x-error-digest');
  expect(response.status()).toBe(500);
  expect(digest).toMatch(/^\d+$/);
  const alert = page.getByRole('alert');
  expect(await alert.innerText()).toBe(
    'Application error: a server-side exception has occurred while loading 127.0.0.1 (see the server logs for more information).' +
      `\n\nDigest: ${digest}`,
  );
  await page.screenshot({ path: 'e2e/screenshots/express-390.png' });
  const eventId = await page.locator('code').innerText();
  const event = await eventById(server, eventId);
  expect(event.tags).toMatchObject({ digest, release: 'express@1' });
  expect(event.title).toContain('TypeError');
  expect(app.output()).toContain(`${digest} TypeError`);
  await page.close();
});

test('a request of a program: the digest in header, body, log and event', async () => {
  const response = await fetch(`${app.url}/api/orders/2`, { headers: { accept: 'application/json' } });
  const body = (await response.json()) as { digest: string; eventId: string };
  expect(response.status).toBe(500);
  expect(response.headers.get('x-error-digest')).toBe(body.digest);
  expect((await eventById(server, body.eventId)).tags.digest).toBe(body.digest);
  expect(app.output()).toContain(body.digest);
});

test('what is the fault of the client stays its fault', async () => {
  const response = await fetch(`${app.url}/api/orders`, {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect([response.status, response.headers.get('x-error-digest')]).toEqual([400, null]);
});
