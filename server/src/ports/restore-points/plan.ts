/**
 * What a version will do to a data directory that another wrote: read from its files, and asked of a server that runs.
 * Nothing is changed.
 */
import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../base/files.ts';
import { migrations as eventsMigrations } from '../events/migrations/all.ts';
import type { Events } from '../events/events.ts';
import { migrations as stateMigrations } from '../state/migrations/index.ts';
import { bytesToCopy } from './snapshot.ts';
import { appliedState, type WrittenBy } from './written-by.ts';

/**
 * Bytes a second, as measured on two cores: a migration of the state store reads and writes its tables; one of the events
 * store reads what it computes from; events are carried over one by one, and indexed from their rows.
 */
const rates = { state: 40e6, events: 150e6, carry: 2e6, index: 15e6 } as const;
/** What each migration takes with nothing in its tables, s. */
const leastSeconds = { state: 0.01, events: 0.15 } as const;
/** From then on whole events lie in segments. */
const segmentsSince = 16;

export interface Plan {
  readonly state: { readonly pending: readonly string[]; readonly bytes: number };
  /** `pending` is undefined where nobody can tell. */
  readonly events: { readonly pending: readonly string[] | undefined; readonly bytes: number };
  readonly seconds: number;
  readonly carry: { readonly bytes: number; readonly seconds: number } | undefined;
  readonly index: { readonly bytes: number; readonly seconds: number } | undefined;
  readonly point: { readonly files: number; readonly linkedBytes: number; readonly copiedBytes: number };
  /** What all of it may take of the disk at once. */
  readonly neededBytes: number;
}

/** `events`: of a server that runs on the directory. */
export async function planUpgrade(dataDir: string, before: WrittenBy, events?: Events): Promise<Plan> {
  const [state, stored, segments, blobs] = await Promise.all([
    sizeOfFiles(dataDir, (name) => /^state\.db(?:-wal)?$/.test(name), false),
    sizeOfFiles(join(dataDir, 'events')),
    sizeOfFiles(join(dataDir, 'payloads')),
    sizeOfFiles(join(dataDir, 'blobs')),
  ]);
  const applied = new Set(appliedState(dataDir));
  const pendingState = stateMigrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  const done = await appliedEvents(before, events);
  const pending = done && eventsMigrations.filter(({ id }) => !done.has(id));
  const errors = await tableBytes(dataDir, 'errors');
  const tables = await Promise.all(
    (pending ?? []).flatMap(({ reads = [] }) => reads).map((table) => tableBytes(dataDir, table)),
  );
  const read = tables.reduce((sum, bytes) => sum + bytes, 0);
  const carried = pending?.some(({ id }) => id === segmentsSince) ? errors : 0;
  const indexed = existsSync(join(dataDir, 'event-index')) ? 0 : errors;
  const seconds =
    pendingState.length * leastSeconds.state +
    (pendingState.length ? state.bytes / rates.state : 0) +
    (pending?.length ?? 0) * leastSeconds.events +
    read / rates.events;
  const copiedBytes = bytesToCopy(dataDir);
  return {
    state: { pending: pendingState, bytes: state.bytes },
    events: { pending: pending?.map(({ id, name }) => `${String(id).padStart(4, '0')} ${name}`), bytes: stored.bytes },
    seconds,
    carry: carried ? { bytes: carried, seconds: carried / rates.carry } : undefined,
    index: indexed ? { bytes: indexed, seconds: indexed / rates.index } : undefined,
    point: {
      files: stored.files + segments.files + blobs.files,
      linkedBytes: stored.bytes + segments.bytes + blobs.bytes,
      copiedBytes,
    },
    // What is carried over is written twice, its rows once more while the restore point has what they were.
    neededBytes: copiedBytes + state.bytes + read / 10 + 2 * carried + indexed / 4 + 512 * 2 ** 20,
  };
}

async function appliedEvents(before: WrittenBy, events: Events | undefined): Promise<Set<number> | undefined> {
  if (events) {
    const rows = await events.query<{ id: number }>('SELECT id FROM schema_migrations');
    return new Set(rows.map(({ id }) => Number(id)));
  }
  const { events: last } = before;
  return last === undefined ? undefined : new Set(Array.from({ length: last }, (_, index) => index + 1));
}

/** What the parts of a table of the embedded engine take; 0 where it has none. */
async function tableBytes(dataDir: string, table: string): Promise<number> {
  const place = await realpath(join(dataDir, 'events/data/culprit', table)).catch(ignoreMissing);
  return place === undefined ? 0 : (await sizeOfFiles(place)).bytes;
}

interface Sum {
  readonly files: number;
  readonly bytes: number;
}

/** Of all files below; what vanishes meanwhile counts nothing. */
async function sizeOfFiles(dir: string, isWanted: (name: string) => boolean = () => true, deep = true): Promise<Sum> {
  let [files, bytes] = [0, 0];
  const waiting = [dir];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && deep) waiting.push(path);
      if (!entry.isFile() || !isWanted(entry.name)) continue;
      bytes += (await lstat(path).catch(ignoreMissing))?.size ?? 0;
      files++;
    }
  }
  return { files, bytes };
}
