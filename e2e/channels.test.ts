/** Channels and personal notifications in the console, with receivers that really receive. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { enqueue, type Notification } from '../server/src/domains/notify/index.ts';
import {
  type HttpReceiver,
  type MailReceiver,
  openHttpReceiver,
  openMailReceiver,
} from '../server/src/domains/notify/testing/receiver.ts';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';

let server: Server;
let browser: Browser;
let signedIn: ConsolePage;
let page: Page;
let receiver: HttpReceiver;
let mail: MailReceiver;

beforeAll(async () => {
  [receiver, mail, browser] = await Promise.all([openHttpReceiver(), openMailReceiver(), launchChromium()]);
  server = await Server.create({
    CULPRIT_SMTP_URL: mail.url,
    CULPRIT_MAIL_FROM: 'Culprit <culprit@example.com>',
    CULPRIT_OUTBOUND_ALLOW: new URL(receiver.url).host,
  });
  signedIn = await openConsole(server, browser);
  page = signedIn.page;
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
  await mail?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}channels-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

/** As a rule or a person would, past the console. */
async function tell(key: string, to: 'channel' | 'owner' | number, title: string): Promise<void> {
  await using state = await server.state();
  const { id: organizationId } = await state.db.selectFrom('organization').select('id').executeTakeFirstOrThrow();
  const { id: first } = await state.db.selectFrom('channel').select('id').executeTakeFirstOrThrow();
  const channelId = typeof to === 'number' ? to : first;
  const { id: userId } = await state.db.selectFrom('user').select('id').executeTakeFirstOrThrow();
  const notification: Notification = {
    kind: 'issue_alert',
    severity: 'critical',
    title,
    text: '',
    url: `${server.url}/issues`,
    fields: [],
    groupKey: key,
  };
  await state.transaction((trx) =>
    enqueue(trx, { key, organizationId, notification, to: to === 'owner' ? { userId } : { channelId } }),
  );
}

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });

describe.sequential('channels', () => {
  test('before the first one the page says what they are for', async () => {
    await page.goto(`${server.url}/settings/channels`);
    await page.getByRole('heading', { name: 'No channels yet' }).waitFor();
    await look('channels-empty');
  });

  test('one that leads inside is refused, and says who could allow it', async () => {
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByLabel('Type').selectOption('discord');
    await page.getByLabel('Webhook URL').fill('http://2130706433/hook');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test did not arrive: 127.0.0.1 is not a public address').waitFor();
    await page.getByText('CULPRIT_OUTBOUND_ALLOW').first().waitFor();
  });

  test('one is tried out before it is saved, and shows the words of the receiver', async () => {
    await page.getByLabel('Type').selectOption('webhook');
    await page.getByLabel('Name').fill('Deploy bot');
    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    receiver.answer = () => ({ status: 403, body: 'who are you?' });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test did not arrive: the receiver responded with 403').waitFor();
    await page.getByText('who are you?').waitFor();
    await look('channels-form');
    receiver.answer = () => ({ status: 200, body: 'welcome' });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived: the receiver responded with 200').waitFor();
    expect(receiver.calls.at(-1)?.headers['webhook-signature']).toMatch(/^v1,/);
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('list', { name: 'Channels' }).getByText('Deploy bot').waitFor();
    await page.getByRole('button', { name: 'Test Deploy bot' }).click();
    await page.getByText('welcome').waitFor();
  });

  test('what went out stands in the log, and is sent once more', async () => {
    await tell('alert:1', 'channel', 'Checkout is failing');
    await server.until('it was received', () =>
      receiver.calls.some(({ body }) => body.includes('Checkout is failing')),
    );
    await page.reload();
    const log = page.getByRole('list', { name: 'Deliveries' });
    await log.getByText('Checkout is failing').click();
    await log.getByText('responded with 200 in').waitFor();
    await log.getByRole('button', { name: 'Send again' }).click();
    const got = (): number => receiver.calls.filter(({ body }) => body.includes('Checkout is failing')).length;
    await server.until('it was received again', () => got() === 2);
    await look('channels-log');
  });

  test('one that refuses is said to be broken, and keeps its secret when it is edited', async () => {
    receiver.answer = () => ({ status: 410, body: 'gone' });
    await tell('alert:2', 'channel', 'Nobody hears this');
    await server.until('it was refused', () => receiver.calls.at(-1)?.body.includes('Nobody hears this') ?? false);
    await server.until('it is written down', async () => {
      const [one] = await server.api<{ health: string }[]>('/organizations/acme/channels/');
      return one?.health === 'broken';
    });
    await page.reload();
    await page.getByText('Broken', { exact: true }).waitFor();
    await page.getByText('the receiver responded with 410').first().waitFor();
    await look('channels-broken');
    await page.getByRole('button', { name: 'Edit Deploy bot' }).click();
    await page.getByText('Leave empty to keep').waitFor();
    await page.getByLabel('Name').fill('Robot');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit Robot' }).waitFor();
    receiver.answer = () => ({ status: 200, body: 'ok' });
    await page.getByRole('button', { name: 'Test Robot' }).click();
    await page.getByText('The test arrived').waitFor();
    const shown = JSON.stringify(await server.api('/organizations/acme/channels/'));
    expect(shown).not.toMatch(/whsec_\w/);
  });

  test('people choose what they hear of, and get it as mail', async () => {
    await page.goto(`${server.url}/settings/notifications`);
    await page.getByLabel('Comments').selectOption('none');
    await page.getByLabel('Quiet hours').check();
    await page.getByLabel('Until').fill('06:30');
    await page.getByRole('button', { name: 'Sat' }).click();
    await look('notifications');
    await page.getByLabel('Quiet hours').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();
    await page.reload();
    await page.getByLabel('Comments').waitFor();
    expect(await page.getByLabel('Comments').inputValue()).toBe('none');
    await tell('alert:3', 'owner', 'You have mail');
    await server.until('the mail was received', () => mail.mails.length === 1);
    expect(mail.mails[0]).toMatchObject({
      subject: 'Critical: You have mail',
      from: { address: 'culprit@example.com' },
    });
    expect(mail.mails[0]?.html).not.toContain('<img');
  });

  test('an address that left a mail channel is shown, and comes back by itself', async () => {
    const config = { to: ['owner@example.com', 'team@example.com'] };
    const channel = await server.api<{ id: string }>('/organizations/acme/channels/', {
      method: 'POST',
      body: JSON.stringify({ type: 'email', name: 'By mail', config }),
    });
    await tell('alert:4', Number(channel.id), 'For two');
    await server.until('both mails', () => mail.mails.length === 3);
    const found = mail.mails.findLast(({ recipients }) => recipients[0] === 'owner@example.com');
    const link = found?.headers.find(({ key }) => key === 'list-unsubscribe')?.value.slice(1, -1) ?? '';
    await page.goto(link);
    await lookAt(page, 'unsubscribe');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    await page.goto(`${server.url}/settings/channels`);
    await page.getByText('Unsubscribed: owner@example.com').waitFor();
    await look('channels-unsubscribed');
    await page.getByRole('button', { name: 'Subscribe again' }).click();
    await page.getByText('Unsubscribed: owner@example.com').waitFor({ state: 'detached' });
  });

  test('the console itself complained about nothing', () => expect(signedIn.complaints).toEqual([]));
});
