/** Nodes of each role, with real NATS, PostgreSQL and S3, and the engine behind its HTTP interface. */
import { captureException, close, init } from '@sentry/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorEnvelope, newEventId, owner, type Server } from '../harness.ts';
import { Cluster } from './cluster.ts';

interface Health {
  readonly status: string;
  readonly reasons: readonly string[];
  readonly log: { readonly lagMs: number | null };
  readonly nodes: readonly {
    readonly roles: readonly string[];
    readonly address: string;
    readonly state: string;
    readonly stores: readonly { readonly store: string; readonly state: string; readonly since: string }[];
  }[];
  readonly jobs: readonly { readonly name: string; readonly lastEnded: string | null }[];
}

let cluster: Cluster;
let intake: Server;
let leaving: Server;
let processing: Server;
let api: Server;
let other: Server;
let jobs: Server;
beforeAll(async () => {
  cluster = await Cluster.create({ nats: true });
  [intake, leaving, processing, api, other, jobs] = (await Promise.all([
    cluster.start('intake'),
    cluster.start('intake', { CULPRIT_DRAIN_SECONDS: '2' }),
    ...['process', 'api', 'api', 'jobs'].map((role) => cluster.start(role)),
  ])) as [Server, Server, Server, Server, Server, Server];
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const send = (at: Server, url = cluster.envelopeUrl(at)): Promise<Response> =>
  fetch(url, { method: 'POST', body: errorEnvelope(newEventId()) });
const ready = async (at: Server): Promise<{ status: number; body: Record<string, unknown> }> => {
  const answer = await fetch(`${at.url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

test('what one node receives another stores, and a third shows', async () => {
  const { dsn, organization } = cluster.installed;

  // With an SDK, as an application sends it.
  const address = new URL(dsn);
  address.port = String(intake.port);
  init({ dsn: address.href, defaultIntegrations: false });
  captureException(new RangeError('over the nodes'));
  expect(await close(10_000)).toBe(true);

  const list = `/organizations/${organization}/issues/`;
  const [issue] = await api.until('the issue', async () => {
    const found = await cluster.api<{ id: string; title: string; status: string }[]>(api, list);
    return found.length > 0 && found;
  });
  expect(issue?.title).toBe('RangeError: over the nodes');

  // A person signs in on one node of the API and goes on on the other, which says so to the first.
  const cookie = await cluster.signIn(api);
  const stream = await fetch(`${api.url}/api/0/organizations/${organization}/live/`, { headers: { cookie } });
  expect(stream.status).toBe(200);
  const self = await fetch(`${other.url}/api/0/`, { headers: { cookie } });
  expect(await self.json()).toMatchObject({ user: { email: owner.email } });
  const changed = await fetch(`${other.url}/api/0${list}${issue?.id}/`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json', origin: other.url },
    body: JSON.stringify({ status: 'resolved' }),
  });
  expect(changed.status).toBe(200);
  let heard = '';
  for await (const piece of stream.body ?? []) {
    heard += Buffer.from(piece).toString();
    if (heard.includes('"type":"issues"')) break;
  }
  expect(await cluster.api(api, `${list}${issue?.id}/`)).toMatchObject({ status: 'resolved' });
});

test('a preview that one node of the API works on, another shows and takes away', async () => {
  const { organization, project } = cluster.installed;
  const previews = `/projects/${organization}/${project}/grouping/preview/`;
  const body = JSON.stringify({ fingerprintingRules: 'error.type:RangeError -> ranges' });
  const { id } = await cluster.api<{ id: string }>(api, previews, { method: 'POST', body });
  const shown = `${previews}${id}/`;
  await other.until('the preview', async () => {
    const { status } = await cluster.api<{ status: string }>(other, shown);
    expect(status).not.toBe('failed');
    return status === 'done';
  });
  expect(await cluster.api(other, shown)).toMatchObject({ result: { examined: { events: 1 } } });
  expect((await cluster.call(other, shown, { method: 'DELETE' })).status).toBe(204);
  expect((await cluster.call(api, shown)).status).toBe(404);
});

test('a node does what its role is, and says which one a request needs', async () => {
  expect(await ready(intake)).toMatchObject({
    status: 200,
    body: { roles: ['intake'], log: { ok: true }, events: false, state: true },
  });
  expect(await (await fetch(`${intake.url}/metrics`)).text()).toMatch(/^culprit_store_up\{store="log"\} 1$/m);
  for (const path of ['/', '/api/0/', '/issues/', '/api/auth/sign-in/email']) {
    const refused = await fetch(intake.url + path);
    expect(refused.status).toBe(404);
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await refused.json()).toMatchObject({ code: 'ROLE_MISSING', detail: expect.stringContaining('role api') });
  }
  for (const node of [processing, api, jobs]) {
    const refused = await send(node);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({
      code: 'ROLE_MISSING',
      detail: expect.stringContaining('role intake'),
    });
    expect((await fetch(`${node.url}/monitoring`, { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await fetch(`${node.url}/api/0/`)).status).toBe(node === api ? 200 : 404);
  }
});

test('a node of the API knows how all others are doing', async () => {
  const health = await api.until('all nodes see their stores, and jobs ran', async () => {
    const found = await cluster.api<Health>(api, '/health/');
    const isAll = found.nodes.every(({ stores }) => stores.every(({ state }) => state !== 'down'));
    return isAll && found.log.lagMs !== null && found.jobs.some(({ lastEnded }) => lastEnded !== null) && found;
  });
  const roles = ['api', 'api', 'intake', 'intake', 'jobs', 'process'];
  expect(health.nodes.map((node) => node.roles.join()).toSorted()).toEqual(roles);
  const storesOf = (role: string): string[] | undefined =>
    health.nodes.find((node) => node.roles.includes(role))?.stores.map(({ store }) => store);
  expect(storesOf('intake')).toEqual(['log', 'state']);
  expect(storesOf('process')).toEqual(['log', 'state', 'events', 'blobs']);
});

test('without ClickHouse and S3 events are accepted, and Health says since when; without PostgreSQL each answer does', async () => {
  const beganAt = Date.now();
  cluster.proxies.events.cut();
  cluster.proxies.blobs.cut();
  // It needs neither, not even to start.
  const late = await cluster.start('intake');
  expect((await send(late)).status).toBe(200);
  for (const node of [processing, api, jobs])
    expect(await ready(node)).toMatchObject({ status: 503, body: { status: 'not ready', events: false } });
  const health = await api.until('Health says so', async () => {
    const found = await cluster.api<Health>(api, '/health/');
    const seen = found.nodes.find(({ roles }) => roles.includes('process'))?.stores;
    return seen?.every(({ store, state }) => (state === 'down') === ['events', 'blobs'].includes(store)) && found;
  });
  const since = health.nodes.flatMap(({ stores }) => stores.filter(({ state }) => state === 'down'));
  for (const one of since) expect(Date.parse(one.since)).toBeGreaterThanOrEqual(beganAt - 10);
  for (const name of ['events', 'blob'])
    expect(health.reasons.join(' ')).toMatch(
      new RegExp(`The ${name} store has been unreachable since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC on nodes? 127`),
    );

  cluster.proxies.state.cut();
  for (let count = 0; count < 10; count++) {
    const began = performance.now();
    expect((await send(intake)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(1_000);
  }
  const unknown = cluster.envelopeUrl(intake).replace(/sentry_key=\w+/, `sentry_key=${'a'.repeat(32)}`);
  const refused = await send(intake, unknown);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await refused.json()).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  const problem = await cluster.call(api, '/health/');
  expect([problem.status, problem.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await problem.json()).toMatchObject({
    code: 'STATE_UNAVAILABLE',
    detail: expect.stringMatching(new RegExp(`on node 127\\.0\\.0\\.1:${api.port} since \\d{4}-.* UTC`)),
  });
  expect(await ready(api)).toMatchObject({ status: 503, body: { state: false, log: { ok: true } } });
  expect(await ready(intake)).toMatchObject({ status: 200, body: { state: false } });
  for (const proxy of ['events', 'blobs', 'state'] as const) cluster.proxies[proxy].heal();
  await processing.drained();
  const issues = `/organizations/${cluster.installed.organization}/issues/?query=`;
  const counts = await api.until('the API answers again', () => cluster.api<{ count: string }[]>(api, issues));
  expect(counts.map(({ count }) => Number(count)).toSorted((a, b) => a - b)).toEqual([1, 11]);
});

test('a key that one node switches off is refused at once by another that has just used it', async () => {
  const { organization, project } = cluster.installed;
  const keys = `/projects/${organization}/${project}/keys/`;
  const [key] = await cluster.api<{ id: string }[]>(api, keys);
  const change = (isActive: boolean) =>
    cluster.api(api, `${keys}${key?.id}/`, { method: 'PUT', body: JSON.stringify({ isActive }) });
  expect((await send(intake)).status).toBe(200);
  await change(false);
  // Sooner than it would look again.
  await intake.until('it is refused', async () => (await send(intake)).status === 403, 3_000);
  await change(true);
  await intake.until('it is taken again', async () => (await send(intake)).status === 200, 3_000);
});

test('a limit is one for all nodes', async () => {
  const { organization, project } = cluster.installed;
  const keys = `/projects/${organization}/${project}/keys/`;
  const [key] = await cluster.api<{ id: string }[]>(api, keys);
  const rateLimit = { count: 50, window: 3600 };
  await cluster.api(api, `${keys}${key?.id}/`, { method: 'PUT', body: JSON.stringify({ rateLimit }) });
  // Each node hears of the limit within seconds.
  await intake.until('both refuse', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index % 2 ? intake : leaving)));
    return answers.every(({ status }) => status === 429);
  });
  const [counted] = await cluster.query<{ taken: number }>(
    `select sum(taken)::int as taken from rate_window where key_id = ${Number(key?.id)}`,
  );
  expect(counted?.taken).toBeGreaterThanOrEqual(50);
});

test('told to stop, a node says so before it stops, and leaves the list', async () => {
  const stopping = leaving.stop();
  await leaving.until('it says so', async () => {
    const { status, body } = await ready(leaving);
    return status === 503 && JSON.stringify(body).includes('not ready');
  });
  // It still takes what comes: here it says that there is too much of it.
  expect((await send(leaving)).status).toBe(429);
  expect(await stopping).toBeGreaterThan(1_900);
  const { nodes } = await cluster.api<Health>(api, '/health/');
  expect(nodes.map(({ address }) => address)).not.toContain(`127.0.0.1:${leaving.port}`);
});

test('a role that no node has is said, and nothing broke', async () => {
  await jobs.stop();
  const { status, reasons } = await cluster.api<Health>(other, '/health/');
  expect(status).toBe('degraded');
  expect(reasons).toContainEqual(expect.stringContaining('No node with the role jobs is running.'));
  for (const node of cluster.nodes) expect(node.output).not.toMatch(/"level":60|unhandledRejection/);
});
