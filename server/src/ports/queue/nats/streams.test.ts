import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startNats } from '../../../../test/nats/server.ts';
import { openNats } from '../../nats/connection.ts';
import { publishOnce } from './request.ts';
import { look, openStreams, readMessage, sweepLarge } from './streams.ts';

/** Parts that are so much older than the oldest message belong to none. */
const marginMs = 10 * 60_000;

test('parts of a record whose message never came are swept; those of one that waits stay', async () => {
  await using server = await startNats();
  await using nats = await openNats({ url: server.url(), name: 'test' });
  const streams = await openStreams(nats, { limitBytes: 2 ** 28 });
  const part = (id: string): Promise<number> =>
    publishOnce(nats.connection, `${streams.subjects.large}.${id}`, Buffer.from(id), {});
  await sweepLarge(nats, streams, await look(streams));

  const orphans = [await part('orphan'), await part('orphan')];
  await delay(5);
  const betweenMs = Date.now();
  await delay(5);
  const named = await part('named');
  const there = async (): Promise<boolean[]> =>
    Promise.all(
      [...orphans, named].map(async (seq) => (await readMessage(streams, streams.names.large, { seq })) !== undefined),
    );
  const sweep = async (oldestMs?: number): Promise<void> =>
    sweepLarge(nats, streams, { ...(await look(streams)), oldestMs });

  // Nothing waits, but they are new: somebody may be about to name them.
  await sweep();
  expect(await there()).toEqual([true, true, true]);
  await sweep(betweenMs);
  expect(await there()).toEqual([true, true, true]);
  // As it is once the oldest message came ten minutes after them.
  await sweep(betweenMs + marginMs);
  expect(await there()).toEqual([false, false, true]);
  await sweep(Date.now() + marginMs + 1_000);
  expect(await there()).toEqual([false, false, false]);
});
