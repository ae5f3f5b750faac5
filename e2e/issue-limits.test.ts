/** Limits of issues in a real browser: set, changed, removed and taken back on the page of an issue. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: ConsolePage['complaints'];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  const body = errorEnvelope(newEventId());
  expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
  await server.drained();
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

test('how many events of an issue are stored is limited, changed, and taken back', async () => {
  const { organization } = server.installed;
  const issues = `/organizations/${organization}/issues/`;
  const [{ shortId = '', id = '' } = {}] = await server.api<{ shortId: string; id: string }[]>(issues);
  await goWithin(page, `${server.url}/issues/${shortId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Limit stored events…' }).click();
  const dialog = page.getByRole('dialog', { name: `Limit stored events of ${shortId}` });
  await dialog.getByLabel('Store at most').fill('0');
  await page.keyboard.press('Tab');
  await dialog.getByLabel('Per').selectOption('minute');
  await dialog.getByText('A whole number from 1 to 100,000').waitFor();
  await dialog.getByLabel('Store at most').fill('12');
  await lookAt(page, 'issue-limit');
  await dialog.getByRole('button', { name: 'Set limit' }).click();
  await page.getByText(`${shortId} limited to 12 events per minute`).waitFor();
  await page.getByText('At most 12 events are stored per minute.').waitFor();
  const activity = page.getByRole('region', { name: 'Activity' });
  await activity.getByText('Limited to 12 stored events per minute').waitFor();

  await page.getByRole('button', { name: 'Change limit…' }).click();
  await dialog.getByLabel('Per').selectOption('hour');
  await dialog.getByRole('button', { name: 'Set limit' }).click();
  await page.getByText('At most 12 events are stored per hour.').waitFor();
  await page.getByRole('button', { name: 'Change limit…' }).click();
  await dialog.getByRole('button', { name: 'Remove limit' }).click();
  await page.getByText(`${shortId} is not limited anymore`).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('At most 12 events are stored per hour.').waitFor();
  const { eventLimit } = await server.api<{ eventLimit: unknown }>(`${issues}${id}/`);
  expect(eventLimit).toEqual({ events: 12, per: 'hour' });
  expect(complaints).toEqual([]);
});
