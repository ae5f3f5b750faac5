import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type S3Server, sharedS3, startS3 } from '../../../test/s3/server.ts';
import { parseS3Address } from '../../base/s3/address.ts';
import { objectsFailure } from '../../base/s3/failures.ts';
import { createObjects, type ObjectEntry } from '../../base/s3/objects.ts';
import { blobsContract } from './contract.ts';
import { openBlobs } from './open.ts';
import { probeS3 } from './probe.ts';

let server: S3Server;
beforeAll(async () => {
  server = await sharedS3();
});
const fresh = async () => openBlobs({ url: await server.bucket(), dataDir: '' });

blobsContract('S3', fresh);

const objectsOf = (url: string) => createObjects(parseS3Address(url));

async function listed(url: string): Promise<ObjectEntry[]> {
  const entries: ObjectEntry[] = [];
  for await (const entry of objectsOf(url).list('')) entries.push(entry);
  return entries;
}

test('lies below the prefix, compressed where that pays, as one object a key', async () => {
  const url = await server.bucket();
  const blobs = openBlobs({ url: url.replace('?', '/eu/one?'), dataDir: '' });
  await blobs.putStream('1/log', [Buffer.alloc(2 ** 20, 'one line\n'), Buffer.alloc(2 ** 20, 'another line\n')]);
  await blobs.put('1/png', randomBytes(2 ** 20));
  const found = await listed(url);
  expect(found.map(({ key }) => key)).toEqual(['eu/one/1/log', 'eu/one/1/png']);
  expect(found[0]!.size).toBeLessThan(10_000);
  expect(found[1]!.size).toBe(2 ** 20);
});

test('what other tools copied without what was said beside it is read all the same', async () => {
  const url = await server.bucket();
  const [blobs, objects] = [openBlobs({ url, dataDir: '' }), objectsOf(url)];
  const log = Buffer.alloc(200_000, 'one line\n');
  await blobs.put('log', log);
  await blobs.put('short', log.subarray(0, 100));
  for (const key of ['log', 'short']) await objects.put(`copied/${key}`, (await objects.get(key))!.bytes);
  expect(Buffer.from((await blobs.get('copied/log'))!).equals(log)).toBe(true);
  expect(Buffer.from((await blobs.range('copied/log', 9, 9))!).toString()).toBe('one line\n');
  expect((await buffer((await blobs.stream('copied/log'))!)).equals(log)).toBe(true);
  expect(Buffer.from((await blobs.range('copied/short', 9, 9))!).toString()).toBe('one line\n');
});

test('deletes more than one request can', async () => {
  const url = await server.bucket();
  const blobs = openBlobs({ url, dataDir: '' });
  const names = Array.from({ length: 1100 }, (_, index) => `many/${index}`);
  for (let start = 0; start < names.length; start += 50) {
    await Promise.all(names.slice(start, start + 50).map((name) => blobs.put(name, new Uint8Array(1))));
  }
  await blobs.put('other/1', new Uint8Array(1));
  await blobs.deleteAll('many/');
  expect((await listed(url)).map(({ key }) => key)).toEqual(['other/1']);
});

test('a long value goes in parts, of which few are in memory', async () => {
  await using own = await startS3();
  const url = await own.bucket();
  const piece = randomBytes(2 ** 20);
  let taken = 0;
  async function* pieces() {
    for (; taken < 96; taken++) yield piece;
  }
  own.pause();
  const put = openBlobs({ url, dataDir: '' }).putStream('long', pieces(), { asIs: true });
  let before = -1;
  await vi.waitFor(
    () => {
      const isStill = taken > 0 && taken === before;
      before = taken;
      expect(isStill).toBe(true);
    },
    { timeout: 10_000, interval: 300 },
  );
  expect(taken).toBeLessThan(40);
  own.resume();
  expect(await put).toBe(96 * 2 ** 20);
  expect((await objectsOf(url).head('long'))?.size).toBe(96 * 2 ** 20);
});

test('a long value whose pieces fail leaves no parts', async () => {
  const url = await server.bucket();
  async function* broken() {
    for (let index = 0; index < 20; index++) yield randomBytes(2 ** 20);
    throw new Error('the sender went away');
  }
  const put = openBlobs({ url, dataDir: '' }).putStream('broken', broken(), { asIs: true });
  await expect(put).rejects.toThrow('the sender went away');
  expect(await uploads(url)).toBe(0);
});

test('uploads that nobody finished are ended after a day', async () => {
  const url = await server.bucket();
  const { bucket, client } = sdk(url);
  await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: 'left' }));
  await openBlobs({ url, dataDir: '' }).tidy();
  expect(await uploads(url)).toBe(1);
  await objectsOf(url).abortUploads(Date.now() + 60_000);
  expect(await uploads(url)).toBe(0);
});

test('a put with a condition is refused where that does not hold', async () => {
  const objects = objectsOf(await server.bucket());
  const bytes = (text: string) => Buffer.from(text);
  expect(await objects.put('a', bytes('1'), { ifAbsent: true })).toBe(true);
  expect(await objects.put('a', bytes('2'), { ifAbsent: true })).toBe(false);
  const { etag } = (await objects.head('a'))!;
  expect(await objects.put('a', bytes('3'), { ifMatch: etag })).toBe(true);
  expect(await objects.put('a', bytes('4'), { ifMatch: etag })).toBe(false);
  expect(await objects.put('none', bytes('5'), { ifMatch: etag })).toBe(false);
  expect(Buffer.from((await objects.get('a'))!.bytes).toString()).toBe('3');
  expect(Buffer.from((await objects.range('a', -1, 1))!.bytes).toString()).toBe('3');
});

describe('says why it fails, what to do, and no secret', () => {
  const failing = async (url: string) => openBlobs({ url, dataDir: '' }).put('a', new Uint8Array(1));
  const refusal = (reason: RegExp) =>
    expect.objectContaining({ code: 'OBJECTS_UNAVAILABLE', status: 503, message: expect.stringMatching(reason) });

  test('when the bucket is missing', async () => {
    await expect(failing(server.url('nowhere-to-be-found'))).rejects.toEqual(
      refusal(/the bucket nowhere-to-be-found does not exist\. Create it/),
    );
    await expect(openBlobs({ url: server.url('nowhere-to-be-found'), dataDir: '' }).ready()).rejects.toEqual(
      refusal(/does not exist/),
    );
  });

  test.each([
    ['key', { key: 'nobody', secret: 'nothing' }],
    ['secret', { key: '', secret: 'wrongsecret' }],
  ])('when the %s is wrong', async (_what, { key, secret }) => {
    const url = await server.bucket();
    const wrong = server.url(parseS3Address(url).bucket, { key: key || server.key, secret });
    const refused: unknown = await failing(wrong).catch((error: unknown) => error);
    expect(refused).toEqual(refusal(/the access key or its secret is wrong/));
    expect(inspect(refused, { depth: 8 })).not.toContain(secret);
  });

  test('when nothing listens, and when the host does not exist', async () => {
    const url = await server.bucket();
    const closed = url.replace(/:\d+\/b/, ':1/b');
    await expect(failing(closed)).rejects.toEqual(refusal(/refuses connections/));
    await expect(failing(url.replace(/127\.0\.0\.1:\d+/, 'host.invalid'))).rejects.toEqual(
      refusal(/host\.invalid does not exist or cannot be resolved/),
    );
  });

  test('when the server speaks no TLS', async () => {
    await expect(failing((await server.bucket()).replace('tls=off', 'tls=on'))).rejects.toEqual(refusal(/TLS/));
  });

  test('when the clocks differ', async () => {
    await expect(
      skewed(await server.bucket(), async (client, bucket) => {
        try {
          await client.send(new ListObjectsV2Command({ Bucket: bucket }));
        } catch (error) {
          throw objectsFailure(error, parseS3Address(await server.bucket()));
        }
      }),
    ).rejects.toEqual(refusal(/clocks of this machine and of the store differ/));
  });
});

test('goes on after the server was killed, and while a long value is read', async () => {
  await using own = await startS3();
  const url = await own.bucket();
  const blobs = openBlobs({ url, dataDir: '' });
  const value = randomBytes(40 * 2 ** 20);
  await blobs.put('value', value);
  await blobs.put('a', new Uint8Array([1]));
  const stream = (await blobs.stream('value')) as Readable;
  const pieces: Uint8Array[] = [];
  let isKilled = false;
  for await (const piece of stream) {
    pieces.push(piece as Uint8Array);
    if (isKilled) continue;
    isKilled = true;
    await own.stop('SIGKILL');
    await expect(blobs.ready()).rejects.toThrow(/refuses connections|closed the connection/);
    await own.start();
  }
  expect(Buffer.concat(pieces).equals(value)).toBe(true);
  expect(await blobs.get('a')).toHaveLength(1);
  await blobs.ready();
});

test('the clock of the server is known', async () => {
  expect(Math.abs((await objectsOf(await server.bucket()).clockAhead())!)).toBeLessThan(5000);
});

function sdk(url: string, options: { readonly systemClockOffset?: number } = {}) {
  const { host, bucket, credentials, region } = parseS3Address(url);
  const client = new S3Client({
    endpoint: `http://${host}`,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId: credentials!.key, secretAccessKey: credentials!.secret },
    ...options,
  });
  return { bucket, client };
}

async function uploads(url: string): Promise<number> {
  const { bucket, client } = sdk(url);
  return (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads?.length ?? 0;
}

/** The SDK corrects its clock once and asks again; without that, it is what S3 answers. */
async function skewed<T>(url: string, run: (client: S3Client, bucket: string) => Promise<T>): Promise<T> {
  const { bucket, client } = sdk(url, { systemClockOffset: -3_600_000 });
  client.config.maxAttempts = async () => 1;
  return run(client, bucket);
}

test('is tried out with an object of its own, of which nothing is left', async () => {
  const url = await server.bucket();
  const { place, aheadMs } = await probeS3(url);
  expect([place, Math.abs(aheadMs ?? 1e9) < 5000]).toEqual([parseS3Address(url).place, true]);
  expect(await listed(url)).toEqual([]);
  await expect(probeS3(server.url('nowhere-to-be-found'))).rejects.toThrow(/Create it/);
});
