import { describe, expect, test } from 'vitest';
import {
  descriptions,
  parseSearch,
  reasons,
  reasonText,
  type SearchItem,
  type SearchNode,
  type SearchTerm,
  type SearchValue,
} from './index.ts';

function showValue(value: SearchValue): string {
  switch (value.type) {
    case 'text':
      return `=${value.wildcard ? '~' : ''}${value.text}`;
    case 'list':
    case 'numbers':
      return `[${value.values.join('|')}]`;
    case 'number':
      return value.comparison + value.number;
    case 'duration':
      return `${value.comparison}${value.ms}ms`;
    case 'size':
      return `${value.comparison}${value.bytes}b`;
    case 'percentage':
      return `${value.comparison}${value.fraction}`;
    case 'version':
      return `${value.comparison}v${value.text}`;
    case 'age':
      return `${value.sign}${value.amount}${value.unit}`;
    case 'date':
      return `@${value.fromMs}..${value.untilMs}`;
    case 'boolean':
      return `?${value.value}`;
  }
}

/** A term in one line: `!release[1.0|2.0]`, `timesSeen>100`, `"text"`. */
function showTerm(term: SearchTerm): string {
  if (term.kind === 'text') return `"${term.text}"`;
  const not = term.negated ? '!' : '';
  return term.kind === 'has' ? `${not}has:${term.name}` : not + term.name + showValue(term.value);
}

const showItem = (item: SearchItem): string =>
  item.kind === 'operator'
    ? item.operator
    : item.kind === 'group'
      ? `(${item.items.map(showItem).join(' ')})`
      : showTerm(item);

const showNode = (node: SearchNode): string =>
  'nodes' in node ? `(${node.nodes.map(showNode).join(` ${node.kind} `)})` : showTerm(node);

const shown = (query: string, dataSet: 'issues' | 'events' | 'spans' = 'issues'): string[] => {
  const { items, problems } = parseSearch(query, dataSet);
  return [...items.map(showItem), ...problems.map(({ code, start, end }) => `${code} ${start}-${end}`)];
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
  ['level:=error', ['level=error']],
  ['custom:>5 custom:=5', ['custom=>5', 'custom=5']],
  ['release:[1.0, "2 beta"]', ['release[1.0|2 beta]']],
  ['!release:[1.0,2.0]', ['!release[1.0|2.0]']],
  ['release:1.*', ['release=~1.*']],
  ['release:1.\\*', ['release=1.\\*']],
  ['has:digest !has:user has:"odd key"', ['has:digest', '!has:user', 'has:odd key']],
  ['timesSeen:>1k timesSeen:-2.5', ['timesSeen>1000', 'timesSeen=-2.5']],
  ['timesSeen:[1,2k]', ['timesSeen[1|2000]']],
  ['age:-24h lastSeen:+7d', ['age-24h', 'lastSeen+7d']],
  ['error.handled:TRUE stack.in_app:0', ['error.handled?true', 'stack.in_app?false']],
  ['tags[level]:x tags[a:b]:x', ['tags[level]=x', 'tags[a:b]=x']],
  ['tags[size,number]:>=2k tags[size, boolean]:1', ['tags[size,number]>=2000', 'tags[size, boolean]?true']],
  ['flags["new cart"]:true', ['flags["new cart"]=true']],
  ['"odd key":x "a\\"b":y', ['odd key=x', 'a"b=y']],
  ['key:""', ['key=']],
  ['release:"a \\"b\\""', ['release=a "b"']],
  ['path:"C:\\\\" next', ['path=C:\\', '"next"']],
  ['level:error AND release:1', ['level=error', 'and', 'release=1']],
  ['a:1 or (b:2 c:3)', ['a=1', 'or', '(b=2 c=3)']],
  ['(near x) word (near y)', ['("near x")', '"word (near y)"']],
  ['foo() failed', ['"foo() failed"']],
  ['word (a OR b)', ['"word"', '("a" or "b")']],
  ['at f (g(x):12 count():a)', ['"at f (g(x):12 count():a)"']],
  ['word (level:error)', ['"word"', '(level=error)']],
  ['level:error(x)', ['level=error', '("x")']],
  ['orange android', ['"orange android"']],
  ['https://shop.example.com/a?b=c', ['"https://shop.example.com/a?b=c"']],
  ['undefined is not a function (near x)', ['"undefined is not a function (near x)"']],
  ['firstSeen:2026-02-03', ['firstSeen@1770076800000..1770163200000']],
  ['firstSeen:2026-02-03T10:11', ['firstSeen@1770113460000..1770113520000']],
  ['firstSeen:2026-02-03T10:11:12.123456+01:00', ['firstSeen@1770109872123..1770109873123']],
  ['firstSeen:>=2026-02-03T00:00:00Z', ['firstSeen@1770076800000..Infinity']],
  ['release.version:>=1.2.3-rc.1 release.version:1.*', ['release.version>=v1.2.3-rc.1', 'release.version=v1.*']],
  [
    'release.build:>20260203101112 release.build:<=1.2 release.build:a*',
    ['release.build>v20260203101112', 'release.build<=v1.2', 'release.build=~a*'],
  ],
  ['title:\uf00dContains\uf00da*b title:\uf00dDoesNotEndWith\uf00dx', ['title=~*a\\*b*', '!title=~*x']],
])('%j', (query, expected) => {
  expect(shown(query)).toEqual(expected);
});

test.each([
  ['span.duration:>2m', ['span.duration>120000ms']],
  ['span.duration:1.5 span.duration:>3k', ['span.duration=1.5ms', 'span.duration>3000ms']],
  ['span.duration:[1s, 20]', ['span.duration[1000|20]']],
  [
    'http.response.body.size:>1.5kib http.response.size:>5b',
    ['http.response.body.size>1536b', 'http.response.size>5b'],
  ],
  ['measurements.lcp:>2.5s measurements.cls:>0.1', ['measurements.lcp>2500ms', 'measurements.cls>0.1']],
  ['measurements.own:2m', ['measurements.own=2000000']],
  ['measurements.own:>2kb measurements.own:5s', ['measurements.own>2000b', 'measurements.own=5000ms']],
  ['p95():>1s !count():>2', ['p95()>1000ms', '!count()>2']],
  ['p95( span.duration ):<=1s', ['p95(span.duration)<=1000ms']],
  ['failure_rate():>5%', ['failure_rate()>0.05']],
  ['count_if(span.op,equals,"a, b"):>1', ['count_if(span.op, equals, "a, b")>1']],
  ['avg(tags[size,number]):>1 last_seen():-2h', ['avg(tags[size,number])>1', 'last_seen()-2h']],
  ['count():many', ['"count():many"']],
])('spans: %j', (query, expected) => {
  expect(shown(query, 'spans')).toEqual(expected);
});

describe('problems say where they are, and what stands beside them is read', () => {
  test.each([
    ['level:error release:', ['level=error', 'filter-must-have-value 12-20']],
    ['a is:nonsense b', ['"a"', '"b"', 'unknown-value 2-13']],
    ['timesSeen:many', ['invalid-number 0-14']],
    ['timesSeen:>', ['filter-must-have-value 0-11']],
    ['timesSeen:[1, x]', ['invalid-number 0-16']],
    ['age:yesterday', ['invalid-date-format 0-13']],
    ['firstSeen:2026-02-31', ['invalid-date-format 0-20']],
    ['firstSeen:2026-02-03T24:00:00', ['invalid-date-format 0-29']],
    ['error.handled:maybe', ['invalid-boolean 0-19']],
    ['error.handled:>true', ['invalid-boolean 0-19']],
    ['release.version:>one', ['invalid-version 0-20']],
    ['release.build:>one', ['invalid-version 0-18']],
    ['release:[a,,b]', ['empty-value-in-list-not-allowed 0-14']],
    ['is:[resolved,archived]', ['list-not-allowed 0-22']],
    ['has:[a, b]', ['list-not-allowed 0-10']],
    ['url:te"st', ['must-be-quoted 0-9']],
    ['release:"open', ['must-be-quoted 0-13']],
    ['release:a\nb', ['release=a', '"b"', 'syntax 9-10']],
    ['(level:error', ['(level=error)', 'syntax 0-1']],
    ['level:error)', ['level=error', 'syntax 11-12']],
    ['()', ['syntax 0-2']],
    ['!(level:error)', ['"!"', '(level=error)', 'syntax 0-1']],
    ['AND level:error', ['level=error', 'syntax 0-3']],
    ['level:error OR', ['level=error', 'or', 'syntax 12-14']],
    ['a:b OR AND c:d', ['a=b', 'or', 'c=d', 'syntax 7-10']],
    ['(a:b OR) c:d', ['(a=b or)', 'c=d', 'syntax 5-7']],
    ['!level:!=error', ['syntax 0-14']],
    ['has:is', ['unknown-value 0-6']],
    ['span.duration:>1s', ['invalid-key 0-17']],
    ['count():>5', ['invalid-function 0-10']],
  ])('%j', (query, expected) => {
    expect(shown(query)).toEqual(expected);
  });

  test.each([
    ['span.duration:>2y', 'invalid-duration'],
    ['http.response.body.size:>2zb', 'invalid-file-size'],
    ['failure_rate():>5kb', 'invalid-percentage'],
    ['count():>5s', 'invalid-number'],
    ['p95(span.op):>5s', 'invalid-function'],
    ['percentile(span.duration, 95):>5s', 'invalid-function'],
    ['count_if(span.op, larger, x):>5', 'invalid-function'],
    ['cuont():>5', 'invalid-function'],
    ['is:unresolved', 'invalid-key'],
    ['release.stage:adopted', 'invalid-key'],
    ['count():>5 OR span.op:db', 'aggregates-may-not-be-ored'],
    ['(span.op:db OR (count():>5 p95():>1))', 'aggregates-may-not-be-ored'],
  ])('spans: %j is %s', (query, code) => {
    expect(parseSearch(query, 'spans').problems.map((problem) => problem.code)).toEqual([code]);
  });

  test('too long, too many terms, too deep', () => {
    expect(shown('x'.repeat(4097))).toEqual(['too-long 0-4097']);
    expect(shown('a:b '.repeat(101)).at(-1)).toMatch(/^too-many-terms/);
    expect(parseSearch('a:b '.repeat(100)).problems).toEqual([]);
    expect(parseSearch(`${'('.repeat(10)}a:b${')'.repeat(10)}`).problems).toEqual([]);
    expect(shown(`${'('.repeat(11)}a:b${')'.repeat(11)}`).at(-1)).toBe('too-deep 10-25');
  });

  test('what was probably meant is named', () => {
    const [problem] = parseSearch('is:unresolvd').problems;
    expect(problem && reasonText(problem)).toBe('“is” has no value “unresolvd”. Did you mean unresolved?');
    expect(problem).toMatchObject({
      reason: 'noSuchValueNear',
      values: { name: 'is', value: 'unresolvd', near: 'unresolved' },
      suggestions: ['is:unresolved'],
      at: 'is',
    });
    expect(parseSearch('cuont():>5', 'events').problems[0]?.suggestions).toEqual(['count():>5']);
    const { problems } = parseSearch('!rlease:x', 'issues', { allowedKeys: ['release', 'level'] });
    expect(problems[0]).toMatchObject({ code: 'invalid-key', suggestions: ['!release:x'] });
  });
});

test('a place of use may allow less', () => {
  const codes = (query: string, options: Parameters<typeof parseSearch>[2]): string[] =>
    parseSearch(query, 'issues', options).problems.map((problem) => problem.code);
  expect(codes('a b', { disallowFreeText: true })).toEqual(['free-text-not-allowed']);
  expect(codes('a:b OR c:d AND e:f', { disallowedLogicalOperators: ['OR'] })).toEqual(['logic-or-not-allowed']);
  expect(codes('a:b AND c:d', { disallowedLogicalOperators: ['AND'] })).toEqual(['logic-and-not-allowed']);
  expect(codes('!a:b !has:c a:!=b', { disallowNegation: true })).toHaveLength(3);
  expect(codes('a:b* c* d:[*]', { disallowWildcard: true })).toEqual(Array(3).fill('wildcard-not-allowed'));
});

test.each([
  ['a:1 b:2 OR c:3', '((a=1 and b=2) or c=3)'],
  ['a:1 AND (b:2 OR c:3)', '(a=1 and (b=2 or c=3))'],
  ['(a:1 (b:2 (c:3)))', '(a=1 and b=2 and c=3)'],
  ['a:1 OR (b:2 OR c:3)', '(a=1 or b=2 or c=3)'],
  ['a:1 "" b:2', '(a=1 and b=2)'],
  ['""', ''],
  ['a:1 OR ""', ''],
])('%j means %j', (query, tree) => {
  const { root, problems } = parseSearch(query);
  expect(problems).toEqual([]);
  expect(root ? showNode(root) : '').toBe(tree);
});

test('names that objects inherit are keys like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    expect(shown(`${name}:x`)).toEqual([`${name}=x`]);
    expect(parseSearch(`${name}:x`, 'issues', { keyTypes: {} }).problems).toEqual([]);
  }
});

test('texts are ICU messages that need nothing but names filled in', () => {
  const texts = [reasons, ...Object.values(descriptions)].flatMap((each) => Object.values<string>(each));
  expect(texts.filter((text) => /['{}]|<[a-z/]/i.test(text.replaceAll(/\{\w+\}/g, '')))).toEqual([]);
});
