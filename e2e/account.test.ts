/** One's own account in the console, and the way back after a forgotten password, with mails that really arrive. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailReceiver, openMailReceiver } from '../server/src/domains/notify/testing/receiver.ts';
import { owner, Server } from '../server/test/harness.ts';
import { join } from '../server/test/attacks/people.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let mail: MailReceiver;
let signedIn: ConsolePage;
let page: Page;

beforeAll(async () => {
  [mail, browser] = await Promise.all([openMailReceiver(), launchChromium()]);
  server = await Server.create({ CULPRIT_SMTP_URL: mail.url, CULPRIT_MAIL_FROM: 'Culprit <culprit@example.com>' });
  await join(server, 'forgetful', 'member');
  signedIn = await openConsole(server, browser);
  page = signedIn.page;
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}account-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

/** The link in the newest mail to somebody that has one to this page. */
async function linkIn(email: string, path: string): Promise<string> {
  const links = () =>
    mail.mails
      .filter(({ recipients }) => recipients.includes(email))
      .flatMap(({ text }) => new RegExp(`${server.url}/${path}#[\\w-]+`).exec(text ?? '')?.[0] ?? []);
  await expect.poll(() => links().length, { timeout: 15_000 }).toBeGreaterThan(0);
  return links().at(-1) ?? '';
}

const region = (name: string) => page.getByRole('region', { name, exact: true });

async function open(): Promise<void> {
  await page.goto(`${server.url}/settings/account`);
  await region('Sessions').getByRole('listitem').first().waitFor();
}

test('name, time zone and theme are the same in every browser', async () => {
  await open();
  await lookAt(page, 'account', { whole: true });
  const profile = region('Profile');
  await profile.getByLabel('Name', { exact: true }).fill('Olga Owner');
  await profile.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await profile.getByLabel('Theme').selectOption('dark');
  await profile.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.getByRole('button', { name: 'Account of Olga Owner' }).waitFor();
  const time = region('Sessions').locator('time').first();
  await expect.poll(() => time.getAttribute('data-tip')).toContain('GMT+9');

  const other = await openConsole(server, browser);
  await other.page.goto(`${server.url}/settings/account`);
  await expect.poll(() => other.page.locator('html').getAttribute('data-theme')).toBe('dark');
  await expect.poll(() => other.page.locator('main time').first().getAttribute('data-tip')).toContain('GMT+9');
  // From the menu, the choice goes to the server, too.
  await other.page.getByRole('button', { name: 'Account of Olga Owner' }).click();
  await other.page.getByRole('button', { name: 'System' }).click();
  await expect
    .poll(async () => (await (await other.page.request.get(`${server.url}/api/0/account/`)).json()).preferences.theme)
    .toBe('system');
  await other.context.close();
});

test('other sessions are signed out one by one, or all', async () => {
  const [one, two] = [await openConsole(server, browser), await openConsole(server, browser)];
  await one.page.goto(`${server.url}/projects`);
  await open();
  const sessions = region('Sessions');
  const before = await sessions.getByRole('listitem').count();
  expect(before).toBeGreaterThanOrEqual(3);
  expect(await sessions.getByText('this one').count()).toBe(1);
  await sessions
    .getByRole('button', { name: /^Sign out (?!others)/ })
    .first()
    .click();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(before - 1);
  await sessions.getByRole('button', { name: 'Sign out others' }).click();
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
  // A page that was open is sent to the sign-in page by what it does next.
  await one.page.goto(`${server.url}/issues`);
  await one.page.waitForURL(/\/sign-in/);
  await Promise.all([one.context.close(), two.context.close()]);
});

test('a new address is confirmed by its link', async () => {
  await open();
  const email = region('Email');
  await email.getByLabel('New email').fill('olga@example.com');
  await email.getByLabel('Current password').fill('not this one');
  await email.getByRole('button', { name: 'Send link' }).click();
  await email.getByText('The password is wrong.').waitFor();
  await email.getByLabel('Current password').fill(owner.password);
  await email.getByRole('button', { name: 'Send link' }).click();
  await email.getByText('A link was sent to olga@example.com.').waitFor();
  await lookAt(page, 'account-pending-email');
  await page.goto(await linkIn('olga@example.com', 'confirm-email'));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('You sign in as olga@example.com now.').waitFor();
  await page.getByRole('link', { name: 'My account' }).click();
  await region('Email').getByText('You sign in as olga@example.com.').waitFor();
});

test('a new password says what has ended, and what has not', async () => {
  const other = await openConsoleAs({ email: 'olga@example.com', password: owner.password });
  await open();
  const password = region('Password');
  await password.getByLabel('Current password').fill(owner.password);
  await password.getByLabel('New password').fill('an entirely new phrase');
  await password.getByRole('button', { name: 'Change password' }).click();
  await password.getByText(/1 session signed out\. 1 API token still works/).waitFor();
  await other.close();
});

test('a forgotten password is reset by mail', async () => {
  const context = await browser.newContext();
  const nobody = await context.newPage();
  await nobody.goto(`${server.url}/sign-in`);
  await nobody.getByRole('link', { name: 'Forgot password?' }).click();
  await nobody.getByRole('heading', { name: 'Reset password' }).waitFor();
  await nobody.getByLabel('Email').fill('forgetful@example.com');
  await nobody.getByRole('button', { name: 'Send link' }).click();
  await nobody.getByText('If an account has the address forgetful@example.com').waitFor();
  await lookAt(nobody, 'forgot-password-sent');
  const link = await linkIn('forgetful@example.com', 'reset-password');
  await nobody.goto(link);
  await nobody.getByLabel('New password').fill('a phrase to remember');
  await nobody.getByRole('button', { name: 'Set password' }).click();
  await nobody.getByText('Sign in as forgetful@example.com').waitFor();
  await nobody.getByRole('link', { name: 'Sign in' }).click();
  await nobody.getByRole('heading', { name: 'Sign in' }).waitFor();
  await nobody.getByLabel('Email').fill('forgetful@example.com');
  await nobody.getByLabel('Password').fill('a phrase to remember');
  await nobody.getByRole('button', { name: 'Sign in' }).click();
  await nobody.getByRole('button', { name: 'Account of forgetful' }).waitFor();
  await nobody.goto('about:blank');
  await nobody.goto(link);
  await nobody.getByLabel('New password').fill('a phrase to remember');
  await nobody.getByRole('button', { name: 'Set password' }).click();
  await nobody.getByRole('link', { name: 'Request a new link' }).waitFor();

  await nobody.goto(`${server.url}/settings/account`);
  await nobody.getByRole('button', { name: 'Delete account' }).click();
  const dialog = nobody.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('a phrase to remember');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await nobody.waitForURL(/\/sign-in/);
  await context.close();
});

test('an owner limits sessions; the last owner’s account stays', async () => {
  await page.goto(`${server.url}/settings/organization`);
  const limits = region('Session limits');
  await limits.getByLabel('Sign out when idle for').selectOption('8 hours');
  await limits.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Session limits saved').waitFor();
  await lookAt(page, 'session-limits');
  await open();
  await region('Sessions').getByText('8 hours without use, no limit after sign-in').waitFor();
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill('an entirely new phrase');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByText('You are the only owner of Acme.').waitFor();
});

async function openConsoleAs(data: { email: string; password: string }) {
  const context = await browser.newContext();
  await context.request.post(`${server.url}/api/auth/sign-in/email`, { data, headers: { origin: server.url } });
  return context;
}
