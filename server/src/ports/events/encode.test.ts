import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeRows } from './encode.ts';
import { testErrorRow } from './test-rows.ts';

const decode = (body: Buffer): unknown[] =>
  new TextDecoder('utf-8', { fatal: true })
    .decode(body)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);

test('any text survives as valid UTF-8 on one line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) }),
      (a, b) => {
        const row = testErrorRow({ title: a, payload: JSON.stringify({ b }), group_hashes: [b], tags: { a, b } });
        const [decoded] = decode(encodeRows('errors', [row])) as [typeof row];
        expect(decoded).toEqual({
          ...row,
          title: a.toWellFormed(),
          group_hashes: [b.toWellFormed()],
          tags: { a: a.toWellFormed(), b: b.toWellFormed() },
        });
      },
    ),
  );
});

test('an escaped surrogate inside a payload stays as it is', () => {
  const row = testErrorRow({ payload: String.raw`{"text":"\ud83d"}`, title: '\ud83d' });
  const [decoded] = decode(encodeRows('errors', [row])) as [typeof row];
  expect(decoded.payload).toBe(String.raw`{"text":"\ud83d"}`);
  expect(decoded.title).toBe('\ufffd');
});

test('milliseconds become whole numbers', () => {
  const rows = [testErrorRow({ timestamp: 1.9, received_at: Number.NaN })];
  expect(decode(encodeRows('errors', rows))).toMatchObject([{ timestamp: 1, received_at: 0 }]);
});

test('a row a line, none for none', () => {
  expect(encodeRows('errors', []).length).toBe(0);
  expect(decode(encodeRows('errors', [testErrorRow(), testErrorRow()]))).toHaveLength(2);
});
