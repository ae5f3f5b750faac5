import { expect, test } from 'vitest';
import { giveBack, takeBuffer } from './spare-buffers.ts';

const mega = 1024 * 1024;

test('the smallest that is large enough serves, and none that is far too large', () => {
  const [large, middle] = [Buffer.alloc(32 * mega), Buffer.alloc(6 * mega)];
  giveBack(large);
  giveBack(middle);
  expect(takeBuffer(5 * mega)).toBe(middle);
  expect(takeBuffer(5 * mega).length).toBe(6 * mega);
  expect(takeBuffer(20 * mega)).toBe(large);
});
