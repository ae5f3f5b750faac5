/** Two nodes with a log each, which share all else: what one of them knows, the other knows. */
import { expect, test } from 'vitest';
import { errorEnvelope, newEventId, owner } from '../harness.ts';
import { Cluster } from './cluster.ts';

test('two nodes are one installation', async () => {
  await using cluster = await Cluster.create();
  const first = await cluster.start();
  const second = await cluster.start();
  const { organization, project } = cluster.installed;

  // Signed in on one, a person goes on on the other.
  const cookie = await cluster.signIn(first);
  const self = await fetch(`${second.url}/api/0/`, { headers: { cookie } });
  expect(await self.json()).toMatchObject({ user: { email: owner.email } });

  // A limit is one for both.
  const keys = `/projects/${organization}/${project}/keys/`;
  const [key] = await cluster.api<{ id: string }[]>(first, keys);
  const rateLimit = { count: 50, window: 3600 };
  await cluster.api(first, `${keys}${key?.id}/`, { method: 'PUT', body: JSON.stringify({ rateLimit }) });
  const send = async (at: { readonly port: number }): Promise<number> =>
    (await fetch(cluster.envelopeUrl(at), { method: 'POST', body: errorEnvelope(newEventId()) })).status;
  // Each node hears of the limit within seconds.
  await first.until('both refuse', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index % 2 ? first : second)));
    return answers.every((status) => status === 429);
  });
  const [counted] = await cluster.query<{ taken: number }>(
    `select sum(taken)::int as taken from rate_window where key_id = ${Number(key?.id)}`,
  );
  expect(counted?.taken).toBeGreaterThanOrEqual(50);

  // What is sent to either is found at either.
  const list = async (at: { readonly port: number }): Promise<unknown[]> =>
    cluster.api<unknown[]>(at, `/organizations/${organization}/issues/`);
  await first.until('the issue', async () => (await list(second)).length === 1);
  expect(await list(first)).toHaveLength(1);

  // Both are listed; one that stops in order leaves.
  const nodes = async () =>
    (await cluster.api<{ nodes: { address: string; state: string; roles: string[] }[] }>(first, '/health/')).nodes;
  const addressOf = ({ port }: { readonly port: number }): string => `127.0.0.1:${port}`;
  expect((await nodes()).map(({ address }) => address).toSorted()).toEqual([first, second].map(addressOf).toSorted());
  await second.stop();
  expect(await nodes()).toMatchObject([
    { address: addressOf(first), state: 'running', roles: ['intake', 'process', 'api', 'jobs'] },
  ]);
});
