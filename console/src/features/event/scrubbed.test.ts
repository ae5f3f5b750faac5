import { expect, test } from 'vitest';
import { hasOwnMark, scrubbedBelow, scrubbedOf } from './scrubbed.ts';
import { pathOf } from './use-marks.ts';

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

test('what is in sight with its mark is not listed by its path', () => {
  const request = { url: '/pay', headers: [['Host', 'x']], cookies: [], query: [], data: null };
  const event = {
    tags: [{ key: 'plan', value: 'pro' }],
    entries: [
      { type: 'request', data: request },
      { type: 'exception', data: { values: [{}] } },
      { type: 'breadcrumbs', data: { values: [{}] } },
    ],
  } as never;
  const own = (path: string): boolean => hasOwnMark(path.split('.'), event);
  const places = ['extra.x', 'user.data.x', 'contexts.app.x', 'tags.0.value', 'breadcrumbs.values.0.data.x'];
  const ofParts = ['exception.values.0.value', 'request.url', 'request.data', 'request.headers.0.1'];
  expect([...places, ...ofParts].filter((path) => !own(path))).toEqual([]);
  const whole = ['extra', 'user.data', 'contexts.app', 'tags.4.value', 'breadcrumbs', 'breadcrumbs.values.1.message'];
  const others = ['request.headers', 'request.cookies.0.1', 'logentry.formatted', 'server_name', 'tags.__proto__'];
  const ofCalls = ['exception.values.0.stacktrace.frames.0.vars.x', 'exception.values.2.value'];
  expect([...whole, ...others, ...ofCalls].filter(own)).toEqual([]);
});

test('a part of an event is found by itself', () => {
  const frame = {};
  const value = { stacktrace: { frames: [{}, frame] } };
  const event = { entries: [{ type: 'exception', data: { values: [{}, value] } }] } as never;
  expect(pathOf(event, frame)).toEqual(['exception', 'values', '1', 'stacktrace', 'frames', '1']);
  expect(pathOf(event, value)).toEqual(['exception', 'values', '1']);
  expect(pathOf(event, {})).toBeUndefined();
  const threads = { entries: [{ type: 'threads', data: { values: [value] } }] } as never;
  expect(pathOf(threads, frame)).toEqual(['threads', 'values', '0', 'stacktrace', 'frames', '1']);
  const bare = { entries: [{ type: 'stacktrace', data: { frames: [frame] } }] } as never;
  expect(pathOf(bare, frame)).toEqual(['stacktrace', 'frames', '0']);
});
