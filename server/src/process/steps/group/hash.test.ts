import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { shortHash } from './hash.ts';

const long = 'frame\0'.repeat(60);
const lists: readonly (readonly string[])[] = [
  ['a', 'b'],
  ['ab', ''],
  [long, 'x'],
  ['x', long],
  [long, long],
  ['', long, long, ''],
  [`${long}#0;`, 'x'],
  ['#0;', long],
  [`${long}x`],
  ['1:x', long],
];

test('the hash of a list is that of its pieces one after the other, however often it came', () => {
  for (let turn = 0; turn < 3; turn++) {
    for (const pieces of lists) expect(shortHash(...pieces)).toBe(hash('sha256', pieces.join(''), 'hex').slice(0, 32));
  }
});

test('long pieces that never come again are forgotten', () => {
  for (let number = 0; number < 300; number++) {
    const piece = `${number}`.repeat(8_000);
    expect(shortHash('head', piece)).toBe(hash('sha256', `head${piece}`, 'hex').slice(0, 32));
    expect(shortHash(long, 'x')).toBe(hash('sha256', `${long}x`, 'hex').slice(0, 32));
  }
});
