/** The DSN in the header of an envelope, which names the project that it was sent to: said anew for another one. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createBrotliCompress, createDeflate, createGzip, createZstdCompress, type Zlib } from 'node:zlib';
import { type Compression, decompressedChunks, type Encoding } from '../../ingest/index.ts';

const newline = 0x0a;

const compressors: { readonly [C in Compression]: () => Zlib & NodeJS.ReadWriteStream } = {
  gzip: () => createGzip(),
  deflate: () => createDeflate(),
  br: () => createBrotliCompress(),
  zstd: () => createZstdCompress(),
};

/** The envelope, compressed as before: piece by piece, so that a large one is never whole in memory. */
export async function withDsn(body: Buffer, encoding: Encoding, dsn: string): Promise<Buffer> {
  if (encoding === '') {
    const end = endOfHeader(body);
    return Buffer.concat([saidAnew(body.subarray(0, end), dsn), body.subarray(end)]);
  }
  const changed = Readable.from(withHeader(decompressedChunks(body, encoding), dsn));
  return buffer(changed.compose(compressors[encoding]()));
}

async function* withHeader(chunks: AsyncIterable<Buffer>, dsn: string): AsyncGenerator<Buffer> {
  let before: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (before === undefined) {
      yield chunk;
      continue;
    }
    const whole = Buffer.concat([before, chunk]);
    const end = whole.indexOf(newline);
    if (end === -1) {
      before = whole;
      continue;
    }
    before = undefined;
    yield saidAnew(whole.subarray(0, end), dsn);
    yield whole.subarray(end);
  }
  if (before !== undefined) yield saidAnew(before, dsn);
}

function endOfHeader(body: Buffer): number {
  const end = body.indexOf(newline);
  return end === -1 ? body.length : end;
}

function saidAnew(line: Buffer, dsn: string): Buffer {
  const header = JSON.parse(line.toString()) as Record<string, unknown>;
  return Buffer.from(JSON.stringify({ ...header, dsn }));
}
