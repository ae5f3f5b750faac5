/**
 * The console in a pseudo-locale, of which every text shows that it came from a catalogue, and in which texts are longer
 * and run the other way. Pages whose texts still stand in their code are listed in `unmoved-pages.json`, which only gets
 * shorter.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openConsole } from './console-page.ts';
import { screenshots } from './look.ts';
import { isUnmarked, unmarkedTexts } from './pseudo-texts.ts';
import { sendCheckouts, traceId } from './traces-traffic.ts';

const unmoved = new Set(
  JSON.parse(await readFile(new URL('./unmoved-pages.json', import.meta.url), 'utf8')) as string[],
);
const vite = fileURLToPath(new URL('../node_modules/.bin/vite', import.meta.url));

let directory: string;
let server: Server;
let browser: Browser;
let opened: ConsolePage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'culprit-pseudo-'));
  execFileSync(vite, ['build', '--logLevel', 'warn', '--outDir', directory, '--emptyOutDir'], {
    cwd: fileURLToPath(new URL('../console/', import.meta.url)),
    env: { ...process.env, CULPRIT_PSEUDO: 'en-XA', NODE_ENV: 'production' },
    stdio: 'inherit',
  });
  [server, browser] = await Promise.all([Server.create({ CULPRIT_CONSOLE_DIR: directory }), launchChromium()]);
  await sendCheckouts(server.installed.dsn);
  const { organization } = server.installed;
  await server.until('an issue', async () => {
    const issues = await server.api<unknown[]>(`/organizations/${organization}/issues/?statsPeriod=24h`);
    return issues.length > 0;
  });
  opened = await openConsole(server, browser);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true, force: true });
});

test('what is marked, and what is not', () => {
  expect(['⟦Ĩššûûéé⟧', '⟦\u2068WEB-1 is\u2069 ŕéé⟧', '2.1\u00a0s', 'Nov 21, 14:00', '12.3K', ''].some(isUnmarked)).toBe(
    false,
  );
  expect(['Issues', '⟦Ĩšš⟧ of', '3 events'].every(isUnmarked)).toBe(true);
});

/** By the name that the list of unmoved pages has for it. */
const pages: Readonly<Record<string, string>> = {
  now: '/',
  issues: '/issues',
  issue: '/issues/WEB-1',
  feedback: '/feedback',
  find: '/find',
  'find, nothing': '/find?q=Digest%201',
  traces: '/traces',
  trace: `/traces/${traceId(1)}`,
  performance: '/performance',
  transaction: '/performance/transaction?of=web&transaction=%2Fcheckout',
  vitals: '/performance/vitals',
  explore: '/explore',
  releases: '/releases',
  release: '/releases/shop%401.1.0',
  'release-comparison': '/releases/compare',
  alerts: '/alerts',
  'new alert': '/alerts/new',
  projects: '/projects',
  'new project': '/projects/new',
  'project-setup': '/projects/web/setup',
  'project-settings': '/projects/web/settings',
  grouping: '/projects/web/settings/grouping',
  ownership: '/projects/web/settings/ownership',
  tokens: '/settings/tokens',
  members: '/settings/members',
  teams: '/settings/teams',
  repositories: '/settings/repositories',
  channels: '/settings/channels',
  notifications: '/settings/notifications',
  health: '/health',
  'unknown page': '/nowhere',
  'sign-in': '/sign-in',
  'shared issue, revoked': '/shared/none',
  'invitation, unknown': '/invite/none',
};

test('the list names pages that there are', () => {
  expect([...unmoved].filter((name) => pages[name] === undefined)).toEqual([]);
});

test.each(Object.entries(pages))('%s', async (name, path) => {
  const { page } = opened;
  await page.goto(server.url + path);
  await page.locator('#root :is(h1, main)').first().waitFor();
  // Live updates never end on some pages.
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);
  const texts = await unmarkedTexts(page);
  if (unmoved.has(name)) {
    expect(texts, `${name} is done: take it off unmoved-pages.json`).not.toEqual([]);
    return;
  }
  expect(texts).toEqual([]);
  for (const dir of ['ltr', 'rtl'])
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const sideways = (): Promise<number> =>
        page.evaluate((direction) => {
          const root = document.documentElement;
          root.dir = direction;
          return root.scrollWidth - root.clientWidth;
        }, dir);
      // Charts follow the width of the page a frame later.
      await expect
        .poll(sideways, { message: `${name} scrolls sideways, ${dir}, ${width} px wide` })
        .toBeLessThanOrEqual(0);
      if (process.env['CULPRIT_TEST_PICTURES'] !== undefined)
        await page.screenshot({ path: `${screenshots}pseudo-${name}-${dir}-${width}.png` });
    }
});
