/** Real SDKs stop sending when a quota is used up; the console shows how much is used, and changes quotas. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isScaled } from '../server/test/form/scaled.ts';
import { Server } from '../server/test/harness.ts';
import { servePage } from './app-server.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt } from './look.ts';
import { runNodeApp } from './node-app.ts';
import { type PythonSdk, runPythonApp } from './python-app.ts';

let server: Server;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const quotas = (): string => `/organizations/${server.installed.organization}/quotas/`;
const sent = 5;

/** How errors of the project ended so far. */
async function outcomes(): Promise<Record<string, number>> {
  await server.drained();
  await using events = await server.events();
  const rows = await events.query<{ outcome: string; n: number }>(
    "SELECT outcome, sum(quantity) AS n FROM outcomes WHERE category = 'error' GROUP BY outcome",
  );
  return Object.fromEntries(rows.map(({ outcome, n }) => [outcome, Number(n)]));
}

describe.sequential('quotas', () => {
  /** A quota of one more error than are stored; resolves to what ended how while `run` sent five. */
  async function withOneMore(run: () => Promise<unknown>): Promise<{ came: number; accepted: number }> {
    const before = await outcomes();
    const { quotas: all } = await server.api<{ quotas: { id: string; amount: number; used: number }[] }>(quotas());
    for (const { id } of all) await server.api(`${quotas()}${id}/`, { method: 'DELETE' }).catch(() => undefined);
    const amount = (before['accepted'] ?? 0) + 1;
    const made = { project: server.installed.project, category: 'error', period: 'month', amount };
    await server.api(quotas(), { method: 'POST', body: JSON.stringify(made) });
    await run();
    const after = await outcomes();
    const of = (outcome: string): number => (after[outcome] ?? 0) - (before[outcome] ?? 0);
    return { came: of('accepted') + of('rate_limited'), accepted: of('accepted') };
  }

  const isTold = ({ came, accepted }: { readonly came: number; readonly accepted: number }): void => {
    expect(accepted).toBeGreaterThanOrEqual(1);
    // The server never had to refuse one, unless another node had taken the last.
    expect(came).toBeLessThanOrEqual(isScaled ? 2 : 1);
  };

  // Of 2023, 2025 and 2026.
  test.each(['sentry-node-7', 'sentry-node-10', '@sentry/node'])(
    '%s is told with what passes, and sends no more',
    async (sdk) => {
      const release = `orders@${sdk.replace(/\W/g, '')}`;
      const program = 'quota-service.mjs';
      isTold(
        await withOneMore(() =>
          runNodeApp({ sdk, dsn: server.installed.dsn, scenario: String(sent), release, program }),
        ),
      );
    },
  );

  // The first sends to /store/, and is of 2020.
  test.each<PythonSdk>(['sentry-sdk 0.19', 'sentry-sdk 1.45', 'sentry-sdk 2.75'])('%s is told, too', async (sdk) => {
    isTold(await withOneMore(() => runPythonApp(server, { sdk, program: 'quota_program.py', scenario: String(sent) })));
  });

  // A page reads headers only where the server says that it may.
  test.each(['sentry-browser-8', '@sentry/browser'])('a page with %s is told, too', async (sdk) => {
    const { dsn } = server.installed;
    await using app = await servePage({ entry: 'quota-page.ts', sdk, dsn, release: `basket@${sdk}` });
    const visitor = await browser.newPage();
    isTold(
      await withOneMore(async () => {
        await visitor.goto(`${app.url}&errors=${sent}`);
        await visitor.waitForFunction(() => document.title === 'done');
      }),
    );
    await visitor.close();
  });

  test('in the console: how much is used, another quota, and one that is deleted comes back', async () => {
    await page.goto(`${server.url}/settings/quotas`);
    const list = page.getByRole('list', { name: 'Quotas', exact: true });
    await list.getByText(/^\d of \d \(1\d\d%\)$/).waitFor();
    await page.getByRole('list', { name: 'Used this month' }).getByText('Errors').waitFor();

    await page.getByRole('button', { name: 'Add quota' }).click();
    await page.getByLabel('Category').selectOption('attachment');
    await page.getByLabel('Megabytes').fill('2.5');
    await page.getByLabel(/^Hard/).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByText('Quota created').first().waitFor();
    await list.getByText(/0\sB of 2\.5\sMB/).waitFor();

    await page.getByRole('button', { name: 'Edit Attachments per month' }).click();
    await page.getByLabel('Megabytes').fill('5');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await list.getByText(/0\sB of 5\sMB/).waitFor();

    await page.getByRole('button', { name: 'Delete Attachments per month' }).click();
    await page.getByText('Quota deleted').first().waitFor();
    await expect.poll(() => list.getByText(/of 5\sMB/).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await list.getByText(/0\sB of 5\sMB/).waitFor();
    await lookAt(page, 'quotas', { whole: true });
  });

  test('the time zone of months is settled, and said', async () => {
    await page.getByLabel('Time zone of months').selectOption('Europe/Berlin');
    await page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await page.getByText('Settings saved').first().waitFor();
    await page.getByText(/in the time zone Europe\/Berlin/).waitFor();
    const found = await server.api<{ timeZone: string }>(quotas());
    expect(found.timeZone).toBe('Europe/Berlin');
    expect(complaints).toEqual([]);
  });
});
