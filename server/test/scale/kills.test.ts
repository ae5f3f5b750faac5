/** Nodes are killed at random for some seconds: what was acknowledged is stored once, told once, and nobody is signed out. */
import { expect, test } from 'vitest';
import { drained, expectExactlyOnce, expectSignedIn, expectToldOnce, killAtRandom, startFleet } from './kills.ts';
import { startLoad } from './load.ts';

test('three nodes that receive, three that process, two of the API and one with jobs, killed for 20 seconds', async () => {
  await using fleet = await startFleet({ intake: 3, processing: 3, api: 2 });
  const { cluster } = fleet;
  const balancer = await cluster.balance(() => fleet.intake);
  const load = startLoad(cluster.envelopeUrl(balancer), { connections: 6, pauseMs: 40, eventsPerBug: 50 });
  const kills = await killAtRandom(fleet, { seed: 22, forMs: 20_000, restMs: [500, 2_000] });
  await load.stop();
  await drained(fleet);
  const found = await expectExactlyOnce(fleet, load);
  const told = await expectToldOnce(fleet);
  await expectSignedIn(fleet);
  expect(fleet.redelivered.size).toBeGreaterThan(0);
  console.log(JSON.stringify({ kills, ...found, ...told, redelivered: fleet.redelivered.size }));
});
