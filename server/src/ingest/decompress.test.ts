import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decompress, decompressedChunks, parseEncoding, type Compression } from './decompress.ts';

const text = Buffer.from('{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n'.repeat(1000));

const forms: readonly [name: string, encoding: Compression, compressed: Buffer][] = [
  ['gzip', 'gzip', gzipSync(text)],
  ['deflate with a zlib header', 'deflate', deflateSync(text)],
  ['deflate without', 'deflate', deflateRawSync(text)],
  ['br', 'br', brotliCompressSync(text)],
  ['zstd', 'zstd', zstdCompressSync(text)],
];

const inflateAll = (body: Buffer, encoding: Compression): Promise<Buffer> =>
  buffer(Readable.from(decompressedChunks(body, encoding)));

describe.each(forms)('%s', (_name, encoding, compressed) => {
  test('inflates at once and in pieces', async () => {
    expect(decompress(compressed, encoding, text.length)).toEqual(text);
    expect(await inflateAll(compressed, encoding)).toEqual(text);
  });

  test('stops at the limit', () => {
    expect(decompress(compressed, encoding, text.length - 1)).toBeUndefined();
  });

  test('a body that is cut off or no such thing at all is damaged', async () => {
    const cut = compressed.subarray(0, compressed.length - 20);
    for (const body of [cut, Buffer.from('{"not":"compressed"}\n{}\n')]) {
      expect(() => decompress(body, encoding, 1e6)).toThrow(expect.objectContaining({ code: 'BODY_ENCODING' }));
      await expect(inflateAll(body, encoding)).rejects.toMatchObject({ code: 'BODY_ENCODING' });
    }
  });
});

test('the size that a gzip body claims is not believed', () => {
  const lying = gzipSync(text);
  lying.writeUInt32LE(0xffffffff, lying.length - 4);
  expect(() => decompress(lying, 'gzip', 1e6)).toThrow(expect.objectContaining({ code: 'BODY_ENCODING' }));
});

test.each([
  [undefined, ''],
  ['gzip', 'gzip'],
  ['X-GZIP', 'gzip'],
  [' deflate ', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['identity', ''],
  ['compress', ''],
])('Content-Encoding %s is %j', (header, expected) => {
  expect(parseEncoding(header)).toBe(expected);
});
