/** Puts sources into a repository: those that are there already are named, the others are read and written. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isMissing } from '../../../base/files.ts';
import { syncDirectorySync } from '../repository/durable.ts';
import type { StoredObject } from '../repository/manifest.ts';
import { ObjectWriter } from '../repository/object.ts';
import { objectPlace, type Repository } from '../repository/repository.ts';
import { type Source, type SourcePart, sizeOf } from './sources.ts';

/** Smaller ones are read whole, so that one that is there already is not written. */
const wholeBytes = 8 * 1024 * 1024;
const readBytes = 1024 * 1024;

export interface Storing {
  /** Undefined where its files are gone. */
  put(source: Source): Promise<StoredObject | undefined>;
  /** What was put is on disk from then on, with its names. */
  settle(): void;
  readonly added: { readonly bytes: number; readonly objects: number };
  /** Once a manifest names what was put. */
  finish(): void;
}

export interface StoringOptions {
  readonly repository: Repository;
  /** Of the backup before. */
  readonly known: readonly StoredObject[];
  /** Before so many bytes are read. */
  readonly onBytes: (bytes: number) => Promise<void>;
}

export function openStoring({ repository, known, onBytes }: StoringOptions): Storing {
  const { dir, keys } = repository;
  const journal = join(dir, 'unfinished');
  const incoming = join(dir, 'incoming');
  const bySame = new Map(known.filter(({ same }) => same !== '').map((object) => [object.same, object]));
  const unfinished = readJournal(journal);
  const folders = new Set<string>();
  const added = { bytes: 0, objects: 0 };
  const nameOfSame = (same: string): string => createHash('sha256').update(same).digest('base64url');

  const isThere = (id: string, stored: number): boolean => {
    const path = repository.pathOf(id);
    return existsSync(path) && statSync(path).size === stored;
  };
  const named = (source: Source, id: string, stored: number): StoredObject => ({
    id,
    stored,
    same: source.same,
    parts: source.parts.map(({ path, size, from }) => [path, size, from]),
  });

  /** Of what was written before; undefined where it is not known or not there. */
  const found = (source: Source): StoredObject | undefined => {
    if (source.same === '') return undefined;
    const before = bySame.get(source.same);
    if (before && isThere(before.id, before.stored)) return named(source, before.id, before.stored);
    const broken = unfinished.get(nameOfSame(source.same));
    return broken && isThere(broken.id, broken.stored) ? named(source, broken.id, broken.stored) : undefined;
  };

  const place = (id: string): string => {
    const path = repository.pathOf(id);
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    folders.add(folder);
    return path;
  };

  const note = (source: Source, id: string, stored: number): void => {
    added.bytes += stored;
    added.objects++;
    if (source.same !== '') appendFileSync(journal, `${nameOfSame(source.same)} ${id} ${stored}\n`, { mode: 0o600 });
  };

  async function write(source: Source, whole: Buffer | undefined, wholeId: string): Promise<StoredObject | undefined> {
    rmSync(incoming, { force: true });
    const writer = new ObjectWriter({ path: incoming, keys, isCompressed: source.isCompressed, place: objectPlace });
    const hasher = keys.hasher();
    try {
      if (whole) writer.write(whole);
      else {
        for (const piece of read(source.parts)) {
          await onBytes(piece.length);
          hasher.update(piece);
          writer.write(piece);
        }
      }
      writer.end();
    } catch (error) {
      writer.close();
      rmSync(incoming, { force: true });
      if (isMissing(error)) return undefined;
      throw error;
    }
    const id = wholeId || hasher.digest('hex');
    renameSync(incoming, place(id));
    note(source, id, writer.bytes);
    return named(source, id, writer.bytes);
  }

  return {
    async put(source) {
      const before = found(source);
      if (before) return before;
      if (sizeOf(source) > wholeBytes) return write(source, undefined, '');
      const whole = readWhole(source.parts);
      if (!whole) return undefined;
      await onBytes(whole.length);
      const id = keys.hasher().update(whole).digest('hex');
      const path = repository.pathOf(id);
      if (existsSync(path)) return named(source, id, statSync(path).size);
      return write(source, whole, id);
    },
    settle() {
      for (const folder of folders) syncDirectorySync(folder);
      syncDirectorySync(join(dir, 'objects'));
    },
    added,
    finish: () => rmSync(journal, { force: true }),
  };
}

function readJournal(path: string): Map<string, { id: string; stored: number }> {
  const known = new Map<string, { id: string; stored: number }>();
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  for (const line of text.split('\n')) {
    const [, same = '', id = '', stored] = /^([\w-]{43}) ([0-9a-f]{64}) (\d+)$/.exec(line) ?? [];
    if (id) known.set(same, { id, stored: Number(stored) });
  }
  return known;
}

/** Undefined where one of its files is gone. */
function readWhole(parts: readonly SourcePart[]): Buffer | undefined {
  try {
    return Buffer.concat([...read(parts)]);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Exactly so many bytes of each, or it throws. */
function* read(parts: readonly SourcePart[]): Generator<Buffer, void, void> {
  for (const { file, from, size } of parts) {
    const opened = openSync(file, 'r');
    try {
      for (let at = 0; at < size;) {
        const piece = Buffer.alloc(Math.min(readBytes, size - at));
        const length = readSync(opened, piece, 0, piece.length, from + at);
        if (length === 0) throw new Error(`${file} is shorter than it was`);
        at += length;
        yield piece.subarray(0, length);
      }
    } finally {
      closeSync(opened);
    }
  }
}
