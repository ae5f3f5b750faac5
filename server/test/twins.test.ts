/** Browsers' views of server failures end in the issue of the server's event, whichever comes first. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, newEventId, Server } from './harness.ts';

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly count: string;
  readonly userCount: number;
  readonly platform: string;
}

let server: Server;
let projects = 0;
beforeAll(async () => {
  server = await Server.create();
});
afterAll(() => server[Symbol.asyncDispose]());

/** A project of its own for each test, so that nothing that waits is seen by another. */
async function newProject(): Promise<Sink> {
  const org = server.installed.organization;
  const { slug } = await server.api<{ slug: string }>(`/organizations/${org}/projects/`, {
    method: 'POST',
    body: JSON.stringify({ name: `Shop ${++projects}` }),
  });
  const [key] = await server.api<{ dsn: { public: string } }[]>(`/projects/${org}/${slug}/keys/`);
  return new Sink(slug, key?.dsn.public ?? '');
}

class Sink {
  readonly slug: string;
  readonly #dsn: string;
  constructor(slug: string, dsn: string) {
    this.slug = slug;
    this.#dsn = dsn;
  }

  async send(...events: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    for (const event of events) {
      const lines = [{ event_id: event.event_id }, { type: 'event' }, event];
      const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const response = await fetch(envelopeUrl(this.#dsn), { method: 'POST', body });
      expect(response.status).toBe(200);
    }
  }

  /** Of all statuses, with their counts. */
  async issues(query = ''): Promise<readonly Issue[]> {
    await server.drained();
    const org = server.installed.organization;
    const all = await server.api<Issue[]>(`/projects/${org}/${this.slug}/issues/?query=${encodeURIComponent(query)}`);
    return all.toSorted((a, b) => Number(a.id) - Number(b.id));
  }
}

const summary = (issues: readonly Issue[]) => issues.map(({ title, count }) => [title, Number(count)]);

const hidden = {
  'Next.js 15':
    'An error occurred in the Server Components render. The specific message is omitted in production builds to avoid leaking sensitive details. A digest property is included on this error instance which may provide additional details about the nature of the error.',
  'Next.js 16':
    'Minified React error #441; visit https://react.dev/errors/441 for the full message or use the non-minified dev environment for full errors and additional helpful warnings.',
};

interface Failure {
  readonly trace?: string;
  readonly digest?: string;
  readonly value?: string;
  readonly user?: string;
  readonly at?: number;
  readonly page?: string;
}

const event = ({ trace, digest, user, at, page = '/cart' }: Failure, platform: string, more: object) => ({
  event_id: newEventId(),
  timestamp: (at ?? Date.now()) / 1000,
  platform,
  transaction: platform === 'node' ? `GET ${page}` : page,
  ...(trace === undefined ? {} : { contexts: { trace: { trace_id: trace, span_id: 'b'.repeat(16) } } }),
  ...(digest === undefined ? {} : { tags: { digest } }),
  ...(user === undefined ? {} : { user: { id: user } }),
  ...more,
});

const exception = (type: string, value: string, file: string) => ({
  exception: {
    values: [
      {
        type,
        value,
        stacktrace: { frames: [{ filename: file, function: 'd', lineno: 1, colno: 1730, in_app: true }] },
        mechanism: { type: 'generic', handled: false },
      },
    ],
  },
});

const serverEvent = (failure: Failure) =>
  event(
    failure,
    'node',
    exception('RangeError', failure.value ?? 'invoice missing', `app:///server/${failure.value ?? 'page'}.js`),
  );
const view = (failure: Failure, text = hidden['Next.js 16']) =>
  event(failure, 'javascript', exception('Error', text, 'app:///_next/static/chunks/main.js'));

const newTrace = newEventId;
const waitingTitle = 'Server failures without a server event';

describe.each(Object.entries(hidden))('the text of %s', (_name, text) => {
  test.each(['digest', 'trace'] as const)('one issue by %s, whichever comes first', async (by) => {
    const project = await newProject();
    const failure = (): Failure =>
      by === 'digest' ? { digest: String(Math.trunc(Math.random() * 2 ** 32)) } : { trace: newTrace() };
    const serverFirst = failure();
    await project.send(serverEvent(serverFirst));
    await server.drained();
    await project.send(view({ ...serverFirst, user: 'a' }, text));
    await server.drained();
    const viewFirst = failure();
    await project.send(view({ ...viewFirst, user: 'b' }, text));
    expect(summary(await project.issues())).toEqual([
      ['RangeError: invoice missing', 2],
      [waitingTitle, 1],
    ]);
    await project.send(serverEvent(viewFirst));
    const [issue, ...others] = await project.issues('is:unresolved');
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ title: 'RangeError: invoice missing', count: '4', userCount: 2, platform: 'node' });
    const together = failure();
    await project.send(view(together, text), serverEvent(together));
    const found = summary(await project.issues('is:unresolved'));
    // Afterwards: where the others are, and whether they came late.
    const all = JSON.stringify(summary(await project.issues()));
    expect(found, `all of them: ${all}`).toEqual([['RangeError: invoice missing', 6]]);
  });
});

test('views of many failures that nobody explains are one issue, and each finds its own later', async () => {
  const project = await newProject();
  const failures = Array.from({ length: 12 }, (_, n) => ({ trace: newTrace(), value: n % 2 ? 'odd' : 'even' }));
  await project.send(...failures.map((failure) => view(failure)), view({}));
  expect(summary(await project.issues())).toEqual([[waitingTitle, 13]]);
  await project.send(...failures.map((failure) => serverEvent(failure)));
  const issues = await project.issues('is:unresolved');
  expect(summary(issues)).toEqual([
    [waitingTitle, 1],
    ['RangeError: even', 12],
    ['RangeError: odd', 12],
  ]);
});

test('a flood in both orders at once leaves nothing waiting', async () => {
  const project = await newProject();
  const failures = Array.from({ length: 150 }, () => ({ trace: newTrace() }));
  const sent = failures.flatMap((failure, n) =>
    n % 2 ? [view(failure), serverEvent(failure)] : [serverEvent(failure), view(failure)],
  );
  await Promise.all(sent.map((one) => project.send(one)));
  expect(summary(await project.issues('is:unresolved'))).toEqual([['RangeError: invoice missing', 300]]);
});

test('with digests that differ, a shared trace ties nothing', async () => {
  const project = await newProject();
  const trace = newTrace();
  await project.send(serverEvent({ trace, digest: '111' }), view({ trace, digest: '222' }));
  expect(summary(await project.issues())).toEqual([
    ['RangeError: invoice missing', 1],
    [waitingTitle, 1],
  ]);
});

test('of two failures in one trace the page decides', async () => {
  const project = await newProject();
  const trace = newTrace();
  await project.send(
    serverEvent({ trace, value: 'cart', page: '/cart' }),
    serverEvent({ trace, value: 'prices', page: '/api/prices' }),
  );
  await server.drained();
  await project.send(view({ trace, page: '/cart' }));
  expect(summary(await project.issues())).toEqual([
    ['RangeError: cart', 2],
    ['RangeError: prices', 1],
  ]);
});

test('a view opens no issue again and leaves an archived one alone', async () => {
  const project = await newProject();
  const trace = newTrace();
  await project.send(serverEvent({ trace, digest: '77', at: Date.now() - 60_000 }));
  const [issue] = await project.issues();
  for (const status of ['resolved', 'ignored']) {
    await server.api(`/issues/${issue?.id}/`, { method: 'PUT', body: JSON.stringify({ status }) });
    await project.send(view({ trace, digest: '77', at: Date.now() + 5_000 }));
    expect(await project.issues()).toMatchObject([{ id: issue?.id, status }]);
  }
  await server.api(`/issues/${issue?.id}/`, { method: 'PUT', body: JSON.stringify({ status: 'resolved' }) });
  // A waiting view that comes to it later does not either, but the server's event does.
  const late = { trace: newTrace(), at: Date.now() + 5_000 };
  await project.send(view(late));
  await server.drained();
  await project.send(serverEvent({ ...late, at: Date.now() - 30_000 }));
  expect((await project.issues()).find(({ id }) => id === issue?.id)).toMatchObject({ status: 'resolved', count: '5' });
  await project.send(serverEvent({ at: Date.now() + 10_000 }));
  expect((await project.issues()).find(({ id }) => id === issue?.id)).toMatchObject({ status: 'unresolved' });
});

test('an error of a browser that carries a digest keeps its own issue until the server’s event is there', async () => {
  const project = await newProject();
  const failed = (failure: Failure) =>
    event(failure, 'javascript', exception('ServerFailure', 'server answered 500', 'app:///assets/api.js'));
  await project.send(failed({ digest: '3700514941' }), failed({ digest: '3700514942' }), failed({}));
  expect(summary(await project.issues())).toEqual([['ServerFailure: server answered 500', 3]]);
  await project.send(serverEvent({ digest: '3700514941' }));
  expect(summary(await project.issues('is:unresolved'))).toEqual([
    ['ServerFailure: server answered 500', 2],
    ['RangeError: invoice missing', 2],
  ]);
});

test('a view stays with its project', async () => {
  const [shop, api] = [await newProject(), await newProject()];
  const trace = newTrace();
  await api.send(serverEvent({ trace }));
  await server.drained();
  await shop.send(view({ trace }));
  expect(summary(await shop.issues())).toEqual([[waitingTitle, 1]]);
  expect(summary(await api.issues())).toEqual([['RangeError: invoice missing', 1]]);
});

describe('recorded from Next.js', () => {
  const folder = fileURLToPath(new URL('../../../shared/fixtures/nextjs/', import.meta.url));
  const read = (name: string) => {
    const [, , payload = '{}'] = readFileSync(join(folder, `${name}.envelope`), 'utf8').split('\n');
    const raw = JSON.parse(payload) as Record<string, unknown>;
    return { ...raw, event_id: newEventId(), timestamp: Date.now() / 1000, breadcrumbs: now(raw) };
  };
  /** The recording is older than what the server takes for a right clock: moved as a whole. */
  const now = ({ timestamp, breadcrumbs }: Record<string, unknown>) =>
    (breadcrumbs as { timestamp: number }[]).map((crumb) => ({
      ...crumb,
      timestamp: crumb.timestamp + Date.now() / 1000 - Number(timestamp),
    }));

  test.each([
    ['next15-default', ''],
    ['next15-helper', '2078977624'],
    ['next16-default', '2105903497'],
    ['next16-extraerrordata', '2105903497'],
    ['next16-helper-action', '897338432'],
  ])('%s is one issue in both orders, with the digest %j', async (name, digest) => {
    if (!existsSync(folder)) {
      console.warn('The recorded pairs are not beside this checkout: their replay was left out.');
      return;
    }
    for (const order of [
      ['server', 'browser'],
      ['browser', 'server'],
    ]) {
      const project = await newProject();
      for (const side of order) {
        await project.send(read(`${name}-${side}`));
        await server.drained();
      }
      const issues = await project.issues('is:unresolved');
      expect(issues.map(({ count, platform }) => [count, platform])).toEqual([['2', 'node']]);
      await using events = await server.events();
      const found = await events.query<{ n: number }>(
        'SELECT count() AS n FROM errors WHERE platform = {platform:String} AND digest = {digest:String}',
        { platform: 'node', digest },
      );
      expect(found[0]?.n).toBeGreaterThan(0);
    }
  });

  test('what has no cause of its own is one issue, other errors are theirs', async () => {
    if (!existsSync(folder)) return;
    const project = await newProject();
    await project.send(
      read('next15-framework-error-code-browser'),
      read('next15-framework-error-code-server'),
      read('next16-client-only-browser'),
      read('next16-ssr-of-client-component-server'),
      read('next16-ssr-of-client-component-browser'),
    );
    expect(
      summary(await project.issues())
        .map(([title, count]) => `${count} ${title}`)
        .toSorted(),
    ).toEqual([
      '1 Error: lab: client component throws on server and browser',
      '1 Error: lab: client component throws on server and browser',
      '1 Error: lab: client render throw',
      `2 ${waitingTitle}`,
    ]);
  });
});
