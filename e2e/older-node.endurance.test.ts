/** Where the machine's Node is older than 24, `culprit` runs on one that it fetches once. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../server/src/base/version.ts';
import { installPackage, type InstalledPackage, run } from './package.ts';

const older = '20.19.0';
const name = ['node', process.platform, process.arch].join('-');

let installed: InstalledPackage;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'culprit-older-node-'));
  installed = await installPackage();
  await run(
    'npm',
    ['install', '--prefix', dir, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${older}`],
    dir,
  );
});
afterAll(async () => {
  await installed?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

test('the first command fetches Node, all others use it; output, exit code and arguments are the command’s', async () => {
  const node = join(dir, 'node_modules', name, 'bin/node');
  const env = { ...process.env, XDG_CACHE_HOME: join(dir, 'cache') };
  const culprit = (...words: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(node, [installed.program, ...words], { env });
  const first = await culprit('--version');
  expect(first.stdout).toBe(`${version}\n`);
  expect(first.stderr).toContain(`culprit needs Node 24, and this is v${older}. Fetching Node 24.`);
  expect(await culprit('doctor', '--help')).toMatchObject({ stderr: '', stdout: expect.stringContaining('doctor') });
  await expect(culprit('nonsense')).rejects.toMatchObject({ code: 2 });
  expect(await readdir(join(dir, 'cache/culprit'))).toEqual([expect.stringMatching(/^node-24\.\d+\.\d+$/)]);
});
