/** The switches of an organisation in the console: what is off is not offered, and says so to who comes by an old link. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page } = await openConsole(server, browser));
  await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
  await server.drained();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const region = (name: string) => page.getByRole('region', { name, exact: true });

async function open(): Promise<void> {
  await page.goto(`${server.url}/settings/security`);
  await page.getByLabel('IP addresses and networks').waitFor();
}

test('share links that are off are not offered, and an old one says why it does not open', async () => {
  await page.goto(`${server.url}/issues/WEB-1`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Share by link…' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await open();
  await region('Sharing and invitations').getByLabel('Share links').uncheck();
  await region('Sharing and invitations').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Security settings saved').first().waitFor();
  const stranger = await browser.newPage();
  await stranger.goto(link);
  await stranger.getByRole('heading', { name: 'Share links are off' }).waitFor();
  await stranger.close();
  // The link that is there can be revoked; then nothing is offered.
  await page.goto(`${server.url}/issues/WEB-1`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Shared by link…' }).click();
  await page.getByText('Share links are off in this organisation').waitFor();
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await page.getByRole('dialog').getByText('Share links are off in this organisation.', { exact: true }).waitFor();
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /Share/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('a list of addresses without the own one is refused in words, and one with it is kept', async () => {
  await open();
  const addresses = region('Allowed addresses');
  await addresses.getByLabel('IP addresses and networks').fill('203.0.113.0/24');
  await addresses.getByRole('button', { name: 'Save' }).click();
  await addresses.getByText('Your own address, 127.0.0.1, is not in the list.').waitFor();
  await addresses.getByLabel('IP addresses and networks').fill('203.0.113.0/24, 127.0.0.0/8');
  await addresses.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Security settings saved').first().waitFor();
  await open();
  expect(await addresses.getByLabel('IP addresses and networks').inputValue()).toBe('203.0.113.0/24\n127.0.0.0/8');
});

test('a directory gets an address and a token, which is seen once and works until it is deleted', async () => {
  await open();
  const section = region('Provisioning (SCIM)');
  await section.getByRole('button', { name: 'New token' }).click();
  await section.getByLabel('Name').fill('Entra ID');
  await section.getByRole('button', { name: 'Create token' }).click();
  const shown = section.getByRole('status').locator('code');
  const token = (await shown.textContent()) ?? '';
  expect(token).toMatch(/^culprit_scim_/);
  await lookAt(page, 'security', { whole: true });
  const users = () =>
    fetch(`${server.url}/scim/v2/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ userName: `kim${Date.now()}@acme.example`, displayName: 'Kim' }),
    });
  expect((await users()).status).toBe(201);
  await open();
  await section.getByText('1 user, 0 groups').waitFor();
  await section.getByText(`${server.url}/scim/v2`).waitFor();
  expect(await page.getByText(token).count()).toBe(0);
  await section.getByRole('button', { name: 'Delete Entra ID' }).click();
  await page.getByRole('button', { name: 'Delete token' }).click();
  await page.getByText('Token deleted').first().waitFor();
  expect((await users()).status).toBe(401);
});
