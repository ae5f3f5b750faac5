/** Alert rules in the console: begun from a suggestion, tried before they are saved, fired by real events into a real receiver. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type HttpReceiver, openHttpReceiver } from '../server/src/domains/notify/testing/receiver.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { pastTheBar } from './layout.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let signedIn: ConsolePage;
let page: Page;
let receiver: HttpReceiver;

beforeAll(async () => {
  [receiver, browser] = await Promise.all([openHttpReceiver(), launchChromium()]);
  server = await Server.create({ CULPRIT_OUTBOUND_ALLOW: new URL(receiver.url).host });
  signedIn = await openConsole(server, browser);
  page = signedIn.page;
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}alerts-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

async function send(value: string, agoMs = 0): Promise<void> {
  const event = {
    timestamp: (Date.now() - agoMs) / 1000,
    exception: { values: [{ type: 'TypeError', value, mechanism: { type: 'generic', handled: false } }] },
    fingerprint: [value],
  };
  await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId(), event) });
}

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });
const calls = (text: string): number => receiver.calls.filter(({ body }) => body.includes(text)).length;
const preview = () => page.getByRole('region', { name: 'Preview' });

describe.sequential('alert rules', () => {
  test('without a channel the page says what is missing', async () => {
    for (const { id } of await server.api<{ id: string }[]>('/organizations/acme/alert-rules/'))
      await fetch(`${server.url}/api/0/organizations/acme/alert-rules/${id}/`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${server.installed.token}` },
      });
    // Old enough that nothing tells of them, and young enough for the preview.
    for (const [index, value] of ['basket', 'stock', 'search'].entries()) await send(value, (index + 1) * 3_600_000);
    for (let event = 0; event < 30; event += 1) await send('basket', event * 7_200_000);
    await goWithin(page, `${server.url}/issues`);
    await page.getByRole('heading', { name: 'Issues' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'No alert rules yet' }).waitFor();
    await page.getByText('Alert rules notify no one yet').waitFor();
    await look('alerts-empty');
  });

  test('a suggestion is one click away, and says how often it would have fired', async () => {
    await server.drained();
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    await server.api('/organizations/acme/channels/', {
      method: 'POST',
      body: JSON.stringify({ type: 'webhook', name: 'Hook', config: { url: `${receiver.url}/hook`, secret } }),
    });
    await page.reload();
    await page.getByRole('link', { name: 'Use “New or regressed issues”' }).click();
    await preview().getByText('It would have fired 3 times in the last 7 days').waitFor();
    await preview().getByRole('list', { name: 'Alerts in the last 7 days' }).getByText('basket').waitFor();
    expect(await page.getByRole('checkbox', { name: /^Hook/ }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Send test to Hook' }).click();
    await page.getByText('The test arrived: the receiver responded with 200').waitFor();
    await look('alerts-new');
  });

  test('the preview follows what is written; what is wrong stands at its field', async () => {
    await page.getByRole('combobox', { name: 'Filter' }).fill('basket');
    await page.keyboard.press('Enter');
    await preview().getByText('fired 1 time in').waitFor();
    await page.getByRole('combobox', { name: 'Filter' }).fill('level:(');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByRole('menuitem', { name: 'An issue is frequent' }).click();
    await page.getByLabel('Events').fill('many');
    await page.getByText('Enter a whole number from 1.').waitFor();
    await page.getByRole('button', { name: 'Remove “An issue is frequent”' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('New in the shop');
    // By mistake.
    await page.getByRole('link', { name: 'Releases' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByText('This rule has not fired yet.').waitFor();
    await page.waitForURL(/\/alerts\/\d+/);
  });

  test('an event fires it, the receiver hears it once, the history shows it', async () => {
    await send('payment refused');
    await server.until('it was told', async () => calls('payment refused') > 0);
    await page.reload();
    const firings = page.getByRole('list', { name: 'Alerts', exact: true });
    await firings.getByText('payment refused').waitFor();
    await server.until('the delivery is written down', async () => {
      await page.reload();
      await firings.getByText('Hook').waitFor();
      return (await firings.getByText('Sent', { exact: true }).count()) === 1;
    });
    await send('payment refused');
    await server.drained();
    expect(calls('payment refused')).toBe(1);
    await look('alerts-rule');
  });

  test('the list: state, a week, silence, off and away, each taken back', async () => {
    await goWithin(page, `${server.url}/alerts`);
    const row = page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({ hasText: 'New in the shop' });
    await row.getByText('Fired 1 time in 7 days').waitFor();
    await page.getByRole('button', { name: 'Mute New in the shop' }).click();
    await page.getByRole('group', { name: 'For everyone' }).getByRole('menuitem', { name: '8 hours' }).click();
    await row.getByText('Muted, unmutes').waitFor();
    await send('quiet one');
    await server.until('it is noted', async () => {
      const [rule] = await server.api<{ id: string }[]>('/organizations/acme/alert-rules/');
      const history = await server.api<{ state: string }[]>(`/organizations/acme/alert-rules/${rule?.id}/history/`);
      return history[0]?.state === 'muted';
    });
    expect(calls('quiet one')).toBe(0);
    expect(await pastTheBar(page, 'ul[aria-label="Rules"]')).toBeLessThanOrEqual(1);
    await look('alerts-list');
    await page.getByRole('button', { name: 'Unmute New in the shop' }).click();
    await row.getByText('Muted, unmutes').waitFor({ state: 'detached' });
    await row.getByRole('checkbox').click();
    await row.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('OK', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete New in the shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/alerts\/\d+/);
    await page.goBack();
    await row.waitFor();
  });

  test('a number over the last week, with its thresholds and when it would have fired', async () => {
    await page.keyboard.press('n');
    await page.getByRole('radio', { name: /Metric/ }).check();
    await page.getByLabel('Critical (count)').fill('2');
    await page.getByRole('button', { name: 'View as table' }).click();
    await page.getByRole('columnheader', { name: 'Critical' }).waitFor();
    await page.getByRole('columnheader', { name: 'Fires' }).waitFor();
    await page.getByRole('button', { name: 'View as chart' }).click();
    await page.getByLabel('Warning (count)').fill('5');
    await page.getByRole('textbox', { name: 'Name' }).fill('Too many errors');
    await page.getByRole('button', { name: 'Create rule' }).click();
    // The server's word, at its field.
    await page.getByText('Must be at least the warning threshold.').waitFor();
    await page.getByLabel('Warning (count)').fill('1');
    await preview().getByText('It would have fired').first().waitFor();
    await look('alerts-metric');
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.waitForURL(/\/alerts\/\d+/);
    await server.until('it has fired', async () => calls('Too many errors') > 0);
    await page.reload();
    await page.getByRole('link', { name: 'Explore this time' }).first().waitFor();
    await page.getByText('Critical').first().waitFor();
    expect(calls('Too many errors')).toBe(1);
  });

  test('the console itself complained about nothing but what was refused on purpose', () =>
    expect(signedIn.complaints.filter((one) => !/ 400 /.test(one))).toEqual([]));
});
