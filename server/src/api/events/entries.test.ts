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
