import { expect, test } from 'vitest';
import { isSealed, openBox, sealedOverhead } from './box.ts';
import { secretsOf } from './secrets.ts';
import { testSecrets } from './testing.ts';

const here = Buffer.from('here');
const text = Buffer.from('the password is hunter2');

test('what is sealed opens with the same key in the same place, and nowhere else', () => {
  const sealed = testSecrets.box('log record').seal([text], here);
  expect(sealed.length).toBe(text.length + sealedOverhead);
  expect(isSealed(sealed)).toBe(true);
  expect(Buffer.from(sealed).includes('hunter2')).toBe(false);
  const box = openBox(structuredClone(testSecrets.boxSetup('log record')));
  expect(box.open(sealed, here)).toEqual(text);
  expect(box.open(sealed, Buffer.from('there'))).toBe('damaged');
  const other = secretsOf('another secret of thirty-two letters', 'a test');
  expect(other.box('log record').open(sealed, here)).toBe('other key');
  expect(other.fingerprint).not.toBe(testSecrets.fingerprint);
});

test('what is given in parts is sealed as one, in memory that the caller gives', () => {
  const box = testSecrets.box('log record');
  const memory = Buffer.alloc(1000);
  const sealed = box.seal([text.subarray(0, 3), text.subarray(3)], here, (length) => memory.subarray(7, 7 + length));
  expect(sealed.buffer).toBe(memory.buffer);
  expect(box.open(sealed, here)).toEqual(text);
});

test('no bit of it can be changed, the version and the id of the key included', () => {
  const box = testSecrets.box('log record');
  const sealed = box.seal([text], here);
  for (let bit = 0; bit < sealed.length * 8; bit += 3) {
    const changed = Uint8Array.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(box.open(changed, here)).toBeTypeOf('string');
  }
  expect(box.open(sealed.subarray(0, 20), here)).toBe('damaged');
});

test('no two nonces are the same, nor what is sealed twice', () => {
  const boxes = [testSecrets.box('log record'), testSecrets.box('log record')];
  const sealed = boxes.flatMap((box) => Array.from({ length: 500 }, () => Buffer.from(box.seal([text], here))));
  expect(new Set(sealed.map((each) => each.subarray(8, 20).toString('hex'))).size).toBe(1_000);
  expect(new Set(sealed.map((each) => each.subarray(20).toString('hex'))).size).toBe(1_000);
});

test('a record of an earlier version is not taken for a sealed one', () => {
  // It begins with the length of its head, 32 bits little-endian, which is below 16 MB.
  const sealed = testSecrets.box('log record').seal([text], here);
  expect(new DataView(sealed.buffer).getUint32(0, true)).toBeGreaterThan(0xff00_0000);
  expect(isSealed(new Uint8Array(100))).toBe(false);
});
