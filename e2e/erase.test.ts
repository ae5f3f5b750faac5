/** A person is found, exported and erased in the console; a project is held, and released. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];
const email = 'ada.zquill@mail.example';

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
  for (const user of [{ email }, { email }, { email: 'bob@mail.example' }])
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId(), { user }) });
  await server.drained();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const saved = async (name: string): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
  return readFile(await download.path(), 'utf8');
};

describe.sequential('erase', () => {
  test('a project is held with its reason, and released', async () => {
    await page.goto(`${server.url}/settings/erase`);
    await page.getByText('No requests yet').waitFor();
    await page.getByRole('button', { name: 'Hold a project' }).click();
    await page.getByLabel('Project', { exact: true }).selectOption(server.installed.project);
    await page.getByLabel('Reason').fill('case 12');
    await page.getByRole('button', { name: 'Hold a project' }).click();
    const holds = page.getByRole('list', { name: 'Projects on hold' });
    await holds.getByText('case 12').waitFor();
    await page.getByRole('button', { name: `Release ${server.installed.project}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByText('No project is on hold.').waitFor();
  });

  test('a person is found, exported, and erased once one of the values is typed', async () => {
    await page.getByRole('button', { name: 'Search', exact: true }).first().click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Reference').fill('ticket 7');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const found = page.getByLabel('Found for ticket 7');
    await found.getByText('Events', { exact: true }).waitFor();
    await lookAt(page, 'erase-found', { whole: true });

    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const lines = (await saved('Download export')).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines.join()).not.toContain('bob@');

    await page.getByRole('button', { name: 'Erase…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('One of the values you searched for').fill('ada');
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await dialog.getByText(/not one of the values/).waitFor();
    await dialog.getByLabel('One of the values you searched for').fill(email);
    await dialog.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByRole('button', { name: 'Certificate of ticket 7' }).click({ timeout: 60_000 });
    await page.getByText('Removed: Events', { exact: true }).waitFor();
    await lookAt(page, 'erase-certificate', { whole: true });
    const certificate = JSON.parse(await saved('Download certificate')) as { foundAfter: number };
    expect(certificate).toMatchObject({ reference: 'ticket 7', foundAfter: 0 });
    expect(JSON.stringify(certificate)).not.toContain(email);
    // The refused confirmation is one of what the browser says.
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  });
});
