/** Real SDKs of two majors send to a running Culprit; the API shows what was sent, field by field. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { servePage } from './app-server.ts';
import { launchChromium } from './chromium.ts';
import { runNodeApp } from './node-app.ts';
import { expectVitals, sufferVitals, watchVitals } from './vitals.ts';

interface Frame {
  filename: string;
  function: string | null;
  lineNo: number;
  colNo: number;
  inApp: boolean;
  context: [number, string][];
}
interface ExceptionValue {
  type: string;
  value: string;
  mechanism: { handled: boolean; type: string } | null;
  stacktrace: { frames: Frame[] } | null;
}
interface Entry {
  type: string;
  data: Record<string, unknown>;
}
interface EventDetail {
  eventID: string;
  groupID: string;
  title: string;
  culprit: string;
  platform: string;
  entries: Entry[];
  tags: { key: string; value: string }[];
  contexts: Record<string, Record<string, unknown>>;
  context: Record<string, unknown>;
  user: Record<string, unknown> | null;
  sdk: { name: string; version: string } | null;
  release: { version: string } | string | null;
}
interface IssueRow {
  id: string;
  shortId: string;
  title: string;
  culprit: string;
  level: string;
  count: string;
  userCount: number;
}

let server: Server;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Server.create(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const org = (): string => server.installed.organization;

async function issueOf(release: string, title: string): Promise<{ issue: IssueRow; event: EventDetail }> {
  const query = encodeURIComponent(`release:${release}`);
  const issue = await server.until(`an issue "${title}" of ${release}`, async () => {
    const issues = await server.api<IssueRow[]>(`/organizations/${org()}/issues/?query=${query}&statsPeriod=24h`);
    return issues.find((row) => row.title.startsWith(title));
  });
  // What is asked of the newest event follows what a search finds by some milliseconds.
  const event = await server.until(`the event of ${release}`, async () => {
    const newest = await server.api<EventDetail>(`/organizations/${org()}/issues/${issue.id}/events/latest/`);
    return tagsOf(newest)['release'] === release ? newest : undefined;
  });
  return { issue, event };
}

function exceptions(event: EventDetail): ExceptionValue[] {
  const entry = event.entries.find((candidate) => candidate.type === 'exception');
  return (entry?.data.values ?? []) as ExceptionValue[];
}

const tagsOf = (event: EventDetail): Record<string, string> =>
  Object.fromEntries(event.tags.map(({ key, value }) => [key, value]));

const runNode = (sdk: string, scenario: string, release: string): Promise<void> =>
  runNodeApp({ sdk, dsn: server.installed.dsn, scenario, release });

describe.each([
  ['@sentry/node', 11],
  ['sentry-node-10', 10],
])('%s', (sdk, major) => {
  test('a handled error with a cause: frames with source, user, tags, contexts, breadcrumbs, extra', async () => {
    const release = `node-handled@${major}`;
    await runNode(sdk, 'handled', release);
    const { issue, event } = await issueOf(release, 'Error: checkout failed');
    expect(issue).toMatchObject({ level: 'error', count: '1', userCount: 1 });
    expect(issue.shortId).toMatch(/^WEB-\d+$/);
    expect(exceptions(event).map((value) => [value.type, value.value])).toEqual([
      ['TypeError', "Cannot read properties of undefined (reading 'amount')"],
      ['Error', 'checkout failed'],
    ]);
    const crash = exceptions(event)[0]?.stacktrace?.frames.at(-1);
    expect(crash).toMatchObject({ function: 'readPrice', inApp: true });
    expect(crash?.filename).toMatch(/node-app\.mjs$/);
    expect(crash?.context.find(([line]) => line === crash.lineNo)?.[1]).toContain('return item.price.amount;');
    expect(event.user).toMatchObject({ id: '42', email: 'ada@example.com', username: 'ada' });
    expect(tagsOf(event)).toMatchObject({
      plan: 'pro',
      environment: 'staging',
      release,
      level: 'error',
      server_name: 'web-1',
    });
    expect(event.contexts.cart).toMatchObject({ items: 3, currency: 'EUR' });
    expect(event.contexts.runtime).toMatchObject({ name: 'node' });
    expect(event.context).toMatchObject({ attempt: 2, password: '[Filtered]' });
    expect(event.sdk?.name).toBe('sentry.javascript.node');
    expect(event.sdk?.version).toMatch(new RegExp(`^${major}\\.`));
    const crumbs = event.entries.find((entry) => entry.type === 'breadcrumbs')?.data.values as {
      message: string;
      category: string;
    }[];
    expect(crumbs).toContainEqual(expect.objectContaining({ category: 'auth', message: 'signed in' }));
  });

  test('a message', async () => {
    const release = `node-message@${major}`;
    await runNode(sdk, 'message', release);
    const { issue } = await issueOf(release, 'stock is low');
    expect(issue.level).toBe('warning');
  });

  test('an uncaught exception that ends the process', async () => {
    const release = `node-uncaught@${major}`;
    await runNode(sdk, 'uncaught', release);
    const { issue, event } = await issueOf(release, 'Error: checkout failed');
    expect(issue.level).toBe('fatal');
    // Major 10 says so on the cause, 11 on the outermost exception.
    expect(exceptions(event).some((value) => value.mechanism?.handled === false)).toBe(true);
    expect(tagsOf(event)).toMatchObject({ handled: 'no' });
  });
});

describe.each([
  ['@sentry/browser', 11, 'browser-app.ts'],
  ['sentry-browser-10', 10, 'browser-app.ts'],
  ['@sentry/react', 11, 'react-app.tsx'],
  ['sentry-react-10', 10, 'react-app.tsx'],
])('%s in Chromium', (sdk, major, entry) => {
  test('an error after a click: frames, browser, page, user, breadcrumbs', async () => {
    const release = `${sdk.replace(/\W+/g, '-')}@${major}`;
    await using page = await servePage({ entry, sdk, dsn: server.installed.dsn, release });
    const tab = await browser.newPage();
    await tab.goto(page.url);
    await tab.click('button');
    const { issue, event } = await issueOf(release, 'TypeError: Cannot read properties of undefined');
    await tab.close();
    expect(issue.userCount).toBe(1);
    const crash = exceptions(event)
      .flatMap((value) => value.stacktrace?.frames ?? [])
      .find((frame) => /readPrice|Price/.test(frame.function ?? ''));
    expect(crash).toMatchObject({ inApp: true, lineNo: expect.any(Number), colNo: expect.any(Number) });
    expect(crash?.filename).toContain('/app.js');
    expect(tagsOf(event)).toMatchObject({
      'browser.name': expect.stringContaining('Chrome'),
      plan: 'pro',
      environment: 'staging',
      release,
    });
    expect(event.contexts.browser).toMatchObject({ name: expect.stringContaining('Chrome') });
    expect(event.contexts.os ?? event.contexts.client_os).toMatchObject({ name: 'Linux' });
    const request = event.entries.find((candidate) => candidate.type === 'request')?.data;
    expect(request?.url).toBe(page.url.split('?')[0]);
    expect(event.user).toMatchObject({ id: '42', email: 'ada@example.com' });
    const crumbs = event.entries.find((candidate) => candidate.type === 'breadcrumbs')?.data.values as {
      category: string;
    }[];
    expect(crumbs.some((crumb) => crumb.category === 'ui.click')).toBe(true);
    expect(event.sdk?.version).toMatch(new RegExp(`^${major}\\.`));
  });
});

test('version 10 tells web vitals with its page load, as the browser measured them', async () => {
  const { dsn, project } = server.installed;
  await using site = await servePage({ entry: 'vitals-page.ts', sdk: 'sentry-react-10', dsn, release: 'vitals@10' });
  const tab = await browser.newPage();
  await watchVitals(tab);
  // The page load lasts until a second after this is answered, and has the vitals of then.
  const answer = Promise.withResolvers<void>();
  await tab.route('**/stock', async (route) => {
    await answer.promise;
    await route.fulfill({ body: '12' });
  });
  const [asked] = await Promise.all([tab.waitForRequest('**/stock'), tab.goto(site.url)]);
  const traceId = (await asked.headerValue('sentry-trace'))?.slice(0, 32) ?? '';
  const measured = await sufferVitals(tab, () => tab.click('button'));
  const pageLoad = tab.waitForRequest(
    (request) => request.url().includes('/envelope/') && /"type":"transaction"/.test(request.postData() ?? ''),
  );
  answer.resolve();
  await pageLoad;
  // Interactions are told when the page is left.
  await tab.goto('about:blank');
  const spans = await expectVitals(server, { traceId, project, measured });
  expect(spans.map(({ op, transaction }) => [op, transaction]).toSorted()).toEqual([
    ['pageload', '/product/7'],
    ['ui.interaction.click', '/product/7'],
  ]);
  await tab.close();
});
