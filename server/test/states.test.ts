/** Events of real SDKs, commits and time move issues through every state that they can bring about, on a clock that is moved. */
import * as browser from '@sentry/browser';
import * as node from '@sentry/node';
import * as node10 from 'sentry-node-10';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Server } from './harness.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Entry {
  readonly type: string;
  readonly user: { readonly email: string } | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly dateCreated: string;
}

interface Issue {
  readonly id: string;
  readonly shortId: string;
  readonly status: string;
  readonly substatus: string | null;
  readonly statusDetails: Readonly<Record<string, unknown>>;
  readonly activity: readonly Entry[];
}

let server: Server;
beforeAll(async () => {
  server = await Server.create({}, { clock: true });
}, 120_000);
afterAll(() => server[Symbol.asyncDispose]());

/** Sends by the server's clock, as the SDK of a machine with the right time does. */
interface Sender {
  /** An error of the given name, whose stack is its own. */
  send(name: string, release: string, userId?: string): Promise<void>;
}

const options = (release: string) => ({
  dsn: server.installed.dsn,
  release: release || undefined,
  integrations: [],
  beforeSend: <Event extends object>(event: Event): Event => ({ ...event, timestamp: server.now() / 1_000 }),
});

function thrown(name: string): Error {
  const error = new RangeError(`${name} is not there`);
  error.name = name;
  return error;
}

const byClock = (envelope: readonly unknown[]): void => {
  Object.assign(envelope[0] as object, { sent_at: new Date(server.now()).toISOString() });
};

const senders: Readonly<Record<string, Sender>> = {
  '@sentry/node': {
    async send(name, release, userId) {
      const { NodeClient, makeNodeTransport: transport, defaultStackParser: stackParser, Scope } = node;
      const client = new NodeClient({ ...options(release), transport, stackParser });
      client.on('beforeEnvelope', byClock);
      const scope = new Scope();
      if (userId !== undefined) scope.setUser({ id: userId });
      client.captureException(thrown(name), undefined, scope);
      await client.close(10_000);
    },
  },
  'sentry-node-10': {
    async send(name, release, userId) {
      const { NodeClient, makeNodeTransport: transport, defaultStackParser: stackParser, Scope } = node10;
      const client = new NodeClient({ ...options(release), transport, stackParser });
      client.on('beforeEnvelope', byClock);
      const scope = new Scope();
      if (userId !== undefined) scope.setUser({ id: userId });
      client.captureException(thrown(name), undefined, scope);
      await client.close(10_000);
    },
  },
  '@sentry/browser': {
    async send(name, release, userId) {
      const { BrowserClient, makeFetchTransport: transport, defaultStackParser: stackParser, Scope } = browser;
      const client = new BrowserClient({ ...options(release), transport, stackParser });
      client.on('beforeEnvelope', byClock);
      const scope = new Scope();
      if (userId !== undefined) scope.setUser({ id: userId });
      client.captureException(thrown(name), undefined, scope);
      await client.close(10_000);
    },
  },
};
const fail = (): never => {
  throw new Error('no SDK');
};
/** Each error comes from one SDK, as it would from one app. */
const chosen = new Map<string, Sender>();

/** Issues of the installation by the name of their error. */
const ids = new Map<string, string>();

/** `times` events, of so many users in turn; resolves when they are stored. */
async function seen(name: string, { release = '', times = 1, users = 0 } = {}): Promise<void> {
  const sender = chosen.get(name) ?? Object.values(senders)[chosen.size % 3] ?? fail();
  chosen.set(name, sender);
  for (let start = 0; start < times; start += 25) {
    const some = Array.from({ length: Math.min(25, times - start) }, (_, index) => start + index);
    await Promise.all(some.map((index) => sender.send(name, release, users ? `u${index % users}` : undefined)));
  }
  await server.drained();
  if (ids.has(name)) return;
  const org = server.installed.organization;
  const found = await server.until(`the issue of ${name}`, async () => {
    const [first] = await server.api<Issue[]>(`/organizations/${org}/issues/?query=${name}&statsPeriod=90d`);
    return first;
  });
  ids.set(name, found.id);
}

const issue = (name: string): Promise<Issue> => server.api<Issue>(`/issues/${ids.get(name) ?? ''}/`);

const change = (name: string, body: object): Promise<Issue> =>
  server.api<Issue>(`/issues/${ids.get(name) ?? ''}/`, { method: 'PUT', body: JSON.stringify(body) });

/** How it stands, when it stands so; with the newest entry of its activity. */
async function comesTo(
  name: string,
  status: string,
  substatus: string | null,
): Promise<Entry & Pick<Issue, 'statusDetails'>> {
  const found = await server.until(
    `${name} is ${substatus ?? status}`,
    async () => {
      const now = await issue(name);
      return now.status === status && now.substatus === substatus && now;
    },
    20_000,
  );
  const [entry] = found.activity;
  if (!entry) throw new Error(`nothing happened to ${name}`);
  return { ...entry, statusDetails: found.statusDetails };
}

const pass = (ms: number): Promise<void> => server.moveClock(ms);

const commitRelease = async (version: string, commits: readonly { id: string; message: string }[]): Promise<void> => {
  const { organization, project } = server.installed;
  await server.api(`/organizations/${organization}/releases/`, {
    method: 'POST',
    body: JSON.stringify({
      version,
      projects: [project],
      commits: commits.map((one) => ({ ...one, repository: 'acme/web' })),
    }),
  });
};

describe('by time', () => {
  test('new, after a week ongoing; resolved, seen again: regressed, after a week ongoing', async () => {
    await seen('Settles', { release: 'web@1.0.0' });
    expect(await issue('Settles')).toMatchObject({ status: 'unresolved', substatus: 'new', statusDetails: {} });
    await pass(7 * day);
    expect(await comesTo('Settles', 'unresolved', 'ongoing')).toMatchObject({ type: 'auto_set_ongoing', user: null });
    const { activity } = await change('Settles', { status: 'resolved' });
    expect(activity[0]).toMatchObject({ type: 'set_resolved', user: { email: 'owner@example.com' } });
    await pass(minute);
    await seen('Settles', { release: 'web@1.0.0' });
    const back = await comesTo('Settles', 'unresolved', 'regressed');
    expect(back).toMatchObject({ type: 'set_regression', user: null, data: { version: 'web@1.0.0' } });
    expect(Math.abs(Date.parse(back.dateCreated) - server.now())).toBeLessThan(minute);
    await pass(7 * day);
    await comesTo('Settles', 'unresolved', 'ongoing');
  });

  test('archived for an hour', async () => {
    await seen('Sleeps');
    const asked = { status: 'ignored', statusDetails: { ignoreDuration: 60 } };
    const { substatus, statusDetails } = await change('Sleeps', asked);
    expect(substatus).toBe('archived_until_condition_met');
    expect(statusDetails).toMatchObject({ ignoreDuration: 60, actor: { email: 'owner@example.com' } });
    await pass(59 * minute);
    await seen('Sleeps');
    expect(await issue('Sleeps')).toMatchObject({ status: 'ignored' });
    await pass(minute);
    const back = await comesTo('Sleeps', 'unresolved', 'ongoing');
    expect(back).toMatchObject({ type: 'archived_condition_met', data: { ignoreDuration: 60 } });
  });
});

describe('by release', () => {
  test('resolved in the next release', async () => {
    await seen('Next', { release: 'web@2.0.0' });
    const { statusDetails, substatus, activity } = await change('Next', { status: 'resolvedInNextRelease' });
    expect({ substatus, ...statusDetails }).toMatchObject({ substatus: null, inNextRelease: true });
    expect(activity[0]).toMatchObject({ type: 'set_resolved_in_release', data: { currentVersion: 'web@2.0.0' } });
    await pass(minute);
    await seen('Next', { release: 'web@1.9.0' });
    await seen('Next', { release: 'web@2.0.0' });
    expect(await issue('Next')).toMatchObject({ status: 'resolved' });
    await seen('Next', { release: 'web@2.0.1' });
    expect(await comesTo('Next', 'unresolved', 'regressed')).toMatchObject({ data: { version: 'web@2.0.1' } });
  });

  test('resolved in a given release', async () => {
    await seen('Given', { release: 'web@2.0.1' });
    const asked = { status: 'resolved', statusDetails: { inRelease: 'web@2.5.0' } };
    expect((await change('Given', asked)).statusDetails).toMatchObject({ inRelease: 'web@2.5.0' });
    await pass(minute);
    await seen('Given', { release: 'web@2.4.9' });
    expect(await issue('Given')).toMatchObject({ status: 'resolved' });
    await seen('Given', { release: 'web@2.5.0' });
    await comesTo('Given', 'unresolved', 'regressed');
  });

  test('events without a release go by time', async () => {
    await seen('Bare');
    await change('Bare', { status: 'resolvedInNextRelease' });
    await pass(minute);
    await seen('Bare');
    await comesTo('Bare', 'unresolved', 'regressed');
  });
});

describe('by commit', () => {
  test('a commit of a release says that it fixes it', async () => {
    await seen('Named', { release: 'web@2.5.0' });
    const { shortId } = await issue('Named');
    await commitRelease('web@3.0.0', [{ id: 'a'.repeat(40), message: `Fixes: ${shortId.toLowerCase()}` }]);
    const fixed = await comesTo('Named', 'resolved', null);
    expect(fixed).toMatchObject({
      type: 'set_resolved_in_commit',
      data: { commit: 'a'.repeat(40), version: 'web@3.0.0' },
      statusDetails: { inRelease: 'web@3.0.0', inCommit: { commit: 'a'.repeat(40), repository: 'acme/web' } },
    });
    await pass(minute);
    await seen('Named', { release: 'web@2.5.0' });
    expect(await issue('Named')).toMatchObject({ status: 'resolved' });
    await seen('Named', { release: 'web@3.0.0' });
    await comesTo('Named', 'unresolved', 'regressed');
  });

  test('one that no release has yet is waited for', async () => {
    await seen('Awaited', { release: 'web@3.0.0' });
    const inCommit = { commit: 'b'.repeat(40), repository: 'acme/web' };
    expect((await change('Awaited', { status: 'resolved', statusDetails: { inCommit } })).statusDetails).toMatchObject({
      inCommit,
    });
    await pass(minute);
    await seen('Awaited', { release: 'web@3.0.1' });
    expect(await issue('Awaited')).toMatchObject({ status: 'resolved' });
    await commitRelease('web@3.1.0', [{ id: inCommit.commit, message: 'the fix' }]);
    expect((await issue('Awaited')).statusDetails).toMatchObject({ inRelease: 'web@3.1.0' });
    await pass(minute);
    await seen('Awaited', { release: 'web@3.0.1' });
    expect(await issue('Awaited')).toMatchObject({ status: 'resolved' });
    await seen('Awaited', { release: 'web@3.1.0' });
    await comesTo('Awaited', 'unresolved', 'regressed');
  });
});

describe('by the number of events', () => {
  test('archived until five more events', async () => {
    await seen('Counted', { times: 6 });
    await change('Counted', { status: 'ignored', statusDetails: { ignoreCount: 5 } });
    await pass(minute);
    await seen('Counted', { times: 4 });
    expect(await issue('Counted')).toMatchObject({ status: 'ignored', substatus: 'archived_until_condition_met' });
    await seen('Counted');
    const back = await comesTo('Counted', 'unresolved', 'ongoing');
    expect(back).toMatchObject({ type: 'archived_condition_met', data: { ignoreCount: 5, count: 5 } });
  });

  test('archived until three more users within an hour', async () => {
    await seen('Users', { times: 4, users: 4 });
    await change('Users', { status: 'ignored', statusDetails: { ignoreUserCount: 3, ignoreUserWindow: 60 } });
    await pass(minute);
    await seen('Users', { times: 2, users: 2 });
    await pass(2 * hour);
    await seen('Users', { times: 2, users: 2 });
    expect(await issue('Users')).toMatchObject({ status: 'ignored' });
    await seen('Users', { times: 3, users: 3 });
    const back = await comesTo('Users', 'unresolved', 'ongoing');
    expect(back).toMatchObject({ data: { ignoreUserCount: 3, userCount: 3 } });
  });

  test('archived until escalating, and ongoing: more than the forecast; a week later ongoing', async () => {
    await seen('Grows');
    await seen('Floods');
    await change('Grows', { status: 'unresolved', substatus: 'ongoing' });
    await change('Floods', { status: 'ignored', substatus: 'archived_until_escalating' });
    // To the beginning of an hour, for hours are compared.
    await pass(2 * day + hour - (server.now() % hour));
    await seen('Grows', { times: 5 });
    await seen('Floods', { times: 5 });
    expect(await issue('Floods')).toMatchObject({ substatus: 'archived_until_escalating' });
    await seen('Grows', { times: 30 });
    await seen('Floods', { times: 30 });
    for (const name of ['Grows', 'Floods']) {
      const grown = await comesTo(name, 'unresolved', 'escalating');
      expect(grown).toMatchObject({ type: 'set_escalating', user: null, data: { forecast: 20 } });
      expect(Number(grown.data['count'])).toBeGreaterThan(20);
    }
    await pass(7 * day);
    await comesTo('Grows', 'unresolved', 'ongoing');
  });
});

test('archived forever stays so, until somebody opens it', async () => {
  await seen('Forever');
  expect(await change('Forever', { status: 'ignored', substatus: 'archived_forever' })).toMatchObject({
    status: 'ignored',
    substatus: 'archived_forever',
  });
  await pass(30 * day);
  await seen('Forever', { times: 60 });
  expect(await issue('Forever')).toMatchObject({ substatus: 'archived_forever' });
  const { substatus, activity } = await change('Forever', { status: 'unresolved' });
  expect([substatus, activity[0]?.type]).toEqual(['ongoing', 'set_unresolved']);
});

test('states are found by their names', async () => {
  const org = server.installed.organization;
  const named = async (query: string): Promise<string[]> => {
    const found = await server.api<Issue[]>(
      `/organizations/${org}/issues/?query=${encodeURIComponent(query)}&statsPeriod=90d`,
    );
    return [...ids].filter(([, id]) => found.some((one) => one.id === id)).map(([name]) => name);
  };
  await change('Sleeps', { status: 'ignored', substatus: 'archived_until_escalating' });
  await change('Bare', { status: 'ignored', statusDetails: { ignoreCount: 100 } });
  expect(await named('is:archived_until_escalating')).toEqual(['Sleeps']);
  expect(await named('is:archived_until_condition_met')).toEqual(['Bare']);
  expect(await named('is:archived')).toEqual(['Sleeps', 'Bare']);
});
