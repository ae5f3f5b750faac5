import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataDir } from './data-dir.ts';

test('a directory is one holder’s at a time, made if need be, and free once released', async () => {
  const root = await mkdtemp(join(tmpdir(), 'culprit-lock-'));
  const dir = join(root, 'not', 'there', 'yet');
  const lock = await lockDataDir(dir);
  await expect(lockDataDir(dir)).rejects.toMatchObject({
    code: 'DATA_DIR_IN_USE',
    message: expect.stringContaining(String(process.pid)),
  });
  await lock.release();
  await lock.release();
  await using again = await lockDataDir(dir);
  expect(again).toBeDefined();
  await rm(root, { recursive: true });
});
