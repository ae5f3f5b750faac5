/** What rules changed in an event is marked at the value, wherever the issue page shows it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let open: ConsolePage;

const rules = {
  rules: {
    customer: { type: 'pattern', pattern: 'C-[0-9]+', redaction: { method: 'replace', text: '[customer]' } },
    coupon: { type: 'anything', redaction: { method: 'remove' } },
  },
  applications: { $string: ['customer'], '**.coupon': ['coupon'] },
};

const event = (id: string) => ({
  event_id: id,
  timestamp: Date.now() / 1000,
  platform: 'python',
  level: 'error',
  tags: { plan: 'pro', customer: 'C-1204' },
  exception: {
    values: [
      { type: 'KeyError', value: 'no price of C-7' },
      {
        type: 'ValueError',
        value: 'cannot charge C-1204',
        stacktrace: {
          frames: [
            {
              filename: 'shop/pay.py',
              function: 'charge',
              lineno: 12,
              in_app: true,
              context_line: 'raise ValueError(customer)',
              vars: { customer: 'C-1204', amount: 3, order: { coupon: 'SPRING', of: 'C-9' } },
            },
          ],
        },
      },
    ],
  },
  request: {
    url: 'https://shop.example/pay/C-1204',
    method: 'POST',
    query_string: [['ref', 'C-5']],
    headers: [
      ['X-Customer', 'C-1204'],
      ['Accept', '*/*'],
    ],
    cookies: [['last', 'C-3']],
    data: { items: 2, coupon: 'SPRING', owner: { name: 'C-1204' } },
  },
  breadcrumbs: {
    values: [{ timestamp: Date.now() / 1000 - 3, category: 'pay', message: 'card of C-1204', data: { to: 'C-2' } }],
  },
  user: { id: '9', username: 'C-1204', data: { tier: 'C-8' } },
  contexts: { cart: { owner: 'C-1204', size: 3 } },
  extra: { note: 'C-1204', coupon: 'SPRING' },
});

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  const { organization, project, dsn } = server.installed;
  await server.api(`/projects/${organization}/${project}/scrubbing/`, {
    method: 'PUT',
    body: JSON.stringify({ rules: JSON.stringify(rules) }),
  });
  const id = newEventId();
  const body = [{ event_id: id, dsn }, { type: 'event' }, event(id)].map((line) => JSON.stringify(line)).join('\n');
  open = await openConsole(server, browser);
  expect((await fetch(envelopeUrl(dsn), { method: 'POST', body })).status).toBe(200);
  await server.drained();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

test('the message, variables, the request, breadcrumbs, tags, the user, contexts and extra say which rule changed them', async () => {
  const { page, complaints } = open;
  await page.goto(`${server.url}/issues?status=all`);
  await page
    .getByRole('link', { name: /ValueError/ })
    .first()
    .click();
  const replaced = /Replaced by rule “customer” of project/;
  const markIn = (place: ReturnType<typeof page.getByRole>) => place.getByRole('button', { name: replaced });
  const stacks = page.getByRole('region', { name: 'Stack trace' });
  // Of the error and of its cause, and of what a call had.
  await expect.poll(() => markIn(stacks).count()).toBeGreaterThanOrEqual(3);
  await markIn(page.getByLabel('Local variables').first()).first().waitFor();
  for (const name of ['Request', 'Breadcrumbs', 'Tags of this event', 'User', 'Contexts', 'Additional data']) {
    const panel = page.getByRole('region', { name }).first();
    await panel.scrollIntoViewIfNeeded();
    expect(await markIn(panel).count(), name).toBeGreaterThan(0);
  }
  const request = page.getByRole('region', { name: 'Request' });
  expect(await request.getByRole('button', { name: /Removed by rule “coupon”/ }).count()).toBeGreaterThan(0);
  await lookAt(page, 'scrub-marks', { whole: true });
  expect(complaints).toEqual([]);
});

test('a long value breaks in the preview of rules, and no column is out of sight', async () => {
  const { page, complaints } = open;
  const { organization, project, dsn } = server.installed;
  const id = newEventId();
  const long = { ...event(id), extra: { blob: 'x1'.repeat(500), cart: { of: { a: { long: { place: 'x' } } } } } };
  const body = [{ event_id: id, dsn }, { type: 'event' }, long].map((line) => JSON.stringify(line)).join('\n');
  expect((await fetch(envelopeUrl(dsn), { method: 'POST', body })).status).toBe(200);
  await server.drained();
  await server.api(`/projects/${organization}/${project}/scrubbing/`, {
    method: 'PUT',
    body: JSON.stringify({ rules: '{"applications": {"extra.**": ["@anything:mask"]}}' }),
  });
  await page.goto(`${server.url}/projects/${project}/settings#scrubbing`);
  const section = page.getByRole('region', { name: 'Scrubbing rules' });
  await section.getByRole('button', { name: 'Preview' }).click();
  const table = section.getByRole('table').first();
  await table.getByText(/^(x1)+…?$/).waitFor();
  await table.scrollIntoViewIfNeeded();
  await lookAt(page, 'scrub-preview');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const spare = () => table.evaluate((one) => (one.parentElement?.clientWidth ?? 0) - one.scrollWidth);
    await expect.poll(spare, { message: `at ${width}` }).toBeGreaterThanOrEqual(0);
  }
  expect(complaints).toEqual([]);
});
