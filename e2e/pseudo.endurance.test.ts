/**
 * The console in a pseudo-locale, of which every text shows that it came from a catalogue, and in which texts are longer
 * and run the other way.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { picture, pictures, takePictures } from './look.ts';
import { pages } from './page-list.ts';
import { addresses, sendIssues, unfold, waysToOpen } from './pseudo-issue.ts';
import { isUnmarked, unmarkedTexts } from './pseudo-texts.ts';
import { arrive, Visits } from './visits.ts';

const vite = fileURLToPath(new URL('../node_modules/.bin/vite', import.meta.url));

let directory: string;
let visits: Visits;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'culprit-pseudo-'));
  execFileSync(vite, ['build', '--logLevel', 'warn', '--outDir', directory, '--emptyOutDir'], {
    cwd: fileURLToPath(new URL('../console/', import.meta.url)),
    env: { ...process.env, CULPRIT_PSEUDO: 'en-XA', NODE_ENV: 'production' },
    stdio: 'inherit',
  });
  visits = await Visits.open({ CULPRIT_CONSOLE_DIR: directory });
});
afterAll(async () => {
  await visits?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true, force: true });
});

test('what is marked, and what is not', () => {
  expect(['⟦Ĩššûûéé⟧', '⟦\u2068WEB-1 is\u2069 ŕéé⟧', '2.1\u00a0s', 'Nov 21, 14:00', '12.3K', ''].some(isUnmarked)).toBe(
    false,
  );
  expect(['Issues', '⟦Ĩšš⟧ of', '3 events'].every(isUnmarked)).toBe(true);
});

/** That every text is marked, and nothing is wider than the page, in either direction. */
async function prove(page: Page, name: string): Promise<void> {
  expect(await unmarkedTexts(page)).toEqual([]);
  if (pictures) await takePictures(page, `pseudo-${name}`);
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
      if (pictures && dir === 'rtl') await picture(page, `pseudo-${name}-rtl-${width}`, true);
    }
}

test.each(Object.keys(pages))('%s', async (name) => {
  const page = await visits.arrive(name);
  await pages[name]?.open?.(page);
  await prove(page, name);
});

describe('what opens', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let issues: Awaited<ReturnType<typeof sendIssues>>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.create({ CULPRIT_CONSOLE_DIR: directory }), launchChromium()]);
    issues = await sendIssues(server);
    ({ page } = await openConsole(server, browser));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  async function open(path: string): Promise<Page> {
    await page.setViewportSize({ width: 1440, height: 900 });
    await arrive(page, server.url + path);
    return page;
  }
  const openIssue = (search = '', which: keyof typeof issues = 'whole'): Promise<Page> =>
    open(`/issues/${issues[which]}${search}`);

  test.each(Object.entries(addresses))('an issue, %s', async (name, search) =>
    prove(await openIssue(search), `issue-${name}`),
  );

  test('a minified issue', async () => {
    await openIssue('', 'minified');
    await unfold(page);
    await prove(page, 'issue-minified');
  });

  test.each(Object.entries(waysToOpen))('an issue, opened: %s', async (name, show) => {
    await openIssue();
    await show(page);
    await prove(page, `issue-${name}`);
  });

  test.each([
    ['/issues', ''],
    ['/issues', 'is:'],
    ['/issues', 'rel'],
    ['/issues', 'timesSeen:x is:unresolvd (', true],
    ['/explore', ''],
    ['/explore?dataset=spans', 'span'],
    ['/explore', 'level:[a,,b] OR', true],
  ])('the search box of %s with "%s"', async (path, typed, isSent = false) => {
    await open(path);
    const box = page.locator('search [role="combobox"]').first();
    await box.click();
    await box.pressSequentially(typed);
    await page.getByRole('listbox').waitFor();
    if (isSent) {
      await box.press('Enter');
      await page.locator('search').getByRole('alert').waitFor();
    }
    await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);
    await prove(page, `search-${typed}`);
  });
});
