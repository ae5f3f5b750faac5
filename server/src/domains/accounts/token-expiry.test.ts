import { expect, test } from 'vitest';
import { expiryInWords, expiryOf, readExpiry } from './token-expiry.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const dayMs = 86_400_000;

test.each([
  ['30d', now + 30 * dayMs],
  ['2027-01-01', Date.parse('2027-01-01T23:59:59.999Z')],
  ['never', null],
  ['', undefined],
  ['1y', undefined],
  ['99999d', undefined],
  ['2027-02-30', undefined],
  ['2027-13-01', undefined],
  ['2027-1-1', undefined],
  ['never ', undefined],
])('"%s" is read as an end', (text, end) => {
  expect(readExpiry(text, now)).toBe(end);
});

test('a token ends after a year unless chosen otherwise, and never after the one that made it', () => {
  expect(expiryOf(undefined, null, now)).toBe(now + 365 * dayMs);
  expect(expiryOf(null, null, now)).toBeNull();
  expect(expiryOf(now + 1, null, now)).toBe(now + 1);
  expect(expiryOf(undefined, now + dayMs, now)).toBe(now + dayMs);
  expect(expiryOf(now + dayMs, now + dayMs, now)).toBe(now + dayMs);
  for (const [asked, parent] of [
    [now, null],
    [NaN, null],
    [null, now + dayMs],
    [now + 2 * dayMs, now + dayMs],
  ] as const) {
    expect(() => expiryOf(asked, parent, now)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
  }
});

test('an end is said in a few words', () => {
  expect([null, now + dayMs, now].map((end) => expiryInWords(end, now))).toEqual([
    'no expiry',
    'expires 2026-11-23',
    'expired 2026-11-22',
  ]);
});
