import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  await openFileBlobs({ dir }).put('a/b', new Uint8Array(10));
  expect(await readdir(incoming)).toEqual(['new']);
});

test('a key cannot be below another key; nothing of the attempt is left', async () => {
  const dir = await fresh();
  const blobs = openFileBlobs({ dir });
  await blobs.put('a', new Uint8Array(1));
  await expect(blobs.put('a/b', new Uint8Array(1))).rejects.toThrow();
  expect(await blobs.get('a/b')).toBeUndefined();
  expect(await readdir(join(dir, '.incoming'))).toEqual([]);
});

test('lies in the data directory; other places are refused in words', async () => {
  const dataDir = await fresh();
  await openBlobs({ url: '', dataDir }).put('a', new Uint8Array(1));
  expect(await readdir(join(dataDir, 'blobs'))).toContain('a');
  expect(() => openBlobs({ url: 's3://bucket', dataDir })).toThrow(/only files are there yet/);
});
