/** Maps that lie, are broken, or are made to cost memory. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildLookup, MapError, openLookup, type Lookup } from './index.ts';

const plain = { version: 3, sources: ['a.js'], names: ['n'], mappings: 'AAAAA' };

function build(map: unknown): Buffer {
  const text = typeof map === 'string' || map instanceof Uint8Array ? map : JSON.stringify(map);
  return Buffer.concat([...buildLookup({ map: Buffer.from(text) }).chunks]);
}

const open = (file: Uint8Array): Promise<Lookup> =>
  openLookup(async (start, length) => file.subarray(start, start + length));

const nested = (depth: number): unknown =>
  depth === 0 ? plain : { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: nested(depth - 1) }] };
const sections = (...all: unknown[]): unknown => ({ version: 3, sections: all });
const at = (line: unknown, column: unknown): unknown => ({ offset: { line, column }, map: plain });

describe('refused, and why', () => {
  test.each<[name: string, map: unknown, message: RegExp]>([
    ['nothing', '', /empty/],
    ['no JSON', 'hello', /not a JSON object/],
    ['half of a map', '{"version":3,"sources":["a"', /not valid JSON/],
    ['a page of HTML', '<!doctype html><title>404</title>', /not valid JSON|no JSON object/],
    ['something after the map', '{"version":3,"sources":[],"mappings":""} x', /not valid JSON/],
    ['a list', [plain], /not a JSON object/],
    ['no version', { ...plain, version: undefined }, /no version/],
    ['another version', { ...plain, version: 4 }, /version 4/],
    ['the version as a text', { ...plain, version: '3' }, /version "3"/],
    ['no mappings', { ...plain, mappings: undefined }, /no mappings/],
    ['mappings that are a list', { ...plain, mappings: [] }, /mappings is not text/],
    ['no sources', { ...plain, sources: undefined }, /no list of sources/],
    ['sources that are no list', { ...plain, sources: 'a.js' }, /sources is not a list/],
    ['sources that are no texts', { ...plain, sources: [{ toString: 1 }] }, /sources contains a value/],
    ['a source that is not there', { ...plain, mappings: 'ACAA' }, /source 1 of 1/],
    ['a source below 0', { ...plain, mappings: 'ADAA' }, /source -1 of 1/],
    ['a name that is not there', { ...plain, mappings: 'AAAAC' }, /name 1 of 1/],
    ['a column below 0', { ...plain, mappings: 'CAAA,FAAA' }, /column -1/],
    ['a line of a source below 0', { ...plain, mappings: 'AADA' }, /line of a source -1/],
    ['a column of a source below 0', { ...plain, mappings: 'AAAD' }, /column of a source -1/],
    ['a character that is none of base64', { ...plain, mappings: 'AAAA,A*AA' }, /unexpected character/],
    ['a number that is cut off', { ...plain, mappings: 'AAAAg' }, /truncated/],
    ['a number that is cut off before a comma', { ...plain, mappings: 'AAAg,AAAA' }, /truncated/],
    ['a number without end', { ...plain, mappings: `${'g'.repeat(1000)}A` }, /too large/],
    [
      'columns that add up to more than 2^31',
      { ...plain, mappings: '+/////BAAA,+/////BAAA,+/////BAAA' },
      /column \d{10}|too large/,
    ],
    ['a token with 2 numbers', { ...plain, mappings: 'AA' }, /2 numbers/],
    ['a token with 3 numbers', { ...plain, mappings: 'AAA' }, /3 numbers/],
    ['a token with 6 numbers', { ...plain, mappings: 'AAAAAA' }, /more than 5/],
    ['sections that are no list', { version: 3, sections: {} }, /sections is not a list/],
    ['a section by url', sections({ offset: { line: 0, column: 0 }, url: 'http://localhost/x.map' }), /by url/],
    ['a section without a map', sections({ offset: { line: 0, column: 0 } }), /no map/],
    ['a section that is a number', sections(1), /no map/],
    ['a section without a place', sections({ map: plain }), /no start line/],
    ['a section at a place below 0', sections(at(0, -1)), /no start column/],
    ['a section at a place beyond all lines', sections(at(2 ** 53, 0)), /no start line/],
    ['sections that run backwards', sections(at(5, 0), at(4, 0)), /section 2 starts before section 1/],
    ['sections within sections without end', nested(50), /nests sections/],
    ['a million sections', `{"version":3,"sections":[${'0,'.repeat(999_999)}0]}`, /no map|sections/],
    ['more sources than anyone has', `{"version":3,"mappings":"","sources":[${'"",'.repeat(1_000_000)}""]}`, /sources/],
  ])('%s', (_, map, message) => {
    const attempt = (): Buffer => build(map);
    expect(attempt).toThrow(MapError);
    expect(attempt).toThrow(message);
  });
});

describe('read all the same', () => {
  test.each<[name: string, map: unknown]>([
    ['a line before the map against its use as a script', `)]}'\n${JSON.stringify(plain)}`],
    ['a byte order mark', `\ufeff${JSON.stringify(plain)}`],
    ['spaces and line ends', JSON.stringify(plain, null, '\t')],
    ['escapes in mappings', JSON.stringify(plain).replace('AAAAA', String.raw`\u0041AAA\u0041`)],
    ['commas and semicolons that end nothing', { ...plain, mappings: 'AAAAA,,;;,;' }],
    [
      'keys that mean something to JavaScript',
      `{"__proto__":{"version":4},"constructor":1,${JSON.stringify(plain).slice(1)}`,
    ],
    ['null for what is missing', { ...plain, sourceRoot: null, sourcesContent: null, file: null }],
    ['an ignore list that lies', { ...plain, ignoreList: [7, -1, 'x', 1e99] }],
    ['scopes that are none', { ...plain, scopes: '!!!!' }],
  ])('%s', async (_, map) => {
    const lookup = await open(build(map));
    expect(await lookup.find(1, 1)).toEqual({
      source: 'a.js',
      sourceId: 0,
      line: 1,
      column: 1,
      name: 'n',
      functionName: undefined,
      ignored: false,
    });
    for (const [line, column] of [
      [0, 0],
      [-1, 5],
      [1, 0],
      [2, 1],
      [Number.NaN, 1],
      [1.5, Number.POSITIVE_INFINITY],
      [1e12, 1e12],
    ] as const)
      await lookup.find(line, column, '__proto__');
    expect(await lookup.find(1e6, 1)).toBeUndefined();
    expect(await lookup.find(0, 1)).toBeUndefined();
    expect(await lookup.context(0, 1, 5)).toBeUndefined();
    expect(await lookup.context(1e9, -1, 1e9)).toBeUndefined();
  });

  test('NUL and halves of characters never reach the reader', async () => {
    const map = { ...plain, sources: ['a\0\ud800.js'], names: ['n\0\udc00'], sourcesContent: ['x\0\ud800'] };
    const lookup = await open(build(map));
    const found = await lookup.find(1, 1);
    const context = await lookup.context(0, 1, 0);
    for (const text of [found?.source, found?.name, context?.line]) {
      expect(text).not.toContain('\0');
      expect(text?.isWellFormed()).toBe(true);
    }
  });

  test('bytes that are no UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...plain, sources: ['aXXb'] }));
    bytes.fill(0xff, bytes.indexOf('XX'), bytes.indexOf('XX') + 2);
    expect((await (await open(build(bytes))).find(1, 1))?.source).toBe('a\ufffd\ufffdb');
  });

  test('300,000 sources, a million empty lines, and a name of a megabyte cost about what they are', async () => {
    const list = (count: number, text: string): string => `[${`${text},`.repeat(count - 1)}${text}]`;
    const map =
      `{"version":3,"sources":${list(300_000, '"s"')},"sourcesContent":${list(300_000, '""')},` +
      `"names":["${'n'.repeat(1 << 20)}"],"mappings":"${';'.repeat(1_000_000)}AAAAA"}`;
    const file = build(map);
    expect(file.length).toBeLessThan(map.length);
    const found = await (await open(file)).find(1_000_001, 1);
    expect(found).toMatchObject({ source: 's', line: 1 });
    expect(found?.name?.length).toBeLessThan(2000);
  });

  test('a token in column 2^31 − 1 and one in line 2^31 − 1 of a source make nothing of that size', async () => {
    const file = build({ ...plain, mappings: '+/////DA+/////DA' });
    expect(file.length).toBeLessThan(1000);
    expect(await (await open(file)).find(1, 2 ** 31)).toMatchObject({ line: 2 ** 31, column: 1 });
  });

  test('a line of a source of 20 MB is cut', async () => {
    const map = { ...plain, sourcesContent: [`first\n${'x'.repeat(20 << 20)}\nlast`] };
    const context = await (await open(build(map))).context(0, 2, 1);
    expect([context?.pre, context?.line.length, context?.post]).toEqual([['first'], 4096, ['last']]);
  });

  test('any text is read or refused in words', () => {
    const value = fc.oneof(fc.json(), fc.string(), fc.jsonValue());
    const map = fc.record(
      {
        version: fc.constant(3),
        sources: value,
        sourcesContent: value,
        names: value,
        mappings: fc.oneof(value, fc.base64String()),
        sections: value,
        scopes: value,
      },
      { requiredKeys: ['version'] },
    );
    fc.assert(
      fc.property(fc.oneof(map, value), fc.string(), (any, script) => {
        try {
          const made = buildLookup({ map: Buffer.from(JSON.stringify(any) ?? ''), script: Buffer.from(script) });
          for (const piece of made.chunks) expect(piece).toBeInstanceOf(Uint8Array);
        } catch (error) {
          expect(error).toBeInstanceOf(MapError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a file that is no lookup', () => {
  const file = build({
    ...plain,
    sourcesContent: ['text\n'.repeat(20_000)],
    mappings: Array(3000).fill('AAAAA').join(','),
  });

  test('is refused', async () => {
    await expect(open(Buffer.from('no lookup file'))).rejects.toThrow('no lookup file');
    await expect(open(Buffer.alloc(0))).rejects.toThrow('no lookup file');
    await expect(open(Buffer.alloc(1000))).rejects.toThrow('no lookup file');
    const other = Buffer.from(file);
    other.writeUInt32LE(99, 4);
    await expect(open(other)).rejects.toThrow('version 99');
  });

  test('or is damaged: every answer is a place, nothing, or an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: file.length - 1 }),
        fc.nat({ max: 255 }),
        fc.nat({ max: file.length }),
        async (place, byte, length) => {
          for (const damaged of [Buffer.from(file), file.subarray(0, length)]) {
            if (damaged.length > place && length % 2) damaged[place] = byte;
            try {
              const lookup = await open(damaged);
              await lookup.find(1, 1, 'f');
              await lookup.context(0, 10_000, 5);
            } catch (error) {
              expect(error).toBeInstanceOf(Error);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
