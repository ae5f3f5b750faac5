/** The directory of an engine that has all tables, for tests: making them takes it four times what a start takes. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEvents } from '../open.ts';
import { makePair, writeClusterConfig } from './cluster.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const cache = join(root, 'node_modules/.cache/culprit-events');

/** Days that rows are kept; the tables say it. */
export const retentionDays = 90;

/** Whatever may change what lies on disk: the sources of the tables, the engine, and how it is kept. */
function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const names = globSync(
    ['server/src/base/*.ts', 'server/src/base/tables/**/*.ts', 'server/src/ports/events/**/*.ts'],
    {
      cwd: root,
    },
  );
  for (const name of names.toSorted()) {
    if (!name.endsWith('.test.ts'))
      hash
        .update(name)
        .update('\0')
        .update(readFileSync(join(root, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function makeTemplate(dir: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, 'fresh-'));
  const store = await openEvents({ url: '', dataDir: fresh, engineConfig: writeClusterConfig(fresh) });
  await store.prepare({ retentionDays });
  await makePair(store.events);
  await store.close();
  try {
    renameSync(fresh, dir);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    // Another process may have been quicker, with the same.
    if (!existsSync(dir)) throw error;
  }
}

/** Into a directory that has no engine, `events` in it. */
export async function layTables(dataDir: string): Promise<void> {
  const template = join(cache, fingerprint());
  if (!existsSync(template)) await makeTemplate(template);
  // Not the asynchronous one, which takes ten times the processor time for these hundreds of small files.
  cpSync(join(template, 'events'), join(dataDir, 'events'), { recursive: true, verbatimSymlinks: true });
}
