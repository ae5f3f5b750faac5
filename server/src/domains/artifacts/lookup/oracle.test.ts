/** Lookup files answer as `@jridgewell/trace-mapping` does: on random maps, on indexed ones, and on maps of real packages. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encode, type SourceMapMappings, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import {
  AnyMap,
  decodedMappings,
  originalPositionFor,
  type SectionedSourceMapInput,
  type TraceMap,
} from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildLookup, openLookup, type Lookup } from './index.ts';

interface PlainMap {
  readonly version: 3;
  readonly sources: (string | null)[];
  readonly sourcesContent: (string | null)[];
  readonly names: string[];
  readonly mappings: string;
}

function lookupOf(map: unknown): Promise<Lookup> {
  const text = typeof map === 'string' ? map : JSON.stringify(map);
  const file = Buffer.concat([...buildLookup({ map: Buffer.from(text) }).chunks]);
  return openLookup(async (start, length) => file.subarray(start, start + length));
}

async function expectSame(lookup: Lookup, trace: TraceMap, line: number, column: number): Promise<void> {
  const expected = originalPositionFor(trace, { line: line + 1, column });
  const found = await lookup.find(line + 1, column + 1);
  expect(
    found && {
      source: trace.resolvedSources[found.sourceId],
      line: found.line,
      column: found.column - 1,
      name: found.name ?? null,
    },
    `line ${line}, column ${column}`,
  ).toEqual(expected.source === null ? undefined : expected);
}

/** Every token, the places before and after it, and the ends of its line. */
async function expectSameEverywhere(lookup: Lookup, map: unknown): Promise<void> {
  const trace = new AnyMap(map as SectionedSourceMapInput);
  for (const [line, segments] of decodedMappings(trace).entries()) {
    const columns = new Set([0, ...segments.flatMap(([column]) => [column - 1, column, column + 1])]);
    for (const column of columns) if (column >= 0) await expectSame(lookup, trace, line, column);
  }
}

const sourceCount = 3;
const nameCount = 4;
const place = fc.nat({ max: 300 });
const segment: fc.Arbitrary<SourceMapSegment> = fc.oneof(
  place.map((column): SourceMapSegment => [column]),
  fc
    .tuple(place, fc.nat({ max: sourceCount - 1 }), place, place)
    .map(([column, source, line, original]): SourceMapSegment => [column, source, line, original]),
  fc
    .tuple(place, fc.nat({ max: sourceCount - 1 }), place, place, fc.nat({ max: nameCount - 1 }))
    .map(([column, source, line, original, name]): SourceMapSegment => [column, source, line, original, name]),
);
/** Lines are not sorted: the columns of some maps run backwards. */
const unsorted: fc.Arbitrary<SourceMapMappings> = fc.array(fc.array(segment, { maxLength: 12 }), { maxLength: 8 });
const sorted = unsorted.map((lines) => lines.map((line) => line.toSorted((a, b) => a[0] - b[0])));

function plainMap(mappings: SourceMapMappings, prefix = ''): PlainMap {
  const all = (count: number, what: string): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}${what}${index}`);
  return {
    version: 3,
    sources: all(sourceCount, 'source-'),
    sourcesContent: [],
    names: all(nameCount, 'name'),
    mappings: encode(mappings),
  };
}

describe('as trace-mapping', () => {
  test('random maps, sorted or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(sorted, unsorted), async (mappings) => {
        const map = plainMap(mappings);
        await expectSameEverywhere(await lookupOf(map), map);
      }),
      { numRuns: 150 },
    );
  });

  test('random indexed maps', async () => {
    const sections = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 200 }), sorted), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(sections, async (parts) => {
        let line = 0;
        let column = 0;
        const made = parts.map(([lines, columns, mappings], index) => {
          column = lines > 0 ? columns : column + columns;
          line += lines;
          return { offset: { line, column }, map: plainMap(mappings, `${index}-`) };
        });
        const map = { version: 3, sections: made };
        await expectSameEverywhere(await lookupOf(map), map);
      }),
      { numRuns: 100 },
    );
  });

  test('a line of more tokens than a page holds, with several at one place', async () => {
    const line = Array.from({ length: 5000 }, (_, index): SourceMapSegment => [
      Math.floor(index / 3) * 2,
      index % 3,
      index,
      1,
      index % 4,
    ]);
    const map = plainMap([[], line, [], line]);
    await expectSameEverywhere(await lookupOf(map), map);
  });

  const packages = fileURLToPath(new URL('../../../../../node_modules/', import.meta.url));
  const maps = [
    'glob/dist/esm/index.min.js.map',
    '@babel/parser/lib/index.js.map',
    'next/dist/client/app-index.js.map',
  ].filter((path) => existsSync(`${packages}${path}`));
  const small = globSync('zod/**/*.map', { cwd: packages }).slice(0, 5);

  test.each([...maps, ...small])('the map of %s', async (path) => {
    const text = readFileSync(`${packages}${path}`, 'utf8');
    const trace = new AnyMap(text);
    const lookup = await lookupOf(text);
    for (const [line, segments] of decodedMappings(trace).entries()) {
      // Every token of a small map, some thousand of a large one.
      const step = Math.max(1, Math.floor(text.length / 100_000));
      for (let index = line % step; index < segments.length; index += step) {
        const column = segments[index]?.[0] ?? 0;
        await expectSame(lookup, trace, line, column);
        await expectSame(lookup, trace, line, column + 1);
      }
    }
  });
});

describe('source text', () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  const text = fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), lineEnd), { maxLength: 60 });

  test('each line with those around it, whatever ends a line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), fc.nat({ max: 6 }), async (texts, around) => {
        const contents = texts.map((lines) =>
          lines.map(([line, end]) => `${line.replaceAll(/[\r\n]/g, '')}${end}`).join(''),
        );
        const lookup = await lookupOf({
          version: 3,
          sources: contents.map(String),
          sourcesContent: contents,
          names: [],
          mappings: '',
        });
        for (const [source, content] of contents.entries()) {
          const lines = content.replaceAll('\0', '\ufffd').split(/\r\n|\r|\n/);
          for (const [index, line] of lines.entries()) {
            expect(await lookup.context(source, index + 1, around)).toEqual({
              pre: lines.slice(Math.max(0, index - around), index),
              line,
              post: lines.slice(index + 1, index + 1 + around),
            });
          }
          expect(await lookup.context(source, lines.length + 1, around)).toBeUndefined();
        }
      }),
      { numRuns: 60 },
    );
  });

  test('of large sources that lie in several chunks, between small ones', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `  line ${index} ${'x'.repeat(index % 90)}`);
    const contents = ['small', lines.join('\n'), null, 'first\nsecond'];
    const lookup = await lookupOf({
      version: 3,
      sources: ['a', 'b', 'c', 'd'],
      sourcesContent: contents,
      names: [],
      mappings: '',
    });
    for (let line = 1; line <= lines.length; line += 37) {
      expect(await lookup.context(1, line, 7)).toEqual({
        pre: lines.slice(Math.max(0, line - 8), line - 1),
        line: lines[line - 1],
        post: lines.slice(line, line + 7),
      });
    }
    expect(await lookup.context(0, 1, 3)).toEqual({ pre: [], line: 'small', post: [] });
    expect(await lookup.context(2, 1, 3)).toBeUndefined();
    expect(await lookup.context(3, 2, 3)).toEqual({ pre: ['first'], line: 'second', post: [] });
    expect(await lookup.context(4, 1, 3)).toBeUndefined();
  });
});
