/** How long data is kept is changed in the console: what may delete data is asked about first. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testLogRow } from '../server/src/ports/events/test-rows.ts';
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

test('a project chooses a policy, and is asked before that deletes anything', async () => {
  const { page, complaints } = open;
  const { organization, project } = server.installed;
  const { id, name } = await server.api<{ id: string; name: string }>(`/projects/${organization}/${project}/`);
  {
    await using events = await server.events();
    const timestamp = (Date.now() - 25 * 86_400_000) * 1_000;
    await events.insert('logs', [testLogRow({ project_id: Number(id), timestamp })], 'an old log');
  }
  const policies = page.getByRole('region', { name: 'Policies' });
  await policies.getByLabel('Name').first().fill('Short');
  await policies.getByLabel('Days').first().fill('7');
  await policies.getByRole('button', { name: 'Save policies' }).click();
  const own = page.getByRole('region', { name: 'By project' });
  await own.getByLabel('Project').selectOption({ label: name });
  await own.getByLabel('Logs').selectOption('Short');
  await own.getByText(/^Logs: this deletes 1 rows?/).waitFor();
  await lookAt(page, 'retention-policies', { whole: true });
  await own.getByRole('button', { name: 'Save choice' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete stored data?' });
  await dialog.getByText(/^Logs: this deletes 1 rows?/).waitFor();
  await dialog.getByRole('button', { name: 'Save and delete' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { classes } = await server.api<{ classes: object[] }>(`/projects/${organization}/${project}/retention/`);
  expect(classes).toContainEqual({ name: 'logs', policy: 'Short', keptDays: 7 });
  await server.until(
    'the old log is gone',
    async () => {
      await using events = await server.events();
      return (await events.query<{ n: number }>('SELECT count() AS n FROM logs'))[0]?.n === 0;
    },
    120_000,
  );
  expect(complaints).toEqual([]);
});
