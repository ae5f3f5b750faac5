import { expect, test } from 'vitest';
import { headOf, lineOf } from './csv.ts';

const csv = (value: string | number | boolean | null | string[]): string => lineOf('csv', ['x'], { x: value });

test.each([
  ['plain', 'plain\r\n'],
  ['a,b', '"a,b"\r\n'],
  ['say "no"', '"say ""no"""\r\n'],
  ['two\nlines', '"two\nlines"\r\n'],
  ['=1+1', "'=1+1\r\n"],
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"\r\n'],
  ['+49', "'+49\r\n"],
  ['-2', "'-2\r\n"],
  ['@SUM(A1)', "'@SUM(A1)\r\n"],
  ['\t=1', "'\t=1\r\n"],
  ['\uFF1D1', "'\uFF1D1\r\n"],
  [-2, '-2\r\n'],
  [true, 'true\r\n'],
  [null, '\r\n'],
  [['a', 'b'], '"[""a"",""b""]"\r\n'],
])('a cell %j', (value, line) => {
  expect(csv(value)).toBe(line);
});

test('names stand in the first line, safe like values', () => {
  expect(headOf('csv', ['count()', '=x', 'a,b'])).toBe('count(),\'=x,"a,b"\r\n');
  expect(headOf('jsonl', ['count()'])).toBe('');
});

test('a line of JSON has what was asked for, whatever it is called', () => {
  const row = JSON.parse('{"__proto__":"a","count()":2,"id":"left out"}') as Record<string, string>;
  expect(lineOf('jsonl', ['__proto__', 'count()', 'constructor'], row)).toBe(
    '{"__proto__":"a","count()":2,"constructor":null}\n',
  );
});
