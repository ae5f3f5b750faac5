import { expect, test } from 'vitest';
import { completionsAt } from './index.ts';

/** `|` is where somebody is writing; the answer marks what is replaced. */
function completed(marked: string, dataSet: 'issues' | 'spans' = 'issues'): string {
  const offset = marked.indexOf('|');
  const query = marked.replace('|', '');
  const { replace, kind, key, prefix } = completionsAt(query, offset, dataSet);
  return `${kind}${key ? ` of ${key.name}` : ''} "${prefix}" <${query.slice(replace.start, replace.end)}>`;
}

test.each([
  ['|', 'key "" <>'],
  ['lev|', 'key "lev" <lev>'],
  ['le|vel', 'key "le" <level>'],
  ['!le|', 'key "le" <le>'],
  ['le|v:error', 'key "le" <lev>'],
  ['is:unresolved |', 'key "" <>'],
  ['is:unresolved le| x', 'key "le" <le>'],
  ['(le|', 'key "le" <le>'],
  ['level:|', 'value of level "" <>'],
  ['level:er|ror', 'value of level "er" <error>'],
  ['!level:er|', 'value of level "er" <er>'],
  ['a:b level:"my er|', 'value of level "my er" <"my er>'],
  ['level:"my er|" x', 'value of level "my er" <"my er">'],
  ['release:[1.0, 2|', 'value of release "2" <2>'],
  ['release:[1.0, |', 'value of release "" <>'],
  ['release:[|', 'value of release "" <>'],
  ['release:[1.|0, 2] x', 'value of release "1." <1.0>'],
  ['release:["a b", "c d|', 'value of release "c d" <"c d>'],
  ['release:[1, 2] le|', 'key "le" <le>'],
  ['has:us|', 'key "us" <us>'],
  ['timesSeen:|', 'operator of timesSeen "" <>'],
  ['timesSeen:>|', 'operator of timesSeen ">" <>>'],
  ['timesSeen:>1|', 'value of timesSeen "1" <1>'],
  ['"level:er|', 'key "level:er" <"level:er>'],
])('%j', (query, expected) => {
  expect(completed(query)).toBe(expected);
});

test.each([
  ['p95(sp|', 'key "sp" <sp>'],
  ['count_if(span.op|, equals, x):>1', 'key "span.op" <span.op>'],
  ['unknown(sp|', 'key "sp" <sp>'],
  ['p95(span.duration):|', 'operator "" <>'],
])('spans: %j', (query, expected) => {
  expect(completed(query, 'spans')).toBe(expected);
});
