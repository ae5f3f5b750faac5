/**
 * How blobs lie at rest: compressed where that pays, as they are where it does not.
 *
 *     as it is:     its content
 *     compressed:   eight bytes that nothing else begins with, then zstd
 *
 * What older versions wrote lies as it is. Content that itself begins with the eight bytes is compressed whether or not
 * it pays, so that a file is never taken for what it is not.
 */
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync, zstdDecompress } from 'node:zlib';

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Random, and no UTF-8. */
const mark = Buffer.from([0xd7, 0x0b, 0x9e, 0xc3, 0x51, 0xf8, 0x86, 0x1d]);
export const markBytes = mark.length;

/** A file takes a block of the disk anyway. */
const smallBytes = 4096;
const sampleBytes = 16 * 1024;
const samples = 8;
/** Saving less is not worth decompressing it each time. */
const worthwhile = 0.9;
const pieceBytes = 1024 * 1024;

const inflate = promisify(zstdDecompress);
const quick = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** By the start of a file. */
export function isCompressed(start: Uint8Array): boolean {
  return mark.equals(start.subarray(0, markBytes));
}

/** What is to be written for a value: itself where compressing it does not pay. */
export function fileOf(value: Uint8Array): Uint8Array | AsyncIterable<Uint8Array> {
  return isCompressed(value) || pays(value) ? compressed(piecesOf(value)) : value;
}

/** The same for a value in pieces, which is taken to pay unless it is `asIs`. */
export async function* fileOfPieces(pieces: Pieces, asIs: boolean): AsyncGenerator<Uint8Array> {
  const { head, isWhole, all } = await peek(pieces, asIs ? markBytes : smallBytes + 1);
  yield* !isCompressed(head) && (asIs || isWhole) ? all : compressed(all);
}

/** The content of a whole file. */
export async function contentOf(file: Uint8Array): Promise<Uint8Array> {
  return isCompressed(file) ? inflate(file.subarray(markBytes)) : file;
}

/** The content of a compressed file, of which `pieces` come after the mark. */
export function inflated(pieces: Readable): Readable {
  const stream = createZstdDecompress();
  pieces.on('error', (error) => stream.destroy(error));
  stream.on('close', () => pieces.destroy());
  return pieces.pipe(stream);
}

/** By samples of all its parts: pictures and archives are compressed already. */
function pays(value: Uint8Array): boolean {
  if (value.length <= smallBytes) return false;
  const step = Math.max(sampleBytes, Math.ceil(value.length / samples));
  let taken = 0;
  let written = 0;
  for (let start = 0; start < value.length; start += step) {
    const sample = value.subarray(start, start + sampleBytes);
    taken += sample.length;
    written += zstdCompressSync(sample, quick).length;
  }
  return written < taken * worthwhile;
}

async function* compressed(pieces: Pieces): AsyncGenerator<Uint8Array> {
  yield mark;
  yield* Readable.from(pieces).compose(createZstdCompress()) as AsyncIterable<Uint8Array>;
}

function* piecesOf(value: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < value.length; start += pieceBytes) yield value.subarray(start, start + pieceBytes);
}

/** Reads as much as `bytes` of the start, and gives all of it again. */
async function peek(
  pieces: Pieces,
  bytes: number,
): Promise<{ head: Uint8Array; isWhole: boolean; all: AsyncIterable<Uint8Array> }> {
  const rest = (async function* () {
    yield* pieces;
  })();
  const heads: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (size < bytes && !isWhole) {
    const { value, done } = await rest.next();
    if (done) isWhole = true;
    else {
      heads.push(value);
      size += value.length;
    }
  }
  const all = async function* () {
    try {
      yield* heads;
      yield* rest;
    } finally {
      await rest.return();
    }
  };
  return { head: Buffer.concat(heads), isWhole, all: all() };
}
