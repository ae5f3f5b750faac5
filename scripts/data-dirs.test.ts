/** Later versions are tested on what each version leaves behind: none may be missing, and none may grow large. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listDataDirs, readManifest } from '../fixtures/data-dirs/index.ts';

const root = join(import.meta.dirname, '..');
/** Versions whose directory has the name of a commit. */
const named: Readonly<Record<string, string>> = { '0.1.0': '7980d21' };
const mostBytes = 2 * 2 ** 20;

test('each version of the changelog has a data directory that later ones are started on', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version = '']) => version);
  expect(versions.length).toBeGreaterThan(0);
  const recorded = listDataDirs();
  const missing = versions.filter((version) => !recorded.includes(named[version] ?? version));
  expect(missing, 'record them by scripts/record-data-dir.ts; fixtures/README.md says how').toEqual([]);
});

test.each(listDataDirs())('that of %s is small, and says who wrote it and what must be found in it', (name) => {
  const { program, facts, inLog, paths } = readManifest(name);
  expect(program).toMatch(/^[\da-f]{7}$/);
  expect([facts.issues.length, inLog.length, paths.length].every((count) => count > 2)).toBe(true);
  expect(statSync(join(root, 'fixtures/data-dirs', `${name}.tar.zst`)).size).toBeLessThan(mostBytes);
});
