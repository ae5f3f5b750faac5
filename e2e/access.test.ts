/** Roles and organisations in the console: what a viewer is offered, access by team, and going from one organisation to another. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endurance, envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
let owner: BrowserContext;
let viewer: Page;
/** Answers of 401 and 403 to the viewer's console, with what asked for them. */
const refused: string[] = [];

const call = async <T>(method: 'post' | 'put' | 'get', path: string, data: object = {}): Promise<T> => {
  const options = method === 'get' ? {} : { data };
  const answer = await owner.request[method](`${server.url}/api/0${path}`, {
    ...options,
    headers: { origin: server.url },
  });
  expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
};

async function join(email: string, role: string): Promise<Page> {
  const { inviteLink } = await call<{ inviteLink: string }>('post', '/organizations/acme/members/', { email, role });
  const token = inviteLink.slice(inviteLink.lastIndexOf('/') + 1);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const joined = await context.request.post(`${server.url}/api/0/invitations/${token}/`, {
    data: { password: 'correct horse battery' },
    headers: { origin: server.url },
  });
  expect(joined.ok(), await joined.text()).toBe(true);
  const theirs = await context.newPage();
  theirs.setDefaultTimeout(20_000);
  return theirs;
}

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, context: owner } = await openConsole(server, browser));
  for (const value of ['no price', 'no cart']) {
    const frames = [{ filename: `src/${value}.ts`, function: 'run', lineno: 10, colno: 3, in_app: true }];
    const exception = { values: [{ type: 'Error', value, stacktrace: { frames } }] };
    await fetch(envelopeUrl(server.installed.dsn), {
      method: 'POST',
      body: errorEnvelope(newEventId(), { exception, release: 'shop@1' }),
    });
  }
  await server.drained();
  await call('post', '/organizations/acme/alert-rules/', {
    kind: 'issue',
    name: 'New issues',
    conditions: [{ type: 'new_issue' }],
  });
  await call('post', '/organizations/acme/teams/', { name: 'Web', projects: ['web'] });
  const repository = { name: 'acme/web', provider: 'github', url: 'https://github.com/acme/web' };
  await call('post', '/organizations/acme/repos/', repository);
  viewer = await join('vera@example.com', 'viewer');
  viewer.on('response', (answer) => {
    if (answer.status() === 403 || answer.status() === 401) {
      refused.push(`${answer.request().method()} ${answer.url()} at ${viewer.url()}`);
    }
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const pages = [
  '/',
  '/issues',
  '/issues/WEB-1',
  '/alerts',
  '/alerts/1',
  '/feedback',
  '/find',
  '/releases',
  '/releases/shop@1',
  '/releases/compare',
  '/projects',
  '/projects/web/setup',
  '/projects/web/settings',
  '/projects/web/settings/grouping',
  '/projects/web/settings/ownership',
  '/settings/tokens',
  '/settings/members',
  '/settings/teams',
  '/settings/organization',
  '/settings/repositories',
  '/settings/quotas',
  '/settings/webhooks',
  '/settings/channels',
  '/settings/notifications',
  '/health',
  '/traces',
  '/explore',
  '/performance',
  '/performance/vitals',
];

/** Those with the most to press; `npm run endurance` presses it all. */
const pressed = endurance ? pages : pages.filter((path) => /^\/(issues|explore)$|WEB-1$|web\/settings$/.test(path));

/** Their own things are theirs to change; these lead away, or would end the session. */
const leftOut = /^(Sign out|Leave|Leave the organisation|Delete .*|Account of .*)$/;

const visit = async (path: string): Promise<void> => {
  await viewer.goto(`${server.url}${path}`);
  await viewer.waitForLoadState('networkidle');
};

test("a viewer's console offers nothing that would be refused: every button is pressed", async () => {
  let presses = 0;
  for (const path of pressed) {
    await visit(path);
    const buttons = viewer.locator('main button:enabled:visible, main [role=menuitem]:visible');
    const names = await buttons.evaluateAll((all) =>
      all.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
    );
    for (const [index, name] of names.entries()) {
      if (leftOut.test(name.trim())) continue;
      const button = buttons.nth(index);
      // What was pressed before may have taken it away.
      if ((await button.count()) === 0 || !(await button.isVisible()) || !(await button.isEnabled())) continue;
      await button.click({ timeout: 2000 }).catch(() => undefined);
      presses++;
      // What a menu offers is pressed as well.
      const items = viewer.locator('[role=menuitem]:visible');
      for (const item of (await items.all()).slice(0, 12)) {
        await item.click({ timeout: 500 }).catch(() => undefined);
        presses++;
        if (!(await item.isVisible().catch(() => false))) break;
      }
      // Where nothing is open, Escape leads from an issue back to the list, later than the next page is asked for.
      const open = viewer.locator('[role=dialog]:visible, [role=menu]:visible, [role=listbox]:visible');
      if (!path.startsWith('/issues/') || (await open.count()) > 0) await viewer.keyboard.press('Escape');
      if (!viewer.url().startsWith(`${server.url}${path}`)) await visit(path);
    }
    await viewer.waitForLoadState('networkidle');
  }
  expect(refused).toEqual([]);
  expect(presses).toBeGreaterThan(endurance ? 60 : 20);
});

test('keys of triage do nothing for a viewer, and an issue is read without its actions', async () => {
  await visit('/issues');
  await viewer.getByRole('list', { name: 'Issues' }).waitFor();
  for (const key of ['j', 'x', 'e', 'a', 'b', 'm']) await viewer.keyboard.press(key);
  await visit('/issues/WEB-1');
  for (const name of ['Resolve', 'Archive', 'Comment']) {
    expect(await viewer.getByRole('button', { name, exact: true }).count(), name).toBe(0);
  }
  for (const key of ['e', 'a', 'b']) await viewer.keyboard.press(key);
  await viewer.waitForLoadState('networkidle');
  expect(refused).toEqual([]);
  await lookAt(viewer, 'viewer-issue');
  await visit('/projects/web/settings');
  expect(await viewer.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await lookAt(viewer, 'viewer-project-settings');
});

test('an admin lets members see the projects of their teams only', async () => {
  await page.goto(`${server.url}/settings/organization`);
  await lookAt(page, 'organization');
  await page.getByRole('radio', { name: /^The projects of their teams/ }).check();
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('Organisation saved').waitFor();
  await visit('/projects');
  expect(await viewer.getByText('Web', { exact: true }).count()).toBe(0);
  await visit('/issues/WEB-1');
  await viewer
    .getByText(/not found/i)
    .first()
    .waitFor();
  await visit('/settings/organization');
  await viewer.getByText('Only admins and owners can change this.').waitFor();
  await lookAt(viewer, 'organization-viewer');
  expect(refused).toEqual([]);
});

test('who set up the installation makes a second organisation and goes from one to the other', async () => {
  await page.goto(`${server.url}/settings/organization`);
  await page.getByRole('button', { name: 'New organisation' }).click();
  await page.getByLabel('Name of the new organisation').fill('Second');
  await lookAt(page, 'organization-new');
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await page
    .getByRole('link', { name: /Second/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Acme' }).waitFor();
  await lookAt(page, 'account-organizations');
  await page.getByRole('button', { name: 'Acme' }).click();
  await page.getByRole('link', { name: /Acme/ }).first().waitFor();
  await page.goto(`${server.url}/issues/WEB-1`);
  await page.getByRole('heading', { name: /Error/ }).first().waitFor();
  // As mails link to it.
  await page.goto(`${server.url}/issues?org=second`);
  await page
    .getByRole('link', { name: /Second/ })
    .first()
    .waitFor();
  expect(page.url()).toBe(`${server.url}/issues`);
  await page.goto(`${server.url}/issues/WEB-1?org=acme`);
  await page.getByRole('heading', { name: /Error/ }).first().waitFor();
});
