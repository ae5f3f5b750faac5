/** The daily work in a real browser: fifty issues by keyboard alone, the way back, many at once, the issue page, a shared link. */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { press, quantile, type Press } from './keypress.ts';
import { lookAt, screenshots } from './look.ts';

const issueCount = 60;

let server: Server;
let browser: Browser;
let page: Page;
let complaints: ConsolePage['complaints'];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  for (let index = 0; index < issueCount; index += 1) {
    const frames = [
      { filename: '/app/src/router.js', function: 'route', lineno: 4, in_app: true },
      {
        filename: `/app/src/step${index}.js`,
        function: `step${index}`,
        lineno: 12,
        colno: 10,
        in_app: true,
        pre_context: ['', `export function step${index}(cart) {`],
        context_line: `  return cart.items[${index}].price;`,
        post_context: ['}', ''],
      },
    ];
    const value = `Cannot read properties of undefined (reading 'price') in step ${index}`;
    const values = [{ type: `Step${index}Error`, value, stacktrace: { frames } }];
    const body = errorEnvelope(newEventId(), { exception: { values }, release: `shop@1.${index % 3}.0` });
    expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
  }
  await server.drained();
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});
/** What was on the screen when a test failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  console.log(`${task.name}: failed at ${page.url()}`);
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}triage-failure-${task.id.replaceAll(/\W+/g, '-')}.png` });
});

const org = (): string => `/organizations/${server.installed.organization}`;
const list = (): Locator => page.getByRole('list', { name: 'Issues', exact: true });
const rows = (): Locator => list().locator('li:not([data-leaving])');
/** Short id of the row with the focus. */
const focused = (): Promise<string> =>
  page.evaluate(() => /[A-Z]+-\d+/.exec(document.activeElement?.closest('li')?.textContent ?? '')?.[0] ?? '');

interface Listed {
  readonly id: string;
  readonly shortId: string;
  readonly status: string;
  readonly substatus: string | null;
  readonly priority: string;
  readonly isBookmarked: boolean;
  readonly assignedTo: { readonly type: string; readonly email?: string } | null;
}
/** What triage changes of an issue. */
const stateOf = (issue: Listed | undefined) =>
  issue && [issue.status, issue.substatus, issue.priority, issue.isBookmarked, issue.assignedTo?.email];
const stored = async (query = ''): Promise<Listed[]> =>
  server.api<Listed[]>(`${org()}/issues/?limit=100&query=${encodeURIComponent(query)}`);

async function open(path = '/issues'): Promise<void> {
  await page.goto(server.url + path);
  await rows().first().waitFor();
  // What opens by key is loaded once the list is there.
  await page.waitForFunction(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name);
    return ['TriageMenu', 'PeekPanel', 'SelectionBar'].every((each) => names.some((name) => name.includes(each)));
  });
}

/** Runs a command of the palette by its name. */
async function command(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find or command' }).pressSequentially(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}

const toast = 'output';
const menu = 'dialog:popover-open';

/** A way to be done with an issue, or with two; each press is measured. */
const ways: readonly ((id: string) => Promise<Press[]>)[] = [
  async (id) => [await press(page, 'e', toast, `${id} resolved`)],
  async (id) => [await press(page, 'm', toast, `${id} archived until it escalates`)],
  async (id) => [
    await press(page, 'a', menu, 'Assign to'),
    await press(page, 'Enter', toast, `${id} assigned to`),
    await press(page, 'e', toast, `${id} resolved`),
  ],
  async (id) => [
    await press(page, 'p', menu, 'Priority'),
    await press(page, 'l', menu, 'Low'),
    await press(page, 'Enter', toast, `${id} set to low priority`),
    await press(page, 'm', toast, `${id} archived`),
  ],
  async (id) => {
    const opened = await press(page, 'z', menu, 'Archive until');
    await page.keyboard.type('500 eve');
    return [opened, await press(page, 'Enter', toast, `${id} archived until 500 more events`)];
  },
  async (id) => {
    const opened = await press(page, 'Shift+E', menu, 'Resolve in');
    await page.keyboard.type('nex');
    return [opened, await press(page, 'Enter', toast, `${id} resolved in the next release`)];
  },
  async (id) => [
    await press(page, 'b', toast, 'bookmark'),
    await press(page, 'Space', 'aside', `Peek: ${id}`),
    await press(page, 'e', toast, `${id} resolved`),
  ],
];

describe.sequential('the daily work', () => {
  test(
    'fifty issues by keyboard alone, each action on the screen within 100 ms',
    { retry: 2, timeout: 120_000 },
    async () => {
      // So that it can be tried again where the machine was busy.
      const ids = (await stored()).map(({ id }) => `id=${id}`).join('&');
      const asNew = { status: 'unresolved', assignedTo: '', priority: null };
      await server.api(`${org()}/issues/?${ids}`, { method: 'PUT', body: JSON.stringify(asNew) });
      await open();
      await page.keyboard.press('j');
      const presses: Press[] = [];
      const done = new Set<string>();
      for (let index = 0; done.size < 50; index += 1) {
        const id = await focused();
        expect(id, 'the focus stays in the list').toMatch(/^[A-Z]+-\d+$/);
        const way = ways[index % ways.length];
        presses.push(...((await way?.(id)) ?? []));
        done.add(id);
        // It leaves, and the next one has the focus.
        await expect.poll(focused).not.toBe(id);
        if (await page.locator('aside').isVisible()) await page.keyboard.press('Space');
      }
      const times = presses.map(({ ms }) => ms);
      const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
      await mkdir(screenshots, { recursive: true });
      await writeFile(`${screenshots}triage-trace.json`, JSON.stringify({ median, p95, presses }, undefined, 2));
      console.log(`${presses.length} presses: median ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms to visible`);
      // The server has it all, too.
      await expect
        .poll(
          async () =>
            (await stored()).filter(({ shortId, status }) => done.has(shortId) && status !== 'unresolved').length,
        )
        .toBe(50);
      expect(median).toBeLessThan(100);
      // A kind that is slow in itself is slow each time, and not only while other programs have the processor.
      for (const [kind, times] of Map.groupBy(
        presses,
        ({ keys, text }) => `${keys} ${text.replace(/[A-Z]+-\d+ ?/, '')}`,
      )) {
        const quick = quantile(
          times.map(({ ms }) => ms),
          0.25,
        );
        expect(quick, kind).toBeLessThan(100);
      }
      if ((loadavg()[0] ?? 0) <= availableParallelism()) expect(p95).toBeLessThan(100);
    },
  );

  test('everything is undone, the newest first, by one key', async () => {
    await open();
    await page.keyboard.press('j');
    const id = await focused();
    const before = (await stored()).find(({ shortId }) => shortId === id);
    await press(page, 'p', menu, 'Priority');
    await page.keyboard.type('low');
    await press(page, 'Enter', toast, `${id} set to low priority`);
    await press(page, 'Shift+A', toast, `${id} assigned to`);
    await press(page, 'e', toast, `${id} resolved`);
    for (const what of ['resolved', 'assigned', 'set to low priority']) {
      await press(page, 'u', toast, `Undone: ${id} ${what}`);
    }
    await list().getByText(id, { exact: true }).waitFor();
    await expect
      .poll(async () => stateOf((await stored()).find(({ shortId }) => shortId === id)))
      .toEqual(stateOf(before));
  });

  test('what the server refuses is taken back, with its reason', async () => {
    await open();
    await page.keyboard.press('j');
    const id = await focused();
    await page.route(/\/issues\/\?id=/, (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', body: '{"detail":"Not now."}' }),
    );
    await page.keyboard.press('e');
    await page.getByText(`${id} could not be resolved: Not now.`).waitFor();
    await page.unroute(/\/issues\/\?id=/);
    await list().getByText(id, { exact: true }).waitFor();
    complaints.splice(0);
  });

  test('a peek beside the list follows the focus; the menus and it please everybody', async () => {
    await open();
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    const peek = page.getByRole('complementary', { name: /^Peek/ });
    await peek.getByText(/return cart\.items/).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => peek.getAttribute('aria-label')).toBe(`Peek: ${await focused()}`);
    await peek.getByText(/return cart\.items/).waitFor();
    await lookAt(page, 'triage-peek');
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.getByRole('listbox', { name: 'Assign to' }).waitFor();
    await lookAt(page, 'triage-assign');
    await page.keyboard.press('Escape');
    await page.keyboard.press('z');
    await page.getByRole('listbox', { name: 'Archive until' }).waitFor();
    await lookAt(page, 'triage-archive');
    await page.keyboard.press('Escape');
    for (const key of ['x', 'Shift+J', 'Shift+J']) await page.keyboard.press(key);
    await page.getByText('3 selected').waitFor();
    await lookAt(page, 'triage-selected');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText(/selected$/).count()).toBe(0);
  });

  test('all that match, far more than the page has: progress, and the way back', async () => {
    const before = await stored();
    await open('/issues?status=all');
    await page
      .getByRole('checkbox', { name: /^Select WEB/ })
      .first()
      .click();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: /^Select all .*that match/ }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive', exact: true }).click();
    const line = page.getByRole('region', { name: 'Change of many issues' });
    await line.getByText(/issues archived until it escalates/).waitFor();
    await line.getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(async () => (await stored('is:archived')).length).toBe(issueCount);
    await lookAt(page, 'triage-bulk');
    await page.reload();
    await line.getByRole('button', { name: 'Undo' }).click();
    await line.getByText(/^Undone/).waitFor();
    const states = (issues: Listed[]) => issues.map(({ id, status, substatus }) => [id, status, substatus]).toSorted();
    await expect.poll(async () => states(await stored())).toEqual(states(before));
    await line.getByRole('button', { name: 'Put this away' }).click();
  });

  test('the issue page goes on to the next of the list; back in the list, the place is kept', async () => {
    await open();
    for (const key of ['j', 'j', 'j']) await page.keyboard.press(key);
    const [first, second] = [await focused(), await rows().nth(3).innerText()];
    const next = /WEB-\d+/.exec(second)?.[0] ?? '';
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/issues/${first}**`);
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await page.keyboard.press('z');
    await page.locator(menu).waitFor();
    await page.keyboard.type('2 d');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/issues/${next}**`);
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await page.keyboard.press('u');
    await page.waitForURL(`**/issues/${first}**`);
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await page.goBack();
    await expect.poll(focused).toBe(first);
  });

  test('an issue says how it stands and who did what; it can be shared, and no more', async () => {
    const [{ shortId = '' } = {}] = await stored('is:unresolved');
    await page.goto(`${server.url}/issues/${shortId}`);
    await page.getByRole('button', { name: 'Resolve', exact: true }).waitFor();
    await page.keyboard.press('Shift+A');
    await page.keyboard.press('z');
    await page.locator(menu).waitFor();
    await page.keyboard.type('100 eve');
    await page.keyboard.press('Enter');
    await page
      .getByText(/until 100 more events/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Activity' }).scrollIntoViewIfNeeded();
    await page.getByText(/^Archived until 100 more events/).waitFor();
    await page
      .getByText(/^Assigned to/)
      .first()
      .waitFor();
    await lookAt(page, 'triage-issue', { whole: true });

    await command('Share by link');
    const dialog = page.getByRole('dialog', { name: `Share ${shortId}` });
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const link = await dialog.getByText(/\/shared\//).innerText();
    await lookAt(page, 'triage-share');
    const stranger = await browser.newContext();
    const shared = await stranger.newPage();
    await shared.goto(link);
    await shared.getByRole('heading', { level: 1, name: /Step\d+Error/ }).waitFor();
    await shared
      .getByText(/return cart\.items/)
      .first()
      .waitFor();
    await lookAt(shared, 'triage-shared', { whole: true });
    await dialog.getByRole('button', { name: 'Take the link back' }).click();
    await dialog.getByRole('button', { name: 'Make a link' }).waitFor();
    await shared.reload();
    await shared
      .getByText(/no longer shared|not shared/i)
      .first()
      .waitFor();
    await stranger.close();
  });

  test('the palette has every action of the page, the help every key; single letters can be switched off', async () => {
    await open();
    await page.keyboard.press('j');
    const id = await focused();
    await command('Priority: high');
    await page.getByText(`${id} set to high priority`).waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Archive until…').waitFor();
    await lookAt(page, 'triage-help');
    await help.getByLabel('Single-letter shortcuts').click();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await rows().first().getByRole('link').focus();
    await page.keyboard.press('b');
    await page.waitForTimeout(300);
    expect(await page.getByText(/bookmarked$/).count()).toBe(0);
    await page.keyboard.press('Control+z');
    await page.getByText(`Undone: ${id} set to high priority`).waitFor();
  });

  test('the console complained about nothing of its own', () => {
    expect(complaints.filter((text) => !/status of 40[14]/.test(text))).toEqual([]);
  });
});
