/** All pages of the state store written anew, so that nothing of what was deleted or changed is left in its files. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { runThread } from '../../base/jobs/index.ts';
import { stateFile } from './snapshot.ts';
import type { State } from './state.ts';

/** Writes wait meanwhile, and give up after ten seconds: what is larger is left to `culprit migrate --compact`. */
const mostBytes = 512 * 2 ** 20;
const tries = 100;
const pollMs = 50;

export interface OverwriteSetup {
  readonly path: string;
}

/** Resolves to the bytes of a store that was too large for it and is left as it is; 0 once it is done. */
export async function overwriteState(
  { db, capabilities }: State,
  dataDir: string,
  signal: AbortSignal,
): Promise<number> {
  if (capabilities.dialect === 'postgres') {
    await sql`vacuum`.execute(db);
    return 0;
  }
  const path = stateFile(dataDir);
  const { size } = statSync(path);
  if (size > mostBytes) {
    await emptyJournal(path, signal);
    return size;
  }
  const module = new URL('./overwrite-thread.ts', import.meta.url);
  const setup: OverwriteSetup = { path };
  // In a thread of its own: those who read go on, and the event loop does too.
  await runThread({ module, name: 'overwrite', setup, graceMs: 0, onMessage: () => undefined }, signal);
  signal.throwIfAborted();
  await emptyJournal(path, signal);
  return 0;
}

/** Waits for readers of older pages, a few seconds at most. */
async function emptyJournal(path: string, signal: AbortSignal): Promise<void> {
  const database = new DatabaseSync(path);
  try {
    for (let count = 0; count < tries; count++) {
      const result = database.prepare('pragma wal_checkpoint(truncate)').get();
      if (Number(result?.['busy']) === 0) return;
      await delay(pollMs, undefined, { signal });
    }
  } finally {
    database.close();
  }
}
