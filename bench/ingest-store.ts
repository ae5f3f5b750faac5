/** What is in Culprit's stores after the load: how much, and how large it is once merged. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openFilePayloads } from '../server/src/ports/payloads/files.ts';
import { type Account, createApi, type Culprit } from './culprit.ts';
import type { Kind } from './ingest-kinds.ts';
import { countOutcomes } from './intake.ts';

export interface Stored {
  readonly stored: number;
  readonly different: number;
  readonly groups: number;
  readonly bytes: number;
  /** What it is more before the payloads are packed. */
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

/** Counts what is there, then merges everything and takes its size. */
export async function examineStore(
  culprit: Culprit,
  account: Account,
  dataDir: string,
  kind: Kind,
): Promise<Omit<Stored, 'unpackedBytes'>> {
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
    // The log's file is used again and again and the parts that were merged go by themselves: neither grows with events.
    bytes: (size?.bytes ?? 0) + directoryBytes(dataDir, (name) => /^(?:state|blobs|payloads|event-index)/.test(name)),
    outcomes: [...outcomes].map(([name, count]) => `${name} ${count}`).join(', '),
  };
}

function directoryBytes(dir: string, chosen: (name: string) => boolean = () => true): number {
  if (!existsSync(dir)) return 0;
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => chosen(entry.name))
    .reduce((bytes, entry) => {
      const path = join(dir, entry.name);
      return bytes + (entry.isDirectory() ? directoryBytes(path) : statSync(path).blocks * 512);
    }, 0);
}
