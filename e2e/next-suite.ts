/** The cases of Next.js, run against one example: screen, events, digest, trace, and the way from the text to the cause. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';
import { storedEvent } from './built-script.ts';
import { launchChromium } from './chromium.ts';
import { openIssueOf } from './issue-page.ts';
import { screenshots } from './look.ts';
import { type Case, cases } from './next-cases.ts';
import { buildNextApp, copyOf, type NextApp, readScreen, startNextApp } from './next-app.ts';
import { indexed, uploadSettings } from './uploads.ts';

/** What differs between versions: the framework's own screens, as they read in the browser, one line per block. */
export interface Version {
  /** How the SDK comes by an error of a server component. */
  readonly mechanism: 'server_component' | 'on_request_error';
  server(host: string, digest: string): string;
  client(host: string): string;
}

/** Each case takes a second or two; what takes longer is not coming. */
const limitMs = 20_000;

/** The normalised event, in the parts that matter here. */
interface StoredEvent {
  event_id: string;
  platform: string;
  exception?: { values: { type: string; value: string; mechanism?: { type: string } }[] };
  contexts: { trace?: { trace_id: string } };
  tags: [string, string][] | Record<string, string>;
}
interface FindAnswer {
  kind: string;
  /** Of an answer by digest. */
  causes?: { event: { id: string; side: string }; exception: { type: string; value: string } | null }[];
  shown?: { newest: { id: string }[] };
  traces?: { id: string }[];
  /** Of an answer by page. */
  issues?: { issue: { id: string } }[];
}

/** What runs against the one example that is there. */
export interface Example {
  readonly server: Server;
  readonly browser: Browser;
  readonly app: NextApp;
  /** Folder of its sources, which may be changed once the app has stopped. */
  readonly dir: string;
}

/** Returns what the suite made, for tests after its own. */
export function nextSuite(example: string, version: Version): () => Example {
  let dir: string;
  let server: Server;
  let browser: Browser;
  let app: NextApp;
  const known = new Set<string>();
  /** Asked for once: each try to find the events of a case looks at all that are there. */
  const stored = new Map<string, StoredEvent>();
  /** The newest event of a cause by its path. */
  const causes = new Map<string, string>();

  beforeAll(async () => {
    [server, browser] = await Promise.all([Server.create(), launchChromium()]);
    dir = await copyOf(example);
    await buildNextApp(dir, server.installed.dsn, await uploadSettings(server));
    [app] = await Promise.all([startNextApp(dir, server.installed.dsn), indexed(server)]);
  }, 480_000);
  afterAll(async () => {
    await app?.[Symbol.asyncDispose]();
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
  });

  const host = '127.0.0.1';

  /** The event of the cause, and that of the other side in the same trace where there is one. */
  async function eventsOf({ cause, sides }: Case, digest: string | undefined): Promise<StoredEvent[]> {
    const { organization, project } = server.installed;
    const base = `/projects/${organization}/${project}/events/`;
    const isCause = (event: StoredEvent): boolean =>
      sideOf(event) === sides[0] &&
      event.exception?.values.at(-1)?.type === cause.type &&
      reads(event.exception.values.at(-1)?.value, cause.value) &&
      (digest === undefined || digestTag(event) === digest);
    const events = await server.until(
      `events of ${sides.join(' and ')}`,
      async () => {
        const rows = await server.api<{ eventID: string }[]>(base);
        const fresh = rows.map((row) => row.eventID).filter((id) => !known.has(id));
        const found = await Promise.all(fresh.map(storedJson));
        const first = found.find(isCause);
        if (!first || sides.length === 1) return first && [first];
        const second = found.find((event) => sideOf(event) === sides[1] && traceOf(event) === traceOf(first));
        return second && [first, second];
      },
      limitMs,
    );
    for (const event of events) known.add(event.event_id);
    return events;
  }

  /** Files and lines of frames of the project's own code, the innermost first, without the folder of the example. */
  async function ownFrames(id: string): Promise<string[]> {
    const frames = (await storedEvent(server, id))?.stacks.at(-1)?.filter(({ inApp }) => inApp) ?? [];
    return frames.toReversed().map(({ filename, lineNo }) => `${filename.replace(/^.*\.variant\//, '')}:${lineNo}`);
  }

  async function storedJson(id: string): Promise<StoredEvent> {
    const { organization, project } = server.installed;
    const path = `/projects/${organization}/${project}/events/${id}/json/`;
    const event = stored.get(id) ?? (await server.api<StoredEvent>(path));
    stored.set(id, event);
    return event;
  }

  const find = (text: string): Promise<FindAnswer> =>
    server.api(`/organizations/${server.installed.organization}/find/?q=${encodeURIComponent(text)}`);

  async function visit(tab: Page, { path, byLink, act }: Case): Promise<number | undefined> {
    // Chromium shows a page of its own for a failure without a body, and says that it did not go there.
    const response = await tab.goto(app.url + (byLink ? '/' : path), { waitUntil: 'load' }).catch((error: Error) => {
      if (!error.message.includes('ERR_HTTP_RESPONSE_CODE_FAILURE')) throw error;
    });
    if (byLink) await tab.click(`a[href="${path}"]`);
    await act?.(tab);
    return byLink || act ? undefined : response?.status();
  }

  test.each(cases)('$name', async (one) => {
    await using context = await browser.newContext();
    const tab = await context.newPage();
    const foreign: string[] = [];
    tab.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(app.url)) foreign.push(request.url());
    });
    const status = await visit(tab, one);
    if (status !== undefined && one.status !== undefined) expect(status).toBe(one.status);

    const shown = await server.until(
      'the screen',
      async () => {
        const text = await readScreen(tab);
        if (one.screen instanceof RegExp) {
          const match = one.screen.exec(text);
          return match ? { text, digest: match[1] } : undefined;
        }
        const number = /(?:Digest: |ERROR )(\d+(?:@E\d+)?)$/.exec(text)?.[1];
        const expected = one.screen === 'client' ? version.client(host) : number && version.server(host, number);
        return text === expected && { text, digest: number?.replace(/@.*/, '') };
      },
      limitMs,
    );

    const events = await eventsOf(one, shown.digest);
    const [cause] = events;
    if (cause) causes.set(one.path, cause.event_id);
    const digest = shown.digest ?? (cause && digestTag(cause));
    if (one.digest) expect(digest).toMatch(/^\d+$/);
    for (const event of events) {
      const side = sideOf(event);
      expect([side, digestTag(event)]).toEqual([side, one.digest && one.withoutDigest !== side ? digest : undefined]);
    }

    const own = await ownFrames(cause?.event_id ?? '');
    expect(one.thrownByFramework ? own : own.slice(0, 1)).toContain(one.thrownAt);
    if (one.path === '/invoices/7') {
      expect(cause?.exception?.values.at(-1)?.mechanism?.type).toBe(`auto.function.nextjs.${version.mechanism}`);
    }

    if (shown.digest !== undefined) {
      const answer = await find(shown.text);
      const { type, value } = one.cause;
      const exception = { type, value: typeof value === 'string' ? value : expect.stringMatching(value) };
      expect(answer).toMatchObject({ kind: 'cause', causes: [{ exception, event: { side: 'server' } }] });
      // A page that was loaded again failed again: the newest stands for both.
      const newest = await storedJson(answer.causes?.[0]?.event.id ?? '');
      expect([digestTag(newest), sideOf(newest)]).toEqual([shown.digest, 'server']);
      expect(answer.shown?.newest.map(({ id }) => id)).toContain(events[1]?.event_id);
      expect(answer.traces?.map(({ id }) => id)).toContain(cause && traceOf(cause));
    } else {
      // A screen without a digest names its host and side at most; the address names the page.
      const answer = await find(one.screen === 'client' ? shown.text : app.url + one.path);
      expect(answer.kind).toBe('page');
      // By issue: a page that renders again sends a newer event of the same.
      const { organization, project } = server.installed;
      const path = `/projects/${organization}/${project}/events/`;
      const groups = await Promise.all(
        events.map((event) => server.api<{ groupID: string }>(`${path}${event.event_id}/`)),
      );
      const listed = answer.issues?.map(({ issue }) => issue.id) ?? [];
      expect(groups.some(({ groupID }) => listed.includes(groupID))).toBe(true);
    }
    expect(foreign).toEqual([]);
  });

  test('the console shows the line that threw', async () => {
    await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const id = causes.get('/cart') ?? '';
    await openIssueOf(server, page, id);
    await page.getByText('document.title = `Cart (${cart.items.length})`;').first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${screenshots}${example}-source-lines.png` });
  });

  return () => ({ server, browser, app, dir });
}

const reads = (text: string | undefined, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text ?? '');

const sideOf = ({ platform }: StoredEvent): Case['sides'][number] => (platform === 'node' ? 'server' : 'browser');

const traceOf = ({ contexts }: StoredEvent): string | undefined => contexts.trace?.trace_id;

function digestTag({ tags }: StoredEvent): string | undefined {
  return (Array.isArray(tags) ? Object.fromEntries(tags) : tags)?.digest;
}
