/** Next.js 16 with Turbopack: what each failure shows leads to its cause. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endurance } from '../server/test/harness.ts';
import { screenshots } from './look.ts';
import { buildNextApp, type NextApp, readScreen, startNextApp } from './next-app.ts';
import { globalError, guideBlocks } from './next-guide.ts';
import { nextSuite } from './next-suite.ts';

const example = nextSuite('next-16', {
  mechanism: 'on_request_error',
  server: (_host, digest) =>
    `This page couldn’t load\nA server error occurred. Reload to try again.\nReload\nERROR ${digest}`,
  client: () => 'This page couldn’t load\nReload to try again, or go back.\nReload\nBack',
});

// A build of its own, as long as all that stands above.
describe.runIf(endurance)('with global-error.tsx of the guide', () => {
  let app: NextApp;

  // In the folder of the former build, which leaves little to compile.
  beforeAll(async () => {
    const { app: former, dir, server } = example();
    await former[Symbol.asyncDispose]();
    await writeFile(join(dir, globalError), (await guideBlocks()).get(globalError) ?? '');
    await buildNextApp(dir, server.installed.dsn);
    app = await startNextApp(dir, server.installed.dsn);
  }, 480_000);
  afterAll(() => app?.[Symbol.asyncDispose]());

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
    const { browser, server } = example();
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
      path: `${screenshots}next-global-error${path.replaceAll('/', '-')}.png`,
    });
  });
});
