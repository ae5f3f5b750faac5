/** What is wrong with the place of backups is said with what to do. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStoring } from '../take/store.ts';
import { openOrMakeRepository, openRepository } from './repository.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-repository-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

test('a file in its place, nothing, and files of others', async () => {
  const file = join(root, 'file');
  await writeFile(file, 'x');
  const said = async (dir: string): Promise<string> =>
    openRepository({ dir, credential: undefined }).then(
      () => '',
      (error: Error) => error.message,
    );
  expect(await said(file)).toMatch(/file: it is not a directory/);
  expect(await said(join(file, 'below'))).toMatch(/it is not a directory|there is no backup in it/);
  expect(await said(join(root, 'none'))).toMatch(/none: there is no backup in it/);
  expect(await said(root)).toMatch(/contains other files\. Choose an empty directory/);
  await expect(openOrMakeRepository({ dir: file, credential: undefined })).rejects.toThrow(/it is not a directory/);
});

test('a disk that is full', async (context) => {
  const dir = await mkdtemp(join(root, 'small-'));
  try {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir]);
  } catch {
    console.warn('a small file system cannot be mounted here (needs root); the test with a full disk is left out');
    context.skip();
  }
  try {
    const file = join(root, 'large');
    await writeFile(file, randomBytes(3 * 2 ** 20));
    const repository = await openOrMakeRepository({ dir, credential: undefined });
    const storing = await openStoring({ repository, known: [], onBytes: async () => undefined });
    const parts = [{ path: 'state.db', file, from: 0, size: 3 * 2 ** 20 }];
    const putting = storing.put({ same: '', isCompressed: false, parts });
    await expect(putting).rejects.toThrow(`${dir}: the disk is full. Free space, or choose another disk`);
  } finally {
    await promisify(execFile)('umount', ['-l', dir]);
  }
});
