import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { version } from '../server/src/base/version.ts';

const root = join(import.meta.dirname, '..');

/** Characters; a line of prose is read in an editor, in a diff and on a page, next to something else. */
const widest = 120;

describe.each([
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'docs/specification.md',
])('%s', (file) => {
  test('its lines fit a screen, but for rows of tables', async () => {
    const text = await readFile(join(root, file), 'utf8');
    const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
    expect(lines.filter(({ line }) => line.length > widest && !line.startsWith('|'))).toEqual([]);
  });
});

interface Manifest {
  /** None where it is a project of its own, which nobody publishes. */
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

async function manifestOf(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest;
}

describe('the version', () => {
  test('is one for all packages, for what they ask of each other, and what the server says of itself', async () => {
    const paths = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], { cwd: root, encoding: 'utf8' });
    const manifests = await Promise.all(paths.trim().split('\n').map(manifestOf));
    const own = manifests.flatMap(({ dependencies, devDependencies }) =>
      Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([name, wanted]) => name.startsWith('@culprit/') && !wanted.startsWith('file:'),
      ),
    );
    expect(own.length).toBeGreaterThan(10);
    const versions = [...manifests.flatMap((manifest) => manifest.version ?? []), ...own.map(([, wanted]) => wanted)];
    expect(new Set([...versions, version])).toEqual(new Set([(await manifestOf('package.json')).version]));
  });

  test('is that of the lock file', async () => {
    const lock = await readFile(join(root, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, { readonly version?: string }>> };
    expect([packages['']?.version, packages.server?.version]).toEqual([version, version]);
  });

  test('is the newest section of CHANGELOG.md, dated, with a summary', async () => {
    const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
    const [newest = ''] = changelog.split(/^## /m).slice(1);
    expect(newest).toMatch(/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)\n\n[A-Z]/);
    expect(newest.split(' ')[0]).toBe(version);
  });
});

describe('what npm installs', () => {
  test('no lock file names a registry', async () => {
    const paths = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: root, encoding: 'utf8' });
    const locks = await Promise.all(
      paths
        .trim()
        .split('\n')
        .map((path) => readFile(join(root, path), 'utf8')),
    );
    expect(locks.length).toBeGreaterThan(2);
    const named = locks.flatMap((lock) => [...lock.matchAll(/"resolved": "(?:[a-z+]+:)?\/\/[^"]+"/g)]);
    expect(named.map(([line]) => line)).toEqual([]);
  });

  test('"npm ci" leaves out what only tests need', async () => {
    const lock = await readFile(join(root, 'package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, { readonly dev?: boolean }>> };
    for (const name of ['oxlint', 'knip', '@sentry/node', 'sentry-browser-10', 'webpack', 'prettier']) {
      expect([name, packages[`node_modules/${name}`]?.dev]).toEqual([name, true]);
    }
    expect(packages).not.toHaveProperty(['node_modules/next']);
    expect(await readFile(join(root, '.npmrc'), 'utf8')).toMatch(/^omit=dev$/m);
  });
});
