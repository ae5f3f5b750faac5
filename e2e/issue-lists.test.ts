/** Events and users of an issue as lists: who is affected, in one click, and from there to what they saw. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

const eventCount = 64;
const now = Date.now();
/** The first has half of the events; of the last nothing but an address is known. */
const userOf = (index: number): object | undefined =>
  index % 2 === 0
    ? { id: '1', email: 'ada@shop.example.com' }
    : index % 16 === 1
      ? { ip_address: '203.0.113.9' }
      : index % 16 === 3
        ? undefined
        : { id: String(index % 16), username: `guest ${index % 16}` };

let server: Server;
let browser: Browser;
let page: Page;
let complaints: ConsolePage['complaints'];
const ids: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  for (let index = 0; index < eventCount; index += 1) ids.push(await send('getPrice', index, userOf(index)));
  await send('getTotal', 0, undefined);
  await server.drained();
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** Event `index` of a function's issue, a minute older for each. */
async function send(functionName: string, index: number, user: object | undefined): Promise<string> {
  const id = newEventId();
  const frames = [{ filename: '/app/src/cart.js', function: functionName, lineno: 10, colno: 3, in_app: true }];
  const body = errorEnvelope(id, {
    timestamp: (now - index * 60_000) / 1000,
    transaction: 'GET /cart',
    release: index < 32 ? 'shop@2.0.0' : 'shop@1.9.0',
    environment: 'production',
    exception: { values: [{ type: 'TypeError', value: `no price in ${functionName}`, stacktrace: { frames } }] },
    ...(user && { user }),
  });
  const answer = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  expect(answer.status).toBe(200);
  return id;
}

const rows = () => page.locator('tbody tr');
const firstCells = (): Promise<string[]> => page.locator('tbody tr > :first-child').allInnerTexts();
const short = (index: number): string => (ids[index] ?? '').slice(0, 8);

describe.sequential('lists of an issue', () => {
  test('from its number to every event, page by page, and back to the one that was read', async () => {
    await goWithin(page, `${server.url}/issues/WEB-1`);
    await page.getByRole('link', { name: 'All events' }).click();
    await expect.poll(() => rows().count()).toBe(50);
    expect((await firstCells()).slice(0, 2)).toEqual([short(0), short(1)]);
    const tabs = page.getByRole('navigation', { name: 'Views of this issue' });
    expect(await tabs.locator('[aria-current]').allInnerTexts()).toEqual(['All events']);
    await lookAt(page, 'issue-events');
    await page.getByRole('link', { name: 'Next' }).click();
    await expect.poll(() => rows().count()).toBe(14);
    await page.getByRole('link', { name: 'Previous' }).click();
    await expect.poll(() => rows().count()).toBe(50);
    await page.getByRole('link', { name: 'Time' }).click();
    await expect.poll(async () => (await firstCells())[0]).toBe(short(eventCount - 1));
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('2 of 64').waitFor();
    expect(page.url()).toContain(`event=${ids[eventCount - 2] ?? ''}`);
    await page.goBack();
    await expect.poll(() => rows().count()).toBe(50);
    await page
      .getByRole('navigation', { name: 'Views of this issue' })
      .getByRole('link', { name: 'Event', exact: true })
      .click();
    await page.getByRole('region', { name: 'Event', exact: true }).waitFor();
  });

  test('who is affected: most events first, each leads to what they saw', async () => {
    await goWithin(page, `${server.url}/issues/WEB-1`);
    await page.getByRole('link', { name: 'All affected users' }).click();
    await page.getByText('8 users').waitFor();
    await expect.poll(async () => (await firstCells())[0]).toContain('ada@shop.example.com');
    expect(await rows().first().innerText()).toMatch(/32\s+53\s?%/);
    expect((await firstCells()).join('\n')).toContain('203.0.113.9');
    await lookAt(page, 'issue-users');
    await page.getByRole('link', { name: 'First seen' }).click();
    await expect.poll(async () => (await firstCells()).at(0)).toContain('203.0.113.9');
    await page.getByRole('link', { name: 'guest 15', exact: true }).click();
    await expect.poll(() => rows().count()).toBe(4);
    await page.getByRole('button', { name: /^Remove user:/ }).waitFor();
    await rows().first().getByRole('link').click();
    await page.getByText(/of 4$/).waitFor();
  });

  test('where no event has a user, it says what to do', async () => {
    await goWithin(page, `${server.url}/issues/WEB-2?list=users`);
    await page.getByRole('heading', { name: 'No event of this issue has a user' }).waitFor();
    await goWithin(page, `${server.url}/issues/WEB-2?list=events&q=release:none`);
    await page.getByRole('heading', { name: 'No event of this issue matches the filter' }).waitFor();
    await page.getByRole('button', { name: 'Remove release:none' }).click();
    await expect.poll(() => rows().count()).toBe(1);
  });

  test('the console had nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
