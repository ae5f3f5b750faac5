/** Guards of access, taken out one at a time in what the tests load: a test that does not notice guards nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Guard, guards } from './guards.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
const config = fileURLToPath(new URL('./vitest.config.ts', import.meta.url));

interface Report {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly numFailedTestSuites: number;
}

/** `undefined`: with all guards in place. */
async function runWithout(index: number | undefined, { test: file, named }: Guard): Promise<Report> {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-guard-'));
  const output = join(dir, 'report.json');
  const pattern = named.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const args = ['run', '--config', config, file, '-t', pattern, '--reporter=json', `--outputFile=${output}`];
  const env = { ...process.env, CULPRIT_REMOVED_GUARD: String(index ?? -1) };
  const { stderr } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, env, encoding: 'utf8' });
  try {
    return JSON.parse(await readFile(output, 'utf8')) as Report;
  } catch (error) {
    throw new Error(`no report: ${stderr.slice(-2000)}`, { cause: error });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

test('each guard is in its file once', async () => {
  for (const { file, find } of guards) {
    expect((await readFile(join(root, file), 'utf8')).split(find).length, `${file}: ${find}`).toBe(2);
  }
  expect(guards.length).toBeGreaterThanOrEqual(30);
});

const asked = new Map(guards.map((guard) => [`${guard.test}, ${guard.named}`, guard]));
test.each([...asked])('with all guards, %s passes', async (_, guard) => {
  const { numFailedTests, numPassedTests } = await runWithout(undefined, guard);
  expect({ numFailedTests, passed: numPassedTests > 0 }).toEqual({ numFailedTests: 0, passed: true });
});

test.each(guards.map((guard, index) => [guard.what, index, guard] as const))('without %s', async (_, index, guard) => {
  const { numFailedTests } = await runWithout(index, guard);
  expect(numFailedTests).toBeGreaterThan(0);
});
