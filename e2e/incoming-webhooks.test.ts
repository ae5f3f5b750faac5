/** Incoming webhooks in the console: add one, its secret once, what it received. The sender is the test's. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { github, sha, signed, vercel } from '../server/src/web/incoming/testing.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];
let secret = '';
let url = '';

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const rows = () => page.getByRole('list', { name: 'Incoming webhooks' });

async function fillMapping(match: string): Promise<void> {
  const mapping = page.getByRole('group', { name: 'Mapping 1' });
  await mapping.getByLabel('Repository or site').fill(match);
  await mapping.getByRole('checkbox').first().check();
}

describe.sequential('incoming webhooks', () => {
  test('none at first; one is added, and its secret is shown once', async () => {
    await page.goto(`${server.url}/settings/webhooks`);
    await page.getByText('No incoming webhooks yet').waitFor();
    await page.getByRole('button', { name: 'Add incoming webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await fillMapping('acme/shop');
    await lookAt(page, 'incoming-webhooks-form', { whole: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It is not shown again').waitFor();
    await rows().getByText('1 mapping').waitFor();
    await rows().getByText('nothing received yet').waitFor();
    secret = (await page.getByRole('status').locator('code').first().textContent()) ?? '';
    url = (await rows().locator('code').first().textContent()) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
  });

  test('a wrong secret is told with what to do; what comes with the right one is shown with its result', async () => {
    const event = { 'x-github-event': 'push' };
    const send = (key: string, n: number) => {
      const { payload, headers } = signed('github', key, github.push([n]), { ...event, 'x-github-delivery': `d${n}` });
      return fetch(url, { method: 'POST', headers, body: payload });
    };
    expect((await send('another', 1)).status).toBe(401);
    await rows()
      .getByText(/Not accepted/)
      .waitFor();
    expect((await send(secret, 2)).status).toBe(200);
    await rows()
      .getByText(`Created release ${sha(2)}`)
      .waitFor();
    await page.getByRole('button', { name: 'Deliveries to Shop' }).click();
    await page.getByRole('list', { name: 'Received' }).getByText('d2').waitFor();
    await lookAt(page, 'incoming-webhooks', { whole: true });
  });

  test('the secret of Vercel is entered', async () => {
    await page.getByRole('button', { name: 'Add incoming webhook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Site');
    await page.getByLabel('Provider').selectOption('vercel');
    await fillMapping('shop-web');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await rows().getByText('no secret').waitFor();
    await page.getByRole('button', { name: 'Set the secret of Site' }).click();
    await page.getByLabel('Secret', { exact: true }).fill('made by Vercel');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await rows().getByText('no secret').waitFor({ state: 'detached' });
    const site = (await rows().locator('code').nth(1).textContent()) ?? '';
    const { payload, headers } = signed('vercel', 'made by Vercel', vercel(5));
    expect((await fetch(site, { method: 'POST', headers, body: payload })).status).toBe(200);
    await rows()
      .getByText(`Created release ${sha(5)}`)
      .waitFor();
  });

  test('a deleted one is gone', async () => {
    for (const name of ['Shop', 'Site']) {
      await page.getByRole('button', { name: `Delete ${name}` }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).last().click();
      await page.getByRole('button', { name: `Delete ${name}` }).waitFor({ state: 'detached' });
    }
    await page.getByText('No incoming webhooks yet').waitFor();
    expect(complaints).toEqual([]);
  });
});
