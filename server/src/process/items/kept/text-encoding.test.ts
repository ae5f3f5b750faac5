import { randomBytes } from 'node:crypto';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { textEncoding } from './text-encoding.ts';

const log = 'INFO Größe in Köln: 12 € password=hunter2\n'.repeat(3000);
const latin1 = Buffer.from(log, 'latin1');
const utf16 = Buffer.from(log, 'utf16le');
const mark = Buffer.from([0xff, 0xfe]);
const swapped = (bytes: Uint8Array): Buffer => Buffer.from(bytes).swap16();
const zeros = Buffer.alloc(100_000);

test.each([
  ['UTF-8', Buffer.from(log), 'utf-8'],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${log}`), 'utf-8'],
  ['Japanese in UTF-8', Buffer.from('処理が終わりました\n'.repeat(10_000)), 'utf-8'],
  ['UTF-16 with a mark', Buffer.concat([mark, utf16]), 'utf-16le'],
  ['UTF-16 the other way round', swapped(Buffer.concat([mark, utf16])), 'utf-16be'],
  ['UTF-16 without a mark', utf16, 'utf-16le'],
  ['UTF-16 without a mark, the other way round', swapped(utf16), 'utf-16be'],
  ['Latin-1', latin1, 'latin1'],
  ['UTF-8 that was cut within a letter', Buffer.from(`${log}ö`).subarray(0, -1), 'latin1'],
  ['a log with a few zeros', Buffer.concat([Buffer.from(log), Buffer.alloc(200), Buffer.from(log)]), 'utf-8'],
] as const)('%s is text, and turns back into its bytes', (_what, bytes, name) => {
  const encoding = textEncoding(bytes, { isText: false });
  expect(encoding?.name).toBe(name);
  for (const piece of [1000, 64 * 1024]) {
    const texts = [...(encoding?.decode(bytes, piece) ?? [])];
    expect(texts.join('')).toContain('\n');
    expect(Buffer.concat(texts.map((text) => encoding?.encode(text) ?? zeros)).equals(bytes)).toBe(true);
  }
});

test.each([
  ['noise', randomBytes(200_000)],
  ['zeros', zeros],
  ['a memory dump', Buffer.concat([Buffer.from('MDMP'), Buffer.alloc(100_000, 'text'), zeros])],
  [
    'a line of JSON and what is compressed',
    Buffer.concat([Buffer.from('{"segment_id":0}\n'), deflateSync(randomBytes(50_000))]),
  ],
  ['what is compressed', zstdCompressSync(randomBytes(60_000))],
  ['a program that begins with a word', Buffer.concat([Buffer.from(log), randomBytes(1_000_000)])],
  ['white of a picture', Buffer.concat([Buffer.from('BM'), Buffer.alloc(100, 1), Buffer.alloc(1_000_000, 0xff)])],
])('%s is none', (_what, bytes) => {
  expect(textEncoding(bytes, { isText: false })).toBeUndefined();
});

test('what its sender calls text is taken for text, unless it is a known format', () => {
  expect(textEncoding(randomBytes(1000), { isText: true })).toBeDefined();
  expect(textEncoding(Buffer.from('\x89PNG....', 'latin1'), { isText: true })).toBeUndefined();
});
