/** The same for ten minutes; or for as many seconds as `CULPRIT_TEST_KILL_SECONDS` says, with another seed. */
import { expect, test } from 'vitest';
import { drained, expectExactlyOnce, expectSignedIn, expectToldOnce, killAtRandom, startFleet } from './kills.ts';
import { startLoad } from './load.ts';

const seconds = Number(process.env.CULPRIT_TEST_KILL_SECONDS ?? 600);
const seed = Number(process.env.CULPRIT_TEST_KILL_SEED ?? 2_022);

test(
  `nine nodes killed at random for ${seconds} seconds, seed ${seed}`,
  async () => {
    await using fleet = await startFleet({ intake: 3, processing: 3, api: 2 });
    const { cluster } = fleet;
    const balancer = await cluster.balance(() => fleet.intake);
    const load = startLoad(cluster.envelopeUrl(balancer), { connections: 6, pauseMs: 40, eventsPerBug: 200 });
    const kills = await killAtRandom(fleet, { seed, forMs: seconds * 1_000, restMs: [1_000, 5_000] });
    await load.stop();
    await drained(fleet, 300_000);
    const found = await expectExactlyOnce(fleet, load);
    const told = await expectToldOnce(fleet);
    await expectSignedIn(fleet);
    expect(fleet.redelivered.size).toBeGreaterThan(0);
    console.log(JSON.stringify({ kills, ...found, ...told, redelivered: fleet.redelivered.size }));
  },
  seconds * 1_000 + 900_000,
);
