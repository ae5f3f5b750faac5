/** The API explorer: an operation is found, read, tried with a session and with a token, and copied as code that runs. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const part = (name: string) => page.getByRole('region', { name, exact: true });
const open = (operation: string) => page.goto(`${server.url}/settings/api-explorer?operation=${operation}`);

describe.sequential('API explorer', () => {
  test('is reached from the tokens, and narrows by words and by area', async () => {
    await page.goto(`${server.url}/settings/tokens`);
    await page.getByRole('link', { name: 'API explorer' }).click();
    const list = page.getByRole('navigation', { name: 'Operations' });
    await list.waitFor();
    expect(await list.getByRole('link').count()).toBeGreaterThan(300);
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('api-tokens');
    await expect.poll(() => list.getByRole('link').count()).toBe(3);
    await page.getByRole('combobox', { name: 'Area' }).selectOption('Alerts');
    await page.getByText('No operation matches').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect.poll(() => list.getByRole('link').count()).toBeGreaterThan(300);
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('listProjects');
    await list.getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('article').waitFor();
    expect(new URL(page.url()).searchParams.get('operation')).toBe('listProjects');
  });

  test('a read is sent with the session', async () => {
    await open('listProjects');
    await page.getByRole('article').getByText('project:read').first().waitFor();
    await part('Example response').getByText('"slug"').first().waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const response = part('Response');
    await response.getByText(/^200/).first().waitFor();
    await response.getByText(server.installed.project).first().waitFor();
    await response.getByText('Headers').click();
    await response.getByText('content-type', { exact: true }).waitFor();
    await lookAt(page, 'api-explorer');
  });

  test('a write is asked about first, and does what it says', async () => {
    await open('createTeam');
    const body = page.getByRole('textbox', { name: 'Request body' });
    await body.fill('{');
    await page.getByText(/^Not valid JSON/).waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await body.fill('{"name": "Explorers"}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const teams = async () => {
      const response = await server.api(`/organizations/${server.installed.organization}/teams/`);
      return JSON.stringify(response);
    };
    await page.getByRole('dialog').waitFor();
    await lookAt(page, 'api-explorer-write');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await teams()).not.toContain('Explorers');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Send it' }).click();
    await part('Response').getByText(/^201/).first().waitFor();
    expect(await teams()).toContain('Explorers');
  });

  test('with a token it is the token that is let in or not', async () => {
    await open('getOrganization');
    await page.getByRole('button', { name: 'A token' }).click();
    await page.getByLabel('API token', { exact: true }).fill('not a token');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await part('Response').getByText(/^401/).first().waitFor();
    await page.getByLabel('API token', { exact: true }).fill(server.installed.token);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await part('Response').getByText(/^200/).first().waitFor();
    await page.locator('nav a[href*="operation=listProjects"]').first().click();
    await page.waitForURL(/operation=listProjects/);
    await page.getByRole('article').getByText('/projects/').first().waitFor();
    expect(await page.getByLabel('API token', { exact: true }).inputValue()).toBe(server.installed.token);
  });

  test('a way up is no name: the request goes where it says', async () => {
    await open('listProjects');
    await page.getByLabel('org', { exact: true }).fill('..');
    await page.getByText('Fill in org.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });

  test('the command that is copied runs as it stands', async () => {
    await open('listProjects');
    const command = await part('Code').locator('pre').innerText();
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -s`], {
      env: { ...process.env, CULPRIT_TOKEN: server.installed.token },
    });
    expect(stdout).toContain(`"${server.installed.project}"`);
    await page.getByRole('button', { name: '@culprit/client' }).click();
    await part('Code').getByText("culprit.GET('/api/0/organizations/{org}/projects/'").waitFor();
  });

  test('on a phone the operation takes the place of the list, and leads back', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('createTeam');
    await page.getByRole('article').waitFor();
    expect(await page.getByRole('navigation', { name: 'Operations' }).isVisible()).toBe(false);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole('link', { name: 'All operations' }).click();
    await page.getByRole('navigation', { name: 'Operations' }).waitFor();
  });

  test('one that is not there says so', async () => {
    await open('nothing');
    await page.getByText('There is no such operation').waitFor();
    // The refused token is the browser's complaint, not the page's.
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([]);
  });
});
