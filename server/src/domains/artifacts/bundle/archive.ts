/**
 * An artifact bundle as a zip, read where it lies: the directory through a small window, a file only when it is asked
 * for. The header `SYSB` stands before the zip; offsets count from the start of the file all the same.
 */
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { fromRandomAccessReaderPromise, RandomAccessReader, type Entry } from 'yauzl';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import { bundleLimits as limits } from '../limits.ts';
import { bundleProblems } from '../../../base/texts/artifacts.ts';
import { BundleError, quoted } from './bundle-error.ts';

export interface ArchiveEntry {
  readonly name: string;
  /** Of its local header. */
  readonly offset: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly deflated: boolean;
  readonly crc: number;
}

export interface Archive {
  readonly entries: ReadonlyMap<string, ArchiveEntry>;
  /** The whole content of a file. Throws BundleError when it is not what the directory says. */
  read(entry: ArchiveEntry): Promise<Uint8Array<ArrayBuffer>>;
}

const windowBytes = 128 * 1024;
const pieceBytes = 256 * 1024;
const stored = 0;
const deflated = 8;

/** Opens the bundle at the key and checks its directory. Throws BundleError with what is wrong. */
export async function openArchive(blobs: Blobs, key: string, size: number): Promise<Archive> {
  const range: Range = async (start, length) => {
    const bytes = await blobs.range(key, start, length);
    if (!bytes) throw new Error(`the bundle ${key} is missing`);
    return bytes as Uint8Array<ArrayBuffer>;
  };
  const head = Buffer.from(await range(0, 8));
  if (head.toString('latin1', 0, 4) !== 'SYSB') {
    throw new BundleError(bundleProblems.notBundle);
  }
  return openZip(range, size);
}

/** The zip of `size` bytes, whatever stands before it. Throws BundleError with what is wrong. */
export async function openZip(range: Range, size: number): Promise<Archive> {
  const entries = await readDirectory(new BlobReader(range), size);
  return {
    entries,
    async read(entry) {
      const bytes = await readEntry(range, size, entry);
      if (crc32(bytes) !== entry.crc) throw new BundleError(bundleProblems.damaged(quoted(entry.name)));
      return bytes;
    },
  };
}

/** Bytes from `start`; fewer at the end. */
export type Range = (start: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;

/** What the zip library reads the directory through: many small reads next to each other become few large ones. */
class BlobReader extends RandomAccessReader {
  readonly #range: Range;
  #window: { readonly start: number; readonly bytes: Uint8Array } = { start: 0, bytes: new Uint8Array() };
  /** What the blob store said, which is no fault of the bundle. */
  failure: unknown;

  constructor(range: Range) {
    super();
    this.#range = range;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    void this.#answer(buffer, offset, length, position, callback);
  }

  async #answer(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): Promise<void> {
    try {
      await this.#copy(buffer, offset, length, position);
    } catch (error) {
      this.failure = error;
      callback(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    callback(null);
  }

  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    const { start, bytes } = this.#window;
    if (position < start || position + length > start + bytes.length) {
      this.#window = { start: position, bytes: await this.#range(position, Math.max(windowBytes, length)) };
    }
    const from = position - this.#window.start;
    buffer.set(this.#window.bytes.subarray(from, from + length), offset);
  }
}

async function readDirectory(reader: BlobReader, size: number): Promise<Map<string, ArchiveEntry>> {
  const entries = new Map<string, ArchiveEntry>();
  let total = 0;
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, { autoClose: false, strictFileNames: true });
    if (zip.entryCount > limits.entries) {
      throw new BundleError(bundleProblems.tooManyFiles(zip.entryCount, limits.entries));
    }
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      const checked = checkEntry(entry, size);
      if (entries.has(checked.name)) throw new BundleError(bundleProblems.sameName(quoted(checked.name)));
      entries.set(checked.name, checked);
      total += checked.bytes;
      checkTotal(total, size);
    }
  } catch (error) {
    if (error instanceof BundleError || reader.failure !== undefined) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new BundleError(bundleProblems.notZip(message.slice(0, 200)), { cause: error });
  }
  return entries;
}

function checkEntry(entry: Entry, size: number): ArchiveEntry {
  const { fileName: name, compressedSize, uncompressedSize, compressionMethod, relativeOffsetOfLocalHeader } = entry;
  if (name === '' || name.length > limits.nameLength || name.includes('\0')) {
    throw new BundleError(bundleProblems.badName(quoted(name)));
  }
  if (entry.isEncrypted()) throw new BundleError(bundleProblems.encrypted(quoted(name)));
  if (compressionMethod !== stored && compressionMethod !== deflated) {
    throw new BundleError(bundleProblems.method(quoted(name), compressionMethod));
  }
  if (uncompressedSize > limits.entryBytes) {
    throw new BundleError(bundleProblems.fileTooLarge(quoted(name), uncompressedSize, limits.entryBytes));
  }
  if (relativeOffsetOfLocalHeader + compressedSize > size) {
    throw new BundleError(bundleProblems.beyondEnd(quoted(name)));
  }
  return {
    name,
    offset: relativeOffsetOfLocalHeader,
    compressedBytes: compressedSize,
    bytes: uncompressedSize,
    deflated: compressionMethod === deflated,
    crc: entry.crc32,
  };
}

function checkTotal(total: number, size: number): void {
  if (total > limits.totalBytes) {
    throw new BundleError(bundleProblems.filesTooLarge(limits.totalBytes));
  }
  if (total > limits.ratioFloorBytes && total > size * limits.ratio) {
    throw new BundleError(bundleProblems.zipBomb(limits.ratio));
  }
}

async function readEntry(range: Range, size: number, entry: ArchiveEntry): Promise<Uint8Array<ArrayBuffer>> {
  const header = Buffer.from(await range(entry.offset, 30));
  const broken = (): BundleError => new BundleError(bundleProblems.otherPosition(quoted(entry.name)));
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) throw broken();
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.compressedBytes > size) throw broken();
  if (!entry.deflated) return range(start, entry.bytes);

  const bytes = new Uint8Array(entry.bytes);
  let filled = 0;
  const lie = (): BundleError => new BundleError(bundleProblems.otherSize(quoted(entry.name)));
  const inflate = createInflateRaw();
  const source = Readable.from(piecesOf(range, start, entry.compressedBytes));
  source.on('error', (error) => inflate.destroy(error));
  source.pipe(inflate);
  try {
    for await (const piece of inflate as AsyncIterable<Buffer>) {
      if (filled + piece.length > bytes.length) throw lie();
      bytes.set(piece, filled);
      filled += piece.length;
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    throw new BundleError(bundleProblems.notInflated(quoted(entry.name)), { cause: error });
  } finally {
    source.destroy();
  }
  if (filled !== bytes.length) throw lie();
  return bytes;
}

async function* piecesOf(range: Range, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += pieceBytes) yield range(start + at, Math.min(pieceBytes, length - at));
}
