/** What takes the disk is found in the console, and what would save it is one button away: seen, done, taken back. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachClass } from '../server/src/base/retention.ts';
import { measureCosts } from '../server/src/domains/costs/measure.ts';
import { noteStored } from '../server/src/domains/retention/stored.ts';
import { testErrorRow, testLogRow, testSpanRow } from '../server/src/ports/events/test-rows.ts';
import { errorEnvelope, envelopeUrl, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';

const dayMs = 86_400_000;

let server: Server;
let browser: Browser;
let open: ConsolePage;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  open = await openConsole(server, browser);
  await fill();
  await open.page.goto(`${server.url}/settings/retention`);
  const { name } = await server.api<{ name: string }>(project());
  await open.page.getByRole('button', { name, exact: true }).click();
  await open.page.getByText('Attributes of logs').waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const project = (): string => `/projects/${server.installed.organization}/${server.installed.project}/`;
const org = (): string => `/organizations/${server.installed.organization}/`;

/** Two releases, of which the later one sends three times the breadcrumbs, logs with a large attribute, and spans. */
async function fill(): Promise<void> {
  const { id } = await server.api<{ id: string }>(project());
  const project_id = Number(id);
  const now = Date.now();
  await using events = await server.events();
  await using state = await server.state();
  const errors = (release: string, days: number, crumbs: number) =>
    Array.from({ length: 60 }, (_, index) =>
      testErrorRow({
        project_id,
        release,
        timestamp: now - days * dayMs + index,
        event_id: newEventId(),
        payload: JSON.stringify({
          event_id: '0'.repeat(32),
          type: 'error',
          level: 'error',
          platform: 'node',
          timestamp: now / 1_000,
          received: now / 1_000,
          tags: [],
          release,
          breadcrumbs: [{ message: 'x'.repeat(crumbs + index) }],
          exception: { values: [{ type: 'TypeError', value: 'of a cart' }] },
        }),
      }),
    );
  await events.insert('errors', [...errors('2.4.0', 3, 2_000), ...errors('2.4.1', 1, 6_000)], 'errors of costs');
  const logs = Array.from({ length: 200 }, (_, index) =>
    testLogRow({
      project_id,
      timestamp: (now - (index % 60) * dayMs) * 1_000 + index,
      attributes: { 'cart.items': 'x'.repeat(500), 'cart.id': String(index) },
    }),
  );
  await events.insert('logs', logs, 'logs of costs');
  const spans = Array.from({ length: 50 }, (_, index) =>
    testSpanRow({ project_id, started_at: (now - dayMs) * 1_000 + index, attributes: { 'url.full': 'y'.repeat(80) } }),
  );
  await events.insert('spans', spans, 'spans of costs');
  const accepted = { project_id, key_id: 0, outcome: 'accepted', reason: '', quantity: 1_000 } as const;
  await events.insert(
    'outcomes',
    [{ ...accepted, minute: minute(now - dayMs), category: 'log_item' }],
    'outcomes of costs',
  );
  const bytes = { errors: 4e9, spans: 3e8, logs: 2e9, sessions: 0, attachments: 0, other: 1e6 };
  const classes = eachClass((name) => ({
    units: [{ before: now + dayMs, bytes: bytes[name], rows: 200, bySize: true }],
  }));
  await noteStored(state, { at: now, classes });
  await measureCosts({ state, events }, new AbortController().signal, now);
}

const minute = (at: number): number => at - (at % 60_000);

interface Filter {
  readonly id: string;
  readonly active: boolean;
  readonly patterns: string[] | null;
}
const releaseFilter = async (): Promise<Filter | undefined> =>
  (await server.api<Filter[]>(`${project()}filters/`)).find(({ id }) => id === 'release-version');

test('what grew and what takes most is told, down to attributes', async () => {
  const { page, complaints } = open;
  await page.getByText(/2\.4\.1 sends 3(\.0)?× the breadcrumbs of 2\.4\.0/).waitFor();
  const rowsOf = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem');
  expect(await rowsOf('By class').first().textContent()).toMatch(/^Errors/);
  expect(await rowsOf('Attributes of logs').first().textContent()).toMatch(/^cart\.items/);
  expect(await rowsOf('Attributes of spans').first().textContent()).toMatch(/^url\.full/);
  await lookAt(page, 'costs', { whole: true });
  expect(complaints).toEqual([]);
});

test('a release is filtered once what that would have dropped is seen, and undone', async () => {
  const { page, complaints } = open;
  const list = page.getByRole('list', { name: 'Releases', exact: true });
  await list.getByRole('button', { name: 'Filter 2.4.1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Filter 2.4.1' });
  await dialog.getByText('Would drop: 60 errors').waitFor();
  await dialog.getByText(/^It would have saved about 2\sGB/).waitFor();
  await lookAt(page, 'costs-filter');
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await list.getByText('filtered').waitFor();
  expect(await releaseFilter()).toMatchObject({ active: true, patterns: ['2.4.1'] });
  const send = (release: string): Promise<Response> =>
    fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId(), { release }) });
  await server.until('what comes of it is dropped', async () => {
    await send('2.4.1');
    await server.drained();
    const filters = await server.api<{ id: string; dropped: object[] }[]>(`${project()}filters/`);
    return filters.some(({ id, dropped }) => id === 'release-version' && dropped.length > 0);
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await list.getByRole('button', { name: 'Filter 2.4.1' }).waitFor();
  expect(await releaseFilter()).toMatchObject({ active: false, patterns: [] });
  expect(complaints).toEqual([]);
});

test('an attribute is stored no more once what the rule removes is seen, and undone', async () => {
  const { page, complaints } = open;
  const rules = async () => (await server.api<{ rules: string }>(`${project()}scrubbing/`)).rules;
  const before = await rules();
  const list = page.getByRole('list', { name: 'Attributes of logs', exact: true });
  await list.getByRole('button', { name: 'Remove cart.items' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove cart.items' });
  await dialog.getByText("remove everything at $log.attributes.'cart.items'").waitFor();
  await dialog.getByText('attributes.cart.items').first().waitFor();
  await lookAt(page, 'costs-rule');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await dialog.waitFor({ state: 'detached' });
  await list.getByText('removed by a rule').waitFor();
  expect(JSON.parse(await rules())).toEqual({
    applications: { "$log.attributes.'cart.items'": ['@anything:remove'] },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await list.getByRole('button', { name: 'Remove cart.items' }).waitFor();
  expect(await rules()).toBe(before);
  expect(complaints).toEqual([]);
});

test('a quota comes prefilled with what it would have dropped, and goes again', async () => {
  const { page, complaints } = open;
  const quotas = async () => (await server.api<{ quotas: object[] }>(`${org()}quotas/`)).quotas;
  await page.getByRole('button', { name: /^Quota for Logs of / }).click();
  const dialog = page.getByRole('dialog', { name: /^Quota for Logs of / });
  await dialog.getByText('1,000 were accepted. It would have dropped 500 of them (50%).').waitFor();
  expect(await dialog.getByLabel('Per month').inputValue()).toBe('500');
  await dialog.getByLabel('Per month').fill('800');
  await dialog.getByText(/dropped 200 of them \(20%\)\. It would have saved about 2\sGB/).waitFor();
  await lookAt(page, 'costs-quota');
  await dialog.getByRole('button', { name: 'Set quota' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await quotas()).toMatchObject([{ category: 'log_item', period: 'month', amount: 800, hard: true }]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(quotas).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a shorter age is chosen among the policies, with what it deletes', async () => {
  const { page, complaints } = open;
  const button = page.getByRole('button', { name: /^Retention of Logs of / });
  const dialog = page.getByRole('dialog', { name: /^Retention of Logs of / });
  await button.click();
  await dialog.getByText('There are no policies to choose from.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const policies = page.getByRole('region', { name: 'Policies' });
  await policies.getByLabel('Name').first().fill('Short');
  await policies.getByLabel('Days').first().fill('14');
  await policies.getByRole('button', { name: 'Save policies' }).click();
  await page.getByText('Retention saved').first().waitFor();
  await button.click();
  // Of how many bytes depends on whether it was measured since the policies were saved.
  await dialog.getByText(/^Logs: this deletes \d+ rows/).waitFor();
  await lookAt(page, 'costs-retention');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { classes } = await server.api<{ classes: { name: string }[] }>(`${project()}retention/`);
  expect(classes).toContainEqual({ name: 'logs', policy: 'Short', keptDays: 14 });
  await server.until(
    'what is older is gone',
    async () => {
      await using events = await server.events();
      const [row] = await events.query<{ n: number }>(
        'SELECT count() AS n FROM logs WHERE timestamp < now() - toIntervalDay(21)',
      );
      return row?.n === 0;
    },
    60_000,
  );
  expect(complaints).toEqual([]);
});
