/**
 * The files of a segment, in the folder of the day on which it was begun.
 *
 * `N.chunks`: one chunk after another. `N.index`: for each ordinal the offset of its chunk, and its number in there from 1
 * (u32 each); a number of 0 stands for what is not there. `N.closed`: its writer has left it. `N.packed`: both in one file,
 * which stands for them from then on: chunks, index and a tail. `N.erased`: ordinals that nothing may read (u32 each).
 */
import { mkdir, open, readdir, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoreMissing, syncDirectory } from '../../base/files.ts';

export type FileKind = 'chunks' | 'index' | 'closed' | 'packed' | 'packing' | 'erased';

const writersAtOnce = 64;

/** The number of a segment that is begun, by a writer whose number no other has at the moment. */
export const newSegment = (writer: number, at: number): number => at * writersAtOnce + (writer % writersAtOnce);

/** When it was begun, ms since the epoch. */
export const begunAt = (segment: number): number => Math.floor(segment / writersAtOnce);

export const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const fileOf = (dir: string, segment: number, kind: FileKind): string =>
  join(dir, dayName(begunAt(segment)), `${segment}.${kind}`);

/** Of each day of which there is something, oldest first, the kinds of files by segment. Other names are nobody's business. */
export async function listDays(dir: string): Promise<{ day: string; segments: Map<number, Set<FileKind>> }[]> {
  const days = ((await readdir(dir).catch(ignoreMissing)) ?? [])
    .filter((name) => /^\d{4}-\d\d-\d\d$/.test(name))
    .sort();
  return Promise.all(days.map(async (day) => ({ day, segments: await listSegments(join(dir, day)) })));
}

async function listSegments(folder: string): Promise<Map<number, Set<FileKind>>> {
  const segments = new Map<number, Set<FileKind>>();
  for (const name of (await readdir(folder).catch(ignoreMissing)) ?? []) {
    const [, number, kind] = /^(\d+)\.(\w+)$/.exec(name) ?? [];
    if (number === undefined) continue;
    const kinds = segments.get(Number(number)) ?? new Set();
    segments.set(Number(number), kinds.add(kind as FileKind));
  }
  return segments;
}

/** Makes a file that must not be there yet, in a folder that may not be there yet; its name survives a power cut. */
export async function createFile(path: string): Promise<FileHandle> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx+', 0o600);
  if (made !== undefined) await syncDirectory(dirname(folder));
  await syncDirectory(folder);
  return file;
}

/** Says that nobody writes to the segment any more; one whose day was dropped is nobody's business. */
export async function markClosed(dir: string, segment: number): Promise<void> {
  await writeFile(fileOf(dir, segment, 'closed'), '', { mode: 0o600, flush: true }).catch(ignoreMissing);
}

/** How long ago its writer left it, ms. */
export async function closedForMs(dir: string, segment: number): Promise<number> {
  const { mtimeMs } = (await stat(fileOf(dir, segment, 'closed')).catch(ignoreMissing)) ?? { mtimeMs: Infinity };
  // Files have finer times than the clock.
  return Math.max(0, Date.now() - mtimeMs);
}

/** Whether its writer has it still: until then it may grow. */
export async function isWritten(dir: string, segment: number): Promise<boolean> {
  const has = async (kind: FileKind): Promise<boolean> =>
    (await stat(fileOf(dir, segment, kind)).catch(ignoreMissing)) !== undefined;
  return (await has('index')) && !(await has('closed'));
}

/** Undefined where it is not there. */
export const openIfThere = (path: string): Promise<FileHandle | undefined> => open(path, 'r').catch(ignoreMissing);

export const entryBytes = 8;

/** Of what is not in the index: undefined. */
export interface Entry {
  readonly offset: number;
  /** In its chunk, from 0. */
  readonly number: number;
}

export function readEntry(index: Buffer, at: number): Entry | undefined {
  const number = index.readUInt32LE(at + 4);
  return number === 0 ? undefined : { offset: index.readUInt32LE(at), number: number - 1 };
}

export function writeEntry(index: Buffer, at: number, { offset, number }: Entry): void {
  index.writeUInt32LE(offset, at);
  index.writeUInt32LE(number + 1, at + 4);
}

/** What stands at the end of a packed segment: bytes of its index, bytes of `erased` that it has done, and a mark (u32 each). */
export interface Tail {
  readonly indexAt: number;
  readonly ordinals: number;
  readonly erasedBytes: number;
}

export const tailBytes = 12;
const mark = 0x31_4b_43_50;

export function encodeTail(indexBytes: number, erasedBytes: number): Buffer {
  const tail = Buffer.alloc(tailBytes);
  for (const [index, value] of [indexBytes, erasedBytes, mark].entries()) tail.writeUInt32LE(value, index * 4);
  return tail;
}

/** Throws where the file does not end as a packed segment does. */
export async function readTail(file: FileHandle): Promise<Tail> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(tailBytes);
  if (size >= tailBytes) await file.read(tail, 0, tailBytes, size - tailBytes);
  return tailOf(tail, size);
}

/** Of its last bytes, and its size. */
export function tailOf(tail: Buffer, size: number): Tail {
  if (tail.length < tailBytes) throw new Error('a packed payload segment is damaged');
  const indexBytes = tail.readUInt32LE(0);
  const indexAt = size - tailBytes - indexBytes;
  if (tail.readUInt32LE(8) !== mark || indexAt < 0) throw new Error('a packed payload segment is damaged');
  return { indexAt, ordinals: indexBytes / entryBytes, erasedBytes: tail.readUInt32LE(4) };
}

/** Whole; what is not there any more or was never written is shorter. */
export async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}
