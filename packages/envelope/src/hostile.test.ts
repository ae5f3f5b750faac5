/** Whatever the bytes are: an envelope or an EnvelopeError, nothing copied, in linear time. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { EnvelopeError, parseEnvelope, serializeEnvelope } from './index.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Parses and checks what must hold for every body. Gives the number of items, or the code of the refusal. */
function check(bytes: Uint8Array): number | string {
  try {
    const { items } = parseEnvelope(bytes);
    let from = bytes.byteOffset;
    for (const { payload } of items) {
      expect(payload.buffer).toBe(bytes.buffer);
      expect(payload.byteOffset).toBeGreaterThanOrEqual(from);
      from = payload.byteOffset + payload.length;
    }
    expect(from).toBeLessThanOrEqual(bytes.byteOffset + bytes.length);
    return items.length;
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    expect(error.offset).toBeLessThanOrEqual(bytes.length);
    return error.code;
  }
}

const itemHeader = fc.record(
  {
    type: fc.oneof(fc.constantFrom('event', 'attachment', 'log', 'x'), fc.string({ minLength: 1 })),
    filename: fc.string({ unit: 'binary' }),
    item_count: fc.nat(),
  },
  { requiredKeys: ['type'] },
);
const envelope = fc.record({
  header: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
  items: fc.array(fc.record({ header: itemHeader, payload: fc.uint8Array({ maxLength: 200 }) }), { maxLength: 8 }),
});

it('reads back what was written', () => {
  fc.assert(
    fc.property(envelope, ({ header, items }) => {
      const read = parseEnvelope(serializeEnvelope(header, items));
      expect(read.header).toEqual(
        JSON.parse(JSON.stringify(header), (key, value: unknown) => (key === '__proto__' ? undefined : value)),
      );
      expect(read.items.map((item) => item.payload)).toEqual(items.map((item) => item.payload));
      expect(read.items.map((item) => item.type)).toEqual(items.map((item) => item.header.type));
    }),
  );
});

it('stands cut, flipped and spliced envelopes', () => {
  fc.assert(
    fc.property(
      envelope,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      fc.nat(),
      ({ header, items }, flips, cut) => {
        const bytes = serializeEnvelope(header, items);
        for (const [at, value] of flips) bytes[at % bytes.length] = value;
        check(bytes);
        check(bytes.subarray(0, cut % bytes.length));
        check(bytes.subarray(cut % bytes.length));
      },
    ),
    { numRuns: 1000 },
  );
});

it('stands lying lengths', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.double(), fc.jsonValue()), fc.string(), (length, payload) => {
      check(encode(`{}\n${JSON.stringify({ type: 'event', length })}\n${payload}\n{"type":"x"}\n`));
    }),
    { numRuns: 1000 },
  );
});

it('stands random bytes, the grammar’s own among them', () => {
  const tokens = [
    '{}',
    '\n',
    '{"type":"x"}',
    '{"type":"x","length":3}',
    '"',
    '{',
    '}',
    '\r',
    '\0',
    ' ',
    'é',
    '\\',
    '__proto__',
  ].map(encode);
  let seed = 20_261_121;
  // xorshift: the same bytes in every run
  const random = (below: number) => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % below;
  };
  for (let run = 0; run < 20_000; run++) {
    const parts: number[] = [];
    for (let count = random(12); count >= 0; count--) {
      if (random(4) === 0) parts.push(random(256));
      else parts.push(...(tokens[random(tokens.length)] ?? []));
    }
    check(Uint8Array.from(parts));
  }
});

it('takes 200 MB without copying', () => {
  const head = encode('{}\n{"type":"attachment","length":100000000}\n');
  const second = encode('\n{"type":"attachment"}\n');
  const bytes = new Uint8Array(head.length + 100_000_000 + second.length + 100_000_000).fill(0x61);
  bytes.set(head);
  bytes.set(second, head.length + 100_000_000);
  expect(check(bytes)).toBe(2);
  expect(parseEnvelope(bytes).items.map((item) => item.payload.length)).toEqual([100_000_000, 100_000_000]);
});

it('refuses 100,000 items early, and reads them when allowed', () => {
  const bytes = encode(`{}\n${'{"type":"x"}\n\n'.repeat(100_000)}`);
  expect(check(bytes)).toBe('too_many_items');
  expect(parseEnvelope(bytes, { maxItems: 100_000 }).items).toHaveLength(100_000);
});

it('refuses a header line without end', () => {
  expect(check(new Uint8Array(5_000_000).fill(0x7b))).toBe('header_too_large');
  expect(check(encode(`{}\n${' '.repeat(2_000_000)}`))).toBe('header_too_large');
});

it('skips any number of blank lines', () => {
  expect(check(encode(`{}\n${'\n'.repeat(1_000_000)}{"type":"x"}`))).toBe(1);
});
