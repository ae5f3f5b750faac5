/** Each store is away for seconds under load; longer, and slow, in the endurance form. */
import { expect, test } from 'vitest';
import { errorEnvelope, newEventId } from '../harness.ts';
import { Cluster } from './cluster.ts';
import { drained, expectExactlyOnce, expectSignedIn, startFleet } from './kills.ts';
import { startLoad } from './load.ts';
import { passThrough } from './outages.ts';

test('NATS, PostgreSQL, S3 and the engine away for seconds: nothing is lost, and only NATS stops acknowledgements', async () => {
  await using fleet = await startFleet({ intake: 1, processing: 1, api: 1 });
  const { cluster } = fleet;
  const [intake, processing] = [fleet.intake[0]!, fleet.processing[0]!];
  const load = startLoad(cluster.envelopeUrl(intake), { connections: 3, pauseMs: 50, eventsPerBug: 50 });
  for (const store of ['log', 'state', 'blobs', 'events'] as const) {
    await passThrough(fleet, load, { store, how: 'cut', forMs: 3_000, isSeen: false });
  }
  await passThrough(fleet, load, { store: 'log', how: 'slow', forMs: 2_000, isSeen: false });
  await load.stop();
  await drained(fleet);
  await expectExactlyOnce(fleet, load);
  await expectSignedIn(fleet);
  for (const node of [intake, processing]) expect(node.output).not.toMatch(/"level":60|unhandledRejection/);
});

test('without PostgreSQL known keys are served at once, and of others and of the rest the answer says what is away', async () => {
  await using cluster = await Cluster.create();
  const node = await cluster.start();
  const send = async (url = cluster.envelopeUrl(node)): Promise<{ answer: Response; tookMs: number }> => {
    const began = performance.now();
    const answer = await fetch(url, { method: 'POST', body: errorEnvelope(newEventId()) }).catch((error: unknown) => {
      throw new Error(`no answer after ${performance.now() - began} ms: ${node.output}`, { cause: error });
    });
    return { answer, tookMs: performance.now() - began };
  };
  expect((await send()).answer.status).toBe(200);
  cluster.proxies.state.cut();
  for (let count = 0; count < 10; count++) {
    const { answer, tookMs } = await send();
    expect(answer.status).toBe(200);
    expect(tookMs).toBeLessThan(1_000);
  }
  const { answer: refused } = await send(
    cluster.envelopeUrl(node).replace(/sentry_key=\w+/, `sentry_key=${'a'.repeat(32)}`),
  );
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(await refused.json()).toMatchObject({ code: 'KEYS_UNAVAILABLE' });
  const problem = await cluster.call(node, '/organizations/');
  expect(problem.status).toBe(503);
  expect(problem.headers.get('retry-after')).not.toBeNull();
  expect(await problem.json()).toMatchObject({ code: 'STATE_UNAVAILABLE' });
  const ready = await fetch(`${node.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ state: false, log: { ok: true } });
  cluster.proxies.state.heal();
  await node.drained();
  expect(node.output).not.toMatch(/"level":60|unhandledRejection/);
});
