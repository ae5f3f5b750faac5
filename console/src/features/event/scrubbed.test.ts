import { expect, test } from 'vitest';
import { scrubbedBelow, scrubbedOf } from './scrubbed.ts';

const rem = (...remarks: readonly (readonly [string, string])[]) => ({ '': { rem: remarks, len: 7 } });

test('rules of the project, of the organisation and of the built-in list, each at its place', () => {
  const meta = {
    user: { email: rem(['@email:hash', 'p']) },
    extra: { customer: { name: rem(['project:who', 'x'], ['organization:all', 's']), note: rem(['!limit', 's']) } },
    contexts: { '': { rem: [['project:gone', 'x']] } },
  };
  const all = scrubbedOf(meta);
  expect(all).toEqual([
    { path: ['user', 'email'], by: [{ kind: 'p', of: 'builtin', rule: '@email:hash' }] },
    {
      path: ['extra', 'customer', 'name'],
      by: [
        { kind: 'x', of: 'project', rule: 'who' },
        { kind: 's', of: 'organization', rule: 'all' },
      ],
    },
    { path: ['contexts'], by: [{ kind: 'x', of: 'project', rule: 'gone' }] },
  ]);
  expect(scrubbedBelow(all, ['extra', 'customer']).map(({ path }) => path)).toEqual([['name']]);
  expect(scrubbedBelow(all, ['user', 'id'])).toEqual([]);
});

test.each([
  undefined,
  null,
  7,
  'text',
  [],
  { '': null },
  { '': { rem: 'x' } },
  { '': { rem: [null, 7, [], ['a'], ['a', 'b'], [1, 'x']] } },
])('%j says nothing', (meta) => {
  expect(scrubbedOf(meta)).toEqual([]);
});

test('what nests without end is read as far as it is any use', () => {
  let meta: unknown = rem(['@ip', 'x']);
  for (let depth = 0; depth < 10_000; depth++) meta = { a: meta };
  expect(scrubbedOf(meta)).toEqual([]);
  const wide = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, rem(['@ip', 'x'])]));
  expect(scrubbedOf(wide)).toHaveLength(500);
});
