/** What is in Culprit's stores after the load: how much, and how large it is once merged. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { indexFile } from '../server/src/ports/event-index/index-file.ts';
import { openEventIndex } from '../server/src/ports/event-index/lmdb.ts';
import { weekOf } from '../server/src/ports/event-index/weeks.ts';
import { openFilePayloads } from '../server/src/ports/payloads/files.ts';
import { type Account, createApi, type Culprit } from './culprit.ts';
import type { Kind } from './ingest-kinds.ts';
import { countOutcomes } from './intake.ts';

export interface Stored {
  readonly stored: number;
  readonly different: number;
  readonly groups: number;
  /** Without what an installation takes that nothing was sent to: `emptyBytes`. */
  readonly bytes: number;
  readonly emptyBytes: number;
  /** What it is more before payloads and the event index are packed. */
  readonly unpackedBytes: number;
  readonly outcomes: string;
}

/** More than any segment of a round has. */
const mostOrdinals = 1_000_000;

/** As the server does it within the hour; of one that is stopped. Bytes that this saves. */
export async function packPayloads(dataDir: string): Promise<number> {
  const dir = join(dataDir, 'payloads');
  const payloads = openFilePayloads({ dir });
  await payloads.settle();
  const before = directoryBytes(dir);
  for (const segment of await payloads.unpacked(0)) await payloads.pack(segment, Array(mostOrdinals).keys());
  return before - directoryBytes(dir);
}

/**
 * As the server does it with a week that has ended; of one that is stopped. Bytes that the week takes less and that the
 * file has free, which the next weeks fill: it keeps its size until half of it is free.
 */
export async function packIndex(dataDir: string): Promise<number> {
  const dir = join(dataDir, 'event-index');
  const before = directoryBytes(dir);
  {
    await using index = await openEventIndex({ dir });
    await index.pack(weekOf(Date.now()), async () => true);
  }
  const copy = join(dataDir, 'index-copy.mdb');
  const root = open({ path: join(dir, indexFile), readOnly: true });
  await root.backup(copy, true);
  await root.close();
  const after = statSync(copy).blocks * 512;
  rmSync(copy);
  return Math.max(0, before - after);
}

/** Counts what is there, then merges everything and takes its size. */
export async function examineStore(
  culprit: Culprit,
  account: Account,
  dataDir: string,
  kind: Kind,
): Promise<Omit<Stored, 'emptyBytes' | 'unpackedBytes'>> {
  const [counts] = await culprit.engine<{ stored: number; different: number; groups: number }>(kind.storedSql);
  const tables = await culprit.engine<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'",
  );
  for (const { name } of tables) await culprit.engine(`OPTIMIZE TABLE ${name} FINAL`);
  const [size] = await culprit.engine<{ bytes: number }>(
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()',
  );
  const api = createApi(culprit, account);
  const outcomes = await countOutcomes(api, kind);
  api.close();
  return {
    stored: counts?.stored ?? 0,
    different: counts?.different ?? 0,
    groups: counts?.groups ?? 0,
    bytes: (size?.bytes ?? 0) + besideEngine(dataDir),
    outcomes: [...outcomes].map(([name, count]) => `${name} ${count}`).join(', '),
  };
}

/**
 * What grows with events beside the engine's parts. The log's file does not: it is used again and again. Of an installation
 * that nothing was sent to it is what that takes.
 */
export const besideEngine = (dataDir: string): number =>
  directoryBytes(dataDir, (name) => /^(?:state|blobs|payloads|event-index)/.test(name));

function directoryBytes(dir: string, chosen: (name: string) => boolean = () => true): number {
  if (!existsSync(dir)) return 0;
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => chosen(entry.name))
    .reduce((bytes, entry) => {
      const path = join(dir, entry.name);
      return bytes + (entry.isDirectory() ? directoryBytes(path) : statSync(path).blocks * 512);
    }, 0);
}
