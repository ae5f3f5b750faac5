/** The audit log in the console: what it shows, how it is narrowed, and that who may not read it is led nowhere. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { culprit, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let signedIn: ConsolePage;
let page: Page;
const org = '/organizations/acme';

const call = (method: string, path: string, body?: object): Promise<unknown> =>
  server.api(path, { method, ...(body && { body: JSON.stringify(body) }) });

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  signedIn = await openConsole(server, browser);
  page = signedIn.page;
  await call('POST', `${org}/teams/`, { name: 'Payments' });
  await call('PUT', '/projects/acme/web/', { name: 'Web shop', settings: { scrubData: false } });
  await call('POST', `${org}/channels/`, {
    type: 'slack',
    name: 'Ops',
    config: { url: 'https://hooks.slack.com/services/T0/B0/abcdefgh' },
  });
  const created = await culprit(['project', 'create', 'From the host'], server.environment);
  expect(created.code).toBe(0);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  await page.screenshot({ path: `${screenshots}audit-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const entries = () => page.getByRole('table', { name: 'Audit log' }).locator('button[aria-expanded]');

describe.sequential('the audit log', () => {
  test('lists who did what, from where and when, the newest first', async () => {
    await page.goto(`${server.url}/settings/tokens`);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('button', { name: 'Created the project from-the-host' }).waitFor();
    await page.getByText('on the host').first().waitFor();
    await page.getByRole('button', { name: 'Created the team Payments' }).waitFor();
    await lookAt(page, 'audit-log', { whole: true });
  });

  test('an entry unfolds to all that it says', async () => {
    await page.getByRole('button', { name: 'Changed the settings of web' }).press('Enter');
    await page.getByText('true → false').waitFor();
    await page.getByText('Web → Web shop').waitFor();
    await lookAt(page, 'audit-log-entry', { whole: true });
  });

  test('filters are in the address, and an entry leads to those like it', async () => {
    await page.getByRole('button', { name: 'Entries about this target' }).click();
    await page.getByRole('button', { name: /^Remove the filter for project:/ }).waitFor();
    await expect.poll(() => entries().count()).toBe(1);
    await page.getByRole('button', { name: /^Remove the filter for/ }).click();
    await page.getByLabel('Action').selectOption('Teams');
    await page.getByRole('button', { name: 'Created the team Payments' }).waitFor();
    await expect.poll(() => entries().count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?action=team');
    await page.reload();
    await page.getByRole('button', { name: 'Created the team Payments' }).waitFor();
    await page.getByLabel('Address').fill('192.0.2.1');
    await page.getByLabel('Address').press('Enter');
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    await lookAt(page, 'audit-log-no-match');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Created the team Payments' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('what is found is exported', async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^audit-log-acme-.*\.csv$/);
    await page.keyboard.press('Escape');
  });

  test('owners say how long it is kept and where it is sent', async () => {
    await page.getByLabel('Keep entries for (days)').fill('7');
    await page.getByLabel('Webhook (optional)').click();
    await page.getByLabel('Keep entries for (days)').fill('400');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    await page.getByRole('button', { name: 'Changed the settings of the audit log' }).waitFor();
    await lookAt(page, 'audit-log-settings', { whole: true });
  });

  test('it verifies while the server runs', async () => {
    const { code, stdout } = await culprit(['audit', 'verify'], server.environment);
    expect(stdout).toMatch(/^acme: \d+ entries verified \(1–\d+\)/);
    expect(code).toBe(0);
  });

  test('members are led nowhere', async () => {
    await culprit(
      ['user', 'create', '--email', 'm@example.com', '--password-stdin'],
      server.environment,
      'a long enough phrase',
    );
    const context = await browser.newContext();
    await context.request.post(`${server.url}/api/auth/sign-in/email`, {
      data: { email: 'm@example.com', password: 'a long enough phrase' },
      headers: { origin: server.url },
    });
    const other = await context.newPage();
    await other.goto(`${server.url}/settings/members`);
    await other.getByRole('link', { name: 'Teams' }).waitFor();
    expect(await other.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await other.goto(`${server.url}/settings/audit-log`);
    await other.getByText('The audit log could not be loaded').waitFor();
    await context.close();
  });
});
