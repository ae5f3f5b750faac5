/** Once before the tests of whole programs: the server is bundled as it is, and an installation made that they copy. */
import { execFileSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { makeTemplate } from '../server/test/harness.ts';

/** Resolves to what is done after the tests. */
export default async function prepare(): Promise<() => Promise<void>> {
  const build = fileURLToPath(new URL('../scripts/build-server.ts', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
  const hashes = fileURLToPath(new URL('../server/test/cheap-hashes.js', import.meta.url));
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${hashes}`.trim();
  const dir = await makeTemplate();
  return () => rm(dir, { recursive: true, force: true });
}
