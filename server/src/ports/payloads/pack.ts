/** Writes a segment again: kin beside kin over all of it, in larger chunks, without what is not wanted any more. */
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../base/files.ts';
import { freeBuffer } from '../../base/free-buffer.ts';
import { type ChunkEntry, encodeChunk } from './chunk.ts';
import { readErased } from './erased.ts';
import { OpenSegment } from './open-segment.ts';
import { createFile, encodeTail, entryBytes, fileOf, writeEntry } from './segment-files.ts';

/** What one chunk decompresses to, bytes; a single payload may be more. */
const chunkRawBytes = 1024 * 1024;
/** Payloads that are held at once, bytes: chunks with kin of several such parts are read for each. */
const heldBytes = 8 * 1024 * 1024;

/** An ordinal and where its payload is now. */
interface Known {
  readonly ordinal: number;
  readonly offset: number;
  readonly number: number;
  readonly kin: number;
  /** With what lies beside it. */
  readonly bytes: number;
}

interface Held extends ChunkEntry {
  readonly ordinal: number;
}

export async function packSegment(
  dir: string,
  segment: number,
  wanted: Pick<ReadonlySet<number>, 'has'>,
): Promise<void> {
  await using source = await OpenSegment.open(dir, segment);
  if (!source) return;
  const erased = await readErased(dir, segment);
  const kept = await lookAt(source, (ordinal) => wanted.has(ordinal) && !erased.ordinals.has(ordinal));
  kept.sort((a, b) => a.kin - b.kin || a.ordinal - b.ordinal);
  const packing = fileOf(dir, segment, 'packing');
  await rm(packing, { force: true });
  const file = await createFile(packing);
  try {
    const index = Buffer.alloc(source.ordinals * entryBytes);
    const memory = new Uint8Array(heldBytes);
    let end = 0;
    for (const part of partsOf(kept, heldBytes)) {
      const held = await hold(source, part, memory);
      for (const group of partsOf(held, chunkRawBytes)) {
        for (const [number, { ordinal }] of group.entries()) {
          writeEntry(index, ordinal * entryBytes, { offset: end, number });
        }
        const chunk = encodeChunk(group, 'small');
        await file.appendFile(chunk);
        end += chunk.length;
      }
    }
    await file.appendFile(Buffer.concat([index, encodeTail(index.length, erased.bytes)]));
    await file.sync();
  } finally {
    await file.close();
  }
  const packed = fileOf(dir, segment, 'packed');
  await rename(packing, packed);
  await syncDirectory(dirname(packed));
  // What it stands for from now on. The last says that there is something to pack.
  for (const kind of ['index', 'chunks', 'closed'] as const) await rm(fileOf(dir, segment, kind), { force: true });
}

/** Frees the memory of the chunk at once: a segment comes to hundreds of megabytes, of which no collection need know. */
async function withChunk(source: OpenSegment, offset: number, use: (chunk: readonly ChunkEntry[]) => void) {
  const chunk = await source.chunk(offset);
  use(chunk);
  if (chunk[0]) freeBuffer(chunk[0].bytes);
}

async function lookAt(source: OpenSegment, isKept: (ordinal: number) => boolean): Promise<Known[]> {
  const entries = await source.allEntries();
  const kept = [...entries.keys()].filter((ordinal) => entries[ordinal] && isKept(ordinal));
  const known: Known[] = [];
  for (const [offset, ordinals] of Map.groupBy(kept, (ordinal) => entries[ordinal]?.offset ?? 0)) {
    await withChunk(source, offset, (chunk) => {
      for (const ordinal of ordinals) {
        const number = entries[ordinal]?.number ?? 0;
        const entry = chunk[number];
        if (entry) known.push({ ordinal, offset, number, kin: entry.kin, bytes: sizeOf(entry) });
      }
    });
  }
  return known;
}

/** In their order; copied into `memory`, whose earlier contents are gone, or a larger one. */
async function hold(source: OpenSegment, part: readonly Known[], memory: Uint8Array): Promise<Held[]> {
  const size = part.reduce((sum, { bytes }) => sum + bytes, 0);
  const room = size > memory.length ? new Uint8Array(size) : memory;
  let end = 0;
  const held = new Map<number, Held>();
  for (const [offset, ofChunk] of Map.groupBy(part, (known) => known.offset)) {
    await withChunk(source, offset, (chunk) => {
      const take = (source: Uint8Array = new Uint8Array()): Uint8Array => {
        const taken = room.subarray(end, (end += source.length));
        taken.set(source);
        return taken;
      };
      for (const { ordinal, number, kin } of ofChunk) {
        const entry = chunk[number];
        held.set(ordinal, { ordinal, kin, bytes: take(entry?.bytes), beside: take(entry?.beside) });
      }
    });
  }
  return part.flatMap(({ ordinal }) => held.get(ordinal) ?? []);
}

const sizeOf = (one: Known | Omit<ChunkEntry, 'kin'>): number =>
  'beside' in one ? one.bytes.length + one.beside.length : one.bytes;

/** Parts of at most so many bytes, or of one. */
function* partsOf<T extends Known | Held>(all: readonly T[], most: number): Generator<T[]> {
  let part: T[] = [];
  let bytes = 0;
  for (const each of all) {
    if (part.length > 0 && bytes + sizeOf(each) > most) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(each);
    bytes += sizeOf(each);
  }
  if (part.length > 0) yield part;
}
