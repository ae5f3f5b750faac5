/** The unit for systemd, by its own checker where the machine has it, and the file for Compose by that of its specification. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { settings } from '../src/base/config.ts';
import { version } from '../src/base/version.ts';
import { readCompose } from './compose/validate.ts';

const unit = new URL('../../deploy/culprit.service', import.meta.url);
const analyze = '/usr/bin/systemd-analyze';
const compose = fileURLToPath(new URL('../../deploy/compose.yaml', import.meta.url));
const known: readonly string[] = Object.values(settings).map(({ env }) => env);

test('the unit starts the program of the package, with settings that there are, for a user of its own', async () => {
  const text = await readFile(unit, 'utf8');
  expect(text).toMatch(
    /^ExecStart=\/usr\/bin\/node \/opt\/culprit\/node_modules\/culprit\/server\/bin\/culprit\.js serve$/m,
  );
  expect(text).toMatch(/^User=culprit$/m);
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

test('the file for Compose starts this version, shut and with settings that there are', async () => {
  const text = await readFile(compose, 'utf8');
  const { services } = load(text) as { readonly services: { readonly culprit: Readonly<Record<string, unknown>> } };
  expect(services.culprit).toMatchObject({
    image: `culprit:${version}`,
    ports: ['127.0.0.1:7420:7420'],
    volumes: ['data:/var/lib/culprit'],
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  const guide = await readFile(new URL('../../docs/guides/install.md', import.meta.url), 'utf8');
  const image = await readFile(new URL('../../scripts/image.ts', import.meta.url), 'utf8');
  const used = [text, guide, image].map((said) => [...new Set(said.match(/\bCULPRIT_[A-Z_]+/g))]);
  expect(used.every((names) => names.length > 0)).toBe(true);
  expect(known).toEqual(expect.arrayContaining(used.flat()));
});

test('the Compose specification has nothing against it', async () => {
  expect(Object.keys(readCompose(await readFile(compose, 'utf8')).services)).toEqual(['culprit']);
});
