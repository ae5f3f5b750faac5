/** Single sign-on from the form of the owner to a new member in the console, through a real provider in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { type IdentityProvider, openIdentityProvider } from './identity-provider.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let idp: IdentityProvider;
let signedIn: ConsolePage;
let page: Page;

beforeAll(async () => {
  [idp, browser, server] = await Promise.all([openIdentityProvider(), launchChromium(), Server.create()]);
  signedIn = await openConsole(server, browser);
  page = signedIn.page;
});
afterAll(async () => {
  await browser?.close();
  for (const one of [server, idp]) await one?.[Symbol.asyncDispose]();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const [n, open] of browser
    .contexts()
    .flatMap((context) => context.pages())
    .entries()) {
    console.log(`${task.name}: at ${open.url()}`);
    await open.screenshot({ path: `${screenshots}sso-failure-${n}-${task.id.replaceAll(/\W+/g, '-')}.png` });
  }
});

const region = (name: string) => page.getByRole('region', { name, exact: true });

/** At the sign-in page of a browser that nobody is signed in with. */
async function openSignIn(path = '/sign-in'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const fresh = await context.newPage();
  fresh.setDefaultTimeout(20_000);
  await fresh.goto(`${server.url}${path}`);
  await fresh.getByLabel('Email').waitFor();
  return fresh;
}

/** At the provider, as far as the browser is led. */
async function passProvider(visitor: Page, name: string): Promise<void> {
  await visitor.waitForURL((url) => url.origin === idp.issuer);
  await visitor.locator('input[name=login]').fill(name);
  await visitor.locator('input[name=password]').fill('any');
  await visitor.locator('button[type=submit]').click();
  await visitor.getByRole('button', { name: 'Continue' }).click();
  await visitor.waitForURL((url) => url.origin === server.url);
}

test('an owner adds a provider, which is tried out before it is saved', async () => {
  await page.goto(`${server.url}/settings/sign-in`);
  await page.getByText('No sign-in providers yet').waitFor();
  await lookAt(page, 'sso-none');
  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Acme SSO');
  const redirect = await page.locator('code', { hasText: '/callback' }).textContent();
  idp.knows(redirect ?? '');
  await page.getByLabel('Issuer URL').fill(idp.issuer);
  await page.getByLabel('Client ID').fill(idp.clientId);
  await page.getByLabel('Client secret').fill('wrong');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('does not accept the client ID or secret').waitFor();
  await page.getByLabel('Client secret').fill(idp.clientSecret);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('knows the client ID and secret').waitFor();
  await page.getByLabel('Domains').fill('acme.example');
  await page.getByLabel('Add new people as members').check();
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByLabel('Group 1', { exact: true }).fill('owners');
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('owner');
  await lookAt(page, 'sso-form', { whole: true });
  await page.getByRole('button', { name: 'Add provider' }).click();
  const row = region('Sign-in providers').getByRole('listitem');
  await row.getByText('Acme SSO').waitFor();
  expect(await row.textContent()).toContain('acme.example');
  await row.getByRole('button', { name: 'Test Acme SSO' }).click();
  await row.getByText('knows the client ID and secret').waitFor();
  await lookAt(page, 'sso-list');
  expect(signedIn.complaints).toEqual([]);
});

test('an address leads to the provider of its domain, and on to the page that was asked for', async () => {
  const visitor = await openSignIn('/releases');
  await visitor.getByRole('link', { name: 'Continue with Acme SSO' }).waitFor();
  await lookAt(visitor, 'sso-sign-in');
  await visitor.getByLabel('Email').fill('kim@acme.example');
  await visitor.getByRole('button', { name: 'Continue with Acme SSO' }).waitFor();
  expect(await visitor.getByLabel('Password').count()).toBe(0);
  await lookAt(visitor, 'sso-address');
  await visitor.getByRole('button', { name: 'Use password' }).click();
  await visitor.getByLabel('Password').waitFor();
  await visitor.reload();
  await visitor.getByLabel('Email').fill('kim@acme.example');
  await visitor.getByRole('button', { name: 'Continue with Acme SSO' }).waitFor();
  await visitor.getByLabel('Email').press('Enter');
  await passProvider(visitor, 'kim');
  await visitor.waitForURL(`${server.url}/releases`);
  await visitor.getByRole('heading', { name: 'Releases' }).first().waitFor();
  await page.goto(`${server.url}/settings/members`);
  await page.getByText('kim@acme.example').waitFor();
  await visitor.context().close();
});

test('who is not let in reads why', async () => {
  const visitor = await openSignIn();
  await visitor.getByRole('link', { name: 'Continue with Acme SSO' }).click();
  await passProvider(visitor, 'unverified-lee');
  await visitor.getByRole('alert').filter({ hasText: 'not verified at the provider' }).waitFor();
  await lookAt(visitor, 'sso-refused');
  await visitor.goto(`${server.url}/sign-in?problem=${encodeURIComponent('<b>call 555</b>')}`);
  await visitor.getByRole('alert').filter({ hasText: 'The sign-in failed at the provider' }).waitFor();
  expect(await visitor.locator('body').textContent()).not.toContain('555');
  await visitor.context().close();
});

test('an owner who came in through it requires it, and others are led there', async () => {
  await page.goto(`${server.url}/settings/sign-in`);
  await page.getByLabel('Members sign in through').selectOption({ label: 'Acme SSO' });
  await region('Required provider').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Sign in through Acme SSO first').waitFor();
  const visitor = await openSignIn('/settings/sign-in');
  await visitor.getByRole('link', { name: 'Continue with Acme SSO' }).click();
  await passProvider(visitor, 'olivia');
  await visitor.getByLabel('Members sign in through').selectOption({ label: 'Acme SSO' });
  await visitor.getByRole('region', { name: 'Required provider' }).getByRole('button', { name: 'Save' }).click();
  await visitor.getByText('Requirement saved').waitFor();
  await lookAt(visitor, 'sso-required');
  const refused = await page.request.get(`${server.url}/api/0/organizations/acme/projects/`);
  expect(await refused.json()).toMatchObject({ status: 403, code: 'PROVIDER_REQUIRED' });
  await page.goto(`${server.url}/issues`);
  await page.getByRole('link', { name: 'Continue with Acme SSO' }).waitFor();
  await lookAt(page, 'sso-closed');
  await visitor.getByLabel('Members sign in through').selectOption({ label: 'Any way' });
  await visitor.getByRole('region', { name: 'Required provider' }).getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await page.request.get(`${server.url}/api/0/organizations/acme/projects/`)).status())
    .toBe(200);
  await visitor.context().close();
});

test('a provider that is deleted signs out who came in through it', async () => {
  const visitor = await openSignIn();
  await visitor.getByRole('link', { name: 'Continue with Acme SSO' }).click();
  await passProvider(visitor, 'kim');
  await visitor.getByRole('link', { name: 'Issues' }).first().waitFor();
  await page.goto(`${server.url}/settings/sign-in`);
  await page.getByRole('button', { name: 'Delete Acme SSO' }).click();
  await page.getByRole('button', { name: 'Delete provider' }).click();
  await page.getByText('No sign-in providers yet').waitFor();
  await visitor.goto(`${server.url}/issues`);
  await visitor.waitForURL((url) => url.pathname === '/sign-in');
  expect(await visitor.getByRole('link', { name: /Continue with/ }).count()).toBe(0);
  await visitor.context().close();
});
