import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSearch } from './parse.ts';
import type { SearchTerm } from './types.ts';

/** A term in one line: `!release[1.0|2.0]`, `timesSeen>100`, `"text"`. */
function show(term: SearchTerm): string {
  if (term.kind === 'text') return `"${term.text}"`;
  const not = term.negated ? '!' : '';
  if (term.kind === 'has') return `${not}has:${term.name}`;
  const { value } = term;
  switch (value.type) {
    case 'text':
      return `${not}${term.name}=${value.wildcard ? '~' : ''}${value.text}`;
    case 'list':
    case 'numbers':
      return `${not}${term.name}[${value.values.join('|')}]`;
    case 'number':
      return `${not}${term.name}${value.comparison}${value.number}`;
    case 'age':
      return `${not}${term.name}${value.sign}${value.amount}${value.unit}`;
    case 'date':
      return `${not}${term.name}@${value.fromMs}..${value.untilMs}`;
    case 'boolean':
      return `${not}${term.name}?${value.value}`;
  }
}

const shown = (query: string): string[] => {
  const { terms, problems } = parseSearch(query);
  return [...terms.map(show), ...problems.map((problem) => `${problem.code} ${problem.start}-${problem.end}`)];
};

test.each([
  ['', []],
  ['   ', []],
  ['is:unresolved', ['is=unresolved']],
  ['  hello   there  ', ['"hello   there"']],
  ['hello release:1.2 there', ['"hello"', 'release=1.2', '"there"']],
  ['"level:error is text"', ['"level:error is text"']],
  ['end"', ['"end""']],
  ['!level:error', ['!level=error']],
  ['level:!=error', ['!level=error']],
  ['release:[1.0, "2 beta"]', ['release[1.0|2 beta]']],
  ['!release:[1.0,2.0]', ['!release[1.0|2.0]']],
  ['release:1.*', ['release=~1.*']],
  ['release:1.\\*', ['release=1.\\*']],
  ['has:digest !has:user', ['has:digest', '!has:user']],
  ['timesSeen:>1k', ['timesSeen>1000']],
  ['timesSeen:[1,2]', ['timesSeen[1|2]']],
  ['age:-24h lastSeen:+7d', ['age-24h', 'lastSeen+7d']],
  ['error.handled:TRUE', ['error.handled?true']],
  ['tags[level]:x', ['tags[level]=x']],
  ['"odd key":x', ['odd key=x']],
  ['key:""', ['key=']],
  ['release:"a \\"b\\""', ['release=a "b"']],
  ['level:error AND release:1', ['level=error', 'release=1']],
  ['https://shop.example.com/a?b=c', ['"https://shop.example.com/a?b=c"']],
  ['undefined is not a function (near x)', ['"undefined is not a function (near x)"']],
  ['firstSeen:2026-02-03', ['firstSeen@1770076800000..1770163200000']],
  ['firstSeen:>=2026-02-03T00:00:00Z', ['firstSeen@1770076800000..Infinity']],
])('%j', (query, expected) => {
  expect(shown(query)).toEqual(expected);
});

describe('problems say where they are, and what stands beside them is read', () => {
  test.each([
    ['level:error release:', ['level=error', 'filter-must-have-value 12-20']],
    ['a is:nonsense b', ['"a"', '"b"', 'unknown-value 2-13']],
    ['timesSeen:many', ['invalid-number 0-14']],
    ['age:yesterday', ['invalid-date-format 0-13']],
    ['firstSeen:2026-02-31', ['invalid-date-format 0-20']],
    ['error.handled:maybe', ['invalid-boolean 0-19']],
    ['release:[a,,b]', ['empty-value-in-list-not-allowed 0-14']],
    ['is:[resolved,archived]', ['list-not-allowed 0-22']],
    ['url:te"st', ['must-be-quoted 0-9']],
    ['release:"open', ['must-be-quoted 0-13']],
    ['release:a\nb', ['release=a', '"b"', 'syntax 9-10']],
    ['level:error OR level:fatal', ['level=error', 'level=fatal', 'not-supported 12-14']],
    ['(level:error)', ['level=error', '")"', 'not-supported 0-1']],
    ['AND level:error', ['level=error', 'syntax 0-3']],
    ['level:error AND', ['level=error', 'syntax 12-15']],
    ['release.version:>1.2.3', ['not-supported 0-22']],
    ['!level:!=error', ['level=error', 'syntax 0-9']],
    ['has:is', ['unknown-value 0-6']],
  ])('%j', (query, expected) => {
    expect(shown(query)).toEqual(expected);
  });

  test('too long and too many terms', () => {
    expect(shown('x'.repeat(4097))).toEqual(['too-long 0-4097']);
    expect(shown('a:b '.repeat(101)).at(-1)).toMatch(/^too-many-terms/);
  });
});

const fragments = fc.oneof(
  fc.constantFrom(
    'is:',
    'level:',
    '!',
    'has:',
    '"',
    '\\"',
    '[',
    ']',
    ',',
    '(',
    ')',
    ':',
    '*',
    '>',
    ' ',
    '\n',
    'AND ',
    'OR ',
    'tags[',
    'a',
    'release:',
    '-24h',
    '\0',
    '\ud800',
    '__proto__:',
  ),
  fc.string({ maxLength: 8 }),
);

test('any text is read without a throw, and every place lies in it', () => {
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 60 }), (parts) => {
      const query = parts.join('');
      const { terms, problems } = parseSearch(query);
      for (const { start, end } of [...terms, ...problems]) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(query.length);
        expect(start).toBeLessThanOrEqual(end);
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each(['"', 'a:[', '[', 'a:"', '\\"', '(', 'a:[b, ', 'is:[b, ', '!'])(
  'a query of nothing but %j has at most a hundred terms and problems',
  (part) => {
    const { terms, problems } = parseSearch(part.repeat(4096 / part.length));
    expect(terms.length + problems.length).toBeLessThanOrEqual(101);
  },
);
