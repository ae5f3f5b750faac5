/** Each store is away for a minute, stands still for one and is slow for one, under load. */
import { expect, test } from 'vitest';
import { caughtUp, drained, expectExactlyOnce, expectSignedIn, expectToldOnce, startFleet } from './kills.ts';
import { startLoad } from './load.ts';
import { passThrough } from './outages.ts';

const forMs = Number(process.env.CULPRIT_TEST_OUTAGE_SECONDS ?? 60) * 1_000;

test(`each store away, still and slow for ${forMs / 1_000} seconds`, async () => {
  await using fleet = await startFleet({ intake: 2, processing: 2, api: 1 });
  const { cluster } = fleet;
  const balancer = await cluster.balance(() => fleet.intake);
  const load = startLoad(cluster.envelopeUrl(balancer), { connections: 4, pauseMs: 50, eventsPerBug: 200 });
  for (const store of ['log', 'state', 'blobs', 'events'] as const) {
    for (const how of ['cut', 'hang', 'slow'] as const) {
      const passed = await passThrough(fleet, load, { store, how, forMs, isSeen: forMs >= 30_000 });
      const beganAt = performance.now();
      await caughtUp(fleet, load, 300_000);
      const caughtUpMs = Math.round(performance.now() - beganAt);
      console.log(JSON.stringify({ store, how, ...passed, caughtUpMs, longestMs: Math.round(load.takeLongestMs()) }));
    }
  }
  await load.stop();
  await drained(fleet, 300_000);
  const found = await expectExactlyOnce(fleet, load);
  // NATS went away twice.
  expect(found.storedRefused).toBeLessThanOrEqual(2 * load.connections);
  const told = await expectToldOnce(fleet);
  await expectSignedIn(fleet);
  expect(load.acknowledged.size).toBeGreaterThan(0);
  console.log(JSON.stringify({ ...found, ...told, statuses: Object.fromEntries(load.statuses) }));
}, 3_600_000);
