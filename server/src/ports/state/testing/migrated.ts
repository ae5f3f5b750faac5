/** A SQLite database with all tables, for tests: laying a copy takes a fiftieth of what the migrations take. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openState } from '../open.ts';
import type { State } from '../state.ts';

let template: Promise<Buffer> | undefined;

async function makeTemplate(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-state-'));
  try {
    const state = await openState({ url: '', dataDir });
    await state.migrate();
    // The last to close it leaves all of it in one file.
    await state.close();
    return await readFile(join(dataDir, 'state.db'));
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/** In a directory that is there and has none. */
export async function layMigratedCopy(dataDir: string): Promise<void> {
  template ??= makeTemplate();
  await writeFile(join(dataDir, 'state.db'), await template, { mode: 0o600 });
}

export async function openMigratedCopy(dataDir: string): Promise<State> {
  await layMigratedCopy(dataDir);
  return openState({ url: '', dataDir });
}
