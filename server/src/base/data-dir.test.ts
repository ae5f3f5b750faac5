import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataDir, tightenDataDir } from './data-dir.ts';

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

test('a directory that was open to others is closed to them, and that is said', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-open-'));
  await mkdir(join(dir, 'log'));
  const file = join(dir, 'log', 'log.mdb');
  await writeFile(file, '');
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  for (const [path, mode] of [
    [dir, 0o755],
    [join(dir, 'log'), 0o750],
    [file, 0o644],
  ] as const) {
    await chmod(path, mode);
  }
  const said = await tightenDataDir(dir);
  expect(said).toHaveLength(3);
  expect(said[0]).toContain(`${dir} was accessible to other users (mode 755)`);
  expect([await modeOf(dir), await modeOf(join(dir, 'log')), await modeOf(file)]).toEqual(['700', '700', '600']);
  expect(await tightenDataDir(dir)).toEqual([]);
  await rm(dir, { recursive: true });
});
