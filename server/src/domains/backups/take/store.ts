/** Puts sources into a repository: those that are there already are named, the others are read and written. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from '../../../base/files.ts';
import type { StoredObject } from '../repository/manifest.ts';
import { ObjectWriter } from '../repository/object.ts';
import { objectName, objectPlace, placeError, type Repository } from '../repository/repository.ts';
import { type Source, type SourcePart, sizeOf } from './sources.ts';

/** Smaller ones are read whole, so that one that is there already is not written. */
const wholeBytes = 8 * 1024 * 1024;
const readBytes = 1024 * 1024;

export interface Storing {
  /** Undefined where its files are gone. */
  put(source: Source): Promise<StoredObject | undefined>;
  /** What was put is on disk from then on, with its names. */
  settle(): Promise<void>;
  readonly added: { readonly bytes: number; readonly objects: number };
  /** Once a manifest names what was put. */
  finish(): Promise<void>;
}

export interface StoringOptions {
  readonly repository: Repository;
  /** Of the backup before. */
  readonly known: readonly StoredObject[];
  /** Before so many bytes are read. */
  readonly onBytes: (bytes: number) => Promise<void>;
}

const journal = 'unfinished';

export async function openStoring({ repository, known, onBytes }: StoringOptions): Promise<Storing> {
  const { shelf, keys } = repository;
  const bySame = new Map(known.filter(({ same }) => same !== '').map((object) => [object.same, object]));
  const unfinished = readJournal((await shelf.readText(journal)) ?? '');
  const added = { bytes: 0, objects: 0 };
  const nameOfSame = (same: string): string => createHash('sha256').update(same).digest('base64url');

  const isThere = async (id: string, stored: number): Promise<boolean> => (await shelf.size(objectName(id))) === stored;
  const named = (source: Source, id: string, stored: number): StoredObject => ({
    id,
    stored,
    same: source.same,
    parts: source.parts.map(({ path, size, from }) => [path, size, from]),
  });

  /** Of what was written before; undefined where it is not known or not there. */
  const found = async (source: Source): Promise<StoredObject | undefined> => {
    if (source.same === '') return undefined;
    const before = bySame.get(source.same);
    if (before && (await isThere(before.id, before.stored))) return named(source, before.id, before.stored);
    const broken = unfinished.get(nameOfSame(source.same));
    return broken && (await isThere(broken.id, broken.stored)) ? named(source, broken.id, broken.stored) : undefined;
  };

  const note = async (source: Source, id: string, stored: number): Promise<void> => {
    added.bytes += stored;
    added.objects++;
    if (source.same !== '') await shelf.note(journal, `${nameOfSame(source.same)} ${id} ${stored}`);
  };

  async function write(source: Source, whole: Buffer | undefined, wholeId: string): Promise<StoredObject | undefined> {
    const draft = shelf.draft();
    const writer = new ObjectWriter({ path: draft, keys, isCompressed: source.isCompressed, place: objectPlace });
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
      rmSync(draft, { force: true });
      if (isMissing(error)) return undefined;
      throw placeError(dirname(draft), error) ?? error;
    }
    const id = wholeId || hasher.digest('hex');
    await shelf.put(draft, objectName(id));
    await note(source, id, writer.bytes);
    return named(source, id, writer.bytes);
  }

  return {
    async put(source) {
      const before = await found(source);
      if (before) return before;
      if (sizeOf(source) > wholeBytes) return write(source, undefined, '');
      const whole = readWhole(source.parts);
      if (!whole) return undefined;
      await onBytes(whole.length);
      const id = keys.hasher().update(whole).digest('hex');
      const stored = await shelf.size(objectName(id));
      if (stored !== undefined) return named(source, id, stored);
      return write(source, whole, id);
    },
    settle: () => shelf.settle(),
    added,
    finish: () => shelf.remove(journal),
  };
}

function readJournal(text: string): Map<string, { id: string; stored: number }> {
  const known = new Map<string, { id: string; stored: number }>();
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
