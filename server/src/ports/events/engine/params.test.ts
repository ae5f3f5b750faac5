import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeParam, placeholderTypes } from './params.ts';

/** As ClickHouse's clients write a string inside a literal. */
const quoted = (text: string): string =>
  `'${text.replaceAll(/[\\'\t\n\r]/g, (char) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[char] ?? `\\${char}`)}'`;

test('types of placeholders', () => {
  expect([...placeholderTypes('{a:String} { b : Array(Nullable(String)) } {a:String} {c:DateTime64(3)}')]).toEqual([
    ['a', 'String'],
    ['b', 'Array'],
    ['c', 'DateTime64'],
  ]);
});

test('scalars are unescaped text', () => {
  expect(decodeParam('\\N', 'Nullable')).toBeNull();
  expect(decodeParam('\\\\N', 'String')).toBe('\\N');
  expect(decodeParam(String.raw`a\tb\nc\\d\'e\0\x41\q`, 'String')).toBe("a\tb\nc\\d'e\0A\\q");
  expect(decodeParam('18446744073709551615', 'UInt64')).toBe('18446744073709551615');
  expect(decodeParam("['a']", 'String')).toBe("['a']");
});

test('literals', () => {
  expect(decodeParam("[ 'a' , NULL, 'b']", 'Array')).toEqual(['a', null, 'b']);
  expect(decodeParam('[]', 'Array')).toEqual([]);
  expect(decodeParam('[1,-2,18446744073709551615,1.5,TRUE,false]', 'Array')).toEqual([
    1n,
    -2n,
    18446744073709551615n,
    1.5,
    true,
    false,
  ]);
  expect(decodeParam("{'__proto__':'v','k':'w'}", 'Map')).toEqual(
    new Map([
      ['__proto__', 'v'],
      ['k', 'w'],
    ]),
  );
  expect(decodeParam('{}', 'Map')).toEqual(new Map());
  expect(decodeParam("[(1,'x'),(2,'y')]", 'Array')).toMatchObject([{ values: [1n, 'x'] }, { values: [2n, 'y'] }]);
});

test('any strings in a list and a map', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      expect(decodeParam(`[${texts.map(quoted).join(',')}]`, 'Array')).toEqual(texts);
      expect(decodeParam(`{${texts.map((text) => `${quoted(text)}:${quoted(text)}`).join(',')}}`, 'Map')).toEqual(
        new Map(texts.map((text) => [text, text])),
      );
    }),
  );
});

test.each([
  '',
  '[',
  "['a",
  "['a'",
  "['a',]",
  "['a'] x",
  "{'a'}",
  "{'a':}",
  '[nan]',
  '[a]',
  "['a\\",
  '['.repeat(100_000),
])('no literal: %s', (text) => {
  expect(() => decodeParam(text, 'Array')).toThrow(/query parameter/);
});

test('any text is either read or refused, quickly', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...`[]{}(),:'\\ 1aN`), maxLength: 200 }), (text) => {
      try {
        decodeParam(text, 'Array');
      } catch (error) {
        expect(error).toMatchObject({ name: 'ParamError' });
      }
    }),
  );
});
