/** PostgreSQL is cut off, stands still and comes back, while a node receives. */
import { expect, test } from 'vitest';
import { errorEnvelope, newEventId } from '../harness.ts';
import { Cluster } from './cluster.ts';

test('without PostgreSQL known keys are served, and all that was acknowledged is stored afterwards', async () => {
  await using cluster = await Cluster.create();
  const node = await cluster.start();
  const sent: string[] = [];
  const send = async (): Promise<{ status: number; tookMs: number }> => {
    const id = newEventId();
    const began = performance.now();
    const { status } = await fetch(cluster.envelopeUrl(node), { method: 'POST', body: errorEnvelope(id) });
    if (status === 200) sent.push(id);
    return { status, tookMs: performance.now() - began };
  };
  const stored = async (): Promise<boolean> => {
    const { organization, project } = cluster.installed;
    const found = await Promise.all(
      sent.map((id) => cluster.call(node, `/projects/${organization}/${project}/events/${id}/`)),
    );
    return found.every(({ ok }) => ok);
  };
  expect((await send()).status).toBe(200);
  await node.until('the first is stored', stored);

  const withoutIt = async (longestMs: number): Promise<void> => {
    for (let count = 0; count < 10; count++) {
      const { status, tookMs } = await send();
      expect(status).toBe(200);
      expect(tookMs).toBeLessThan(longestMs);
    }
    const unknown = cluster.envelopeUrl(node).replace(/sentry_key=\w+/, `sentry_key=${'a'.repeat(32)}`);
    const refused = await fetch(unknown, { method: 'POST', body: errorEnvelope(newEventId()) });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await refused.json()).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
    const problem = await cluster.call(node, '/organizations/');
    expect(problem.status).toBe(503);
    expect(problem.headers.get('retry-after')).not.toBeNull();
    expect(await problem.json()).toMatchObject({ code: 'STATE_UNAVAILABLE' });
  };

  cluster.toPostgres.cut();
  await withoutIt(1_000);
  const ready = await fetch(`${node.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ state: false, log: { ok: true } });
  cluster.toPostgres.heal();
  await node.until('all is stored once it is back', stored);

  cluster.toPostgres.hang();
  await withoutIt(2_000);
  cluster.toPostgres.heal();
  await node.until('all is stored once it answers again', stored);
  const health = await cluster.api<{ nodes: { state: string; stores: { store: string }[] }[] }>(node, '/health/');
  expect(health.nodes).toMatchObject([{ state: 'running' }]);
  expect(health.nodes[0]?.stores.map(({ store }) => store)).toEqual(['log', 'state', 'events', 'blobs']);
  expect(node.output).not.toMatch(/"level":60|unhandledRejection/);
});
