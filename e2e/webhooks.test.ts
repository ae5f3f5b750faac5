/** Webhooks in the console: add one, its secret once, a test, what was sent, and sending it again. The receiver is the test's. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpReceiver, openHttpReceiver } from '../server/src/domains/notify/testing/receiver.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let receiver: HttpReceiver;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [server, receiver, browser] = await Promise.all([
    Server.create({ CULPRIT_OUTBOUND_ALLOW: '127.0.0.1' }),
    openHttpReceiver(),
    launchChromium(),
  ]);
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

describe.sequential('webhooks', () => {
  test('none at first; one is added, and its secret is shown once', async () => {
    await page.goto(`${server.url}/settings/webhooks`);
    await page.getByText('No webhooks yet').waitFor();
    await lookAt(page, 'webhooks-empty');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Our service');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('New release').check();
    await lookAt(page, 'webhooks-form', { whole: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Webhook created').first().waitFor();
    await page.getByText(/whsec_/).waitFor();
    await page.getByRole('list', { name: 'Webhooks' }).getByText('5 events').waitFor();
  });

  test('a test says what the receiver answered', async () => {
    await page.getByRole('button', { name: 'Test Our service' }).click();
    await page.getByText('The test arrived. Response: 200.').waitFor();
    expect(receiver.calls[0]?.headers['sentry-hook-resource']).toBe('installation');
  });

  test('what was sent is listed with its request, and sent again', async () => {
    receiver.answer = () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: 'Moved' });
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
    await page.getByRole('button', { name: 'Deliveries to Our service' }).click();
    const log = page.getByRole('list', { name: 'Deliveries', exact: true });
    await log.getByText('failed').first().waitFor({ timeout: 60_000 });
    await page.getByText(/Failing since/).waitFor();
    await log.getByRole('button', { name: /New issue/ }).click();
    await log.getByText('Moved').waitFor();
    await log.getByText('installation', { exact: true }).waitFor();
    expect(await page.getByText('[object').count()).toBe(0);
    await lookAt(page, 'webhooks', { whole: true });
    receiver.answer = () => ({ status: 200 });
    await log.getByRole('button', { name: 'Send again' }).click();
    await log.getByText('sent', { exact: true }).waitFor({ timeout: 60_000 });
  });

  test('a new secret is shown, and a deleted webhook is gone', async () => {
    const secret = page.getByText(/whsec_/);
    const before = await secret.textContent();
    await page.getByRole('button', { name: 'Create a new secret of Our service' }).click();
    await expect.poll(() => secret.textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Delete Our service' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
    await page.getByText('No webhooks yet').waitFor();
    expect(complaints).toEqual([]);
  });
});
