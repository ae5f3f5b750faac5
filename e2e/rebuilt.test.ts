/**
 * One page built four times, as releases are: other chunk names, other minified names, with maps and without. Each bug is
 * thrown in Chromium and sent by the SDK, with the stack as three browsers write it. One bug stays one issue, forty stay forty.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import type { BrowserName } from './apps/rebuilt/main.ts';
import { storedEvent } from './built-script.ts';
import { launchChromium } from './chromium.ts';
import { allBugs, bugsOfOwnWords, type Rebuild, type ServedBuild, serveBuild } from './rebuilt-app.ts';
import { indexed, sentryCli, uploadSettings } from './uploads.ts';

const builds: readonly Rebuild[] = [
  { release: 'shop@1.0.0', names: '[name]-[hash]', padding: 5, sourcemap: true },
  { release: 'shop@1.1.0', names: '[hash].chunk', padding: 70, sourcemap: true },
  { release: 'shop@1.2.0', names: '[name].[hash].min', padding: 400, sourcemap: false },
  { release: 'shop@1.3.0', names: 'chunk-[hash]', padding: 1, sourcemap: false },
];
const browsers: readonly BrowserName[] = ['chrome', 'firefox', 'safari'];

let server: Server;
let directory: string;
let chromium: Browser;
const served: ServedBuild[] = [];
const pages: Page[] = [];
/** What became of the requests of the pages, by the event in them: told of an event that does not arrive. */
const fates = new Map<string, string[]>();

beforeAll(async () => {
  [server, directory, chromium] = await Promise.all([
    Server.create(),
    mkdtemp(join(tmpdir(), 'culprit-rebuilt-')),
    launchChromium(),
  ]);
  const settings = await uploadSettings(server);
  for (const [index, one] of builds.entries()) {
    const built = await serveBuild(join(directory, String(index)), server.installed.dsn, one);
    served.push(built);
    if (one.sourcemap) {
      for (const words of ['sourcemaps inject assets', 'sourcemaps upload --wait .']) {
        const { code, output } = await sentryCli(words.split(' '), built.dir, settings);
        if (code !== 0) throw new Error(output);
      }
    }
    const page = await chromium.newPage();
    noteFates(page);
    await page.goto(built.url, { waitUntil: 'load' });
    pages.push(page);
  }
  await indexed(server);
});
afterAll(async () => {
  await chromium?.close();
  for (const one of served) await one[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true, force: true });
});

function noteFates(page: Page): void {
  const note = (request: Request, fate: string): void => {
    const [, id] = /"event_id":"(\w+)"/.exec(request.postData() ?? '') ?? [];
    if (id) fates.set(id, [...(fates.get(id) ?? []), fate]);
  };
  page.on('request', (request) => note(request, 'asked'));
  page.on('response', (response) => note(response.request(), `status ${response.status()}`));
  page.on('requestfailed', (request) => note(request, `failed: ${request.failure()?.errorText}`));
}

/** Sends the bug from that build; the id of the event. */
async function fail(build: number, bug: string, browser: BrowserName): Promise<string> {
  const id: string | undefined = await pages[build]?.evaluate(
    ([name, as]) => Reflect.get(globalThis, 'fail')(name, as),
    [bug, browser] as const,
  );
  if (!id) throw new Error(`${bug} sent nothing`);
  return id;
}

const issueOf = async (id: string): Promise<{ issue: string; mapped: number }> => {
  const { groupID, symbolication } = await server
    .until(`event ${id}`, () => storedEvent(server, id))
    .catch(async (error: unknown) => {
      const fate = fates.get(id)?.join(', ') ?? 'never asked: its SDK dropped it';
      const { organization, project } = server.installed;
      const now = await server
        .api(`/projects/${organization}/${project}/events/${id}/`)
        .then(() => 'it is there now', String);
      const metrics = (await server.metrics()).match(/^culprit_(?:ingest|log|processed|processing)_.*$/gm);
      const told = [`page: ${fate}`, `API: ${now}`, ...(metrics ?? [])].join('\n');
      throw new Error(`event ${id} did not arrive\n${told}`, { cause: error });
    });
  return { issue: groupID, mapped: symbolication.mapped };
};

/** The issues of the bugs, each sent once by every build named, in the stack format of one browser after the other. */
async function issuesOf(bugs: readonly string[], from: readonly number[]): Promise<Map<string, Set<string>>> {
  const sent: (readonly [bug: string, id: string])[] = [];
  for (const build of from) {
    for (const [index, bug] of bugs.entries()) {
      sent.push([bug, await fail(build, bug, browsers[(index + build) % browsers.length] ?? 'chrome')]);
    }
  }
  const issues = new Map<string, Set<string>>();
  for (const [bug, id] of sent) {
    issues.set(bug, (issues.get(bug) ?? new Set()).add((await issueOf(id)).issue));
  }
  return issues;
}

describe('a bug of a page that is built again', () => {
  test('is one issue in three browsers, two builds with maps and two without', async () => {
    const found: { build: string; browser: string; issue: string; mapped: boolean }[] = [];
    for (const [index, { release }] of builds.entries()) {
      for (const browser of browsers) {
        const { issue, mapped } = await issueOf(await fail(index, 'basket', browser));
        found.push({ build: release, browser, issue, mapped: mapped > 0 });
      }
    }
    expect(found.map(({ mapped }) => mapped)).toEqual(found.map((_, index) => index < 6));
    expect(new Set(found.map(({ issue }) => issue)), JSON.stringify(found, null, 1)).toHaveProperty('size', 1);
  });

  test('is one issue as well when the builds without maps come first', async () => {
    const issues: string[] = [];
    for (const build of [2, 3, 0, 1]) {
      for (const browser of browsers) issues.push((await issueOf(await fail(build, 'coupon', browser))).issue);
    }
    expect(new Set(issues).size, issues.join(' ')).toBe(1);
  });

  test('forty stay forty, ten of which differ in nothing but their place', async () => {
    expect(allBugs).toHaveLength(40);
    const issues = await issuesOf(allBugs, [0, 1]);
    expect([...issues.values()].filter((each) => each.size !== 1)).toEqual([]);
    expect(new Set([...issues.values()].flatMap((each) => [...each])).size).toBe(40);
  });

  test('without maps those with words of their own stay apart, and with those that have maps', async () => {
    const issues = await issuesOf(bugsOfOwnWords, [0, 2, 3]);
    expect([...issues.values()].filter((each) => each.size !== 1)).toEqual([]);
    expect(new Set([...issues.values()].flatMap((each) => [...each])).size).toBe(bugsOfOwnWords.length);
  });
});
