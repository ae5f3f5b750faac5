/** How long data is kept is changed in the console: what may delete data is asked about first. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let open: ConsolePage;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  open = await openConsole(server, browser);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function keptLogs(): Promise<number | undefined> {
  const path = `/organizations/${server.installed.organization}/retention/`;
  const { classes } = await server.api<{ classes: { name: string; keptDays: number }[] }>(path);
  return classes.find(({ name }) => name === 'logs')?.keptDays;
}

test('a shorter age is asked about; who cancels keeps what was typed, and nothing is saved', async () => {
  const { page, complaints } = open;
  await page.goto(`${server.url}/settings/retention`);
  const days = page.getByRole('group', { name: 'Logs' }).getByLabel('Days');
  await days.fill('30');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete stored data?' });
  await dialog.getByText('This cannot be undone.').waitFor();
  await lookAt(page, 'retention-ask');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await days.inputValue()).toBe('30');
  expect(await keptLogs()).toBe(90);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Save and delete' }).click();
  await page.getByText('Retention saved').waitFor();
  expect(await keptLogs()).toBe(30);
  expect(complaints).toEqual([]);
});
