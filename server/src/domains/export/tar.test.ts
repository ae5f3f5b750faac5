import { expect, test } from 'vitest';
import { tarEntry } from './tar.ts';

test('a name that does not fit is refused, and contents fill whole blocks', () => {
  expect(() => tarEntry('x'.repeat(101), Buffer.from('a'), 0)).toThrow(RangeError);
  expect(() => tarEntry('ü'.repeat(51), Buffer.from('a'), 0)).toThrow(RangeError);
  const length = (bytes: number): number =>
    tarEntry('a', Buffer.alloc(bytes), 0).reduce((sum, piece) => sum + piece.length, 0);
  expect([0, 1, 512, 513].map(length)).toEqual([512, 1024, 1024, 1536]);
});
