import { expect, test } from 'vitest';
import { arrayOf, columnsOf, decidedHere, deciderOf } from './decided.ts';

const params = { a: 'shop@1.%', b: 'fatal', c: ['production', ''], d: 'a_b', e: String.raw`100\%\_\\%` };
const of = (sql: string) => decidedHere({ sql, params });

test.each([
  ['1', true],
  ['level = {b:String}', true],
  ['(release LIKE {a:String}) AND (level = {b:String}) AND environment IN {c:Array(String)}', true],
  // Of other columns, in other ways, joined otherwise.
  ['(tags[{a:String}] = {b:String}) AND (level = {b:String})', false],
  ['(transaction = {b:String})', false],
  ['(release ILIKE {a:String})', false],
  ["(release != '')", false],
  ['(release LIKE {d:String})', false],
  ['(NOT (level = {b:String}))', false],
  ['(level = {b:String} OR level = {b:String})', false],
  ['((level = {b:String} AND release = {b:String}) OR platform = {b:String})', false],
  ['(level = {b:String} AND release = {b:String})', false],
  ['level = {missing:String}', false],
])('%s', (sql, expected) => {
  expect(of(sql) !== undefined).toBe(expected);
});

test.each([
  ['release LIKE {a:String}', 'shop@1.2', true],
  ['release LIKE {a:String}', 'shop@1', false],
  ['release LIKE {a:String}', 'a shop@1.2', false],
  ['release LIKE {e:String}', String.raw`100%_\ and more`, true],
  ['release LIKE {e:String}', '100 and more', false],
  ['release = {b:String}', 'fatal', true],
  ['release = {b:String}', 'Fatal', false],
  ['release IN {c:Array(String)}', '', true],
  ['release IN {c:Array(String)}', 'staging', false],
])('%s of %s', (sql, release, expected) => {
  expect(of(sql)?.holds(() => release)).toBe(expected);
});

test('rows are grouped by what any of them asks for, and each says which hold', () => {
  const decided = ['1', 'release LIKE {a:String}', '(level = {b:String}) AND (release LIKE {a:String})'].flatMap(
    (sql) => of(sql) ?? [],
  );
  const columns = columnsOf(decided);
  expect([columns, arrayOf(columns), arrayOf([])]).toEqual([
    ['level', 'release'],
    '[toString(level), toString(release)]',
    'emptyArrayString()',
  ]);
  const decide = deciderOf(decided, columns);
  expect([decide(['fatal', 'shop@1.0']), decide(['error', 'shop@1.0']), decide(['fatal', 'shop@2.0'])]).toEqual([
    [0, 1, 2],
    [0, 1],
    [0],
  ]);
});
