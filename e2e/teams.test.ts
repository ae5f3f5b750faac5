/** Teams in the console: an invitation from link to member, teams, rules of ownership that are tried, saved and followed, comments that name people. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
/** What the console itself complained about. */
let complaints: ConsolePage['complaints'];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
  await send('src/payments/pay.ts', 'card refused');
  await send('src/cart/total.ts', 'no price');
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}teams-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

/** An error of one file; resolves when it is stored. */
async function send(file: string, value: string): Promise<void> {
  const frames = [{ filename: file, function: 'run', lineno: 10, colno: 3, in_app: true }];
  const exception = { values: [{ type: 'Error', value, stacktrace: { frames } }] };
  const body = errorEnvelope(newEventId(), { exception });
  const answer = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  expect(answer.status).toBe(200);
  await server.drained();
}

const look = (name: string, of: Page = page): Promise<void> => lookAt(of, name, { whole: true });
const panel = (name: string | RegExp) => page.getByRole('region', { name });
const button = (name: string | RegExp) => page.getByRole('button', { name });

describe.sequential('teams', () => {
  let link = '';

  test('a team is made of a name', async () => {
    await page.goto(`${server.url}/settings/teams`);
    await page.getByText('No teams yet').waitFor();
    await button('New team').click();
    await page.getByLabel('Name', { exact: true }).fill('Payments');
    await page.getByLabel('Web').check();
    await button('Create team').click();
    await page.getByText('#payments').waitFor();
    await button(/^Payments/).click();
    await page.getByRole('list', { name: 'Members of #payments' }).waitFor();
    await look('teams');
  });

  test('somebody is invited by a link that is shown once', async () => {
    await page.goto(`${server.url}/settings/members`);
    await page.getByText('You are the only member').waitFor();
    await button('Invite').click();
    await page.getByLabel('Email').fill('kim.lee@example.com');
    await page.getByRole('radio', { name: /^Admin/ }).check();
    await page.getByLabel('#payments').check();
    await look('invite-form');
    await button('Create link').click();
    link = await page.locator('output code').innerText();
    expect(link).toContain(`${server.url}/invite/`);
    await panel('Invited').getByText('kim.lee@example.com').waitFor();
    await look('members-invited');
  });

  test('who has another address is told whom the link is for', async () => {
    const { context, page: theirs } = await openConsole(server, browser);
    await theirs.goto(link);
    await theirs
      .getByText('The invitation is for kim.lee@example.com, but you are signed in as owner@example.com.')
      .waitFor();
    expect(await theirs.getByRole('button', { name: /^Join/ }).count()).toBe(0);
    await look('invitation-for-other', theirs);
    await theirs.getByRole('button', { name: 'Sign out to join' }).click();
    await theirs.getByRole('button', { name: 'Create account and join' }).waitFor();
    await context.close();
  });

  test('who opens the link makes an account and is in', async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const theirs = await context.newPage();
    await theirs.goto(link);
    await theirs.getByLabel('Name', { exact: true }).fill('Kim Lee');
    await theirs.getByLabel('Password').fill('correct horse battery');
    await look('invitation', theirs);
    await theirs.getByRole('button', { name: 'Create account and join' }).click();
    await theirs.waitForURL(/\/issues/);
    await theirs.getByRole('list', { name: 'Issues' }).waitFor();
    await theirs.goto(link);
    await theirs.getByRole('heading', { name: 'This invitation is not valid' }).waitFor();
    // An admin is not offered to make owners.
    await theirs.goto(`${server.url}/settings/members`);
    await theirs.getByLabel('Role of Kim Lee').waitFor();
    expect(await theirs.getByLabel('Role of Kim Lee').locator('option').allInnerTexts()).toEqual([
      'Admin',
      'Manager',
      'Member',
      'Viewer',
    ]);
    expect(await theirs.getByLabel('Role of owner').count()).toBe(0);
    await context.close();
  });

  test('roles are changed with a way back, and the last owner is told what to do first', async () => {
    await page.goto(`${server.url}/settings/members`);
    await page.getByLabel('Role of Kim Lee').selectOption('member');
    await page.getByText('Kim Lee is now a member').waitFor();
    await button('Undo').click();
    await expect.poll(() => page.getByLabel('Role of Kim Lee').inputValue()).toBe('admin');
    await page.getByLabel('Role of owner').selectOption('member');
    await page.getByText(/is the only owner/).waitFor();
    await look('members');
  });

  test('rules are checked and tried while they are written, and new issues follow them', async () => {
    await page.goto(`${server.url}/projects/web/settings`);
    await panel('Ownership').getByRole('link', { name: 'Rules and CODEOWNERS' }).click();
    const rules = page.getByLabel('Ownership rules', { exact: true });
    await rules.fill('path:src/payments/* #payment');
    await page.getByText('Team #payment not found.').waitFor();
    expect(await button('Save').isDisabled()).toBe(true);
    await rules.fill('# who takes care of what\npath:src/payments/* #payments');
    await page.getByText('With an owner: 1 of 2').waitFor();
    await button('Why WEB-1?').click();
    await panel('Rules that match WEB-1').getByText('matched src/payments/pay.ts').waitFor();
    await look('ownership');
    await button('Save').click();
    await page.getByText('All changes saved').waitFor();
    await send('src/payments/refund.ts', 'refund twice');
    await expect
      .poll(() => server.api('/organizations/acme/issues/WEB-3/'), { timeout: 20_000 })
      .toMatchObject({ assignedTo: { type: 'team', name: 'payments' } });
    // What was there before was nobody's and stays so.
    expect(await server.api('/organizations/acme/issues/WEB-1/')).toMatchObject({ assignedTo: null });
  });

  test('a CODEOWNERS file is taken, and its names are people', async () => {
    await button('Add file').click();
    await page.getByLabel('File', { exact: true }).fill('/src/cart/ @octocat\n');
    await button('Save file').click();
    await page.getByLabel('@octocat').selectOption({ label: 'Kim Lee' });
    await page.getByText('Names in the file:').waitFor();
    await look('codeowners');
    await page.reload();
    await page.getByText('With an owner: 3 of 3').waitFor();
  });

  test('a comment names somebody, is edited, deleted and restored', async () => {
    await page.goto(`${server.url}/issues/WEB-2`);
    await panel('Activity').scrollIntoViewIfNeeded();
    const box = page.getByRole('textbox', { name: 'Comment', exact: true });
    await box.fill('');
    await box.pressSequentially('Look @ki');
    await page.getByRole('option', { name: /@kim.lee/ }).waitFor();
    await box.press('Enter');
    await box.pressSequentially('at **this** <img src=x onerror=alert(1)> [no](javascript:alert(1))');
    await box.press('Control+Enter');
    const comment = page.getByRole('article', { name: /^Comment by/ });
    await comment.getByText('@kim.lee').waitFor();
    expect(await comment.locator('strong', { hasText: 'this' }).count()).toBe(1);
    expect(await comment.locator('img, a').count()).toBe(0);
    await look('comment');
    await comment.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Edit the comment' }).fill('Look again, @kim.lee');
    await page.getByRole('textbox', { name: 'Edit the comment' }).press('Control+Enter');
    await comment.getByText('Look again').waitFor();
    await comment.getByRole('button', { name: 'Delete' }).click();
    await comment.waitFor({ state: 'detached' });
    await button('Undo').click();
    await comment.getByText('Look again').waitFor();
  });

  test('who is removed is gone from the list and from their teams', async () => {
    await page.goto(`${server.url}/settings/members`);
    await button('Remove Kim Lee').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Kim Lee removed').waitFor();
    await expect.poll(() => page.getByText('kim.lee@example.com').count()).toBe(0);
    await page.goto(`${server.url}/issues/WEB-2`);
    await panel('Activity').scrollIntoViewIfNeeded();
    await page.getByRole('article', { name: /^Comment by/ }).waitFor();
  });

  test('the console complains about nothing', () => {
    expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
  });
});
