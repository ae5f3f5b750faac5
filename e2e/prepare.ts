/**
 * Once before the tests of whole programs: the server is bundled as it is, and an installation made that they copy; for the
 * scaled form in stores that all servers share.
 */
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { isPrepared, makeTemplate, startScaledStores } from '../server/test/harness.ts';

/** Resolves to what is done after the tests. */
export default async function prepare({ config }: TestProject): Promise<() => Promise<void>> {
  const done = new AsyncDisposableStack();
  // What is made here is of the programs that tests start; tests of functions run in processes without that.
  const { NODE_OPTIONS: before = '' } = process.env;
  process.env.NODE_OPTIONS = config.env['NODE_OPTIONS'] ?? before;
  // Another project of the same run may have done it.
  if (!isPrepared()) {
    const build = fileURLToPath(new URL('../scripts/build-server.ts', import.meta.url));
    execFileSync(process.execPath, [build], { stdio: 'inherit' });
    const dir = await makeTemplate();
    done.defer(() => rm(dir, { recursive: true, force: true }));
  }
  const form = config.env['CULPRIT_TEST_FORM'] ?? process.env['CULPRIT_TEST_FORM'];
  if (form === 'scaled') done.use(await startScaledStores());
  process.env.NODE_OPTIONS = before;
  return () => done.disposeAsync();
}
