import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { payloadsContract } from './contract.ts';
import { openFilePayloads } from './files.ts';
import type { Payloads, PayloadWriter, Place } from './payloads.ts';

let dir: string;
let payloads: Payloads;
let writer: PayloadWriter;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'payloads-'));
  open();
});
afterEach(async () => {
  await writer[Symbol.asyncDispose]();
  await rm(dir, { recursive: true });
});

function open(options: { segmentBytes?: number; segmentMs?: number } = {}): void {
  payloads = openFilePayloads({ dir, ...options });
  writer = payloads.createWriter();
}

async function write(texts: readonly string[], kin = (index: number) => String(index % 3)): Promise<Place[]> {
  using batch = writer.batch();
  const places = texts.map((text, index) => batch.add(text, kin(index)));
  await writer.write(batch);
  return places;
}

const textsOf = (count: number, what = 'event'): string[] =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ what, index, frames: 'at load (app.js:1) '.repeat(200) }),
  );

async function files(): Promise<string[]> {
  const [day = ''] = await readdir(dir);
  return (await readdir(join(dir, day))).map((name) => name.replace(/^\d+\./, '')).sort();
}

const all = (count: number): Set<number> => new Set(Array.from({ length: count }, (_, index) => index));

async function closed(): Promise<number> {
  await writer[Symbol.asyncDispose]();
  const [segment = 0] = await payloads.unpacked(0);
  return segment;
}

payloadsContract('files', async () => {
  const place = join(dir, 'contract');
  return { payloads: openFilePayloads({ dir: place }), again: () => openFilePayloads({ dir: place }) };
});

describe('payloads in files', () => {
  test('what is written is read, by whoever opens them, in any order and in one call', async () => {
    const texts = [...textsOf(100), '', '"\u0000\t\n ü € 😀"', '\ud800 alone'];
    const places = await write(texts);
    expect(new Set(places.map(({ ordinal }) => ordinal)).size).toBe(texts.length);
    const shuffled = places.map((place, index) => ({ place, text: texts[index] })).toReversed();
    expect(await openFilePayloads({ dir }).read(shuffled.map(({ place }) => place))).toEqual(
      shuffled.map(({ text }) => text?.toWellFormed()),
    );
  });

  test('what is told beside a payload is read with it, until it is erased, and packed with it', async () => {
    const texts = textsOf(40);
    using batch = writer.batch();
    const places = texts.map((text, index) => batch.add(text, 'kin', index % 3 ? `["beside ${index}"]` : undefined));
    await writer.write(batch);
    batch[Symbol.dispose]();
    await payloads.erase(places.slice(5, 6));
    const expected = texts.map((payload, index) =>
      index === 5 ? undefined : { payload, beside: index % 3 ? `["beside ${index}"]` : '' },
    );
    const read = () => payloads.readWhole(places);
    expect(await read()).toEqual(expected);
    await payloads.pack(await closed(), all(40));
    expect(await files()).toEqual(['erased', 'packed']);
    expect(await read()).toEqual(expected);
    expect(await payloads.readWhole([{ segment: 64, ordinal: 0 }])).toEqual([undefined]);
  });

  test('what nobody wrote is nothing', async () => {
    const [place = { segment: 0, ordinal: 0 }] = await write(textsOf(1));
    const { segment } = place;
    const unknown = [
      { segment: 0, ordinal: 0 },
      { segment, ordinal: 1 },
      { segment, ordinal: 4_000_000_000 },
      { segment: segment + 1, ordinal: 0 },
    ];
    expect(await payloads.read(unknown)).toEqual(unknown.map(() => undefined));
  });

  test('batches that are begun together and written in another order do not disturb each other', async () => {
    const texts = textsOf(30);
    using first = writer.batch();
    using second = writer.batch();
    const places = texts.map((text, index) => (index % 2 ? first : second).add(text, 'kin'));
    using dropped = writer.batch();
    const gone = dropped.add('never written', 'kin');
    await Promise.all([writer.write(second), writer.write(first)]);
    expect(await payloads.read([...places, gone])).toEqual([...texts, undefined]);
    expect(first.textOf(0)).toBe(texts[1]);
  });

  test('of more than is kept uncompressed each is found, before and after it is written, unless nobody wants it', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index}: ${'x'.repeat(1_000_000)}`);
    using batch = writer.batch();
    const places = texts.map((text, index) => batch.add(text, String(index % 2)));
    for (const index of [0, 15, 16, 17, 39]) expect(batch.textOf(index) === texts[index]).toBe(true);
    expect(batch.textOf(40)).toBeUndefined();
    const isWanted = (index: number): boolean => index !== 3 && index !== 38;
    await writer.write(batch, isWanted);
    const found = await payloads.read(places);
    expect(found.map((text, index) => (text === undefined ? 'nothing' : text === texts[index]))).toEqual(
      texts.map((_, index) => (isWanted(index) ? true : 'nothing')),
    );
  });

  test('a batch that is written twice is there all the same', async () => {
    using batch = writer.batch();
    const place = batch.add('{"a":1}', '');
    await writer.write(batch);
    await writer.write(batch);
    expect(await payloads.read([place])).toEqual(['{"a":1}']);
  });

  test('a segment that is full or old is left when the last of its batches is', async () => {
    open({ segmentBytes: 1 });
    const [first] = await write(textsOf(1));
    using held = writer.batch();
    const second = held.add('{}', '');
    expect(second.segment).not.toBe(first?.segment);
    await writer.write(held);
    const [third] = await write(textsOf(1));
    expect(third?.segment).not.toBe(second.segment);
    await expect.poll(() => payloads.unpacked(0)).toEqual([first?.segment]);
    held[Symbol.dispose]();
    await expect.poll(() => payloads.unpacked(0)).toContain(second.segment);
    expect(await payloads.read([second])).toEqual(['{}']);
  });

  test('segments of one moment are different', async () => {
    open({ segmentBytes: 1 });
    const places = [];
    for (let index = 0; index < 20; index++) places.push(...(await write([String(index)])));
    expect(new Set(places.map(({ segment }) => segment)).size).toBe(20);
    expect(await payloads.read(places)).toEqual(places.map((_, index) => String(index)));
  });

  test('one that nothing more comes to is left all the same', async () => {
    open({ segmentMs: 20 });
    const places = await write(textsOf(2));
    await expect.poll(() => payloads.unpacked(0)).toEqual([places[0]?.segment]);
    expect((await write(textsOf(1)))[0]?.segment).not.toBe(places[0]?.segment);
  });

  test('a segment that cannot be made is tried under another number', async () => {
    const batch = writer.batch();
    const { segment } = batch.add('{}', '');
    const day = join(dir, new Date(Math.floor(segment / 64)).toISOString().slice(0, 10));
    await mkdir(day);
    await writeFile(join(day, `${segment}.chunks`), '');
    await expect(writer.write(batch)).rejects.toThrow('EEXIST');
    batch[Symbol.dispose]();
    await delay(2);
    expect(await payloads.read(await write(textsOf(1)))).toEqual(textsOf(1));
  });

  test('what a run that ended suddenly was writing is settled by the next', async () => {
    const places = await write(textsOf(5));
    const next = openFilePayloads({ dir });
    expect(await next.unpacked(0)).toEqual([]);
    await next.settle();
    expect(await next.unpacked(0)).toEqual([places[0]?.segment]);
    expect(await next.unpacked(), 'an insert of it may still come about').toEqual([]);
    expect(await next.read(places)).toEqual(textsOf(5));
  });

  test('half an append, as a power cut leaves it, takes nothing else along', async () => {
    const texts = textsOf(40);
    const before = await write(texts);
    const [day = ''] = await readdir(dir);
    const chunks = join(dir, day, `${before[0]?.segment}.chunks`);
    const { size } = await stat(chunks);
    const after = await write(textsOf(40, 'lost'));
    await truncate(chunks, size + 10);
    expect(await payloads.read(before)).toEqual(texts);
    await expect(payloads.read(after)).rejects.toThrow();
  });
});

describe('packing', () => {
  test('keeps every place, takes less, and leaves out what is not wanted', async () => {
    const places: Place[] = [];
    const texts = textsOf(300);
    for (let index = 0; index < 300; index++) places.push(...(await write([texts[index] ?? ''], () => 'one kin')));
    const segment = await closed();
    const [day = ''] = await readdir(dir);
    const fresh = (await stat(join(dir, day, `${segment}.chunks`))).size;
    const wanted = all(300);
    wanted.delete(7);
    await payloads.pack(segment, wanted);
    expect(await files()).toEqual(['packed']);
    expect((await stat(join(dir, day, `${segment}.packed`))).size).toBeLessThan(fresh / 4);
    expect(await payloads.read(places)).toEqual(texts.map((text, index) => (index === 7 ? undefined : text)));
    expect(await payloads.unpacked(0)).toEqual([]);
  });

  test('nothing, the empty and the huge', async () => {
    const huge = randomBytes(1_500_000).toString('hex');
    const places = await write(['', huge, '{}']);
    const segment = await closed();
    await payloads.pack(segment, all(3));
    expect(await payloads.read(places)).toEqual(['', huge, '{}']);
    await payloads.pack(segment, new Set());
    expect(await payloads.read(places)).toEqual([undefined, undefined, undefined]);
  });

  test('whoever packs a segment that is being packed waits for its turn', async () => {
    const texts = textsOf(2_000);
    const places = await write(texts);
    const segment = await closed();
    await payloads.erase(places.slice(0, 1));
    const other = openFilePayloads({ dir });
    await Promise.all([
      payloads.pack(segment, all(2_000)),
      payloads.rewrite([segment], new AbortController().signal),
      other.pack(segment, all(2_000)),
    ]);
    expect(await files()).toEqual(['erased', 'packed']);
    expect(await payloads.read(places)).toEqual([undefined, ...texts.slice(1)]);
  });

  test('a kill at any moment of it leaves the segment readable', async () => {
    const texts = textsOf(50);
    const places = await write(texts);
    const segment = await closed();
    const [day = ''] = await readdir(dir);
    const whole = await readFile(join(dir, day, `${segment}.chunks`));
    // The copy is half written.
    await writeFile(join(dir, day, `${segment}.packing`), whole.subarray(0, 100));
    const next = openFilePayloads({ dir });
    await next.settle();
    expect(await files()).toEqual(['chunks', 'closed', 'index']);
    await next.pack(segment, all(50));
    // It is in its place, and what it stands for is still there.
    await writeFile(join(dir, day, `${segment}.closed`), '');
    expect(await next.unpacked(0)).toEqual([segment]);
    await next.pack(segment, all(50));
    expect(await next.read(places)).toEqual(texts);
    expect(await next.unpacked(0)).toEqual([]);
  });
});

describe('erasing', () => {
  test('nobody reads it from that moment on, and packing overwrites it', async () => {
    const texts = textsOf(20);
    const places = await write(texts);
    const rest = texts.map((text, index) => (index < 3 ? undefined : text));
    await payloads.erase(places.slice(0, 2));
    await payloads.erase([{ segment: 0, ordinal: 0 }, { segment: 64, ordinal: 1 }, ...places.slice(2, 3)]);
    expect(await payloads.areErased([{ segment: 0, ordinal: 0 }, ...places.toReversed()])).toEqual([
      false,
      ...places.map((_, index) => index < 3).toReversed(),
    ]);
    expect(await payloads.read(places)).toEqual(rest);
    const segment = await closed();
    await payloads.pack(segment, all(20));
    expect(await payloads.read(places)).toEqual(rest);
    expect(await payloads.unpacked(0)).toEqual([]);
    await payloads.erase(places.slice(3, 4));
    expect((await payloads.read(places))[3]).toBeUndefined();
    expect(await payloads.unpacked(0)).toEqual([segment]);
    await payloads.pack(segment, all(20));
    expect(await payloads.unpacked(0)).toEqual([]);
    expect((await payloads.read(places)).filter((text) => text !== undefined)).toEqual(texts.slice(4));
  });

  test('days past their time go whole', async () => {
    const places = await write(textsOf(2));
    await payloads.dropBefore(Date.now());
    expect(await payloads.read(places)).toEqual(textsOf(2));
    await payloads.dropBefore(Date.now() + 86_400_000);
    expect(await payloads.read(places)).toEqual([undefined, undefined]);
    expect(await readdir(dir)).toEqual([]);
    // Its segment goes on: nothing of it is lost on the way to the next.
    await payloads.erase(places);
  });
});
