/** The search of the issue list in a real browser: chips and text, completion from data, mistakes, saved and recent, keyboard alone. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { goWithin, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: string[];

/** An issue each, with a release, a browser and a level. */
const bugs = [
  ['TypeError', 'shop@1.0.0', 'Firefox', 'error'],
  ['RangeError', 'shop@2.0.0', 'Mobile Safari', 'warning'],
  ['SyntaxError', 'shop@2.0.0', 'Mobile Safari', 'fatal'],
  ['URIError', 'shop@3.0.0', 'Chrome', 'error'],
] as const;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  for (const [type, release, name, level] of bugs) {
    const id = crypto.randomUUID().replaceAll('-', '');
    const payload = {
      event_id: id,
      timestamp: Date.now() / 1000,
      platform: 'javascript',
      level,
      release,
      environment: 'production',
      tags: { 'browser.name': name, plan: 'pro' },
      exception: { values: [{ type, value: `${type} of the cart` }] },
    };
    const body = `${JSON.stringify({ event_id: id })}\n{"type":"event"}\n${JSON.stringify(payload)}\n`;
    const { status } = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    expect(status).toBe(200);
  }
  await server.until('four issues', async () => {
    const issues = await server.api<unknown[]>(`/organizations/${server.installed.organization}/issues/`);
    return issues.length === bugs.length || undefined;
  });
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const box = (): Locator => page.getByRole('combobox', { name: 'Search issues' });
const chips = (): Promise<string[]> =>
  page
    .locator('search form')
    .getByRole('button', { name: /^Edit (?!as )/ })
    .allInnerTexts();
const option = (name: RegExp): Locator => page.getByRole('listbox').getByRole('option', { name });
const query = (): string => new URL(page.url()).searchParams.get('q') ?? '';
const shown = (): Promise<string[]> =>
  page.getByRole('list', { name: 'Issues', exact: true }).getByRole('link').allInnerTexts();
const expectShown = (...types: string[]) =>
  expect.poll(async () => (await shown()).map((text) => /^\w+/.exec(text)?.[0]).toSorted()).toEqual(types.toSorted());
/** Types as people do, key by key. */
const type = (text: string): Promise<void> => box().pressSequentially(text);

describe.sequential('the search box', () => {
  test('a field and a value from the data are completed by keyboard alone', async () => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    const ofPopups = (): string[] =>
      scripts.filter((path) => /(?:(?:Completion|Combobox|Menu|Popover)Popup|\/form)-/.test(path));
    await goWithin(page, `${server.url}/issues`);
    await expectShown(...bugs.map(([name]) => name));
    expect(ofPopups(), 'lists, menus and forms are loaded when they are used').toEqual([]);
    await page.locator('body').press('s');
    await option(/^is /).waitFor();
    expect(ofPopups().join()).toMatch(/CompletionPopup-[^,]+\.js/);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Space');
    await option(/^browser\.name/).waitFor();
    await lookAt(page, 'search-fields');
    await box().focus();
    await type('brow');
    await option(/^browser\.name/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await option(/^Mobile Safari/).waitFor();
    await lookAt(page, 'search-values');
    await box().focus();
    await type('saf');
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expectShown('RangeError', 'SyntaxError');
    expect(query()).toBe('browser.name:"Mobile Safari"');
    expect(await chips()).toEqual(['browser.name:"Mobile Safari"']);
  });

  test('terms are walked, edited and taken away where they stand', async () => {
    await box().focus();
    await type('level:fatal cart');
    // A term in the box is not asked yet, and the box says so.
    expect(query()).toBe('browser.name:"Mobile Safari"');
    const ask = page.getByRole('button', { name: 'Search', exact: true });
    await ask.click();
    await expectShown('SyntaxError');
    expect(await ask.count()).toBe(0);
    await box().focus();
    expect(await chips()).toEqual(['browser.name:"Mobile Safari"', 'level:fatal', 'cart']);
    // Before the words, and on to the level, which is opened by what deletes.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await expect.poll(() => box().inputValue()).toBe('level:fatal');
    for (let left = 0; left < 'fatal'.length; left += 1) await page.keyboard.press('Backspace');
    await type('warning');
    await page.keyboard.press('Enter');
    await expectShown('RangeError');
    expect(query()).toBe('browser.name:"Mobile Safari" level:warning cart');
    await page.getByRole('button', { name: 'Remove level:warning' }).click();
    await expectShown('RangeError', 'SyntaxError');
    await page.getByRole('button', { name: 'Edit cart', exact: true }).click();
    expect(await box().inputValue()).toBe('cart');
  });

  test('alternatives and parentheses are tokens; as text it is the same query', async () => {
    await goWithin(page, `${server.url}/issues`);
    await box().fill('release:shop@1.0.0 OR (level:fatal browser.name:"Mobile Safari")');
    await page.keyboard.press('Enter');
    await expectShown('TypeError', 'SyntaxError');
    expect(await chips()).toEqual([
      'release:shop@1.0.0',
      'OR',
      '(',
      'level:fatal',
      'browser.name:"Mobile Safari"',
      ')',
    ]);
    await lookAt(page, 'search-tokens');
    await box().press('F2');
    await expect
      .poll(() => box().inputValue())
      .toBe('release:shop@1.0.0 OR (level:fatal browser.name:"Mobile Safari")');
    await box().press('End');
    await type(' OR level:warning');
    await page.keyboard.press('Enter');
    await expectShown('TypeError', 'SyntaxError', 'RangeError');
    await box().press('F2');
    await expect.poll(async () => (await chips()).at(-1)).toBe('level:warning');
  });

  test('a mistake is marked at its character, said in words, and mended by its suggestion', async () => {
    await goWithin(page, `${server.url}/issues`);
    await box().fill('is:unresolvd plan:pro');
    await page.keyboard.press('Enter');
    const problem = page.getByRole('alert').filter({ hasText: /unresolvd|is/ });
    await problem.waitFor();
    expect(query(), 'nothing is asked').toBe('');
    expect((await page.locator('search form [class*="wrong"]').allInnerTexts()).join('')).toBe('is:unresolvd');
    await lookAt(page, 'search-mistake');
    await problem.getByRole('button', { name: 'Use is:unresolved' }).click();
    await expectShown(...bugs.map(([name]) => name));
    expect(query()).toBe('is:unresolved plan:pro');
    // A name that is no field is asked as it is written, with what may have been meant.
    await goWithin(page, `${server.url}/issues?q=${encodeURIComponent('levl:fatal')}`);
    await page.getByText('There is no field “levl”').waitFor();
    await lookAt(page, 'search-hint');
    await page.getByRole('button', { name: 'Use level' }).click();
    await expectShown('SyntaxError');
    expect(query()).toBe('level:fatal');
    // A link may hold a mistake, too.
    await goWithin(page, `${server.url}/issues?q=${encodeURIComponent('timesSeen:many')}`);
    await page.getByText('This search is not valid').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/timesSeen/);
  });

  test('a search is saved, kept as a tab, shared, renamed, deleted and had back', async () => {
    await goWithin(page, `${server.url}/issues?q=${encodeURIComponent('plan:pro level:fatal')}`);
    await expectShown('SyntaxError');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByLabel('Save this search as').fill('Fatal for payers');
    await page.getByLabel('Share with the organisation').check();
    await page.keyboard.press('Enter');
    const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Fatal for payers' });
    await tab.waitFor();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await box().fill('');
    await goWithin(page, `${server.url}/issues`);
    await tab.click();
    await expectShown('SyntaxError');
    expect(await tab.getAttribute('aria-current')).toBe('page');
    const unresolved = page.getByRole('link', { name: 'Unresolved', exact: true });
    expect(await unresolved.getAttribute('aria-current')).toBeNull();
    const path = `/organizations/${server.installed.organization}/searches/`;
    expect(await server.api(path)).toMatchObject([
      { name: 'Fatal for payers', query: 'is:unresolved plan:pro level:fatal', visibility: 'organization' },
    ]);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await lookAt(page, 'search-saved');
    await page.getByRole('button', { name: 'Rename Fatal for payers' }).click();
    await page.getByLabel('New name').fill('Payers');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete Payers' }).click();
    await page.getByText('Payers deleted').waitFor();
    await expect.poll(() => server.api(path)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => server.api(path)).toMatchObject([{ name: 'Payers', visibility: 'organization' }]);
  });

  test('what was searched last is offered again', async () => {
    await goWithin(page, `${server.url}/issues`);
    await box().click();
    const recent = page.getByRole('group', { name: 'Recent searches' }).getByRole('option');
    await recent.first().waitFor();
    expect(await recent.allInnerTexts()).toContain('is:unresolved plan:pro');
    await recent.filter({ hasText: 'release:shop@1.0.0 OR (level:fatal browser.name:"Mobile Safari") OR' }).click();
    await expectShown('TypeError', 'SyntaxError', 'RangeError');
  });

  test('a value of a row is a filter; an empty list says what each filter costs', async () => {
    await goWithin(page, `${server.url}/issues?q=${encodeURIComponent('plan:pro')}`);
    await page.getByRole('listitem').filter({ hasText: 'URIError' }).locator('[data-tip="Only level:error"]').click();
    await expectShown('TypeError', 'URIError');
    expect(query()).toBe('plan:pro level:error');
    await goWithin(
      page,
      `${server.url}/issues?q=${encodeURIComponent('(level:fatal OR level:debug) release:nothing')}`,
    );
    await page.getByText('1 without it').waitFor();
    await page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: 'Remove release:nothing' }).click();
    await expectShown('SyntaxError');
    expect(query()).toBe('(level:fatal OR level:debug)');
  });

  test('help tells the language', async () => {
    await page.getByRole('button', { name: 'Search syntax' }).click();
    await page.getByText('All terms apply to one event.').waitFor();
    await lookAt(page, 'search-help');
    expect(complaints.filter((each) => !each.includes('timesSeen%3Amany'))).toEqual([]);
  });
});
