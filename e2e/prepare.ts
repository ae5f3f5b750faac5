/** Once before the tests of whole programs: the program is packed, and an installation made that they copy. */
import { rm } from 'node:fs/promises';
import { makeTemplate, useProgram } from '../server/test/harness.ts';
import { packProgram } from './packed-program.ts';

/** Resolves to what is done after the tests. */
export default async function prepare(): Promise<() => Promise<void>> {
  useProgram(await packProgram());
  const dir = await makeTemplate();
  return () => rm(dir, { recursive: true, force: true });
}
