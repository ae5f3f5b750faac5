import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing } from '../../../base/files.ts';
import { syncDirectorySync, writeDurably } from './durable.ts';
import { takeRepository } from './in-use.ts';
import type { Shelf } from './shelf.ts';

/** A directory. It waits for the disk itself: the thread that takes a backup may, and takes no other thread for it. */
export function openDirectoryShelf(dir: string): Shelf {
  const at = (name: string): string => join(dir, name);
  const unsettled = new Set<string>();
  return {
    place: dir,
    async prepare() {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      for (const folder of ['objects', 'backups', 'deletions']) {
        mkdirSync(at(folder), { recursive: true, mode: 0o700 });
      }
    },
    async isEmpty() {
      try {
        return readdirSync(dir).every((name) => name === 'lost+found');
      } catch (error) {
        if (isMissing(error) && !existsSync(dir)) return true;
        throw error;
      }
    },
    readText: async (name) => orMissing(() => readFileSync(at(name), 'utf8')),
    writeText: async (name, text) => writeDurably(at(name), text),
    async appendLines(name, text) {
      const path = at(name);
      if (existsSync(path)) truncateSync(path, readFileSync(path).lastIndexOf('\n') + 1);
      const file = openSync(path, 'a', 0o600);
      try {
        const bytes = Buffer.from(text);
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    note: async (name, line) => appendFileSync(at(name), `${line}\n`, { mode: 0o600 }),
    size: async (name) => orMissing(() => statSync(at(name)).size),
    draft() {
      rmSync(at('incoming'), { force: true });
      return at('incoming');
    },
    async put(draft, name) {
      const folder = dirname(at(name));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      renameSync(draft, at(name));
      unsettled.add(folder).add(dirname(folder));
    },
    async fetch(name) {
      const size = orMissing(() => statSync(at(name)).size);
      return size === undefined ? undefined : { path: at(name), size, [Symbol.dispose]: () => undefined };
    },
    async remove(name) {
      rmSync(at(name), { force: true });
      unsettled.add(dirname(at(name)));
    },
    async *files(folder) {
      const entries = orMissing(() => readdirSync(at(folder), { recursive: true, withFileTypes: true })) ?? [];
      const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      for (const path of names.toSorted()) {
        const size = orMissing(() => statSync(path).size);
        if (size !== undefined) yield { name: path.slice(dir.length + 1), size };
      }
    },
    async settle() {
      for (const folder of unsettled) if (existsSync(folder)) syncDirectorySync(folder);
      unsettled.clear();
    },
    async lock() {
      const taken = takeRepository(dir);
      return { [Symbol.asyncDispose]: async () => taken[Symbol.dispose]() };
    },
  };
}

function orMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
