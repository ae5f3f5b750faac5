import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Keys, makeLock, openKeys, unlock } from './keys.ts';
import { frameBytes, ObjectWriter, readObject } from './object.ts';

const root = mkdtempSync(join(tmpdir(), 'culprit-object-'));
afterAll(() => rmSync(root, { recursive: true }));
let files = 0;

const credential = { kind: 'key', text: 'a key of thirty-two letters or more' } as const;
const sealed = makeLock(credential);

function written(keys: Keys, content: Buffer, { isCompressed = false, place = 'object' } = {}): string {
  const path = join(root, String(files++));
  const writer = new ObjectWriter({ path, keys, isCompressed, place });
  // In pieces that are no frames.
  for (let at = 0; at < content.length; at += 100_003) writer.write(content.subarray(at, at + 100_003));
  writer.end();
  expect(writer.bytes).toBe(statSync(path).size);
  return path;
}

const readBack = (path: string, keys: Keys, place = 'object'): Buffer =>
  Buffer.concat([...readObject({ path, keys, place })]);
const sample = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 7 + (index >> 8)) & 255));

for (const [name, keys] of [
  ['open', openKeys],
  ['sealed', sealed.keys],
] as const) {
  test.each([0, 1, frameBytes - 1, frameBytes, frameBytes + 1, 3 * frameBytes + 5])(
    `${name}: %i bytes come back, compressed or not`,
    (bytes) => {
      const content = sample(bytes);
      for (const isCompressed of [false, true]) {
        expect(readBack(written(keys, content, { isCompressed }), keys).equals(content)).toBe(true);
      }
    },
  );
}

test('a sealed object opens at its place alone, and not when a frame is changed, moved, left out or cut', () => {
  const { keys } = sealed;
  const content = sample(3 * frameBytes);
  const path = written(keys, content);
  expect(() => readBack(path, keys, 'manifest')).toThrow(/was changed/);
  expect(() => readBack(path, openKeys)).toThrow(/not a file of this backup/);
  const whole = readFileSync(path);
  const head = 21;
  const frame = 4 + frameBytes + 16;
  const swapped = Buffer.concat([
    whole.subarray(0, head),
    whole.subarray(head + frame, head + 2 * frame),
    whole.subarray(head, head + frame),
    whole.subarray(head + 2 * frame),
  ]);
  const changed = Buffer.from(whole);
  changed[head + 100] = (changed[head + 100] ?? 0) ^ 1;
  const cases = {
    changed,
    swapped,
    missing: Buffer.concat([whole.subarray(0, head), whole.subarray(head + frame)]),
    cut: whole.subarray(0, -1),
    shortened: whole.subarray(0, head + 2 * frame),
    longer: Buffer.concat([whole, Buffer.from('x')]),
    empty: Buffer.alloc(0),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    writeFileSync(path, bytes);
    expect(() => readBack(path, keys), name).toThrow(/damaged/);
  }
});

test('a lock opens with what it was made with alone', () => {
  expect(unlock(sealed.lock, credential).hasher().update('a').digest('hex')).toBe(
    sealed.keys.hasher().update('a').digest('hex'),
  );
  expect(() => unlock(sealed.lock, { kind: 'key', text: 'another key of thirty-two letters' })).toThrow(/not the one/);
  expect(() => unlock(sealed.lock, { kind: 'passphrase', text: credential.text })).toThrow(/with a key file/);
  expect(() => unlock(sealed.lock, undefined)).toThrow(/key file is needed/);
  const passphrase = makeLock({ kind: 'passphrase', text: 'four words and more' });
  expect(unlock(passphrase.lock, { kind: 'passphrase', text: 'four words and more' }).isSealed).toBe(true);
  expect(() => unlock(passphrase.lock, { kind: 'passphrase', text: 'four words and less' })).toThrow(/is wrong/);
  expect(() => makeLock({ kind: 'passphrase', text: 'short' })).toThrow(/at least 8/);
  expect(() => makeLock({ kind: 'key', text: 'short' })).toThrow(/at least 32/);
});
