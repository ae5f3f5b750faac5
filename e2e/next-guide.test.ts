/** The guide for Next.js: its code is that of the examples, and the error page that it adds shows and reports. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { exampleDir, type NextApp, readScreen, startNextApp, variantOf } from './next-app.ts';

const guide = await readFile(new URL('../docs/guides/from-digest-to-cause/nextjs.md', import.meta.url), 'utf8');
/** Code by the file that is named in the line above it. */
const blocks = new Map(
  [...guide.matchAll(/^`([^`\n]+)`[^\n]*\n\n```tsx?\n([^]*?)```$/gm)].map(([, file = '', code = '']) => [file, code]),
);
const globalError = 'app/global-error.tsx';

test('quotes the examples', async () => {
  expect(blocks.size).toBe(7);
  for (const [file, code] of blocks) {
    if (file === globalError) continue;
    for (const example of ['next-15', 'next-16']) {
      expect([example, file, await readFile(join(exampleDir(example), file), 'utf8')]).toEqual([example, file, code]);
    }
  }
});

describe('global-error.tsx', () => {
  let server: Server;
  let browser: Browser;
  let app: NextApp;

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.create(), launchChromium()]);
    const dir = await variantOf('next-16', globalError, blocks.get(globalError) ?? '');
    app = await startNextApp(dir, server.installed.dsn);
  }, 300_000);
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  test.each([
    [
      'a failure in the browser',
      '/cart',
      /^Application error: a client-side exception has occurred while loading 127\.0\.0\.1 \(see the browser console for more information\)\.\nEvent ID: (?<id>[0-9a-f]{32})\nTry again\s*Copy$/,
    ],
    [
      'a failure of the server',
      '/invoices/7',
      /^Application error: a server-side exception has occurred while loading 127\.0\.0\.1 \(see the server logs for more information\)\.\nDigest: (?<digest>\d+)\nEvent ID: (?<id>[0-9a-f]{32})\nTry again\s*Copy$/,
    ],
  ])('%s', async (_name, path, screen) => {
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const tab = await context.newPage();
    await tab.goto(app.url + path);
    const { id, digest } = await server.until('the screen', async () => screen.exec(await readScreen(tab))?.groups);
    const { organization, project } = server.installed;
    const event = await server.until('the event', async () =>
      server
        .api<{ tags: { key: string; value: string }[] }>(`/projects/${organization}/${project}/events/${id}/`)
        .catch(() => undefined),
    );
    const tags = Object.fromEntries(event.tags.map(({ key, value }) => [key, value]));
    expect(tags).toMatchObject({ handled: 'no', mechanism: 'auto.function.nextjs.error_boundary' });
    expect(tags.digest).toBe(digest);
    await tab.screenshot({
      path: join(import.meta.dirname, `screenshots/next-global-error${path.replaceAll('/', '-')}.png`),
    });
  });
});
