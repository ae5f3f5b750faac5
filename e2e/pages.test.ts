/**
 * A page of each route of the console, full, and all of them where tests are to last: axe in both themes, the names that a
 * screen reader says, headings, the way of the Tab key. With `CULPRIT_TEST_PICTURES=1` pictures of each, and of those of an
 * empty installation.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endurance, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';
import { lookAt, pictures, takePictures } from './look.ts';
import { headingFaults, namelessControls, tabFaults } from './page-checks.ts';
import { pages } from './page-list.ts';
import { arrive, Visits } from './visits.ts';

let visits: Visits;

beforeAll(async () => {
  visits = await Visits.open();
});
afterAll(() => visits?.[Symbol.asyncDispose]());

test('every route of the console has a page in the list', async () => {
  const page = await visits.arrive('projects');
  const routes = await page.evaluate(() => {
    const router: unknown = Reflect.get(globalThis, '__TSR_ROUTER__');
    const { routesByPath } = router as { routesByPath: Readonly<Record<string, unknown>> };
    return Object.keys(routesByPath);
  });
  const listed = new Set(Object.values(pages).map(({ route }) => route));
  expect(routes.length).toBeGreaterThan(20);
  expect(routes.filter((route) => !listed.has(route))).toEqual([]);
  expect([...listed].filter((route) => route !== '' && !routes.includes(route))).toEqual([]);
});

/** One of each route, over which nothing is opened where there is such a one. */
const ofEachRoute = new Set(
  new Map(
    Object.entries(pages)
      .toReversed()
      .toSorted(([, a], [, b]) => Number(!a.open) - Number(!b.open))
      .map(([name, { route }]) => [route, name]),
  ).values(),
);

const looked = Object.keys(pages).filter((name) => endurance || pictures || ofEachRoute.has(name));

test.each(looked)('%s', async (name) => {
  const page = await visits.arrive(name);
  const { open } = pages[name] ?? {};
  const faults = {
    headings: await headingFaults(page),
    nameless: await namelessControls(page),
    // What opens over a page holds the focus.
    tab: open ? [] : await tabFaults(page),
  };
  await open?.(page);
  await lookAt(page, `page-${name}`, { whole: true, tags: ['best-practice'], isColorful: true });
  expect(faults).toEqual({ headings: [], nameless: [], tab: [] });
});

/** Pages as they are on the first day, which tests of their own check. */
test.runIf(pictures)(
  'pictures of an empty installation',
  async () => {
    await using server = await Server.create();
    const browser = await launchChromium();
    try {
      const { page } = await openConsole(server, browser);
      for (const [name, { path, as, open }] of Object.entries(pages)) {
        if (typeof path !== 'string' || as || open || name.includes(',')) continue;
        await arrive(page, server.url + path);
        await takePictures(page, `empty-${name}`);
      }
    } finally {
      await browser.close();
    }
  },
  900_000,
);
