import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type NatsServer, startNats } from '../../../test/nats/server.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { secretsOf } from '../../base/secrets/index.ts';
import { openNats } from '../nats/connection.ts';
import { eventLogContract } from './contract.ts';
import { BatchGone, type Batch, type EventLog } from './log.ts';
import { type LogOptions, openLog } from './open.ts';
import { createReader } from './seal.ts';
import { readable } from './testing/readable.ts';

const box = testSecrets.boxSetup('log record');
let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(() => server[Symbol.asyncDispose]());

eventLogContract('nats', async () => ({ url: `${server.url()}?ack_wait=1`, dataDir: '', box }), {
  isExact: false,
  silentMs: 1_000,
});

const all = { maxRecords: 1_000, maxBytes: 1e8 };
const at = (url: string, more: Partial<LogOptions> = {}): Promise<EventLog> =>
  openLog({ url: `${url}?ack_wait=1`, dataDir: '', box, limitBytes: 2 ** 28, ...more }).then(readable);
const textsOf = (batch: Batch | undefined): string[] | undefined => batch?.records.map(({ value }) => String(value));

test('what one node appends another hears of at once; a batch is one node’s at a time', async () => {
  const url = server.url();
  await using first = await at(url);
  await using second = await at(url);
  const heard = new Promise<number>((resolve) => second.onAppend(() => resolve(performance.now())));
  const appended = performance.now();
  await first.append(Buffer.from('a'));
  expect((await heard) - appended).toBeLessThan(1_000);
  expect(second.stats().records).toBe(1);
  const batches = await Promise.all([first.lease(all), second.lease(all)]);
  expect(batches.filter(Boolean)).toHaveLength(1);
  await (batches[0] ? first : second).acknowledge(batches.find(Boolean)!);
  await vi.waitFor(() => expect([first.stats().records, second.stats().records]).toEqual([0, 0]), 5_000);
});

test('what a node gives back, or had when it ended, another has with the same token', async () => {
  const url = server.url();
  await using first = await at(url);
  const second = await at(url);
  await first.append(Buffer.from('a'));
  const mine = await second.lease(all);
  await second.close();
  const back = await first.lease(all);
  expect(back).toMatchObject({ token: mine?.token, redelivered: true });
  expect(textsOf(back)).toEqual(['a']);
});

test('a node that processes nothing knows what the others are done with', async () => {
  const url = server.url();
  await using sender = await at(url);
  await using worker = await at(url);
  await sender.append(Buffer.from('a'));
  const end = await sender.end();
  const batch = await worker.lease(all);
  expect([await sender.isDoneBefore(end), await worker.isDoneBefore(end)]).toEqual([false, false]);
  await worker.acknowledge(batch!);
  expect([await sender.isDoneBefore(end), await worker.isDoneBefore(end)]).toEqual([true, true]);
  // Gone from NATS as well, as the look of each second sees to.
  await vi.waitFor(async () => {
    await using nats = await openNats({ url, name: 'test' });
    const { streams } = await jetstreamManager(nats.connection);
    expect((await streams.info(`${nats.address.prefix}-log`)).state.messages).toBe(0);
  }, 5_000);
  expect(await sender.isDoneBefore(end)).toBe(true);
});

test('streams are one installation’s; those of an earlier version become it', async () => {
  const url = server.url();
  const refused = {
    code: 'LOG_OTHER',
    message: expect.stringMatching(/belong to another installation \(mine; .*theirs/),
  };
  {
    await using made = await at(url, { installation: 'mine' });
    await made.append(Buffer.from('a'));
    await expect(at(url, { installation: 'theirs' })).rejects.toMatchObject(refused);
    // Other settings are no reason to take it over.
    await expect(at(url, { installation: 'theirs', limitBytes: 2 ** 27 })).rejects.toMatchObject(refused);
    await using second = await at(url, { installation: 'mine' });
    expect(second.stats().records).toBe(1);
    // Whoever only looks into it.
    await using looking = await at(url, { limitBytes: 2 ** 27 });
    expect(looking.stats().records).toBe(1);
    await expect(at(url, { installation: 'theirs' })).rejects.toMatchObject(refused);
  }
  const old = server.url();
  {
    await using before = await at(old);
    await before.append(Buffer.from('a'));
  }
  await using claimed = await at(old, { installation: 'mine' });
  expect(claimed.stats().records).toBe(1);
  await expect(at(old, { installation: 'theirs' })).rejects.toMatchObject(refused);
  // What the error says to do.
  await using nats = await openNats({ url: old, name: 'test' });
  const { streams } = await jetstreamManager(nats.connection);
  const name = `${nats.address.prefix}-log`;
  await streams.update(name, { ...(await streams.info(name)).config, description: '' });
  await using adopted = await at(old, { installation: 'theirs' });
  expect(adopted.stats().records).toBe(1);
  await expect(at(old, { installation: 'mine' })).rejects.toMatchObject({ code: 'LOG_OTHER' });
});

test('of two installations that begin at once with one prefix, one starts', async () => {
  const url = server.url();
  const begun = await Promise.allSettled(
    ['mine', 'theirs', 'mine', 'theirs'].map((installation) => at(url, { installation })),
  );
  const logs = begun.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(logs).toHaveLength(2);
  expect(begun.filter((one) => one.status === 'rejected' && one.reason.code === 'LOG_OTHER')).toHaveLength(2);
  for (const log of logs) await log.close();
});

test('a node that lost its batch to another finds it gone', async () => {
  const url = server.url();
  await using slow = await at(url);
  const positions: number[] = [];
  for (let count = 0; count < 12; count++) positions.push(await slow.append(Buffer.from(String(count))));
  const batch = await slow.lease({ ...all, pieceBytes: 1 });
  expect(textsOf(batch)).toEqual(['0']);
  // As if another had done all of it.
  await using nats = await openNats({ url, name: 'test' });
  const { streams } = await jetstreamManager(nats.connection);
  await streams.purge(`${nats.address.prefix}-log`, { seq: 13 });
  const reading = Promise.resolve(slow.read(batch!, positions[10]!, 1e6));
  await expect(reading).rejects.toThrow(BatchGone);
});

test('nothing that waits can be read in NATS; with another key it is kept aside, and comes back with its own', async () => {
  const url = server.url();
  const said: string[] = [];
  const lost = secretsOf('another secret of thirty-two letters', 'a test').boxSetup('log record');
  await using first = await at(url);
  await first.append(Buffer.from('password=hunter2'));
  await first.append(Buffer.from('hunter2'.repeat(400_000)));
  await using nats = await openNats({ url, name: 'test' });
  const { streams } = await jetstreamManager(nats.connection);
  const message = await streams.getMessage(`${nats.address.prefix}-log`, { seq: 1 });
  expect(Buffer.from(message!.data).includes('hunter2')).toBe(false);
  await first.close();

  const options = { url, dataDir: '', box: lost, limitBytes: 2 ** 28, warn: (text: string) => void said.push(text) };
  const other = await openLog(options);
  const open = createReader(other.reader);
  for (let batch; (batch = await other.lease(all));) {
    const { records, unreadable } = open(batch.records);
    expect(records).toEqual([]);
    await other.acknowledge(batch, unreadable);
  }
  expect(other.stats()).toMatchObject({ records: 0, unreadable: 2 });
  expect(said.join()).toContain('2 requests in the log cannot be opened with this key');
  await other.close();

  await using again = await at(url, { warn: (text) => void said.push(text) });
  const back: string[] = [];
  await vi.waitFor(async () => {
    const batch = await again.lease(all);
    back.push(...(textsOf(batch) ?? []));
    if (batch) await again.acknowledge(batch);
    expect(back.toSorted().map((text) => text.length)).toEqual([2_800_000, 16]);
  }, 10_000);
  await vi.waitFor(() => expect(again.stats()).toMatchObject({ records: 0, unreadable: 0 }), 5_000);
}, 30_000);

test('while NATS is away appends are refused, and what was promised before is there after', async () => {
  await using own = await startNats();
  await using log = await at(own.url('away'));
  await log.append(Buffer.from('before'));
  await own.kill();
  // A short outage is waited for.
  const waited = log.append(Buffer.from('meanwhile'));
  await own.start();
  await waited;
  await own.kill();
  const refused = await log.append(Buffer.from('lost')).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'LOG_UNAVAILABLE', status: 503, retryAfter: 10 });
  expect(log.stats().away).toMatchObject({ reason: expect.stringContaining('is lost'), sinceMs: expect.any(Number) });
  await expect(log.append(Buffer.from('lost'))).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
  await expect(log.lease(all)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' });
  await own.start();
  await vi.waitFor(() => expect(log.stats().away).toBeUndefined(), 5_000);
  const texts: string[] = [];
  await vi.waitFor(async () => {
    texts.push(...(textsOf(await log.lease(all)) ?? []));
    expect(texts).toEqual(['before', 'meanwhile']);
  }, 5_000);
}, 40_000);

test('a server without room for it, or without its replicas, is named', async () => {
  await using small = await startNats({ maxFile: '1M' });
  await expect(at(small.url())).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringContaining('less storage than CULPRIT_LOG_MAX_BYTES'),
  });
  await expect(
    openLog({ url: `${server.url()}?replicas=3`, dataDir: '', box, limitBytes: 2 ** 28 }),
  ).rejects.toMatchObject({ message: expect.stringContaining('cannot keep 3 replicas') });
});
