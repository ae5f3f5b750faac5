/** The unit for systemd, by systemd's own checker where the machine has one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../src/base/config.ts';

const unit = new URL('../../deploy/culprit.service', import.meta.url);
const analyze = '/usr/bin/systemd-analyze';

test('the unit starts the program of the package, with settings that there are, for a user of its own', async () => {
  const text = await readFile(unit, 'utf8');
  expect(text).toMatch(
    /^ExecStart=\/usr\/bin\/node \/opt\/culprit\/node_modules\/culprit\/server\/bin\/culprit\.js serve$/m,
  );
  expect(text).toMatch(/^User=culprit$/m);
  const known = Object.values(settings).map(({ env }) => env as string);
  const used = [...text.matchAll(/^Environment=(CULPRIT_\w+)=/gm)].map(([, name = '']) => name);
  expect(used).toEqual(['CULPRIT_DATA_DIR']);
  expect(known).toEqual(expect.arrayContaining(used));
});

test.runIf(existsSync(analyze))('systemd has nothing against it, and calls it well shut', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-unit-'));
  try {
    const path = join(dir, 'culprit.service');
    await writeFile(path, (await readFile(unit, 'utf8')).replace('/usr/bin/node', process.execPath));
    expect(spawnSync(analyze, ['verify', path], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const security = execFileSync(analyze, ['security', '--offline=true', path], { encoding: 'utf8' });
    expect(Number(/exposure level for culprit\.service: ([\d.]+)/.exec(security)?.[1])).toBeLessThan(4);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
