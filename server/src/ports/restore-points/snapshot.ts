/**
 * A copy of the stores of a data directory that takes hardly any room: files that no version changes in place are linked,
 * the others copied, by the file system where it can. Only while nobody has the directory open.
 *
 * Changed in place are SQLite's file, LMDB's, and what is appended to: the engine's logs of deduplication, and notes of what
 * was erased. The engine writes a part once; whatever changes a part makes another one. Segments of payloads that were begun
 * are left at each start, and blobs are put in place whole. The event index is left out: a start without it makes it anew.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncDirectory } from '../../base/files.ts';

export interface Snapshot {
  /** What of the data directory it has, by name. */
  readonly entries: readonly string[];
  readonly files: number;
  readonly linkedBytes: number;
  readonly copiedBytes: number;
}

/** What a snapshot can have; the event index and the log go other ways. */
const snapshotEntries = ['state.db', 'events', 'payloads', 'blobs'] as const;

type Way = 'link' | 'copy' | 'leave';
interface Found {
  readonly name: string;
  readonly isDirectory: boolean;
  /** What lies beside it, and itself. */
  readonly siblings: ReadonlySet<string>;
  /** How the folder that it is in goes. */
  readonly parent: Way;
}
/** Of a directory: how its files go unless told otherwise. */
type Rule = (found: Found) => Way;

const rules: Readonly<Record<'events' | 'payloads' | 'blobs', Rule>> = {
  events: ({ name, siblings, parent }) => {
    if (name === 'tmp' || /^(?:delete_)?tmp_/.test(name)) return 'leave';
    // Of a part, with its projections.
    return parent === 'link' || (siblings.has('columns.txt') && siblings.has('checksums.txt')) ? 'link' : 'copy';
  },
  payloads: ({ name, isDirectory }) => {
    if (name.endsWith('.packing')) return 'leave';
    return isDirectory || /\.(?:chunks|index|packed)$/.test(name) ? 'link' : 'copy';
  },
  blobs: ({ name }) => (name === '.incoming' ? 'leave' : 'link'),
};

/** Writes SQLite's log of changes into its file, of which nobody else has it open: then it is one file. */
export function foldChanges(path: string): void {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    database.exec('pragma wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
}

/** What a snapshot would copy, bytes. */
export function bytesToCopy(dataDir: string): number {
  return ['state.db', 'state.db-wal'].reduce((sum, name) => sum + (sizeOf(join(dataDir, name)) ?? 0), 0);
}

/** On disk when it resolves. It blocks the thread: a start has nothing else to do. `to` must not be there. */
export async function takeSnapshot(dataDir: string, to: string): Promise<Snapshot> {
  const taker = new Taker();
  mkdirSync(to, { mode: 0o700 });
  taker.state(dataDir, to);
  for (const [name, rule] of Object.entries(rules)) {
    if (existsSync(join(dataDir, name))) taker.tree(join(dataDir, name), join(to, name), rule);
  }
  await taker.sync();
  await syncDirectory(to);
  return { ...taker.counts, entries: snapshotEntries.filter((name) => existsSync(join(to, name))) };
}

class Taker {
  readonly counts = { files: 0, linkedBytes: 0, copiedBytes: 0 };
  readonly #copies: string[] = [];

  /** While no other process can write: then no page of the log of changes is written over. */
  state(dataDir: string, to: string): void {
    const path = join(dataDir, 'state.db');
    if (!existsSync(path)) return;
    const database = new DatabaseSync(path, { timeout: 10_000 });
    try {
      database.exec('begin immediate');
      this.#copy(path, join(to, 'state.db'));
      const changes = sizeOf(`${path}-wal`);
      if (changes) copyFileSync(`${path}-wal`, join(to, 'state.db-wal'), constants.COPYFILE_FICLONE);
      database.exec('rollback');
    } finally {
      database.close();
    }
    foldChanges(join(to, 'state.db'));
  }

  tree(from: string, to: string, rule: Rule, parent: Way = 'copy'): void {
    mkdirSync(to, { mode: 0o700 });
    const entries = readdirSync(from, { withFileTypes: true });
    const siblings = new Set(entries.map(({ name }) => name));
    for (const entry of entries) {
      const { name } = entry;
      const isDirectory = entry.isDirectory();
      const way = rule({ name, isDirectory, siblings, parent });
      const [source, target] = [join(from, name), join(to, name)];
      if (way === 'leave') continue;
      if (isDirectory) this.tree(source, target, rule, way);
      else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
      else if (way === 'link') this.#link(source, target);
      else this.#copy(source, target);
    }
  }

  #link(from: string, to: string): void {
    linkSync(from, to);
    this.counts.files++;
    this.counts.linkedBytes += lstatSync(to).size;
  }

  #copy(from: string, to: string): void {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
    this.#copies.push(to);
    this.counts.files++;
    this.counts.copiedBytes += lstatSync(to).size;
  }

  /**
   * What was copied. Some at a time share one commit of the file system. Names need no flush of their own: file systems write
   * them in the order in which they were made, before that of the point.
   */
  async sync(): Promise<void> {
    const flushers = Array.from({ length: 8 }, async () => {
      for (let path = this.#copies.pop(); path !== undefined; path = this.#copies.pop()) {
        const file = await open(path, 'r');
        await file.datasync().finally(() => file.close());
      }
    });
    await Promise.all(flushers);
  }
}

function sizeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.size;
}
