/** Sessions from real SDKs and recorded traffic to crash-free rates, in the API and on the pages of releases. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../server/test/harness.ts';
import { servePage } from './app-server.ts';
import { launchChromium } from './chromium.ts';
import { goWithin, openConsole } from './console-page.ts';
import { lookAt } from './look.ts';
import { runNodeApp } from './node-app.ts';
import { after, before, sendReleases } from './release-traffic.ts';
import { capturedFigures, type Figures } from './session-figures.ts';

const captures = fileURLToPath(new URL('../../shared/fixtures/captures/', import.meta.url));
const statuses = ['healthy', 'errored', 'unhandled', 'abnormal', 'crashed'] as const;

let server: Server;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
  ({ page, complaints } = await openConsole(server, browser));
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function makeProject(name: string): Promise<{ slug: string; dsn: string }> {
  const body = JSON.stringify({ name });
  const { slug } = await server.api<{ slug: string }>('/organizations/acme/projects/', { method: 'POST', body });
  const [key] = await server.api<{ dsn: { public: string } }[]>(`/projects/acme/${slug}/keys/`);
  if (!key) throw new Error('no key');
  return { slug, dsn: key.dsn.public };
}

/** By release. */
async function figuresOf(project: string): Promise<Record<string, readonly number[]>> {
  interface Answer {
    groups: { by: Record<string, string>; totals: Record<string, number> }[];
  }
  const ask = (groupBy: string): Promise<Answer> =>
    server.api(
      `/organizations/acme/sessions/?project=${project}&statsPeriod=48h&interval=1h&field=sum(session)&field=count_unique(user)&groupBy=release${groupBy}&per_page=1000`,
    );
  const [byStatus, all] = await Promise.all([ask('&groupBy=session.status'), ask('')]);
  return Object.fromEntries(
    all.groups.map(({ by, totals }) => [
      by.release,
      [
        ...statuses.map(
          (status) =>
            byStatus.groups.find((group) => group.by.release === by.release && group.by['session.status'] === status)
              ?.totals['sum(session)'] ?? -1,
        ),
        totals['count_unique(user)'] ?? -1,
      ],
    ]),
  );
}

describe.sequential('release health', () => {
  test.skipIf(!existsSync(captures))('sessions of recorded traffic end in the documented figures', async () => {
    const { slug, dsn } = await makeProject('Recorded');
    const nowMs = Date.now() - 60_000;
    for (const path of globSync('*/*.body', { cwd: captures }).toSorted()) {
      const text = readFileSync(join(captures, path), 'latin1');
      if (!/"type":"sessions?"/.test(text)) continue;
      const [header = '', item = '', payload = ''] = text.split('\n');
      const recording = basename(dirname(path));
      const sentMs = Date.parse((JSON.parse(header) as { sent_at: string }).sent_at);
      // As if it had been recorded just now, with all distances kept; each recording is a release.
      const first = firstSentOf.get(recording) ?? sentMs;
      firstSentOf.set(recording, first);
      const moved = (all: string): string =>
        all.replaceAll(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, time: string) =>
          JSON.stringify(new Date(Date.parse(time) - first + nowMs).toISOString()),
        );
      const named = moved(payload).replace(/"release":"([^"@]+)@[^"]*"/, `"release":"${recording} $1"`);
      const body = `${JSON.stringify({ sent_at: new Date(sentMs - first + nowMs).toISOString() })}\n${item}\n${named}`;
      expect((await fetch(envelopeUrl(dsn), { method: 'POST', body })).status).toBe(200);
    }
    await server.drained();
    expect(await figuresOf(slug)).toEqual(capturedFigures);
    const { groups } = await server.api<{ groups: { totals: Record<string, number> }[] }>(
      `/organizations/acme/sessions/?project=${slug}&statsPeriod=48h&interval=1h&field=crash_free_rate(session)&field=crash_free_rate(user)`,
    );
    const sum = (of: (figures: Figures) => number): number =>
      Object.values(capturedFigures).reduce((total, figures) => total + of(figures), 0);
    const total = sum(([a, b, c, d, e]) => a + b + c + d + e);
    expect(groups[0]?.totals).toEqual({
      'crash_free_rate(session)': 1 - sum(([, , , , crashed]) => crashed) / total,
      'crash_free_rate(user)': 1,
    });
  });

  test('sessions of running SDKs of two majors', async () => {
    const { slug, dsn } = await makeProject('Running');
    // Of the rest, and of single sessions of version 10, recorded ones are tested with the reader of sessions.
    const program = 'request-sessions.mjs';
    await Promise.all([
      runNodeApp({ sdk: '@sentry/node', dsn, scenario: 'uncaught', release: 'node-uncaught@11' }),
      runNodeApp({ sdk: '@sentry/node', dsn, scenario: '', release: 'requests@11', program }),
      runNodeApp({ sdk: 'sentry-node-10', dsn, scenario: '', release: 'requests@10', program }),
    ]);
    for (const [sdk, major] of [
      ['@sentry/browser', 11],
      ['sentry-browser-10', 10],
    ] as const) {
      await using site = await servePage({ entry: 'browser-app.ts', sdk, dsn, release: `page@${major}` });
      const tab = await browser.newPage();
      await tab.goto(site.url);
      await tab.click('button');
      await server.until('the session has its end', async () => {
        const [, , unhandled = 0, , crashed = 0] = (await figuresOf(slug))[`page@${major}`] ?? [];
        return unhandled + crashed > 0;
      });
      await tab.close();
    }
    await server.drained();
    expect(await figuresOf(slug)).toEqual({
      'node-uncaught@11': [0, 0, 0, 0, 1, 1],
      'requests@11': [2, 1, 0, 0, 0, 0],
      // Its process counts as a session of its own, in which there was an error.
      'requests@10': [2, 2, 0, 0, 0, 0],
      // An unhandled error ends a page's session since version 11 without calling it a crash.
      'page@11': [0, 0, 1, 0, 0, 1],
      'page@10': [0, 0, 0, 0, 1, 1],
    });
  });

  test('a release without sessions says how SDKs come to send them', async () => {
    const body = errorEnvelope(newEventId(), { release: 'shop@0.1.0' });
    expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
    await server.drained();
    await goWithin(page, `${server.url}/releases/shop@0.1.0`);
    await page.getByText('No sessions of this release started').waitFor();
  });

  test('the list shows who got through without a crash, and how much of what runs each release is', async () => {
    await sendReleases(server.installed.dsn);
    await server.drained();
    await goWithin(page, `${server.url}/releases?project=web`);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: '1.1.0' }) });
    await page.getByRole('columnheader', { name: 'Crash-free sessions' }).waitFor();
    const text = (await row.innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/96% ?, below 98%/);
    expect(text).toMatch(/\d+% adopted/);
    const older = page.getByRole('row').filter({ has: page.getByRole('link', { name: '1.0.0' }) });
    expect(await older.innerText()).toContain('99.75%');
    await lookAt(page, 'releases-health', { whole: true });
  });

  test('the page of a release has health over time and by environment', async () => {
    await page.getByRole('link', { name: '1.1.0' }).click();
    const health = page.getByRole('region', { name: 'Health', exact: true });
    await health.getByRole('figure').first().waitFor();
    const cells = await health
      .getByRole('table', { name: 'Health by environment' })
      .locator('tbody tr')
      .allInnerTexts();
    expect(cells.map((line) => line.split(/\s{1,}/)[0])).toEqual(['production', 'staging']);
    await lookAt(page, 'release-health', { whole: true });
    // A part of its time is asked about for the issues that it had then.
    await health.getByRole('slider', { name: 'Sessions, values' }).focus();
    for (const key of ['End', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL('**/issues?**start=**end=**');
    expect(new URL(page.url()).searchParams.get('q')).toBe(`release:${after}`);
    await page.goBack();
    await health.getByRole('figure').first().waitFor();
  });

  test('two releases side by side: new, worse, gone', async () => {
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'Numbers' }).waitFor();
    const url = new URL(page.url());
    expect([url.pathname, url.searchParams.get('from'), url.searchParams.get('to')]).toEqual([
      '/releases/compare',
      before,
      after,
    ]);
    const issuesOf = (name: string): Promise<string[]> =>
      page.getByRole('region', { name }).getByRole('listitem').getByRole('link').allInnerTexts();
    expect(await issuesOf('New')).toEqual(['TypeError delivery is not there']);
    expect(await issuesOf('Worse')).toEqual(['TypeError basket is not there']);
    expect(await issuesOf('Gone')).toEqual(['TypeError voucher is not there']);
    const numbers = page.getByRole('region', { name: 'Numbers' });
    expect(
      (await numbers.getByRole('row', { name: /^Crash-free sessions/ }).innerText()).split('\t').slice(0, 3),
    ).toEqual(['Crash-free sessions', '99.75%', '96%']);
    await lookAt(page, 'releases-compare', { whole: true });
    await page.getByRole('button', { name: 'Swap the two releases' }).click();
    await expect.poll(() => issuesOf('New')).toEqual(['TypeError voucher is not there']);
    await page.getByRole('combobox', { name: 'After' }).selectOption('shop@0.1.0');
    await page.getByRole('region', { name: 'Numbers' }).getByText('0.1.0').waitFor();
    await goWithin(page, `${server.url}/releases/compare?from=nothing&to=${after}`);
    await page.getByText('Release not found').waitFor();
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
  });
});

const firstSentOf = new Map<string, number>();
