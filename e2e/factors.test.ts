/** Second factors and passkeys in the console: with codes of another party, and with Chromium's virtual authenticator. */
import { Secret, TOTP } from 'otpauth';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { join } from '../server/test/attacks/people.ts';
import { culprit, owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
/** Where passkeys work: an address of numbers has none. */
let url: string;
/** The last step of which a code was used. */
let usedStep = 0;

beforeAll(async () => {
  browser = await launchChromium();
  server = await Server.create({ CULPRIT_URL: '' }, { clock: true });
  url = `http://localhost:${server.port}`;
  await join(server, 'mia', 'member');
  page = await newPage();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}factors-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const made = await context.newPage();
  made.setDefaultTimeout(20_000);
  return made;
}

const mia = { email: 'mia@example.com', password: 'a long enough phrase of mia' };
const region = (name: string, on = page) => on.getByRole('region', { name, exact: true });

async function enterPassword(on: Page, { email, password }: typeof mia): Promise<void> {
  await on.goto(`${url}/sign-in?next=%2Fsettings%2Faccount`);
  await on.getByLabel('Email').fill(email);
  await on.getByLabel('Password').fill(password);
  await on.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(on: Page): Promise<void> {
  await on.context().clearCookies();
}

/** A code that was not used yet. */
async function codeOf(secret: string): Promise<string> {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  if (Math.floor(server.now() / 30_000) <= usedStep) await server.moveClock(30_000);
  usedStep = Math.floor(server.now() / 30_000);
  return totp.generate({ timestamp: server.now() });
}

let secret = '';
let recoveryCodes: string[] = [];

async function setUpApp(on: Page, password: string): Promise<void> {
  const section = region('Two-factor authentication', on);
  await section.getByRole('button', { name: 'Set up' }).click();
  await section.getByLabel('Current password').fill(password);
  await section.getByRole('button', { name: 'Continue' }).click();
  await section.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  secret = (await section.locator('code').first().textContent()) ?? '';
  const address = new URL((await section.getByRole('link', { name: 'Open in an app' }).getAttribute('href')) ?? '');
  expect(address.searchParams.get('secret')).toBe(secret);
}

async function confirmApp(on: Page): Promise<void> {
  const section = region('Two-factor authentication', on);
  await section.getByRole('textbox', { name: 'Code' }).fill(await codeOf(secret));
  await section.getByRole('button', { name: 'Turn on' }).click();
  const codes = section.getByRole('group', { name: 'Recovery codes' });
  await codes.waitFor();
  recoveryCodes = await codes.locator('code').allTextContents();
  expect(recoveryCodes).toHaveLength(10);
}

test('an app is set up in My account, and then sign-in asks for its code', async () => {
  await enterPassword(page, mia);
  await region('Two-factor authentication').getByRole('button', { name: 'Set up' }).waitFor();
  await setUpApp(page, mia.password);
  await lookAt(page, 'two-factor-set-up', { whole: true });
  const section = region('Two-factor authentication');
  await section.getByRole('textbox', { name: 'Code' }).fill('000000');
  await section.getByRole('button', { name: 'Turn on' }).click();
  await section.getByText('The code is wrong').waitFor();
  await confirmApp(page);
  await lookAt(page, 'two-factor-codes', { whole: true });
  const download = page.waitForEvent('download');
  await section.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('culprit-recovery-codes.txt');
  await section.getByRole('button', { name: 'I saved these codes' }).click();
  await section.getByText('10 recovery codes are left').waitFor();
  await lookAt(page, 'two-factor-on', { whole: true });

  await signOut(page);
  await enterPassword(page, mia);
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  await lookAt(page, 'sign-in-code');
  const code = page.getByLabel('Code');
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
  expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
  await code.fill('000000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The code is wrong').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Password').fill(mia.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code').fill(await codeOf(secret));
  await page.getByRole('button', { name: 'Verify' }).click();
  await region('Two-factor authentication').getByText('10 recovery codes are left').waitFor();

  await signOut(page);
  await enterPassword(page, mia);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await lookAt(page, 'sign-in-recovery-code');
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Verify' }).click();
  await region('Two-factor authentication').getByText('9 recovery codes are left').waitFor();
});

test('new codes and turning off ask for a code', async () => {
  const section = region('Two-factor authentication');
  await section.getByRole('button', { name: 'New recovery codes' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Code or recovery code').fill(recoveryCodes[1] ?? '');
  await dialog.getByRole('button', { name: 'Create codes' }).click();
  await section.getByRole('group', { name: 'Recovery codes' }).waitFor();
  recoveryCodes = await section.getByRole('group', { name: 'Recovery codes' }).locator('code').allTextContents();
  await section.getByRole('button', { name: 'I saved these codes' }).click();
  await section.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Code or recovery code').fill('wrong-wrong');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByText('The code is wrong').waitFor();
  await lookAt(page, 'two-factor-off');
  await dialog.getByLabel('Code or recovery code').fill(recoveryCodes[0] ?? '');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await section.getByRole('button', { name: 'Set up' }).waitFor();
});

async function addAuthenticator(
  on: Page,
  isUserVerified = true,
): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await on.context().newCDPSession(on);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

test('a passkey is added, renamed, signs in by itself, and can be the only way in', async () => {
  const { cdp, authenticatorId } = await addAuthenticator(page);
  const section = region('Passkeys');
  await section.getByRole('button', { name: 'Add passkey' }).click();
  const form = section.locator('form');
  await form.getByLabel('Name').fill('Laptop');
  await form.getByLabel('Current password').fill(mia.password);
  await lookAt(page, 'passkey-add', { whole: true });
  await form.getByRole('button', { name: 'Add passkey' }).click();
  await section.getByRole('listitem').filter({ hasText: 'Laptop' }).waitFor();
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true }]);
  await section.getByRole('button', { name: 'Rename Laptop' }).click();
  await section.getByLabel('Name').fill('Work laptop');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('never used').waitFor();
  await lookAt(page, 'passkeys', { whole: true });

  // Where the browser offers passkeys in the field, this authenticator takes the offer at once.
  await signOut(page);
  await page.goto(`${url}/sign-in?next=%2Fsettings%2Faccount`);
  await section.getByRole('listitem').filter({ hasText: 'Work laptop' }).getByText(/^used/).waitFor();

  await signOut(page);
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
  await page.goto(`${url}/sign-in?next=%2Fsettings%2Faccount`);
  await lookAt(page, 'sign-in-passkey');
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await section.getByRole('listitem').filter({ hasText: 'Work laptop' }).getByText(/^used/).waitFor();

  await region('Password').getByRole('button', { name: 'Delete password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(mia.password);
  await dialog.getByRole('button', { name: 'Delete password' }).click();
  await region('Password').getByText('You have no password').waitFor();
  await lookAt(page, 'account-without-password', { whole: true });
  await section.getByRole('button', { name: 'Delete Work laptop' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText('This is your only way to sign in').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await region('Password').getByLabel('New password').fill(mia.password);
  await region('Password').getByRole('button', { name: 'Set password' }).click();
  await region('Password').getByRole('button', { name: 'Change password' }).waitFor();
  await section.getByRole('button', { name: 'Delete Work laptop' }).click();
  await dialog.getByLabel('Current password').fill(mia.password);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await section.getByText('No passkeys').waitFor();
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
});

test('an authenticator that does not verify who holds it is refused', async () => {
  const { cdp, authenticatorId } = await addAuthenticator(page, false);
  const section = region('Passkeys');
  await section.getByRole('button', { name: 'Add passkey' }).first().click();
  const form = section.locator('form');
  await form.getByLabel('Current password').fill(mia.password);
  await form.getByRole('button', { name: 'Add passkey' }).click();
  await form.getByText(/created no passkey|was not accepted/).waitFor();
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
});

test('at an address of numbers it is said where passkeys work', async () => {
  const other = await newPage();
  await other.context().request.post(`${server.url}/api/auth/sign-in/email`, {
    data: mia,
    headers: { origin: server.url },
  });
  await other.goto(`${server.url}/settings/account`);
  await region('Passkeys', other).getByText(`Passkeys work at ${url} only`).waitFor();
  await other.context().close();
});

test('an organisation that requires a factor is closed until one is set up, without a new sign-in', async () => {
  const boss = await newPage();
  await enterPassword(boss, owner);
  await region('Two-factor authentication', boss).waitFor();
  await boss.goto(`${url}/settings/sign-in`);
  await region('Second factor', boss).getByText('Your session has not shown a second factor').waitFor();
  await lookAt(boss, 'second-factor-demand', { whole: true });
  await boss.goto(`${url}/settings/account`);
  await setUpApp(boss, owner.password);
  await confirmApp(boss);
  await region('Two-factor authentication', boss).getByRole('button', { name: 'I saved these codes' }).click();
  await page.goto(`${url}/issues`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await boss.goto(`${url}/settings/sign-in`);
  const demand = region('Second factor', boss);
  await demand.getByLabel('Require a second factor').check();
  await demand.getByText('1 member has none yet').waitFor();
  await demand.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await boss.request.get(`${url}/api/0/organizations/acme/sign-in-policy/`)).json())
    .toMatchObject({ requireSecondFactor: true });
  await lookAt(boss, 'second-factor-required', { whole: true });

  await page.goto(`${url}/issues`);
  await page.getByText('Acme requires a second factor').waitFor();
  await lookAt(page, 'closed-set-up', { whole: true });
  await setUpApp(page, mia.password);
  await confirmApp(page);
  await lookAt(page, 'closed-codes', { whole: true });
  await page.getByRole('button', { name: 'I saved these codes' }).click();
  await page.getByRole('link', { name: 'Acme', exact: false }).first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/');

  // Whose session has not shown the app they have, shows it on that page.
  await using state = await server.state();
  await state.db.updateTable('session').set({ secondFactor: false }).execute();
  await page.goto(`${url}/issues`);
  await page.getByRole('heading', { name: 'Acme requires a second factor' }).waitFor();
  await lookAt(page, 'closed-verify', { whole: true });
  await page.getByLabel('Code or recovery code').fill(await codeOf(secret));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByRole('link', { name: 'Acme', exact: false }).first().waitFor();
  await boss.context().close();
});

test('a link of the host lets an owner in, who sets a new password', async () => {
  const made = await culprit(['user', 'recovery', '--email', owner.email, '--json'], server.environment);
  const { link } = JSON.parse(made.stdout) as { link: string };
  const lost = await newPage();
  await lost.goto(link);
  await lost.getByRole('heading', { name: 'Recover your account' }).waitFor();
  await lookAt(lost, 'recover');
  await lost.getByLabel('New password').fill('a phrase after the recovery');
  await lost.getByRole('button', { name: 'Set password and sign in' }).click();
  await region('Two-factor authentication', lost).getByText('recovery codes are left').waitFor();
  await lost.goto(`${url}/recover#${link.split('#')[1]}`);
  await lost.reload();
  await lost.getByLabel('New password').fill('a phrase after the recovery');
  await lost.getByRole('button', { name: 'Set password and sign in' }).click();
  await lost.getByText('This link does not work').waitFor();
  await lookAt(lost, 'recover-gone');
});
