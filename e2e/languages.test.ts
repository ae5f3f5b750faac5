/**
 * The issue page of what SDKs of other languages sent: names, causes, messages, threads, flags and recursion as their own
 * developers read them. With `CULPRIT_TEST_PICTURES=1` a picture of each.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLanguageFixture } from '../fixtures/index.ts';
import { envelopeUrl, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { lookAt, pictures } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: ConsolePage['complaints'];
/** Events by the name of their recording. */
const events = new Map<string, { readonly id: string; readonly issue: string }>();

const sent = [
  'go-0.50/join',
  'go-0.50/panic',
  'go-0.50/wrapped',
  'java-8.53/logback',
  'java-8.53/logback-2',
  'java-8.62/cause',
  'java-8.62/suppressed',
  'java-8.62/thread',
  'python-2/chain',
  'python-2/during',
  'python-2/flags',
  'python-2/group',
  'python-2/plainlog',
  'python-2/plainlog-2',
  'python-2/recursion',
  'ruby-5.3/cause',
  'rust-0.49/panic',
  'rust-0.49-stripped/panic',
];

/** Written, not recorded: a call as its language names it. */
const written: readonly (readonly [name: string, call: string])[] = [
  ['android-8/uncaught', 'java.lang.Integer.parseInt in Integer.java:797'],
  ['cocoa-9/nsexception', '-[SHCart at:] in Shop +0x60f4'],
  ['dart-9/async', 'Cart.order in package:shop/cart.dart:23:7'],
  ['dotnet-6/chain', 'Shop.Program.Main(string[] args) in Shop/Cart.cs:7:5'],
  ['elixir-11/exception', 'Shop.Cart.read_quantity/1 in lib/shop/cart.ex:14'],
  ['native-0.12/crash', 'shop::Cart::order(std::string const&) in shop +0x12f8'],
  ['php-4/chain', 'App\\Cart::order in /src/Cart.php:33'],
  ['unity-4/null-reference', 'Shop.CheckoutButton:OnClick () in Assets/Scripts/CheckoutButton.cs:14'],
];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
  for (const name of [...sent, ...written.map(([each]) => each)]) {
    const { bytes } = readLanguageFixture(name);
    // The header names the project of the recording.
    const body = Buffer.from(bytes);
    const start = body.indexOf('\n');
    const { dsn: _dsn, ...header } = JSON.parse(body.subarray(0, start).toString()) as Record<string, unknown>;
    const answer = await fetch(envelopeUrl(server.installed.dsn), {
      method: 'POST',
      body: Buffer.concat([Buffer.from(JSON.stringify(header)), body.subarray(start)]),
    });
    expect(answer.status, name).toBe(200);
    events.set(name, { id: String(header['event_id']), issue: '' });
  }
  await server.drained();
  for (const [name, { id }] of events) {
    const { groupID } = await server.api<{ groupID: string }>(`/projects/acme/web/events/${id}/`);
    events.set(name, { id, issue: groupID });
  }
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

/** The page of a recording's event, once its causes and what is below the stack are there. */
async function open(name: string): Promise<void> {
  const event = events.get(name);
  await goWithin(page, `${server.url}/issues/${event?.issue}?event=${event?.id}`);
  await stack().getByRole('button', { name: 'Copy stack trace' }).or(message()).first().waitFor();
  await page.getByRole('region', { name: 'SDK' }).waitFor();
}

const look = (name: string): Promise<void> => lookAt(page, `language-${name.replace('/', '-')}`, { whole: true });
/** Made of what others are checked for. */
const draw = async (name: string): Promise<void> => (pictures ? look(name) : undefined);
const stack = () => page.getByRole('region', { name: 'Stack trace' });
const message = () => page.getByRole('region', { name: 'Message', exact: true }).first();
const row = (name: string | RegExp) => stack().getByText(name).first();
/** Relation and name of each exception after the first. */
const causes = async (): Promise<string[]> => {
  const heads = stack().locator('article header:has(> span:first-child)');
  await heads.first().waitFor();
  return (await heads.allInnerTexts()).map((text) => text.split('\n').slice(0, 2).join(' '));
};

describe.sequential('issue page', () => {
  test('Java: class and package of frames and errors, what was suppressed, threads with their stacks', async () => {
    await open('java-8.62/suppressed');
    await stack().getByRole('heading', { name: 'com.example.shop.Cart$OutOfStock' }).waitFor();
    await row(/com\.example\.shop\.Cart\.\w+ in Cart\.java:\d+/).waitFor();
    await row('com.example.shop.Cart$Till.close').waitFor();
    expect(await causes()).toEqual([
      'Suppressed java.lang.IllegalStateException',
      'Suppressed java.lang.IllegalStateException',
    ]);
    await draw('java-8.62/suppressed');

    await open('java-8.62/cause');
    expect(await causes()).toEqual([
      'Caused by java.lang.IllegalArgumentException',
      'Caused by java.lang.NumberFormatException',
    ]);

    await open('java-8.62/thread');
    const threads = page.getByRole('region', { name: 'Threads' });
    await threads.getByRole('listitem').first().waitFor();
    const [crashed = '', main = ''] = await threads.getByRole('listitem').allInnerTexts();
    expect(crashed).toMatch(/^worker-7\s+crashed/i);
    expect(main).toMatch(/^main\s+WAITING/);
    await threads.getByRole('searchbox', { name: 'Search threads' }).fill('main waiting');
    await threads.getByRole('button', { name: 'main' }).click();
    await threads.getByText('java.lang.Object.wait in Native Method').waitFor();
    await look('java-8.62/thread');
  });

  test('a message of a template: the text of this event, the template and its parameters, and the logger', async () => {
    await open('java-8.53/logback-2');
    await message().getByText('payment 18 of bob failed').waitFor();
    await message().getByText('payment {} of {} failed').waitFor();
    await message().getByText('bob', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Highlights' }).getByText('shop.pay').waitFor();
    await look('java-8.53/logback-2');

    expect(events.get('python-2/plainlog')?.issue).toBe(events.get('python-2/plainlog-2')?.issue);
    await open('python-2/plainlog-2');
    await message().getByText('mail to bob bounced').waitFor();
    await page.getByRole('region', { name: 'Highlights' }).getByText('shop.mail').waitFor();
  });

  test('Python: a direct cause, what was being handled, groups with their members', async () => {
    await open('python-2/chain');
    expect(await causes()).toEqual(['Direct cause ValueError']);
    await stack()
      .locator('code span', { hasText: /^raise$/ })
      .first()
      .waitFor();
    await draw('python-2/chain');
    await open('python-2/during');
    expect(await causes()).toEqual(['During handling of KeyError']);
    await open('python-2/group');
    expect(await causes()).toEqual([
      'Contains ValueError',
      'Contains KeyError',
      'Contains ZeroDivisionError',
      'During handling of KeyError',
    ]);
    await look('python-2/group');
  });

  test('Python: recursion stands once with its count; flags are a list that leads to a search', async () => {
    await open('python-2/recursion');
    const again = stack().getByRole('button', { name: /^The same call \d+ more times$/ });
    const before = await stack().getByRole('listitem').count();
    expect(before).toBeLessThan(30);
    await again.first().click();
    expect(await stack().getByRole('listitem').count()).toBeGreaterThan(before + 40);

    await open('python-2/flags');
    const flags = page.getByRole('region', { name: 'Feature flags' });
    await flags.getByRole('link', { name: 'true' }).first().click();
    await page.getByRole('list', { name: 'Issues' }).getByText('ZeroDivisionError').first().waitFor();
  });

  test('Go: names with their package, causes without a stack in a line each', async () => {
    await open('go-0.50/panic');
    await row(/internal\/cart\.\(\*Basket\)\.At in .*cart\.go:\d+/).waitFor();
    await open('go-0.50/wrapped');
    expect(await causes()).toEqual([
      'Caused by *fmt.wrapError',
      'Caused by *strconv.NumError',
      'Caused by *errors.errorString',
    ]);
    expect(await stack().getByText('This error has no stack trace.').count()).toBe(0);
    await look('go-0.50/wrapped');
    await open('go-0.50/join');
    expect((await causes()).slice(0, 2)).toEqual(['Contains *cart.OutOfStock', 'Contains *fmt.wrapError']);
  });

  test('Rust: crate and path; without symbols the binary and the place in it', async () => {
    await open('rust-0.49/panic');
    await row(/^\/.*src\/.*\.rs:\d+$/).waitFor();
    await draw('rust-0.49/panic');
    await open('rust-0.49-stripped/panic');
    await row(/<unknown> in \w+ \+0x[\da-f]+/).waitFor();
    await look('rust-0.49-stripped/panic');
  });

  test('Ruby: causes in their order, source in its colours', async () => {
    await open('ruby-5.3/cause');
    expect(await causes()).toEqual(['Caused by Shop::OutOfStock', 'Caused by ArgumentError']);
    await draw('ruby-5.3/cause');
  });

  test('Raw is what the runtime printed, and so is the copy', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    for (const name of [
      'python-2/group',
      'python-2/recursion',
      'java-8.62/suppressed',
      'java-8.62/thread',
      'ruby-5.3/cause',
    ]) {
      await open(name);
      await stack().getByRole('button', { name: 'Raw' }).click();
      const text = page.getByRole('region', { name: 'Stack trace as text' });
      await text.waitFor();
      const printed = readLanguageFixture(name).printed?.trimEnd();
      expect(await text.textContent(), name).toBe(printed);
      await stack().getByRole('button', { name: 'Copy stack trace' }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(printed);
      await draw(`${name}-raw`);
    }
    for (const name of ['go-0.50/panic', 'rust-0.49/panic']) {
      await open(name);
      await stack().getByRole('button', { name: 'Raw' }).click();
      await page.getByRole('region', { name: 'Stack trace as text' }).waitFor();
      await draw(`${name}-raw`);
    }
  });

  test('calls stand in the order of the language, or as one chose for all', async () => {
    const oldestFirst = stack().getByRole('button', { name: 'Oldest first' });
    const isPressed = async (): Promise<string | null> => oldestFirst.getAttribute('aria-pressed');
    const last = async (): Promise<string> =>
      stack().locator('article').first().locator('[data-frame]').last().innerText();
    await open('python-2/chain');
    expect([await isPressed(), await last()]).toEqual(['true', expect.stringContaining('read_quantity')]);
    await Promise.all([page.waitForResponse('**/api/0/account/'), oldestFirst.click()]);
    expect([await isPressed(), await last()]).toEqual(['false', expect.not.stringContaining('read_quantity')]);
    await page.reload();
    await open('python-2/during');
    expect(await isPressed()).toBe('false');
    await open('java-8.62/cause');
    expect(await isPressed()).toBe('false');
    await open('python-2/chain');
    await Promise.all([page.waitForResponse('**/api/0/account/'), oldestFirst.click()]);
    await open('java-8.62/cause');
    expect(await isPressed()).toBe('false');
  });

  test.each(written)('%s has its calls named as its language does', async (name, call) => {
    await open(name);
    await row(call).waitFor();
    await draw(name);
  });

  test('the console complained of nothing', () => {
    expect(complaints).toEqual([]);
  });
});
