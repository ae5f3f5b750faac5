/** Moving in from Sentry and GlitchTip, by answers that were written from their public API descriptions. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { argumentsOf, guideText } from './guides.ts';
import { culprit, Server } from './harness.ts';
import { commandsFor } from './imports/guide.ts';
import { importInto } from './imports/moved.ts';
import { longId, publicKey, SentryApi, token } from './imports/sentry-api.ts';

interface Shown {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly substatus: string | null;
  readonly statusDetails: Readonly<Record<string, unknown>>;
  readonly assignedTo: { readonly type: string; readonly name: string } | null;
  readonly firstSeen: string;
  readonly count: string;
  readonly activity: readonly { type: string; user: { email: string } | null; data: Record<string, unknown> }[];
}

const day = 86_400_000;
const gapsOf = (outcome: Awaited<ReturnType<typeof importInto>>['outcome']) =>
  (outcome?.report.gaps ?? []).map(({ kind, field, reason }) => `${kind} ${field}: ${reason}`);

async function issueOf(server: Server, title: string): Promise<Shown> {
  const listed = await server.api<Shown[]>('/projects/acme/shop/issues/?query=&statsPeriod=90d');
  const found = listed.find((one) => one.title.startsWith(title));
  if (!found) throw new Error(`no issue ${title} in ${listed.map((one) => one.title).join()}`);
  return server.api<Shown>(`/organizations/acme/issues/${found.id}/`);
}

describe('from Sentry', () => {
  let server: Server;
  let api: SentryApi;
  const words = (): string[] => ['sentry', '--url', api.url];
  beforeAll(async () => {
    [server, api] = await Promise.all([Server.create(), SentryApi.start()]);
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    api.instead.clear();
    api.asked.length = 0;
  });

  test('what is wrong is said with what to do', async () => {
    const detail = async (args = words(), given = token) => (await importInto(server, args, given)).outcome?.detail;
    expect(await detail(words(), 'wrong')).toMatch(/token is wrong, expired or revoked/);
    expect(await detail(['sentry', '--url', `${api.url}/nowhere`])).toMatch(/does not exist there.*--url.*Sentry/);
    expect(await detail([...words(), '--from-org', 'other'])).toMatch(/organizations\/other\/projects.*does not exist/);
    expect(await detail([...words(), '--project', 'web'])).toMatch(/no project web/);
    const projects = '/api/0/organizations/acme/projects/';
    const answers: readonly (readonly [number, string, RegExp])[] = [
      [403, '{"detail":"You do not have permission"}', /may not read .*projects\/\. It needs project:read/],
      [200, '<!doctype html><title>Sign in</title>', /web page.*--url/],
      [200, '[{"id":{},"slug":"x"}]', /something unexpected: 0\.id/],
      [200, '{"id":1}', /something unexpected/],
      [200, 'nothing', /did not answer with JSON/],
      [302, '', /redirects to http:\/\/elsewhere\.test\. Use that/],
    ];
    for (const [status, body, said] of answers) {
      api.instead.set(projects, (response) => {
        response.writeHead(status, { location: 'http://elsewhere.test/login/' }).end(body);
      });
      expect(await detail()).toMatch(said);
    }
  });

  test('a token that ends half way: what came stays, and --resume goes on with the rest', async () => {
    const once = (response: { writeHead(status: number): { end(): void } }): void => response.writeHead(401).end();
    api.instead.set('/api/0/issues/13/events/', once);
    const broken = await importInto(server, words(), token);
    expect(broken.outcome).toMatchObject({ state: 'failed', detail: expect.stringMatching(/token is wrong/) });
    api.instead.clear();
    api.refusals = 2;
    const { outcome, stderr } = await importInto(server, [...words(), '--resume'], token);
    expect({ detail: outcome?.detail, stderr }).toEqual({ detail: '', stderr: '' });
    expect(outcome).toMatchObject({ state: 'done', report: { kinds: { project: { known: 1 } } } });
    expect(gapsOf(outcome)).toEqual(
      expect.arrayContaining([
        'rule : metric rules are measured differently here. Create it again',
        'rule conditions: the condition has no counterpart here',
        'rule actions: actions are not imported. Choose channels for the rule',
        'event : older than the retention of this installation',
        'issue : no event of it can be imported',
        'issue assignee: no member has this address yet. Run the import again once they joined',
        expect.stringMatching(/^issue grouping: grouped differently here: its events are in several issues/),
      ]),
    );
  });

  test('projects, people, releases, rules and searches', async () => {
    const [key] = await server.api<{ public: string; dsn: { aliases: string[] } }[]>('/projects/acme/shop/keys/');
    expect(key).toMatchObject({ public: publicKey, dsn: { aliases: [expect.stringMatching(`/${longId}$`)] } });
    const project = await server.api<object>('/projects/acme/shop/');
    expect(project).toMatchObject({ name: 'Shop', platform: 'node-express' });
    const members =
      await server.api<{ email: string; role: string; pending: boolean; teams: string[] }[]>(
        '/organizations/acme/members/',
      );
    expect(members).toContainEqual(expect.objectContaining({ email: 'ann@example.com', pending: true, role: 'admin' }));
    const version = encodeURIComponent('shop@2.0.0');
    const release = await server.api<object>(`/organizations/acme/releases/${version}/`);
    expect(release).toMatchObject({ url: 'https://example.com/2.0.0', commitCount: 1, deployCount: 1 });
    const rules = await server.api<{ name: string; conditions?: object[] }[]>('/organizations/acme/alert-rules/');
    expect(rules.find(({ name }) => name === 'Loud')).toMatchObject({
      conditions: [{ type: 'new_issue' }, { type: 'event_frequency', count: 51, minutes: 60 }],
    });
    const searches = await server.api<{ name: string }[]>('/organizations/acme/searches/');
    expect(searches.map(({ name }) => name)).toEqual(['Checkout']);
  });

  test('issues keep status, assignee, times and comments; events their ids and times', async () => {
    const resolved = await issueOf(server, 'TypeError');
    expect(resolved).toMatchObject({
      status: 'resolved',
      statusDetails: { inRelease: 'shop@2.0.0' },
      assignedTo: { type: 'user', email: 'owner@example.com' },
      count: '3',
    });
    expect(Math.abs(Date.parse(resolved.firstSeen) - (Date.now() - 40 * day))).toBeLessThan(day);
    const notes = resolved.activity.filter(({ type }) => type === 'note').toReversed();
    expect(notes).toMatchObject([
      { user: { name: 'Ann', email: 'ann@example.com' }, data: { text: 'On it.' } },
      { user: { email: 'owner@example.com' }, data: { text: 'Thanks.' } },
    ]);
    expect(await issueOf(server, 'RangeError')).toMatchObject({
      status: 'ignored',
      substatus: 'archived_until_condition_met',
      statusDetails: { ignoreCount: 100, ignoreWindow: 60 },
      assignedTo: { type: 'team', name: 'checkout' },
      count: '2',
    });
    const event = await server.api<{ timestamp: string | number }>(
      `/projects/acme/shop/events/${'114'.padEnd(32, 'e')}/json/`,
    );
    expect(event).toMatchObject({ release: 'shop@2.0.0', user: { id: '7' } });
  });

  test('the commands of the guide', async () => {
    const commands = await commandsFor('sentry', api.url, token, server);
    expect(commands).toHaveLength(3);
    for (const command of commands) {
      const { code, stderr } = await importInto(server, command, token);
      // Nothing has stopped that could be continued.
      const isResume = command.includes('--resume');
      expect({ code, stderr }).toEqual({
        code: isResume ? 1 : 0,
        stderr: isResume ? expect.stringContaining('NOT_FOUND') : '',
      });
    }
    const run = (line: string) => culprit(line.split(' '), { CULPRIT_DATA_DIR: server.dataDir });
    const guide = await guideText('move-in');
    const [status = '', cancel = ''] = argumentsOf(guide, 'import')
      .filter((line) => /^(?:status|cancel)$/.test(line))
      .map((line) => `import ${line}`);
    expect(await run(status)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('done') });
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const { promise: cancelled, resolve: isCancelled } = Promise.withResolvers<void>();
    api.instead.set('/api/0/organizations/acme/projects/', (response) => {
      isAsked();
      void cancelled.then(() => response.writeHead(200).end('[]'));
    });
    const importing = importInto(server, words(), token);
    await asked;
    expect(await run(status)).toMatchObject({ code: 0, stdout: expect.stringContaining('running') });
    expect(await run(cancel)).toMatchObject({ code: 0, stderr: '' });
    isCancelled();
    expect((await importing).outcome?.state).toBe('cancelled');
    api.instead.clear();

    const [alias = ''] = argumentsOf(guide, 'project');
    expect(await run(`project ${alias}`)).toMatchObject({ code: 0, stderr: '' });
    const keys = await server.api<{ dsn: { aliases: string[] } }[]>('/projects/acme/shop/keys/');
    expect(keys[0]?.dsn.aliases.some((dsn) => dsn.endsWith(`/${alias.split(' ').at(-1)}`))).toBe(true);
  });

  test('once more, nothing is new; with --keep-groups, what was one there is one here', async () => {
    const again = await importInto(server, [...words(), '--keep-groups'], token);
    const made = Object.entries(again.outcome?.report.kinds ?? {}).filter(([, tally]) => tally.made > 0);
    expect(made).toEqual([]);
    expect(await issueOf(server, 'Error: two places')).toMatchObject({ count: '3' });
    const last = await importInto(server, words(), token);
    expect(gapsOf(last.outcome).filter((gap) => gap.includes('several issues'))).toEqual([]);
  });
});

test('from GlitchTip and Urgentry, which have no raw events: their parts are put together', async () => {
  await using server = await Server.create();
  await using api = await SentryApi.start({ hasRaw: false });
  const forbidden = '/api/0/organizations/acme/members/';
  api.instead.set(forbidden, (response) => response.writeHead(403).end('{"detail":"no"}'));
  const [command = []] = await commandsFor('glitchtip', api.url, token, server);
  const { outcome } = await importInto(server, command, token);
  expect(outcome).toMatchObject({ state: 'done', report: { kinds: { rule: { made: 1 }, event: { made: 8 } } } });
  expect(gapsOf(outcome)).toEqual(
    expect.arrayContaining(['search : GlitchTip has no API for this', 'member : the token lacks member:read']),
  );
  const [urgentry = []] = await commandsFor('urgentry', api.url, token, server);
  // It has scopes of its own.
  const keys = '/api/0/projects/acme/shop/keys/';
  api.instead.set(keys, (response) => response.writeHead(403).end('{"detail":"no"}'));
  expect((await importInto(server, urgentry, token)).outcome?.detail).toContain('It needs project:keys:read');
  api.instead.delete(keys);
  const again = await importInto(server, urgentry, token);
  // The same project, by its key: its events are here.
  expect(again.outcome).toMatchObject({
    state: 'done',
    report: { kinds: { project: { known: 1 }, event: { known: 8 } } },
  });

  const stored = await server.api(`/projects/acme/shop/events/${'110'.padEnd(32, 'e')}/json/`);
  expect(stored).toMatchObject({
    release: 'shop@2.0.0',
    environment: 'production',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'price is null',
          stacktrace: {
            frames: [
              {
                function: 'priceOf',
                abs_path: '/srv/app/shop.js',
                lineno: 12,
                in_app: true,
                pre_context: ['// before'],
                context_line: '  priceOf();',
                post_context: ['// after'],
              },
            ],
          },
        },
      ],
    },
  });
});
