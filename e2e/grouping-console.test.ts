/** Grouping in the console: read why, merge and take apart, write a rule with a mistake, mend it, preview it, save it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, goWithin, openConsole } from './console-page.ts';
import { lookAt, screenshots } from './look.ts';
import { arrive } from './visits.ts';

let server: Server;
let browser: Browser;
let page: Page;
/** What the console itself complained about. */
let complaints: ConsolePage['complaints'];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
  // In this order they become WEB-1 to WEB-4.
  for (const failure of failures) await send(...failure);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await page.screenshot({ path: `${screenshots}grouping-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

type Failure = readonly [type: string, value: string, functionName: string, count: number];

const failures: readonly Failure[] = [
  ['TypeError', "Cannot read properties of null (reading 'price')", 'getPrice', 3],
  ['TypeError', "Cannot read properties of null (reading 'total')", 'getTotal', 2],
  ['ConnectionError', 'connect to orders failed', 'connectOrders', 2],
  ['ConnectionError', 'connect to payments failed', 'connectPayments', 1],
];

/** Events of one failure; resolves when they are stored, to the id of the last. */
async function send(type: string, value: string, functionName: string, count = 1): Promise<string> {
  const frame = (file: string, fn: string, inApp: boolean) => ({
    filename: `/app/${file}`,
    function: fn,
    lineno: 10,
    colno: 3,
    in_app: inApp,
    ...(inApp && { context_line: `  return ${fn}(item);` }),
  });
  const frames = [
    frame('node_modules/express/router.js', 'next', false),
    frame('node_modules/express/layer.js', 'handle', false),
    frame('src/cart.js', 'showCart', true),
    frame('src/item.js', functionName, true),
  ];
  const values = [{ type, value, stacktrace: { frames }, mechanism: { type: 'generic', handled: false } }];
  let id = '';
  for (let index = 0; index < count; index += 1) {
    id = newEventId();
    const body = errorEnvelope(id, { exception: { values } });
    const answer = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    expect(answer.status).toBe(200);
  }
  await server.drained();
  return id;
}

const look = (name: string): Promise<void> => lookAt(page, name, { whole: true });
const panel = (name: string | RegExp) => page.getByRole('region', { name });
/** Short ids of the rows on the screen, sorted. */
const listed = async (): Promise<string[]> => {
  const text = await page.getByRole('list', { name: 'Issues' }).innerText();
  return [...text.matchAll(/WEB-\d+/g)].map(([id]) => id).toSorted();
};
const issueOf = async (eventId: string): Promise<string> =>
  (await server.api<{ groupID: string }>(`/projects/acme/web/events/${eventId}/`)).groupID;
const issue = (id: string) => server.api<{ id: string; count: string }>(`/organizations/acme/issues/${id}/`);

describe.sequential('grouping', () => {
  test('an issue tells what counted, what did not, and why', async () => {
    await goWithin(page, `${server.url}/issues/WEB-1`);
    const why = panel('Grouping');
    await why.getByText('Grouped by its exception').waitFor();
    const text = await why.innerText();
    expect(text.indexOf('getPrice')).toBeLessThan(text.indexOf('showCart'));
    expect(text).toContain('2 frames not used');
    expect(text).toContain('not used: the stack is more specific');
    await look('grouping-explained');
  });

  test('two issues are merged from the list by a key, into the one with most events; undo takes it back', async () => {
    await goWithin(page, `${server.url}/issues`);
    await page.getByLabel('Select WEB-2').check();
    await page.getByLabel('Select WEB-1').check();
    await page.getByRole('button', { name: 'Merge into WEB-1' }).waitFor();
    await page.getByRole('button', { name: 'Merge into another issue' }).click();
    await page.getByRole('menu', { name: 'Merge into' }).getByText('WEB-2').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('body').press('Shift+M');
    await page.getByText('WEB-2 merged into WEB-1').waitFor();
    await expect.poll(listed).toEqual(['WEB-1', 'WEB-3', 'WEB-4']);
    expect((await issue('WEB-1')).count).toBe('5');
    await panel('A rule that makes the merge permanent').getByText('error.type:').waitFor();
    await look('grouping-rule-offer');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(listed).toEqual(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4']);
    expect((await issue('WEB-1')).count).toBe('3');
  });

  test('a similar issue is offered with the part that differs, and merged into the one on the screen', async () => {
    await goWithin(page, `${server.url}/issues/WEB-1`);
    const similar = panel('Similar issues');
    await similar.getByRole('link', { name: /reading 'total'/ }).waitFor();
    expect(await similar.locator('mark').allInnerTexts()).toEqual(expect.arrayContaining(['getPrice', 'getTotal']));
    await similar.getByRole('button', { name: 'Merge WEB-2 into this issue' }).focus();
    await page.keyboard.press('Enter');
    await panel('Merged into this issue').getByText('WEB-2').waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName), 'the keys go on from there').not.toBe('BODY');
    await panel('Activity').getByText('WEB-2 merged into this issue').first().waitFor();
  });

  test('the address of a merged issue leads to the one that has it, and says so', async () => {
    await goWithin(page, `${server.url}/issues/WEB-2`);
    await page.waitForURL('**/issues/WEB-1?**merged=WEB-2**');
    await panel('Merged issue').getByText('WEB-2 was merged into this issue').waitFor();
    await panel('Merged into this issue').waitFor();
    await look('grouping-merged');
    await page.getByRole('link', { name: 'Preview rule' }).click();
    await page.waitForURL('**/settings/grouping?rule=**');
    expect(await page.getByLabel('Fingerprint rules', { exact: true }).inputValue()).toMatch(
      /^error\.type:.* -> .+\n$/,
    );
    await page.getByText('events of').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.goBack();
    await panel('Merged into this issue').getByRole('button', { name: 'Unmerge WEB-2' }).click();
    await page.getByText('WEB-2 unmerged').first().waitFor();
    await panel('Merged into this issue').waitFor({ state: 'detached' });
    expect((await issue('WEB-2')).count).toBe('2');
  });

  test('hashes that are another failure move out into an issue of their own', async () => {
    await goWithin(page, `${server.url}/issues`);
    await expect.poll(listed).toEqual(['WEB-1', 'WEB-2', 'WEB-3', 'WEB-4']);
    await server.api('/organizations/acme/issues/?id=WEB-1&id=WEB-2', {
      method: 'PUT',
      body: JSON.stringify({ merge: true, mergeInto: 'WEB-1' }),
    });
    // Somebody else did that; the list on the screen follows.
    await expect.poll(listed).toEqual(['WEB-1', 'WEB-3', 'WEB-4']);
    await goWithin(page, `${server.url}/issues/WEB-1`);
    const why = panel('Grouping');
    const row = why.getByRole('listitem').filter({ hasText: 'getTotal' }).first();
    await row.getByRole('checkbox').check();
    await why.getByRole('button', { name: 'Move to a new issue' }).click();
    await page.getByText('1 hash moved out into WEB-5', { exact: true }).waitFor();
    await expect.poll(async () => (await issue('WEB-5')).count).toBe('2');
    await panel('Activity').getByText('1 hash moved out into WEB-5').waitFor();
  });

  test('a rule is written with its mistake marked, mended, previewed and saved; the next event obeys it', async () => {
    // What loads above the link moves it.
    await arrive(page, `${server.url}/projects/web/settings`, { within: true, by: '/nowhere' });
    await page.getByRole('link', { name: 'Rules and preview' }).click();
    await page.waitForURL('**/settings/grouping');
    const editor = page.getByLabel('Fingerprint rules', { exact: true });
    // What the help offers can be read.
    const examples = page.getByRole('button', { name: /^Add: / });
    await examples.first().waitFor();
    for (const example of await examples.all()) await example.click();
    await page.getByText('Unsaved changes').waitFor();
    expect((await editor.inputValue()).trim().split('\n')).toHaveLength(4);
    expect((await page.getByLabel('Stack-trace rules', { exact: true }).inputValue()).trim().split('\n')).toHaveLength(
      4,
    );
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('grouped again').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isEnabled()).toBe(true);
    await page.getByLabel('Period').selectOption('24h');
    await page.getByText('The rules or the period have changed.').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('All changes saved').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Unsaved changes').waitFor();
    expect((await editor.inputValue()).trim().split('\n')).toHaveLength(4);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('All changes saved').waitFor();
    await editor.fill('# connections\nerrr.type:ConnectionError -> connection');
    await page.getByRole('button', { name: /Line 2, column 1/ }).click();
    expect(await editor.evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe('# connections\n'.length);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await look('grouping-rule-mistake');

    await editor.fill('# connections\nerror.type:ConnectionError -> connection');
    await page.getByRole('list', { name: 'Problems: Fingerprint rules' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('2 issues would become 1').waitFor();
    const merges = panel('Would become one issue');
    for (const id of ['WEB-3', 'WEB-4']) await merges.getByRole('link', { name: new RegExp(id) }).waitFor();
    await look('grouping-preview');

    // Nothing is lost by leaving, and nothing was saved by looking.
    await page.getByRole('link', { name: 'All settings' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();

    // Processing learns of new settings within seconds; what comes meanwhile is grouped as before.
    const connections = await issue('WEB-3');
    await server.until('connection errors of all kinds come to the issue that the preview named', async () => {
      const orders = await send('ConnectionError', 'connect to orders failed', 'connectOrders');
      const stock = await send('ConnectionError', 'connect to stock failed', 'connectStock');
      const found = await Promise.all([orders, stock].map(issueOf));
      return found.every((id) => id === connections.id);
    });
    await goWithin(page, `${server.url}/issues/WEB-3`);
    await panel('Grouping').getByText('Fingerprint rule in line 2').waitFor();
    await panel('Grouping').getByText('Grouped by a fingerprint').first().waitFor();
  });

  test('the console had nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
