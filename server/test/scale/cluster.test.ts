/** A node of each role, with real NATS, PostgreSQL and S3, and the engine behind its HTTP interface. */
import { captureException, close, init } from '@sentry/node';
import { expect, test } from 'vitest';
import { errorEnvelope, newEventId } from '../harness.ts';
import { Cluster } from './cluster.ts';

interface Health {
  readonly status: string;
  readonly reasons: readonly string[];
  readonly log: { readonly lagMs: number | null };
  readonly nodes: readonly {
    readonly roles: readonly string[];
    readonly state: string;
    readonly stores: readonly { readonly store: string; readonly state: string }[];
  }[];
  readonly jobs: readonly { readonly name: string; readonly lastEnded: string | null }[];
}

test('what one node receives another stores, and a third shows', async () => {
  await using cluster = await Cluster.create({ nats: true });
  const [intake, processing, api, other, jobs] = await Promise.all(
    ['intake', 'process', 'api', 'api', 'jobs'].map((role) => cluster.start(role)),
  );
  if (!intake || !processing || !api || !other || !jobs) throw new Error('a node is missing');
  const { dsn, organization, project } = cluster.installed;

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

  // A preview that one node of the API works on, the other shows and takes away.
  const previews = `/projects/${organization}/${cluster.installed.project}/grouping/preview/`;
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

  // Wrong doors say which one is right.
  const wrong = await fetch(cluster.envelopeUrl(api), { method: 'POST', body: '{}' });
  expect(await wrong.json()).toMatchObject({ code: 'ROLE_MISSING' });
  expect(await (await cluster.call(intake, list)).json()).toMatchObject({ code: 'ROLE_MISSING' });

  // A node of the API knows how the others are doing.
  const health = await api.until('all nodes see their stores, and jobs ran', async () => {
    const found = await cluster.api<Health>(api, '/health/');
    const isAll = found.nodes.every(({ stores }) => stores.every(({ state }) => state !== 'down'));
    return isAll && found.log.lagMs !== null && found.jobs.some(({ lastEnded }) => lastEnded !== null) && found;
  });
  expect(health.nodes.map(({ roles }) => roles.join()).toSorted()).toEqual(['api', 'api', 'intake', 'jobs', 'process']);
  expect(health.nodes.find(({ roles }) => roles.includes('intake'))?.stores.map(({ store }) => store)).toEqual([
    'log',
    'state',
  ]);

  // A key that was switched off on one node is refused by another one that has just used it, before it would look again.
  const send = async (): Promise<number> =>
    (await fetch(cluster.envelopeUrl(intake), { method: 'POST', body: errorEnvelope(newEventId()) })).status;
  const keys = `/projects/${organization}/${project}/keys/`;
  const [key] = await cluster.api<{ id: string }[]>(api, keys);
  expect(await send()).toBe(200);
  await cluster.api(api, `${keys}${key?.id}/`, { method: 'PUT', body: JSON.stringify({ isActive: false }) });
  await intake.until('it is refused', async () => (await send()) === 403, 3_000);

  // A role that no node has is said.
  await jobs.stop();
  const { status, reasons } = await cluster.api<Health>(other, '/health/');
  expect([status, reasons]).toEqual(['degraded', [expect.stringContaining('No node with the role jobs is running.')]]);
  for (const node of cluster.nodes) expect(node.output).not.toMatch(/"level":60|unhandledRejection/);
});
