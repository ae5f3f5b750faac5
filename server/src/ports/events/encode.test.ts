import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRow } from './decode.ts';
import { encodeRows } from './encode.ts';
import { testErrorRow, testSpanRow } from './test-rows.ts';

const linesOf = (body: Buffer): Buffer[] =>
  new TextDecoder('utf-8', { fatal: true })
    .decode(body)
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line));

test('any text survives as valid UTF-8 on one line', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((c) => String.fromCharCode(c)) }),
      (a, b) => {
        const row = testErrorRow({
          title: a,
          payload: JSON.stringify({ b }),
          group_hashes: [b, a],
          tags: { a, [`${b}.`]: b },
        });
        const [line, ...others] = linesOf(encodeRows('errors', [row]));
        expect(others).toEqual([]);
        expect(line?.includes(0)).toBe(false);
        expect(decodeRow('errors', line ?? Buffer.alloc(0))).toEqual({
          ...row,
          title: a.toWellFormed(),
          group_hashes: [b.toWellFormed(), a.toWellFormed()],
          tags: { a: a.toWellFormed(), [`${b.toWellFormed()}.`]: b.toWellFormed() },
        });
      },
    ),
  );
});

test('an escaped surrogate inside a payload stays as it is', () => {
  const row = testErrorRow({ payload: String.raw`{"text":"\ud83d"}`, title: '\ud83d' });
  const decoded = decodeRow('errors', encodeRows('errors', [row]));
  expect(decoded.payload).toBe(String.raw`{"text":"\ud83d"}`);
  expect(decoded.title).toBe('\ufffd');
});

test('times become whole numbers that the store can hold', () => {
  const times = (timestamp: number, received_at: number) => {
    const row = decodeRow('errors', encodeRows('errors', [testErrorRow({ timestamp, received_at })]));
    return [row.timestamp, row.received_at];
  };
  expect(times(1.9, Number.NaN)).toEqual([1, 0]);
  expect(times(-1, 999)).toEqual([-1, 999]);
  expect(times(-1e15, 1e300)).toEqual([Date.UTC(1900, 0, 1), Date.UTC(2300, 0, 1) - 1]);
});

test('microseconds survive, before 1970 too', () => {
  const started = (at: number): number =>
    decodeRow('spans', encodeRows('spans', [testSpanRow({ started_at: at })])).started_at;
  fc.assert(
    fc.property(fc.integer({ min: -2_000_000_000_000_000, max: 10_000_000_000_000_000 }), (at) => started(at) === at),
  );
});

test('what is left out is no empty list, and null is none of both', () => {
  const row = testErrorRow({ stack_lines: [], stack_in_app: [1, 0], handled: null, error_main_thread: null });
  const decoded = decodeRow('errors', encodeRows('errors', [row]));
  expect(decoded).toEqual(row);
  expect(decoded).not.toHaveProperty('stack_functions');
});

test('a row a line, none for none', () => {
  expect(encodeRows('errors', []).length).toBe(0);
  expect(linesOf(encodeRows('errors', [testErrorRow(), testErrorRow()]))).toHaveLength(2);
});
