import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { BlobEntry, Blobs } from './blobs.ts';

/** What every place for blobs must do. `make` gives an empty one. */
export function blobsContract(name: string, make: () => Blobs | Promise<Blobs>): void {
  const text = (value: Uint8Array | undefined): string | undefined => value && new TextDecoder().decode(value);
  const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);

  describe(`blobs: ${name}`, () => {
    test('gives back what was put, and the newest of it', async () => {
      const blobs = await make();
      await blobs.put('1/attachments/a', bytes('first'));
      await blobs.put('1/attachments/a', bytes('second, and longer'));
      await blobs.put('1/attachments/a', bytes('third'));
      expect(text(await blobs.get('1/attachments/a'))).toBe('third');
    });

    test('keeps any bytes of any size, and no byte more', async () => {
      const blobs = await make();
      for (const size of [0, 1, 100, 70_000, 20 * 2 ** 20]) {
        const value = randomBytes(size);
        await blobs.put(`sizes/${size}`, value);
        const back = await blobs.get(`sizes/${size}`);
        expect(back && Buffer.compare(back, value)).toBe(0);
        const stream = await blobs.stream(`sizes/${size}`);
        expect(stream && Buffer.compare(await buffer(stream), value)).toBe(0);
      }
    });

    test('takes a value in pieces, and says how many bytes it has', async () => {
      const blobs = await make();
      const value = randomBytes(3_000_000);
      async function* pieces() {
        for (let start = 0; start < value.length; start += 700_001) yield value.subarray(start, start + 700_001);
      }
      expect(await blobs.putStream('in/pieces', pieces())).toBe(value.length);
      const back = await blobs.get('in/pieces');
      expect(back && Buffer.compare(back, value)).toBe(0);
      expect(await blobs.putStream('in/pieces', [bytes('a'), bytes(''), bytes('bc')])).toBe(3);
      expect(text(await blobs.get('in/pieces'))).toBe('abc');
      expect(await blobs.putStream('in/nothing', [])).toBe(0);
      expect(await blobs.get('in/nothing')).toHaveLength(0);
    });

    test('keeps the old value when the pieces of a new one fail', async () => {
      const blobs = await make();
      async function* broken() {
        yield bytes('half');
        throw new Error('the sender went away');
      }
      await expect(blobs.putStream('kept', broken())).rejects.toThrow('the sender went away');
      expect(await blobs.get('kept')).toBeUndefined();
      await blobs.put('kept', bytes('old'));
      await expect(blobs.putStream('kept', broken())).rejects.toThrow('the sender went away');
      expect(text(await blobs.get('kept'))).toBe('old');
    });

    const log = (bytes: number): Uint8Array => Buffer.alloc(bytes, '2026-01-01T00:00:00Z INFO worker idle\n');
    const marked = (bytes: number): Uint8Array =>
      Buffer.concat([Buffer.from([0xd7, 0x0b, 0x9e, 0xc3, 0x51, 0xf8, 0x86, 0x1d]), log(bytes)]);

    test.each([
      ['a log', log(3_000_000)],
      ['a short log', log(5_000)],
      ['noise after a log', Buffer.concat([log(100_000), randomBytes(2_000_000)])],
      ['what begins as a compressed file does', marked(3_000_000)],
      ['a little that begins so', marked(0)],
      ['what is compressed already', zstdCompressSync(log(5_000_000))],
    ])('gives %s back as it came, whole, as a stream and in parts', async (_what, value) => {
      const blobs = await make();
      await blobs.put('whole', value);
      expect(await blobs.putStream('pieces', [value.subarray(0, 3), value.subarray(3)])).toBe(value.length);
      expect(await blobs.putStream('as-is', [value], { asIs: true })).toBe(value.length);
      for (const key of ['whole', 'pieces', 'as-is']) {
        const back = await blobs.get(key);
        expect(back && Buffer.compare(back, value)).toBe(0);
        const stream = await blobs.stream(key);
        expect(stream && Buffer.compare(await buffer(stream), value)).toBe(0);
        for (const [start, length] of [
          [0, 1],
          [4, 5],
          [value.length - 3, 100],
          [value.length + 1, 1],
          [Math.floor(value.length / 2), 200_000],
        ] as const) {
          const part = await blobs.range(key, start, length);
          expect(part && Buffer.compare(part, value.subarray(start, start + length))).toBe(0);
        }
      }
    });

    test('a stream that is left early is no trouble', async () => {
      const blobs = await make();
      await blobs.put('left', log(30_000_000));
      const stream = (await blobs.stream('left')) as Readable;
      for await (const piece of stream) {
        expect(piece).toBeInstanceOf(Uint8Array);
        break;
      }
      expect(stream.destroyed).toBe(true);
    });

    test('gives parts of a value, and fewer bytes where it ends', async () => {
      const blobs = await make();
      await blobs.put('parts', bytes('0123456789'));
      expect(text(await blobs.range('parts', 0, 4))).toBe('0123');
      expect(text(await blobs.range('parts', 3, 4))).toBe('3456');
      expect(text(await blobs.range('parts', 8, 2 ** 40))).toBe('89');
      expect(text(await blobs.range('parts', 10, 5))).toBe('');
      expect(text(await blobs.range('parts', 1000, 5))).toBe('');
      expect(text(await blobs.range('parts', 2, 0))).toBe('');
      expect(await blobs.range('none', 0, 5)).toBeUndefined();
    });

    test('has nothing under a key that was never put, or was deleted', async () => {
      const blobs = await make();
      expect(await blobs.get('none/at/all')).toBeUndefined();
      expect(await blobs.stream('none/at/all')).toBeUndefined();
      await blobs.delete('none/at/all');
      await blobs.put('a/b', bytes('x'));
      await blobs.delete('a/b');
      expect(await blobs.get('a/b')).toBeUndefined();
    });

    test('knows the folders below a prefix', async () => {
      const blobs = await make();
      for (const key of ['days/1/a', 'days/2/b/c', 'days/file', 'other/3/a']) await blobs.put(key, bytes(key));
      expect((await blobs.folders('days/')).toSorted()).toEqual(['1', '2']);
      expect(await blobs.folders('none/')).toEqual([]);
      await blobs.tidy();
    });

    test('deletes all below a prefix and nothing beside it', async () => {
      const blobs = await make();
      for (const key of ['1/a', '1/b/c', '12/a', '2/1/a']) await blobs.put(key, bytes(key));
      await blobs.deleteAll('1/');
      await blobs.deleteAll('none/');
      expect(await blobs.get('1/a')).toBeUndefined();
      expect(await blobs.get('1/b/c')).toBeUndefined();
      expect(text(await blobs.get('12/a'))).toBe('12/a');
      expect(text(await blobs.get('2/1/a'))).toBe('2/1/a');
    });

    test.each([
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      '../a',
      'a/../b',
      'a/./b',
      '.a',
      'a\\b',
      'a\0',
      'a b',
      'é',
      '\ud800',
      '-a',
      'a'.repeat(129),
      'a/'.repeat(400) + 'a',
    ])('refuses the key %j', async (key) => {
      const blobs = await make();
      const refused = { code: 'BLOB_KEY_INVALID' };
      await expect(blobs.put(key, bytes('x'))).rejects.toMatchObject(refused);
      await expect(blobs.putStream(key, [bytes('x')])).rejects.toMatchObject(refused);
      await expect(blobs.get(key)).rejects.toMatchObject(refused);
      await expect(blobs.range(key, 0, 1)).rejects.toMatchObject(refused);
      await expect(blobs.stream(key)).rejects.toMatchObject(refused);
      await expect(blobs.delete(key)).rejects.toMatchObject(refused);
      await expect(blobs.deleteAll(`${key}/`)).rejects.toMatchObject(refused);
    });

    test('lists what is there, and gives it as it is to be put elsewhere', async () => {
      const [blobs, other] = [await make(), await make()];
      const long = bytes('long and alike '.repeat(2_000));
      await blobs.put('a/one', bytes('1'));
      await blobs.put('a/b/two', long);
      await blobs.putStream('a/b/parts', [long], { asIs: true });
      await blobs.put('b/other', bytes('x'));
      const list = async (prefix: string): Promise<BlobEntry[]> => {
        const entries: BlobEntry[] = [];
        for await (const entry of blobs.list(prefix)) entries.push(entry);
        return entries;
      };
      const found = await list('');
      expect(found.map(({ key }) => key).toSorted()).toEqual(['a/b/parts', 'a/b/two', 'a/one', 'b/other']);
      expect((await list('a/b/')).map(({ key }) => key).toSorted()).toEqual(['a/b/parts', 'a/b/two']);
      expect(await list('none/')).toEqual([]);
      for (const { key } of found) {
        const whole = await blobs.whole(key);
        expect([key, whole?.asIs]).toEqual([key, key !== 'a/b/two']);
        if (whole) await other.putStream(`copy/${key}`, whole.pieces, whole);
        expect(await other.get(`copy/${key}`)).toEqual(await blobs.get(key));
      }
      expect(await blobs.whole('a/none')).toBeUndefined();
      const versions = async () => new Map((await list('')).map(({ key, version }) => [key, version]));
      const before = await versions();
      await blobs.put('a/one', bytes('22'));
      const after = await versions();
      expect(after.get('a/one')).not.toBe(before.get('a/one'));
      expect(after.get('a/b/two')).toBe(before.get('a/b/two'));
    });

    test('refuses a prefix that does not end in a slash', async () => {
      const blobs = await make();
      await expect(blobs.deleteAll('1')).rejects.toMatchObject({ code: 'BLOB_KEY_INVALID' });
      await expect(blobs.deleteAll('')).rejects.toMatchObject({ code: 'BLOB_KEY_INVALID' });
    });

    test('a reader sees the old value or the new one, never a mixture', async () => {
      const blobs = await make();
      const values = ['a', 'b'].map((letter) => bytes(letter.repeat(200_000)));
      await blobs.put('swap', values[0]!);
      const progress = { done: false };
      const write = (async () => {
        for (let round = 0; round < 40; round++) await blobs.put('swap', values[round % 2]!);
        progress.done = true;
      })();
      while (!progress.done) {
        const seen = text(await blobs.get('swap')) ?? '';
        expect([seen.length, new Set(seen).size]).toEqual([200_000, 1]);
      }
      await write;
    });

    test('puts go on while their prefix is being deleted', async () => {
      const blobs = await make();
      const puts = Array.from({ length: 50 }, (_, index) => blobs.put(`gone/${index}/x`, bytes('x')));
      const deletes = Array.from({ length: 10 }, () => blobs.deleteAll('gone/'));
      await Promise.all([...puts, ...deletes]);
    });

    test('a prefix is deleted while puts go on below it', async () => {
      const blobs = await make();
      const writer = async (name: string): Promise<void> => {
        for (let round = 0; round < 100; round++) await blobs.put(`gone/${name}-${round}`, bytes('x'));
      };
      const deleter = async (): Promise<void> => {
        for (let round = 0; round < 100; round++) await blobs.deleteAll('gone/');
      };
      await Promise.all([...['a', 'b', 'c', 'd'].map(writer), deleter(), deleter()]);
    });
  });
}
