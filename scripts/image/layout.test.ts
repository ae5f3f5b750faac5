/** Layouts are read as GNU's tar and gzip read them. */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addImage, addLayer, archive, type Descriptor, nameImages, startLayout } from './layout.ts';
import { lockedVersions } from './program.ts';
import { entriesOf } from './tar.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'culprit-layout-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const time = 1_700_000_000;
const longName = `${'deep/'.repeat(30)}näme.js`;

function tree(): string {
  const from = join(dir, 'from');
  mkdirSync(join(from, 'deep/'.repeat(30)), { recursive: true });
  writeFileSync(join(from, longName), 'long');
  writeFileSync(join(from, 'program'), '#!');
  chmodSync(join(from, 'program'), 0o700);
  symlinkSync(longName, join(from, 'link'));
  return from;
}

/** Two platforms, as one file. */
async function build(name: string, architectures: readonly string[]): Promise<{ path: string; layout: string }> {
  const layout = join(dir, name);
  startLayout(layout);
  const entries = [
    ...entriesOf(join(dir, 'from'), 'opt/it'),
    { path: 'var/data', mode: 0o700, owner: 10_001 },
    { path: 'etc/said', mode: 0o644, content: 'said' },
  ];
  const layer = await addLayer(layout, 'all', entries, time);
  const images = architectures.map((architecture) => addImage(layout, architecture, { User: '1' }, [layer], time));
  nameImages(layout, 'it', '1.2.3', images);
  const path = join(dir, `${name}.tar`);
  await archive(layout, path);
  return { path, layout };
}

const read = (layout: string, path: string): unknown => JSON.parse(readFileSync(join(layout, path), 'utf8')) as unknown;

test('an image names its blobs by what they contain, and a layer keeps names, modes, owners and one time', async () => {
  tree();
  const { layout } = await build('one', ['arm64']);
  const { manifests } = read(layout, 'index.json') as { manifests: readonly Descriptor[] };
  expect(manifests).toMatchObject([{ annotations: { 'org.opencontainers.image.ref.name': '1.2.3' } }]);
  const blob = (digest = ''): Buffer => {
    const bytes = readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
    expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(digest);
    return bytes;
  };
  const manifest = JSON.parse(blob(manifests[0]?.digest).toString()) as { config: Descriptor; layers: Descriptor[] };
  const packed = blob(manifest.layers[0]?.digest);
  const tar = gunzipSync(packed);
  expect(manifest.layers[0]?.size).toBe(packed.length);
  expect(JSON.parse(blob(manifest.config.digest).toString())).toMatchObject({
    architecture: 'arm64',
    os: 'linux',
    config: { User: '1' },
    rootfs: { diff_ids: [`sha256:${createHash('sha256').update(tar).digest('hex')}`] },
  });
  expect(read(layout, 'manifest.json')).toMatchObject([{ RepoTags: ['it:1.2.3'], Layers: [expect.any(String)] }]);

  const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const listed = execFileSync('tar', ['-tvf', '-', '--numeric-owner'], { input: tar, encoding: 'utf8', env });
  const lines = listed.trim().split('\n');
  const short = lines.map((line) => line.replaceAll(/ +/g, ' ').replace(' 2023-11-14 22:13', ''));
  expect(short.filter((line) => !line.includes('/deep/'))).toEqual([
    'drwxr-xr-x 0/0 0 etc/',
    '-rw-r--r-- 0/0 4 etc/said',
    'drwxr-xr-x 0/0 0 opt/',
    'drwxr-xr-x 0/0 0 opt/it/',
    '-rwxr-xr-x 0/0 2 opt/it/program',
    'drwxr-xr-x 0/0 0 var/',
    'drwx------ 10001/10001 0 var/data/',
  ]);
  expect(lines.filter((line) => line.includes('näme.js'))).toHaveLength(2);
  execFileSync('tar', ['-xf', '-', '-C', dir], { input: tar, env });
  expect(readFileSync(join(dir, 'opt/it/link'), 'utf8')).toBe('long');
});

test('the same content is the same file; two platforms stand in an index of their own', async () => {
  tree();
  const built = await Promise.all(['one', 'two'].map((name) => build(name, ['amd64', 'arm64'])));
  const [one, two] = built.map(({ path }) => readFileSync(path));
  expect(two?.equals(one ?? Buffer.alloc(0))).toBe(true);
  const layout = built[0]?.layout ?? '';
  const { manifests } = read(layout, 'index.json') as { manifests: readonly Descriptor[] };
  expect(manifests).toHaveLength(1);
  expect(read(layout, `blobs/${manifests[0]?.digest.replace(':', '/')}`)).toMatchObject({
    manifests: ['amd64', 'arm64'].map((architecture) => ({ platform: { os: 'linux', architecture } })),
  });
});

test('packages come in the versions of the lock file, also where one has its own', () => {
  const lock = {
    'node_modules/a': { version: '1.0.0', dependencies: { b: '^1', c: '^1' }, optionalDependencies: { none: '1' } },
    'node_modules/a/node_modules/b': { version: '1.5.0', dependencies: { c: '^1' } },
    'node_modules/b': { version: '2.0.0' },
    'node_modules/c': { version: '1.1.0' },
  };
  expect(lockedVersions(lock, ['a'])).toEqual({ a: { b: '1.5.0', c: '1.1.0' }, b: { c: '1.1.0' } });
});
