/**
 * Twenty seconds of what the endurance forms do for ten minutes: nodes are killed at random, then each store is away. What
 * was acknowledged is stored once, told once, and nobody is signed out.
 */
import { expect, test } from 'vitest';
import { drained, expectExactlyOnce, expectSignedIn, expectToldOnce, killAtRandom, startFleet } from './kills.ts';
import { startLoad } from './load.ts';
import { passThrough } from './outages.ts';

test('two nodes that receive, two that process, one of the API and one with jobs, killed; then no store for seconds', async () => {
  await using fleet = await startFleet({ intake: 2, processing: 2, api: 1 });
  const { cluster } = fleet;
  const balancer = await cluster.balance(() => fleet.intake);
  const load = startLoad(cluster.envelopeUrl(balancer), { connections: 3, pauseMs: 60, eventsPerBug: 50 });
  // So that batches are under way when a node is killed.
  cluster.proxies.events.slow(150);
  const kills = await killAtRandom(fleet, { seed: 22, forMs: 10_000, restMs: [500, 2_000] });
  cluster.proxies.events.heal();
  for (const store of ['log', 'state', 'blobs', 'events'] as const)
    await passThrough(fleet, load, { store, how: 'cut', forMs: 2_000, isSeen: false });
  await passThrough(fleet, load, { store: 'log', how: 'slow', forMs: 2_000, isSeen: false });
  await load.stop();
  await drained(fleet);
  const found = await expectExactlyOnce(fleet, load);
  expect(found.storedRefused).toBeLessThanOrEqual(load.connections);
  const told = await expectToldOnce(fleet);
  await expectSignedIn(fleet);
  expect(fleet.redelivered.size).toBeGreaterThan(0);
  for (const node of cluster.nodes) expect(node.output).not.toMatch(/"level":60|unhandledRejection/);
  console.log(JSON.stringify({ kills, ...found, ...told, redelivered: fleet.redelivered.size }));
});
