import { expect, test } from 'vitest';
import { sharedS3, startS3 } from '../../../test/s3/server.ts';
import { parseS3Address } from '../../base/s3/address.ts';
import { createObjects, type Objects } from '../../base/s3/objects.ts';
import { payloadsContract } from './contract.ts';
import { openS3Payloads } from './s3.ts';

const fresh = async (): Promise<Objects> => createObjects(parseS3Address(await (await sharedS3()).bucket()));

payloadsContract('S3', async () => {
  const objects = await fresh();
  return { payloads: openS3Payloads(objects), again: () => openS3Payloads(objects) };
});

test('a batch is one request to write, and an event three to read, then two', async () => {
  const objects = await fresh();
  const asked: string[] = [];
  const counted = new Proxy(objects, {
    get(target, name: keyof Objects) {
      const value: unknown = target[name];
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        asked.push(name);
        return value.apply(target, args) as unknown;
      };
    },
  });
  const payloads = openS3Payloads(counted);
  await using writer = payloads.createWriter();
  using batch = writer.batch();
  const places = Array.from({ length: 3000 }, (_, index) =>
    batch.add(JSON.stringify({ index, text: Math.random().toString(36).repeat(40) }), 'kin'),
  );
  await writer.write(batch);
  expect(asked.splice(0)).toEqual(['put']);
  await payloads.read(places.slice(1500, 1501));
  expect(asked.splice(0).toSorted()).toEqual(['get', 'range', 'range']);
  await payloads.read(places.slice(20, 21));
  expect(asked.splice(0).toSorted()).toEqual(['get', 'range']);
});

test('writers of several nodes and of one moment do not take each other for themselves', async () => {
  const objects = await fresh();
  const places = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      await using writer = openS3Payloads(objects).createWriter();
      // Two of thirty may draw one number: the later one is refused, and tries another, as processing does.
      for (;;) {
        using batch = writer.batch();
        const place = batch.add(String(index), 'kin');
        const isWritten = await writer.write(batch).then(
          () => true,
          (error: unknown) => !/uses the number/.test(String(error)),
        );
        if (isWritten) return place;
      }
    }),
  );
  expect(await openS3Payloads(objects).read(places)).toEqual(places.map((_, index) => String(index)));
});

test('a number that another node has taken is refused, and the batch is written under another', async () => {
  const objects = await fresh();
  const payloads = openS3Payloads(objects);
  await using writer = payloads.createWriter();
  using batch = writer.batch();
  const { segment } = batch.add('{"mine":1}', 'kin');
  const day = new Date(Math.floor(segment / 4096)).toISOString().slice(0, 10);
  await objects.put(`payloads/${day}/${segment}`, Buffer.from("another node's"));
  await expect(writer.write(batch)).rejects.toThrow('another node uses the number');
  using next = writer.batch();
  const place = next.add('{"mine":1}', 'kin');
  await writer.write(next);
  expect(await payloads.read([place])).toEqual(['{"mine":1}']);
});

test('what was written is there after the server was killed in the middle of writing more', async () => {
  await using own = await startS3();
  const payloads = openS3Payloads(createObjects(parseS3Address(await own.bucket())));
  await using writer = payloads.createWriter();
  const done: { readonly place: { segment: number; ordinal: number }; readonly text: string }[] = [];
  const progress = { isOver: false };
  const writing = (async () => {
    for (let index = 0; !progress.isOver; index++) {
      using batch = writer.batch();
      const text = `${index} ${'x'.repeat(100_000)}`;
      const place = batch.add(text, 'kin');
      await writer.write(batch).then(
        () => done.push({ place, text }),
        () => undefined,
      );
    }
  })();
  for (let round = 1; round <= 3; round++) {
    const before = done.length;
    await expect.poll(() => done.length, { interval: 20 }).toBeGreaterThan(before + 5);
    await own.stop('SIGKILL');
    await own.start();
  }
  progress.isOver = true;
  await writing;
  expect(await payloads.read(done.map(({ place }) => place))).toEqual(done.map(({ text }) => text));
});
