import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobsContract } from './contract.ts';
import { openFileBlobs } from './files.ts';
import { openBlobs } from './open.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-blobs-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const fresh = (): Promise<string> => mkdtemp(join(root, 'case-'));

blobsContract('files', async () => openFileBlobs({ dir: await fresh() }));

test('leaves nothing half-written, and clears away what a crash left long ago', async () => {
  const dir = await fresh();
  const incoming = join(dir, '.incoming');
  await mkdir(incoming);
  await writeFile(join(incoming, 'old'), 'half');
  await utimes(join(incoming, 'old'), 0, 0);
  await writeFile(join(incoming, 'new'), 'half');
  const blobs = openFileBlobs({ dir });
  await blobs.put('a/b', new Uint8Array(10));
  expect(await readdir(incoming)).toEqual(['new']);
  const hoursAgo = Date.now() / 1000 - 2 * 3600;
  await utimes(join(incoming, 'new'), hoursAgo, hoursAgo);
  await blobs.tidy();
  expect(await readdir(incoming)).toEqual([]);
});

test('is compressed where that pays, and lies as it is where it does not', async () => {
  const dir = await fresh();
  const blobs = openFileBlobs({ dir });
  const bytesOf = async (key: string): Promise<number> => (await stat(join(dir, key))).size;
  const mib = 2 ** 20;
  await blobs.put('zeros', new Uint8Array(20 * mib));
  expect(await bytesOf('zeros')).toBeLessThan(10_000);
  await blobs.putStream('log', [Buffer.alloc(mib, 'one line\n'), Buffer.alloc(mib, 'another line\n')]);
  expect(await bytesOf('log')).toBeLessThan(10_000);
  const noise = randomBytes(mib);
  await blobs.put('png', noise);
  expect((await readFile(join(dir, 'png'))).equals(noise)).toBe(true);
  await blobs.putStream('lookup', [Buffer.alloc(mib)], { asIs: true });
  expect(await bytesOf('lookup')).toBe(mib);
});

test('what an older version wrote is read as it is', async () => {
  const dir = await fresh();
  const old = Buffer.alloc(100_000, 'an old log\n');
  await writeFile(join(dir, 'old'), old);
  const blobs = openFileBlobs({ dir });
  expect(Buffer.from((await blobs.get('old')) ?? []).equals(old)).toBe(true);
  expect(Buffer.from((await blobs.range('old', 3, 3)) ?? []).toString()).toBe('old');
  expect((await buffer((await blobs.stream('old')) ?? Readable.from([]))).equals(old)).toBe(true);
});

test('a key cannot be below another key; nothing of the attempt is left', async () => {
  const dir = await fresh();
  const blobs = openFileBlobs({ dir });
  await blobs.put('a', new Uint8Array(1));
  await expect(blobs.put('a/b', new Uint8Array(1))).rejects.toThrow();
  expect(await blobs.get('a/b')).toBeUndefined();
  expect(await readdir(join(dir, '.incoming'))).toEqual([]);
});

test('lies in the data directory', async () => {
  const dataDir = await fresh();
  await openBlobs({ url: '', dataDir }).put('a', new Uint8Array(1));
  expect(await readdir(join(dataDir, 'blobs'))).toContain('a');
});
