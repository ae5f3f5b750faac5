import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Entry } from './contract.ts';
import { toEntries } from './entries.ts';

const keys = [
  'exception',
  'threads',
  'stacktrace',
  'breadcrumbs',
  'request',
  'logentry',
  'csp',
  'values',
  'frames',
  'lineno',
  'context_line',
  'pre_context',
  'timestamp',
  'vars',
  'query_string',
  'frames_omitted',
  '__proto__',
];
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, -1, 1.5, 1e300, '', 'text', '\ud800', Number.MAX_SAFE_INTEGER),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 6 }),
  ),
})).value;

test('whatever is stored, the entries have the shape that the API promises', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), json, { maxKeys: 8 }), (event) => {
      expect(z.array(Entry).safeEncode(toEntries(event)).success).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('nothing comes of nothing', () => {
  expect(toEntries({})).toEqual([]);
  expect(toEntries({ exception: { values: [] }, breadcrumbs: null, request: 'x' })).toEqual([]);
});

test('threads: those that are looked for come first, with what they hold', () => {
  const lock = { type: 8, address: '0x1', package_name: 'java.lang', class_name: 'Object', thread_id: 14 };
  const frames = [{ function: 'take', native: true, lock }];
  const [entry] = toEntries({
    platform: 'java',
    threads: {
      values: [
        { id: 4, name: 'holder', daemon: true, priority: 5, state: 'TIMED_WAITING', held_locks: { '0x1': lock } },
        { id: 1, name: 'main' },
        { id: '14', name: 'worker-7', crashed: true, stacktrace: { frames, snapshot: true } },
      ],
    },
  });
  expect(entry).toMatchObject({
    type: 'threads',
    data: {
      values: [
        { id: '14', crashed: true, main: false, stacktrace: { snapshot: true, frames: [{ native: true, lock }] } },
        { id: 1, name: 'main', main: true, daemon: false, priority: null, heldLocks: null },
        { id: 4, daemon: true, priority: 5, state: 'TIMED_WAITING', heldLocks: { '0x1': lock } },
      ],
    },
  });
});
