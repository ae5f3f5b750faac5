import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ScimError } from './error.ts';
import type { JsonObject } from './json.ts';
import { patched } from './patch.ts';

const user = {
  userName: 'ada@example.com',
  active: true,
  name: { givenName: 'Ada', familyName: 'Byron' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
};
const group = { displayName: 'Engineers', members: [{ value: 'u1' }, { value: 'u2' }, { value: 'u3' }] };

const patch = (resource: JsonObject, ...Operations: JsonObject[]): JsonObject => patched(resource, { Operations });

test.each<[string, JsonObject, JsonObject]>([
  ['a boolean as a text', { op: 'Replace', path: 'active', value: 'False' }, { active: 'False' }],
  ['without a path', { op: 'replace', value: { active: false } }, { active: false }],
  [
    'without a path, by names with dots',
    { op: 'Add', value: { 'name.familyName': 'Lovelace', displayName: 'Ada L' } },
    { name: { givenName: 'Ada', familyName: 'Lovelace' }, displayName: 'Ada L' },
  ],
  [
    'by the address of the schema',
    { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName', value: 'Lovelace' },
    { name: { givenName: 'Ada', familyName: 'Lovelace' } },
  ],
  [
    'an address by its type',
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@new.example' },
    { emails: [{ value: 'ada@new.example', type: 'work', primary: true }] },
  ],
  [
    'an address of a type that is not there',
    { op: 'Add', path: 'emails[type eq "home"].value', value: 'ada@home.example' },
    {
      emails: [
        { value: 'ada@example.com', type: 'work', primary: true },
        { type: 'home', value: 'ada@home.example' },
      ],
    },
  ],
  [
    'a whole list',
    { op: 'replace', path: 'emails', value: [{ value: 'a@b.example' }] },
    { emails: [{ value: 'a@b.example' }] },
  ],
  ['names in another case', { op: 'replace', path: 'USERNAME', value: 'x' }, { userName: 'x' }],
  [
    'part of a name',
    { op: 'replace', path: 'name', value: { familyName: 'King' } },
    { name: { givenName: 'Ada', familyName: 'King' } },
  ],
  ['what is taken out', { op: 'remove', path: 'name.familyName' }, { name: { givenName: 'Ada' } }],
])('a user: %s', (_, operation, expected) => {
  expect(patch(user, operation)).toEqual({ ...user, ...expected });
});

test.each<[string, JsonObject, string[]]>([
  [
    'added',
    { op: 'add', path: 'members', value: [{ value: 'u4', display: 'x' }, { value: 'u1' }] },
    ['u1', 'u2', 'u3', 'u4'],
  ],
  ['added one', { op: 'Add', path: 'members', value: { value: 'u4' } }, ['u1', 'u2', 'u3', 'u4']],
  ['removed by a filter', { op: 'remove', path: 'members[value eq "u2"]' }, ['u1', 'u3']],
  ['removed by several', { op: 'remove', path: 'members[value eq "u2" or value eq "u3"]' }, ['u1']],
  ['removed by value', { op: 'Remove', path: 'members', value: [{ $ref: null, value: 'u3' }] }, ['u1', 'u2']],
  ['removed that are not there', { op: 'remove', path: 'members[value eq "u9"]' }, ['u1', 'u2', 'u3']],
  ['removed all', { op: 'remove', path: 'members' }, []],
  ['replaced', { op: 'replace', path: 'members', value: [{ value: 'u7' }] }, ['u7']],
  ['replaced without a path', { op: 'replace', value: { members: [{ value: 'u8' }] } }, ['u8']],
])('members that are %s', (_, operation, ids) => {
  const { members = [] } = patch(group, operation) as { members?: { value: string }[] };
  expect(members.map(({ value }) => value)).toEqual(ids);
});

test.each<[JsonObject, string]>([
  [{ op: 'move', path: 'a' }, 'invalidSyntax'],
  [{ path: 'a' }, 'invalidSyntax'],
  [{ op: 'remove' }, 'noTarget'],
  [{ op: 'replace', value: 'x' }, 'invalidValue'],
  [{ op: 'replace', path: 'a' }, 'invalidValue'],
  [{ op: 'replace', path: 'emails[type', value: 'x' }, 'invalidPath'],
  [{ op: 'replace', path: 'emails[type is "x"].value', value: 'x' }, 'invalidFilter'],
  [{ op: 'replace', path: 'emails[type ne "work"].value', value: 'x' }, 'noTarget'],
])('%j is refused as %s', (operation, scimType) => {
  expect(() => patch(user, operation)).toThrow(expect.objectContaining({ scimType, status: 400 }));
});

test('operations are a list of bounded length', () => {
  expect(() => patched(user, {})).toThrow(ScimError);
  const many = Array.from({ length: 1_001 }, () => ({ op: 'add', path: 'a', value: 1 }));
  expect(() => patched(user, { Operations: many })).toThrow(
    expect.objectContaining({ status: 413, scimType: 'tooMany' }),
  );
});

test('whatever is written, it is a change or refused, and no prototype is another', () => {
  const paths = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '__proto__',
      'constructor.prototype',
      'name.__proto__',
      'members[value eq "u1"]',
      'emails.value',
      'active',
    ),
  );
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.constantFrom('add', 'replace', 'remove'),
      paths,
      value,
      fc.boolean(),
      (op, path, given, isPathless) => {
        const operation = isPathless ? { op, value: { [path]: given } } : { op, path, value: given };
        try {
          patched(group, { Operations: [operation as JsonObject] });
        } catch (error) {
          if (!(error instanceof ScimError)) throw error;
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      },
    ),
    { numRuns: 1_000 },
  );
});
