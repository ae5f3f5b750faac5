/** `npm run check`: every check that is no test, in one command; runs all and names those that failed. */
import { spawnSync } from 'node:child_process';

/** A script for a page, not for an import. */
const untyped = ['--exclude-entrypoints', './guard.js'];
const published = ['tunnel', 'react', 'next', 'client'].map((name) => `packages/${name}`);

const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['packages for checks', 'node', 'scripts/test-packages.ts'],
  // Before the others, because their types come from what these make.
  ['packages', 'node', 'scripts/build-packages.ts'],
  ['types of the API', 'node', 'scripts/build-api.ts'],
  ['client of the API', 'node', 'scripts/build-client.ts'],
  ['messages', 'node', 'console/scripts/build-messages.ts'],
  ['types', 'tsc', '-b'],
  ['lint', 'oxlint', '--deny-warnings'],
  ['format', 'oxfmt', '--check', '.'],
  ['unused code and dependencies', 'knip'],
  ['words', 'node', 'scripts/words.ts'],
  ['texts outside catalogues', 'node', 'scripts/literals.ts'],
  ['texts of the server outside catalogues', 'node', 'scripts/server-literals.ts'],
  ['escape hatches', 'node', 'scripts/ratchet.ts'],
  ['sizes of the console', 'node', 'console/scripts/budget.ts'],
  ['notices', 'node', 'scripts/notices.ts', '--check'],
  ['sizes of packages', 'node', 'scripts/package-sizes.ts'],
  ...published.flatMap((dir) => [
    [`${dir} as npm takes it`, 'publint', '--strict', dir] as const,
    [`${dir} as types see it`, 'attw', '--pack', dir, '--profile', 'esm-only', ...untyped] as const,
  ]),
];

const failed: string[] = [];
for (const [name, command, ...args] of checks) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) failed.push(name);
}
if (failed.length) {
  console.error(`\nfailed: ${failed.join(', ')}`);
  process.exit(1);
}
