/** Passwords and sessions in a real browser: fields that managers can fill, and what is kept of a person who left. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { owner, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create({}, { init: false }), launchChromium()]);
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** Pastes into the field of the password, once it hides what it holds and says what it is for. */
async function paste(on: Page, password: string, purpose: 'new-password' | 'current-password'): Promise<void> {
  const field = on.getByLabel('Password');
  await field.waitFor();
  expect(await field.getAttribute('type')).toBe('password');
  expect(await field.getAttribute('autocomplete')).toBe(purpose);
  await on.evaluate((text) => navigator.clipboard.writeText(text), password);
  await field.focus();
  await on.keyboard.press('ControlOrMeta+V');
  expect(await field.inputValue()).toBe(password);
}

/** Names and values of all that scripts can read of what the browser keeps. */
const kept = (): Promise<string> =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));

test('a password can be pasted where one is chosen, and is hidden', async () => {
  const [link = ''] = /http:\S+\/setup#\S+/.exec(server.output) ?? [];
  await page.goto(link);
  await page.getByLabel('Email').fill(owner.email);
  await paste(page, owner.password, 'new-password');
  await page.getByLabel('Organisation').fill('Acme');
  await page.getByLabel('First project').fill('Web');
  await page.getByRole('button', { name: 'Create account and project' }).click();
  await page.waitForURL('**/projects/web/setup');

  const inviteLink = await page.evaluate(async () => {
    const answer = await fetch('/api/0/organizations/acme/members/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'kim@example.com', role: 'member' }),
    });
    return ((await answer.json()) as { inviteLink: string }).inviteLink;
  });
  await using theirs = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  const invited = await theirs.newPage();
  await invited.goto(inviteLink);
  await paste(invited, 'a long walk by the sea', 'new-password');
});

test('each page has a way out, after which the browser keeps nothing of the person', async () => {
  await page.goto(`${server.url}/settings/members`);
  await page.getByText('kim@example.com').waitFor();
  const before = await kept();
  for (const secret of [owner.email, owner.password, 'kim@example.com', 'session_token']) {
    expect(before).not.toContain(secret);
  }
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in**');
  await page.getByLabel('Email').waitFor();
  expect(await page.content()).not.toMatch(/kim@example\.com|owner@example\.com/);
  expect((await context.cookies()).filter(({ name }) => name.includes('session'))).toEqual([]);
  await page.goBack();
  await page.waitForURL('**/sign-in**');
  await page.getByLabel('Email').waitFor();
  expect(await page.content()).not.toMatch(/kim@example\.com|owner@example\.com/);
  expect(await kept()).not.toContain(owner.email);
});

test('a password can be pasted to sign in, and is hidden', async () => {
  await page.getByLabel('Email').fill(owner.email);
  await paste(page, owner.password, 'current-password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
});
