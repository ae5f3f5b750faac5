import { expect, test } from 'vitest';
import { startNats } from '../../../../test/nats/server.ts';
import { openNats } from '../../nats/connection.ts';
import { Batches } from './batches.ts';
import { publishOnce } from './request.ts';
import { openStreams, type Streams } from './streams.ts';

const one = { maxRecords: 1, maxBytes: 1e6 };

/** The same streams; `first` runs before the log is looked at for the first time. */
function interrupted(streams: Streams, first: () => Promise<unknown>): Streams {
  const { manager } = streams;
  const { consumers } = manager;
  let isFirst = true;
  const add: typeof consumers.add = async (...asked) => {
    if (isFirst) {
      isFirst = false;
      await first();
    }
    return consumers.add(...asked);
  };
  const patient = Object.create(consumers, { add: { value: add } }) as typeof consumers;
  return { ...streams, manager: Object.create(manager, { consumers: { value: patient } }) as typeof manager };
}

test('what another node hands out while this one looks for the next range is not handed out again', async () => {
  await using server = await startNats();
  await using nats = await openNats({ url: server.url(), name: 'test' });
  const streams = await openStreams(nats, { limitBytes: 2 ** 28 });
  for (const text of ['a', 'b'])
    await publishOnce(nats.connection, `${streams.subjects.log}.1`, Buffer.from(text), { 'Nats-Msg-Id': text });
  const other = new Batches(nats, streams);
  const theirs = await other.take(one);
  await other.acknowledge(theirs!);
  await publishOnce(nats.connection, `${streams.subjects.log}.1`, Buffer.from('c'), {});
  let second: Awaited<ReturnType<Batches['take']>>;
  const mine = new Batches(
    nats,
    interrupted(streams, async () => {
      second = await other.take(one);
      // As the look of each second does.
      await mine.forgetDone();
    }),
  );
  const third = await mine.take(one);
  expect([theirs, second, third].map((range) => range && range.from / 256)).toEqual([1, 2, 3]);
});

test('nodes share the interval between batches that are not full', async () => {
  await using server = await startNats();
  await using nats = await openNats({ url: server.url(), name: 'test' });
  const streams = await openStreams(nats, { limitBytes: 2 ** 28 });
  const append = (): Promise<unknown> =>
    publishOnce(nats.connection, `${streams.subjects.log}.1`, Buffer.from('a'), {});
  const nodes = [new Batches(nats, streams), new Batches(nats, streams)] as const;
  const limits = { maxRecords: 2, maxBytes: 1e6, intervalMs: 1_000 };
  await append();
  expect(await nodes[0].take(limits)).toMatchObject({ records: 1 });
  await append();
  for (const node of nodes) expect(await node.take(limits)).toBeUndefined();
  // What the log has is known before it is looked at.
  for (const node of nodes) expect(await node.take(limits, { records: 1, bytes: 1 })).toBeUndefined();
  await append();
  expect(await nodes[1].take(limits)).toMatchObject({ records: 2 });
  await append();
  await expect.poll(() => nodes[0].take(limits)).toMatchObject({ records: 1 });
});

test('what was forgotten in the middle of reading is read again', async () => {
  await using server = await startNats();
  await using nats = await openNats({ url: server.url(), name: 'test' });
  const streams = await openStreams(nats, { limitBytes: 2 ** 28 });
  const node = new Batches(nats, streams);
  const held = [];
  for (let count = 0; count < 3; count++) {
    await publishOnce(nats.connection, `${streams.subjects.log}.1`, Buffer.from('a'), {});
    held.push((await node.take(one))!);
  }
  const isDone = Promise.all(held.map((range) => node.isDone(range)));
  node.forget();
  const after = held.map((range) => node.isDone(range));
  expect([...(await isDone), ...(await Promise.all(after))]).toEqual(Array.from({ length: 6 }, () => false));
  await node.acknowledge(held[0]!);
  expect(await node.isDone(held[0]!)).toBe(true);
});
