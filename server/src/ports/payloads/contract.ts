/** What every place for payloads must do. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Payloads, PayloadWriter, Place } from './payloads.ts';

/** `make` gives an empty place, and `again` the same one as another process has it. */
export function payloadsContract(
  name: string,
  make: () => Promise<{ readonly payloads: Payloads; again(): Payloads }>,
): void {
  const textsOf = (count: number, what = 'event'): string[] =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ what, index, frames: 'at load (app.js:1) '.repeat(100) }),
    );
  const all = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

  async function write(writer: PayloadWriter, texts: readonly string[]): Promise<Place[]> {
    using batch = writer.batch();
    const places = texts.map((text, index) => batch.add(text, String(index % 3)));
    await writer.write(batch);
    return places;
  }

  describe(`payloads: ${name}`, () => {
    test('what is written is read, by whoever opens them, in any order and in one call', async () => {
      const { payloads, again } = await make();
      await using writer = payloads.createWriter();
      const texts = [...textsOf(100), '', '"\u0000\t\n ü € 😀"', '\ud800 alone'];
      const places = [...(await write(writer, texts)), ...(await write(writer, textsOf(50, 'more')))];
      const expected = [...texts.map((text) => text.toWellFormed()), ...textsOf(50, 'more')];
      expect(new Set(places.map(({ segment, ordinal }) => `${segment} ${ordinal}`)).size).toBe(expected.length);
      for (const one of [payloads, again()]) {
        expect(await one.read(places.toReversed())).toEqual(expected.toReversed());
        expect(await one.read(places)).toEqual(expected);
      }
    });

    test('what nobody wrote is nothing', async () => {
      const { payloads } = await make();
      await using writer = payloads.createWriter();
      const [{ segment } = { segment: 0 }] = await write(writer, textsOf(1));
      const unknown = [
        { segment: 0, ordinal: 0 },
        { segment, ordinal: 1 },
        { segment, ordinal: 4_000_000_000 },
        { segment: segment + 64_000_000, ordinal: 0 },
      ];
      expect(await payloads.read(unknown)).toEqual(unknown.map(() => undefined));
      expect(await payloads.areErased(unknown)).toEqual(unknown.map(() => false));
    });

    test('batches that are begun together and written in another order do not disturb each other', async () => {
      const { payloads } = await make();
      await using writer = payloads.createWriter();
      const texts = textsOf(30);
      using first = writer.batch();
      using second = writer.batch();
      const places = texts.map((text, index) => (index % 2 ? first : second).add(text, 'kin', `beside ${index}`));
      using dropped = writer.batch();
      const gone = dropped.add('never written', 'kin');
      await Promise.all([writer.write(second), writer.write(first)]);
      // What is tried again is there all the same.
      await writer.write(first);
      expect(await payloads.read([...places, gone])).toEqual([...texts, undefined]);
      expect((await payloads.readWhole(places)).map((whole) => whole?.beside)).toEqual(
        texts.map((_, index) => `beside ${index}`),
      );
    });

    test('only what is wanted of a batch is there, also of a large one', async () => {
      const { payloads } = await make();
      await using writer = payloads.createWriter();
      const texts = Array.from({ length: 40 }, (_, index) => `${index}: ${randomBytes(300_000).toString('hex')}`);
      using batch = writer.batch();
      const places = texts.map((text, index) => batch.add(text, String(index % 2)));
      const isWanted = (index: number): boolean => index !== 3 && index !== 38;
      await writer.write(batch, isWanted);
      const found = await payloads.read(places);
      expect(found.map((text, index) => text === texts[index])).toEqual(texts.map((_, index) => isWanted(index)));
      expect(await payloads.read(places.slice(20, 21))).toEqual([texts[20]]);
    });

    test('what is erased nobody reads from that moment on, and packing overwrites it', async () => {
      const { payloads, again } = await make();
      const writer = payloads.createWriter();
      const texts = textsOf(200);
      const places = await write(writer, texts);
      await writer[Symbol.asyncDispose]();
      const other = again();
      expect(await other.read(places)).toEqual(texts);
      await payloads.erase(places.slice(0, 2));
      await payloads.erase([{ segment: 0, ordinal: 0 }, { segment: 64, ordinal: 1 }, ...places.slice(2, 3)]);
      const rest = texts.map((text, index) => (index < 3 ? undefined : text));
      for (const one of [payloads, other]) {
        expect(await one.areErased(places)).toEqual(places.map((_, index) => index < 3));
        expect(await one.read(places)).toEqual(rest);
      }
      expect(await payloads.erasedBytes()).toBeGreaterThan(0);
      const [segment = 0, ...more] = await payloads.unpacked(0);
      expect([segment, more]).toEqual([places[0]?.segment, []]);
      await payloads.pack(segment, all(200));
      for (const one of [payloads, other]) expect(await one.read(places)).toEqual(rest);
      expect([await payloads.unpacked(0), await payloads.erasedBytes()]).toEqual([[], 0]);
      await payloads.erase(places.slice(3, 4));
      expect(await payloads.unpacked(0)).toEqual([segment]);
      await payloads.pack(segment, all(100));
      const left = (await payloads.read(places)).filter((text) => text !== undefined);
      expect(left).toEqual(texts.slice(4, 100));
      await payloads.erase(places.slice(4, 5));
      await payloads.pack(segment, []);
      expect(await payloads.read(places)).toEqual(places.map(() => undefined));
    });

    test('days past their time go whole', async () => {
      const { payloads } = await make();
      await using writer = payloads.createWriter();
      await using old = payloads.createWriter(() => Date.now() - 40 * 86_400_000);
      const places = await write(writer, textsOf(2));
      const past = await write(old, textsOf(2));
      await payloads.erase(past.slice(0, 1));
      await payloads.dropBefore(Date.now() - 30 * 86_400_000);
      expect(await payloads.read([...past, ...places])).toEqual([undefined, undefined, ...textsOf(2)]);
      await payloads.dropBefore(Date.now() + 86_400_000);
      expect(await payloads.read(places)).toEqual([undefined, undefined]);
      await payloads.erase(places);
    });
  });
}
