/**
 * `npm run version-packages`: the versions and the section of CHANGELOG.md that the changesets ask for, the surface of the
 * API that later versions are compared with, and a data directory of this version that they must start on.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sectionOf, withSection } from './changelog.ts';

const root = join(import.meta.dirname, '..');
const directory = join(root, '.changeset');
const changesets = readdirSync(directory)
  .filter((name) => name.endsWith('.md'))
  .toSorted()
  .map((name) => readFileSync(join(directory, name), 'utf8'));
if (changesets.length === 0) {
  console.error('no changesets: "npx changeset" writes one');
  process.exit(1);
}

function versionOf(directory: string): string {
  const { version } = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** In a file that says it once, or is of another shape than this script takes it for. */
function replaceOnce(path: string, before: string, after: string): void {
  const text = readFileSync(join(root, path), 'utf8');
  if (text.split(before).length !== 2) throw new Error(`${path} does not say ${before} once`);
  writeFileSync(
    join(root, path),
    text.replace(before, () => after),
  );
}

const before = versionOf('server');
execFileSync('changeset', ['version'], { cwd: root, stdio: 'inherit' });
const version = versionOf('server');

// Changesets know the workspaces, but neither the root, nor what the guard says of itself, nor the image's name.
replaceOnce('package.json', `"version": "${before}"`, `"version": "${version}"`);
replaceOnce('packages/react/src/guard/envelope.ts', `version: '${before}'`, `version: '${version}'`);
replaceOnce('deploy/compose.yaml', `image: culprit:${before}`, `image: culprit:${version}`);

const changelog = join(root, 'CHANGELOG.md');
const section = sectionOf(version, new Date().toISOString().slice(0, 10), changesets);
writeFileSync(changelog, withSection(readFileSync(changelog, 'utf8'), section));
for (const lock of ['package-lock.json', ...globSync('examples/*/package-lock.json', { cwd: root })]) {
  const words = ['install', '--package-lock-only', '--ignore-scripts', '--include=dev'];
  execFileSync('npm', words, { cwd: join(root, dirname(lock)), stdio: 'inherit' });
}
execFileSync(process.execPath, [join(root, 'scripts/keep-api-surface.ts')], { stdio: 'inherit' });
// What this version leaves behind: every later one must start on it.
execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'inherit' });
const recorded = ['--program', root, '--out', join(root, 'fixtures/data-dirs', version)];
execFileSync(process.execPath, [join(root, 'scripts/record-data-dir.ts'), ...recorded], { stdio: 'inherit' });
console.log(`${before} → ${version}; read CHANGELOG.md, put a summary first, and commit`);
