import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScimError } from './error.ts';
import { type Filter, longestFilter, parseFilter, pathOf } from './filter.ts';
import type { JsonObject } from './json.ts';
import { matches } from './matches.ts';

const ada: JsonObject = {
  id: 'Ab1',
  externalId: 'X-1',
  userName: 'Ada@Example.com',
  active: true,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  groups: [{ value: 'g1', display: 'Engineers' }],
  meta: { lastModified: '2026-11-26T05:00:00.000Z' },
};

test.each([
  ['userName eq "ada@example.com"', true],
  ['userName Eq "ADA@example.com"', true],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@example.com"', true],
  ['userName eq "ada"', false],
  ['externalId eq "X-1"', true],
  ['externalId eq "x-1"', false],
  ['id eq "ab1"', false],
  ['emails eq "ada@home.example"', true],
  ['emails.value eq "ada@example.com"', true],
  ['emails[type eq "work"].value eq "ada@example.com"', true],
  ['emails[type eq "work"].value eq "ada@home.example"', false],
  ['emails[type eq "work" and value co "@home"]', false],
  ['emails[type eq "home" and value co "@home"]', true],
  ['emails[type eq "work"] and active eq true', true],
  ['active eq "False"', false],
  ['active eq "True"', true],
  ['name.familyName sw "love"', true],
  ['name.familyName ew "lace" and not (name.givenName eq "Bob")', true],
  ['name.middleName pr', false],
  ['title pr or (userName co "ada" and (active eq false or externalId pr))', true],
  ['userName ne "bob"', true],
  ['title ne "boss"', true],
  ['meta.lastModified gt "2026-01-01T00:00:00Z"', true],
  ['meta.lastModified le "2026-01-01T00:00:00Z"', false],
  ['groups[value eq "g1"]', true],
  ['userName eq "a\\"b"', false],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "x"', false],
])('%s: %s', (text, expected) => {
  expect(matches(ada, parseFilter(text))).toBe(expected);
});

test.each([
  '',
  'userName',
  'userName eq',
  'userName is "x"',
  'userName eq "x',
  'userName eq x',
  'userName eq "x" and',
  'userName eq "x" userName eq "y"',
  '(userName eq "x"',
  'userName eq "x")',
  'emails[type eq "work"',
  'emails[]',
  'not userName eq "x"',
  'userName eq "\\x"',
  '"x" eq userName',
  'a eq "1" OR OR b eq "2"',
])('%j is refused with its place', (text) => {
  expect(() => parseFilter(text)).toThrow(/^The filter is not valid at character \d+\.$/);
});

test.each([
  ['longer than may be', `userName eq "${'x'.repeat(longestFilter)}"`],
  ['deeper than may be', `${'('.repeat(400)}a pr${')'.repeat(400)}`],
  ['deep by lists', `${'a['.repeat(300)}b pr${']'.repeat(300)}`],
  ['of more conditions than may be', Array.from({ length: 60 }, () => 'a pr').join(' or ')],
])('what is %s is refused soon', (_, text) => {
  const began = performance.now();
  expect(() => parseFilter(text)).toThrow(ScimError);
  expect(performance.now() - began).toBeLessThan(50);
});

test('whatever the text, it is a filter or refused as one', () => {
  const token = fc.constantFrom(
    'userName',
    'emails',
    '[',
    ']',
    '(',
    ')',
    ' ',
    'eq',
    'pr',
    'and',
    'not',
    '"',
    '\\',
    '.',
    'x',
    '1',
    'true',
    'urn:a:2.0:B',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(token, { maxLength: 40 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      try {
        matches(ada, parseFilter(text));
        return true;
      } catch (error) {
        return error instanceof ScimError && error.scimType === 'invalidFilter' && error.status === 400;
      }
    }),
    { numRuns: 2_000 },
  );
});

const words = fc
  .stringMatching(/^[A-Za-z][\w-]{0,8}$/)
  .filter((word) => !/^(?:and|or|not|pr|true|false|null)$/i.test(word));
const path = fc.tuple(words, fc.option(words, { nil: undefined })).map(([name, sub]) => ({ name, sub }));
const { filter } = fc.letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
  leaf: fc.oneof(
    path.map((one): Filter => ({ kind: 'present', path: one })),
    fc
      .tuple(
        path,
        fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'),
        fc.oneof(fc.string(), fc.boolean(), fc.integer({ min: -1e9, max: 1e9 }), fc.constant(null)),
      )
      .map(([one, operator, value]): Filter => ({ kind: 'compare', path: one, operator: operator as 'eq', value })),
  ),
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('leaf'),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
      .map(([kind, parts]): Filter => ({ kind: kind as 'and', parts })),
    tie('filter').map((part): Filter => ({ kind: 'not', part })),
    fc
      .tuple(words, tie('leaf'))
      .map(([name, inner]): Filter => ({ kind: 'values', name, filter: inner, rest: undefined })),
  ),
}));

const textOf = (one: Filter): string => {
  const pathText = ({ name, sub }: { name: string; sub: string | undefined }) =>
    sub === undefined ? name : `${name}.${sub}`;
  switch (one.kind) {
    case 'and':
    case 'or':
      return one.parts.map((part) => `(${textOf(part)})`).join(` ${one.kind} `);
    case 'not':
      return `not (${textOf(one.part)})`;
    case 'present':
      return `${pathText(one.path)} pr`;
    case 'compare':
      return `${pathText(one.path)} ${one.operator} ${JSON.stringify(one.value)}`;
    case 'values':
      return `${one.name}[${textOf(one.filter)}]`;
  }
};

test('a filter is read as it was written', () => {
  fc.assert(
    fc.property(filter, (one) => {
      const text = textOf(one);
      fc.pre(text.length <= longestFilter);
      try {
        expect(parseFilter(text)).toEqual(one);
      } catch (error) {
        // Of many parts, or deep: the bounds have a test of their own.
        if (!(error instanceof ScimError) || !/more than/.test(error.message)) throw error;
      }
    }),
  );
});

test.each([
  ['userName', { name: 'userName', sub: undefined }],
  ['name.givenName', { name: 'name', sub: 'givenName' }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', { name: 'name', sub: 'givenName' }],
  [
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value',
    { name: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager', sub: 'value' },
  ],
])('the path %s', (text, expected) => {
  expect(pathOf(text)).toEqual(expected);
});
