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
  const streams = await openStreams(nats, 2 ** 28);
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

test('what was forgotten in the middle of reading is read again', async () => {
  await using server = await startNats();
  await using nats = await openNats({ url: server.url(), name: 'test' });
  const streams = await openStreams(nats, 2 ** 28);
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
