/** What is in Culprit's stores after the load: how much, and how large it is once merged. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Account, createApi, type Culprit } from './culprit.ts';
import type { Kind } from './ingest-kinds.ts';
import { countOutcomes } from './intake.ts';

export interface Stored {
  readonly stored: number;
  readonly different: number;
  readonly groups: number;
  readonly bytes: number;
  readonly outcomes: string;
}

/** Counts what is there, then merges everything and takes its size. */
export async function examineStore(culprit: Culprit, account: Account, dataDir: string, kind: Kind): Promise<Stored> {
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
    bytes: (size?.bytes ?? 0) + directoryBytes(dataDir, (name) => /^(?:state|blobs|payloads)/.test(name)),
    outcomes: [...outcomes].map(([name, count]) => `${name} ${count}`).join(', '),
  };
}

function directoryBytes(dir: string, chosen: (name: string) => boolean = () => true): number {
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => chosen(entry.name))
    .reduce((bytes, entry) => {
      const path = join(dir, entry.name);
      return bytes + (entry.isDirectory() ? directoryBytes(path) : statSync(path).blocks * 512);
    }, 0);
}
