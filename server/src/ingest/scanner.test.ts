import { EnvelopeError, readEnvelopeHeader, walkItems } from '@culprit/envelope';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScan } from './scan.ts';
import { createScanner } from './scanner.ts';

/** Types and payload sizes, or what is wrong. */
function wholeEnvelope(bytes: Buffer): string {
  try {
    const { header, itemsOffset } = readEnvelopeHeader(bytes);
    const items = [...walkItems(bytes, itemsOffset)].map(({ type, payload: { length, byteOffset } }) => [
      type,
      length,
      // Behind an envelope that ends with a header there is no payload to have a place.
      length === 0 ? 0 : byteOffset - bytes.byteOffset + length,
    ]);
    return JSON.stringify([header, items]);
  } catch (error) {
    return error instanceof EnvelopeError ? 'malformed' : String(error);
  }
}

function inPieces(bytes: Buffer, sizes: readonly number[]): string {
  try {
    const scan = createScan();
    const scanner = createScanner(scan);
    let at = 0;
    for (let turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      scanner.push(bytes.subarray(at, at + size));
      at += size;
    }
    scanner.end();
    return JSON.stringify([
      scan.header,
      scan.items.map((item) => [item.type.name, item.bytes, item.bytes === 0 ? 0 : item.end]),
    ]);
  } catch (error) {
    return error instanceof EnvelopeError ? 'malformed' : String(error);
  }
}

const headerLine = fc.constantFrom(
  '{"type":"event"}',
  '{"type":"event","length":5}',
  '{"type":"attachment","length":0}',
  '{"type":"session","length":null}',
  '{"type":"","length":1}',
  '{"type":"log","length":-1}',
  '{"type":"log","length":1.5}',
  '{"length":3}',
  '[]',
  '{',
  '',
  '\r',
);
const payload = fc.constantFrom('', 'x', 'hello', 'a\nb', '{"a":1}', 'hello\r', '\r\n', '\0\xff');
const ending = fc.constantFrom('', '\n', '\n\n', '\r\n');
const envelope = fc
  .tuple(
    fc.constantFrom('{}', '{"event_id":"1"}', 'x', ''),
    fc.array(fc.tuple(headerLine, payload, ending), { maxLength: 5 }),
  )
  .map(([header, items]) =>
    Buffer.from([header, ...items.map(([line, data, end]) => `${line}\n${data}${end}`)].join('\n')),
  );

test('how far an item reaches is asked before any of it comes', () => {
  const scan = createScan();
  const ends: number[] = [];
  const scanner = createScanner(scan, (end) => void ends.push(end));
  scanner.push(Buffer.from('{}\n\n{"type":"event"}\nx\n{"type":"attachment","length":1000}\n'));
  expect(ends).toEqual([3 + 1 + 17 + 2 + 36 + 1000]);
  scanner.push(Buffer.alloc(1000));
  scanner.end();
  expect(scan.items.map(({ bytes, end }) => [bytes, end])).toEqual([
    [1, 22],
    [1000, 1059],
  ]);
});

test('in pieces of any size, an envelope reads as it does whole', () => {
  fc.assert(
    fc.property(envelope, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (bytes, sizes) => {
      expect(inPieces(bytes, sizes)).toBe(wholeEnvelope(bytes));
    }),
    { numRuns: 3000 },
  );
});

test('holds on to no more than a header line', () => {
  const scanner = createScanner(createScan());
  const piece = Buffer.alloc(600 * 1024, 'a');
  scanner.push(piece);
  expect(() => scanner.push(piece)).toThrow(expect.objectContaining({ code: 'header_too_large' }));
});

test.each(['\n', '\r\n'])('blank lines (%j) are read over, but not without end', (blank) => {
  const scan = createScan();
  const scanner = createScanner(scan);
  scanner.push(Buffer.from(`{}\n${blank.repeat(100)}{"type":"event"}\n{}\n${blank}`));
  expect(scan.items).toHaveLength(1);
  expect(() => scanner.push(Buffer.from(blank.repeat(10_000)))).toThrow(
    expect.objectContaining({ code: 'item_header_invalid' }),
  );
});

test('an item is refused as soon as it is too large, by its length or by what came', () => {
  const said = createScanner(createScan());
  expect(() => said.push(Buffer.from('{}\n{"type":"event","length":2000000}\n'))).toThrow(
    expect.objectContaining({ code: 'ITEM_TOO_LARGE' }),
  );
  const came = createScanner(createScan());
  came.push(Buffer.from('{}\n{"type":"event"}\n'));
  came.push(Buffer.alloc(2 ** 20, 'a'));
  expect(() => came.push(Buffer.from('a'))).toThrow(expect.objectContaining({ code: 'ITEM_TOO_LARGE' }));
});
