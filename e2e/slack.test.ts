/**
 * The Slack app in the console: from the manifest to an app that is connected, a channel of it, a test, and the end. The
 * workspace is the test's own: it answers as Slack's documents say.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  botToken,
  openWorkspace,
  signingSecret,
  type Workspace,
} from '../server/src/domains/slack/testing/workspace.ts';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let workspace: Workspace;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [server, workspace, browser] = await Promise.all([
    Server.create({ CULPRIT_OUTBOUND_ALLOW: '127.0.0.1' }),
    openWorkspace(),
    launchChromium(),
  ]);
  workspace.channels.push(...Array.from({ length: 200 }, (_, n) => ({ id: `C1${n}`, name: `team-${n}` })));
  workspace.channels.push({ id: 'C9', name: 'alerts' });
  workspace.people.set('UOWNER', { email: 'owner@example.com' });
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await workspace?.[Symbol.asyncDispose]();
});

const section = () => page.getByRole('region', { name: 'Slack app' });

describe.sequential('the Slack app', () => {
  test('before it is connected the page leads to it, with the manifest of this installation', async () => {
    await page.goto(`${server.url}/settings/channels`);
    await page.getByText('Not connected.').waitFor();
    await lookAt(page, 'slack-before', { whole: true });
    await page.getByRole('button', { name: 'Connect Slack' }).click();
    await page.getByText('Buttons need https').waitFor();
    const link = new URL(
      (await page.getByRole('link', { name: 'Create the app in Slack' }).getAttribute('href')) ?? '',
    );
    const manifest = JSON.parse(link.searchParams.get('manifest_json') ?? '') as {
      settings: { interactivity: { request_url: string } };
    };
    expect(manifest.settings.interactivity.request_url).toMatch(new RegExp(`^${server.url}/slack/\\w+/actions$`));
    const file = await page.getByRole('link', { name: 'Download the manifest' }).getAttribute('href');
    expect(JSON.parse(decodeURIComponent(file?.split(',', 2)[1] ?? ''))).toEqual(manifest);
    await lookAt(page, 'slack-form', { whole: true });
  });

  test('what is no token of a bot is refused in a sentence', async () => {
    await page.getByLabel('Bot User OAuth Token').fill('xoxp-1');
    await page.getByLabel('Signing Secret', { exact: true }).fill(signingSecret);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('must start with xoxb-').waitFor();
  });

  test('connected, it says to which workspace, and shows no secret', async () => {
    // As an administrator of a proxy to Slack would: the page itself asks for no address.
    await server.api('/organizations/acme/slack/', {
      method: 'PUT',
      body: JSON.stringify({ token: botToken, signingSecret, apiUrl: workspace.apiUrl }),
    });
    await page.goto(`${server.url}/settings/channels`);
    await page.getByText('Acme HQ').waitFor();
    await page.getByText('No button used yet.').waitFor();
    await page.getByRole('button', { name: 'Change secrets' }).click();
    await page.getByLabel('Signing Secret', { exact: true }).fill('a'.repeat(32));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Slack app connected to Acme HQ').first().waitFor();
    expect(await page.content()).not.toContain(botToken);
    await server.api('/organizations/acme/slack/', { method: 'PUT', body: JSON.stringify({ signingSecret }) });
  });

  test('a channel is chosen from the list of the workspace, and tried out', async () => {
    await page.getByRole('button', { name: 'Add Slack channel' }).click();
    await page.getByRole('button', { name: 'Load more channels' }).click();
    await page.getByRole('button', { name: 'Load more channels' }).waitFor({ state: 'detached' });
    await page.getByLabel('Name', { exact: true }).fill('Alerts');
    await page.getByLabel('Slack channel').fill('#alerts');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived').waitFor();
    expect(workspace.posted[0]?.channel).toBe('C9');
    await lookAt(page, 'slack-channel', { whole: true });
    await page.getByRole('button', { name: 'Add channel', exact: true }).click();
    await page.getByRole('list', { name: 'Channels' }).getByText('#alerts').waitFor();
  });

  test('the button of the test answers, and the page says so', async () => {
    const [message] = workspace.posted;
    if (!message) throw new Error('no message');
    const { requestUrl } = await server.api<{ requestUrl: string }>('/organizations/acme/slack/');
    const { headers, body } = workspace.press(message, 'check', 'UOWNER');
    expect((await fetch(requestUrl, { method: 'POST', headers, body })).status).toBe(200);
    await expect.poll(() => workspace.whispered[0]).toContain('owner@example.com');
    await page.reload();
    await page.getByText('Button last used').waitFor();
    await page.getByText('1 channel uses it').waitFor();
    await lookAt(page, 'slack', { whole: true });
  });

  test('it is disconnected', async () => {
    await section().getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('buttons in Slack stop working').waitFor();
    await page.getByRole('button', { name: 'Disconnect', exact: true }).last().click();
    await page.getByText('Not connected.').waitFor();
    // The token that was refused.
    expect(complaints).toEqual([expect.stringContaining('400 (Bad Request)')]);
  });
});
