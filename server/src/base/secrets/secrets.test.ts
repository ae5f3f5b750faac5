import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSecrets, openSecrets } from './secrets.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-secrets-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const fresh = async (): Promise<{ dataDir: string; keyFile: string; secret: string }> => ({
  dataDir: await mkdtemp(join(root, 'case-')),
  keyFile: '',
  secret: '',
});

test('the key is made once, for its owner alone, and nothing else is left behind', async () => {
  const place = await fresh();
  expect(await findSecrets(place)).toBeUndefined();
  const made = await Promise.all(Array.from({ length: 20 }, () => openSecrets(place)));
  expect(new Set(made.map(({ fingerprint }) => fingerprint)).size).toBe(1);
  expect(await readdir(place.dataDir)).toEqual(['secret.key']);
  const { mode } = await stat(join(place.dataDir, 'secret.key'));
  expect((mode & 0o777).toString(8)).toBe('600');
  expect((await findSecrets(place))?.fingerprint).toBe(made[0]?.fingerprint);
});

test('processes that start at once get the same key', async () => {
  const place = await fresh();
  const module = new URL('./secrets.ts', import.meta.url).href;
  const script = `import(${JSON.stringify(module)}).then(({ openSecrets }) => openSecrets(${JSON.stringify(place)})).then(({ fingerprint }) => console.log(fingerprint))`;
  const said = await Promise.all(
    Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, ['-e', script])),
  );
  expect(new Set(said.map(({ stdout }) => stdout.trim())).size).toBe(1);
});

test('the file can become the setting, and lie elsewhere', async () => {
  const place = await fresh();
  const keyFile = join(place.dataDir, 'elsewhere', 'culprit.key');
  const made = await openSecrets({ ...place, keyFile });
  expect(made.source).toBe(keyFile);
  expect(await readdir(place.dataDir)).toEqual(['elsewhere']);
  const same = await openSecrets({ ...place, secret: await readFile(keyFile, 'utf8') });
  expect(same).toMatchObject({ fingerprint: made.fingerprint, source: 'CULPRIT_SECRET' });
  expect(same.derive('log record')).toEqual(made.derive('log record'));
});

test('a file that holds no key is said to be none, and stays as it is', async () => {
  const place = await fresh();
  const path = join(place.dataDir, 'secret.key');
  await writeFile(path, 'too short\n');
  await expect(openSecrets(place)).rejects.toMatchObject({
    code: 'KEY_UNUSABLE',
    message: expect.stringContaining(path),
  });
  expect(await readFile(path, 'utf8')).toBe('too short\n');
});
