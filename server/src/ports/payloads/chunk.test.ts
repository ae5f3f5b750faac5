import { randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeChunk, encodeChunk } from './chunk.ts';

const entry = (text: string, beside: string, kin: number) => ({
  bytes: Buffer.from(text),
  beside: Buffer.from(beside),
  kin,
});

const asTexts = (chunk: Buffer) =>
  decodeChunk(chunk).map(({ bytes, beside, kin }) => [String(bytes), String(beside), kin]);

test.each(['fast', 'small'] as const)('what goes in comes out, with what is told beside it, packed %s', (level) => {
  const big = randomBytes(1_000_000).toString('hex');
  const entries = [
    entry('{"a":1}', '["told"]', 7),
    entry('', '', 0),
    entry(big, 'ü😀', 4_294_967_295),
    entry('{}', '', 1),
  ];
  expect(asTexts(encodeChunk(entries, level))).toEqual(
    entries.map(({ bytes, beside, kin }) => [String(bytes), String(beside), kin]),
  );
  expect(asTexts(encodeChunk([], level))).toEqual([]);
});

test('one of before anything was told beside is read as well', () => {
  const texts = ['{"first":true}', ''];
  const raw = Buffer.alloc(4 + texts.length * 8);
  raw.writeUInt32LE(texts.length, 0);
  for (const [index, text] of texts.entries()) {
    raw.writeUInt32LE(Buffer.byteLength(text), 4 + index * 8);
    raw.writeUInt32LE(9 + index, 8 + index * 8);
  }
  const whole = Buffer.concat([raw, ...texts.map((text) => Buffer.from(text))]);
  const compressed = zstdCompressSync(whole);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(compressed.length, 0);
  head.writeUInt32LE(whole.length, 4);
  expect(asTexts(Buffer.concat([head, compressed]))).toEqual([
    ['{"first":true}', '', 9],
    ['', '', 10],
  ]);
});
