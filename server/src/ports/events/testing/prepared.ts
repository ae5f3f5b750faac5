/**
 * An events store with all tables in a directory of its own, for tests. The tables are copied, since making them takes
 * the engine four times what a start takes, and some forty files of tests want them.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OpenedEvents, openEvents } from '../open.ts';
import { explainForPair, makePair, writeClusterConfig } from './cluster.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const cache = join(root, 'node_modules/.cache/culprit-events');

/** Days that rows are kept; the tables say it. */
const retentionDays = 90;

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

/** In an empty directory, or one that has other stores; closing leaves the directory as it is. */
export async function openPreparedEvents(dataDir: string): Promise<OpenedEvents> {
  const template = join(cache, fingerprint());
  if (!existsSync(template)) await makeTemplate(template);
  // Not the asynchronous one, which takes ten times the processor time for these hundreds of small files.
  cpSync(template, dataDir, { recursive: true, verbatimSymlinks: true });
  const store = await openEvents({ url: '', dataDir, engineConfig: writeClusterConfig(dataDir) });
  await store.prepare({ retentionDays });
  const refusals = explainForPair(store.events);
  const close = async (): Promise<void> => {
    const refused = await refusals();
    await store.close();
    if (refused.length > 0) throw new AggregateError(refused, String(refused[0]));
  };
  return { ...store, close, [Symbol.asyncDispose]: close };
}
