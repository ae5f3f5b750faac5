/** Nodes that share a quota take at most what comes within a second beyond it; one that is killed forgets nothing else. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorEnvelope, newEventId, type Server } from '../harness.ts';
import { Cluster } from './cluster.ts';

const amount = 200;
/** To each node. */
const perSecond = 50;

let cluster: Cluster;
let nodes: Server[];
let api: Server;
beforeAll(async () => {
  cluster = await Cluster.create({ nats: true });
  [api, ...nodes] = (await Promise.all([
    cluster.start('api,process,jobs'),
    cluster.start('intake'),
    cluster.start('intake'),
  ])) as [Server, Server, Server];
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const send = (node: Server): Promise<Response> =>
  fetch(cluster.envelopeUrl(node), { method: 'POST', body: errorEnvelope(newEventId()) });

const used = async (): Promise<number> => {
  const rows = await cluster.query<{ used: string }>(
    "select used from quota_use where target like 'organization:%' and category = 'error' and period = 'month'",
  );
  return Number(rows[0]?.used ?? 0);
};

interface Sent {
  readonly at: number;
  readonly status: number;
}

/** At a steady pace to all nodes, until `isDone` says so. */
async function load(isDone: (sent: readonly Sent[]) => boolean): Promise<Sent[]> {
  const sent: Sent[] = [];
  const underWay: Promise<void>[] = [];
  const sendTo = async (node: Server): Promise<void> => {
    const answer = await send(node);
    await answer.arrayBuffer();
    sent.push({ at: performance.now(), status: answer.status });
  };
  while (!isDone(sent)) {
    underWay.push(...nodes.map(sendTo));
    await delay(1_000 / perSecond);
  }
  await Promise.all(underWay);
  return sent.toSorted((a, b) => a.at - b.at);
}

test('two nodes take at most a second’s traffic more than the quota of both', async () => {
  const { organization } = cluster.installed;
  const body = JSON.stringify({ category: 'error', period: 'month', amount });
  await cluster.api(api, `/organizations/${organization}/quotas/`, { method: 'POST', body });
  const sent = await load(
    (all) => all.slice(-20).length === 20 && all.slice(-20).every(({ status }) => status === 429),
  );
  const accepted = sent.filter(({ status }) => status === 200);
  const full = accepted[amount - 1];
  expect(accepted.length).toBeGreaterThanOrEqual(amount);
  const within = sent.filter(({ at }) => full && at > full.at && at <= full.at + 1_000).length;
  const beyond = accepted.length - amount;
  console.log(`taken beyond a quota of ${amount} by two nodes: ${beyond}; within a second of it came ${within}`);
  expect(beyond).toBeLessThanOrEqual(within);
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 429]));
  await api.until('the count of both', async () => (await used()) === accepted.length);

  // One is killed and comes back: the quota is still used up.
  const [node] = nodes;
  await node?.kill();
  await node?.start();
  const after = await load((all) => all.length >= 40);
  expect(after.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2 * perSecond);
  expect(after.slice(-10).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 429));
});
