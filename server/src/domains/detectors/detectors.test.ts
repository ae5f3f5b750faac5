/** Each detector on either side of its thresholds, and on trees that nobody sends by accident. */
import { describe, expect, test } from 'vitest';
import { detectProblems, detectWith } from './detect.ts';
import { inBrowser, madeSegment, type MadeSpan, madeSpan, page, repeated, rootId, spanId } from './made-segments.ts';
import type { DetectorName } from '../../base/problems/types.ts';
import { maxSegmentSpans, type Segment, toSegment } from './segment.ts';
import {
  defaultPerformanceSettings,
  patchPerformanceSettings,
  type PerformancePatch,
} from '../../base/problems/settings.ts';

const foundIn = (segment: Segment, patch: PerformancePatch = {}): string[] =>
  detectProblems(segment, patchPerformanceSettings(defaultPerformanceSettings, patch)).map(({ detector }) => detector);

const offendersOf = (name: DetectorName, segment: Segment): string[][] =>
  detectWith(name, segment, defaultPerformanceSettings).map(({ offenders }) => offenders.map(({ id }) => id));

const source: MadeSpan = { name: 'SELECT id FROM carts' };
const query: MadeSpan = { name: 'SELECT * FROM items WHERE id = %s', ms: 10 };

describe('n+1 queries', () => {
  test('five of 10 ms are one, with source and parent', () => {
    const segment = madeSegment([source, ...repeated(5, query)]);
    const [problem, ...more] = detectProblems(segment, defaultPerformanceSettings);
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      detector: 'nPlusOneDb',
      subtitle: query.name,
      offenders: [2, 3, 4, 5, 6].map((index) => ({ id: spanId(index) })),
      causes: [{ id: spanId(1) }],
      parents: [{ id: rootId }],
    });
  });

  test.each<[what: string, spans: MadeSpan[]]>([
    ['four', [source, ...repeated(4, { ...query, ms: 20 })]],
    ['less than 50 ms', [source, ...repeated(5, { ...query, ms: 9 })]],
    ['no source', repeated(6, query)],
    ['a key-value store', [source, ...repeated(6, { ...query, op: 'db.redis' })]],
    [
      'other work in between',
      [source, ...repeated(3, query), { op: 'http.client', name: 'GET /a' }, ...repeated(4, query)],
    ],
    ['text that was cut', [source, ...repeated(6, { ...query, name: 'SELECT * FROM items WHERE id...' })]],
    [
      'several parents',
      [source, ...Array.from({ length: 6 }, (_, index) => ({ ...query, parent: spanId(100 + index) }))],
    ],
    [
      'calls to a document store that do not say what they ask for',
      [source, ...repeated(6, { ...query, name: 'find', attributes: { 'db.system.name': 'mongodb' } })],
    ],
  ])('%s: none', (_, spans) => {
    const parents = Array.from({ length: 6 }, (__, index) => ({
      id: spanId(100 + index),
      op: 'function',
      name: 'f',
      atMs: 0,
      ms: 500,
    }));
    expect(foundIn(madeSegment([...parents, ...spans]))).toEqual([]);
  });

  test('opening a connection for each query is part of the loop', () => {
    const connect: MadeSpan = { name: 'pg-pool.connect', ms: 1 };
    const spans = [connect, source, ...repeated(5, connect).flatMap((span) => [span, query])];
    expect(foundIn(madeSegment(spans))).toEqual(['nPlusOneDb']);
  });

  test('the same loop again is the same problem', () => {
    const loop = [source, ...repeated(6, query)];
    expect(foundIn(madeSegment([...loop, { op: 'function', name: 'f' }, ...loop]))).toEqual(['nPlusOneDb']);
  });

  test('thresholds of the project are in force, and the switch', () => {
    const segment = madeSegment([source, ...repeated(5, query)]);
    expect(foundIn(segment, { nPlusOneDb: { count: 6 } })).toEqual([]);
    expect(foundIn(segment, { nPlusOneDb: { minDurationMs: 51 } })).toEqual([]);
    expect(foundIn(segment, { nPlusOneDb: { enabled: false } })).toEqual([]);
  });
});

describe('m·n+1 queries', () => {
  const parent: MadeSpan = { id: 'a'.repeat(16), op: 'graphql.execute', name: 'execute', atMs: 0, ms: 2_000 };
  const body: MadeSpan[] = [
    { op: 'graphql.resolve', name: 'Book.authors', parent: 'a'.repeat(16), ms: 10 },
    { ...query, parent: 'a'.repeat(16) },
  ];
  const loop = (times: number): MadeSpan[] => Array.from({ length: times }, () => body).flat();

  test('three rounds are one, with all their spans', () => {
    const segment = madeSegment([parent, ...loop(3)]);
    expect(foundIn(segment)).toEqual(['mnPlusOneDb']);
    expect(offendersOf('mnPlusOneDb', segment)).toEqual([[2, 3, 4, 5, 6, 7].map(spanId)]);
  });

  test('two rounds, fast rounds and rounds of the root itself are none', () => {
    expect(foundIn(madeSegment([parent, ...loop(2)]))).toEqual([]);
    expect(foundIn(madeSegment([parent, ...loop(3).map((span) => ({ ...span, ms: 5 }))]))).toEqual([]);
    expect(foundIn(madeSegment(loop(4).map((span) => ({ ...span, parent: rootId }))))).toEqual([]);
  });

  test('an n+1 within it is one problem, not two', () => {
    const connect: MadeSpan = { name: 'pg-pool.connect', ms: 1, parent: 'a'.repeat(16) };
    const spans = repeated(6, connect).flatMap((span) => [span, { ...query, parent: 'a'.repeat(16) }]);
    expect(foundIn(madeSegment([parent, { ...source, parent: 'a'.repeat(16) }, ...spans]))).toEqual(['nPlusOneDb']);
  });
});

describe('queries one after the other', () => {
  const first: MadeSpan = { name: 'SELECT * FROM users WHERE id = %s', ms: 200, atMs: 0 };
  const second: MadeSpan = { name: 'SELECT name FROM countries', ms: 200, atMs: 201 };
  test('independent ones', () => {
    expect(foundIn(madeSegment([first, second]))).toEqual(['consecutiveDb']);
  });
  test.each<[string, MadeSpan[]]>([
    ['overlapping', [first, { ...second, atMs: 199 }]],
    ['with a condition', [first, { ...second, name: 'SELECT name FROM countries WHERE x' }]],
    ['with a value', [first, { ...second, name: 'SELECT name FROM countries LIMIT %s' }]],
    ['saving less than 100 ms', [first, { ...second, ms: 99 }]],
    [
      'of 30 ms',
      [
        { ...first, ms: 400 },
        { ...second, ms: 30, atMs: 401 },
      ],
    ],
  ])('%s: none', (_, spans) => expect(foundIn(madeSegment(spans))).toEqual([]));
  test('not for PHP, which cannot, nor for GraphQL', () => {
    expect(foundIn(madeSegment([first, second], {}, { sdkName: 'sentry.php.laravel' }))).toEqual([]);
    expect(foundIn(madeSegment([first, second], { name: 'POST /graphql' }))).toEqual([]);
  });
});

test('a slow query is a SELECT of 500 ms', () => {
  expect(foundIn(madeSegment([{ ...query, ms: 500 }]))).toEqual(['slowDb']);
  expect(foundIn(madeSegment([{ ...query, ms: 499.999 }]))).toEqual([]);
  expect(foundIn(madeSegment([{ name: 'INSERT INTO a VALUES (%s)', ms: 900 }]))).toEqual([]);
  // The text is an attribute where the name is a summary, as OpenTelemetry has it.
  const attributes = { 'db.query.text': 'SELECT * FROM a WHERE b = $1' };
  expect(foundIn(madeSegment([{ name: 'SELECT shop', attributes, ms: 900 }]))).toEqual(['slowDb']);
});

describe('n+1 calls', () => {
  const calls = (count: number, overrides: MadeSpan = {}): MadeSpan[] =>
    Array.from({ length: count }, (_, index) => ({
      op: 'http.client',
      name: `GET https://api.example.com/items/${100 + index}`,
      atMs: index * 14,
      ms: 60,
      ...overrides,
    }));
  test('five of a page at once', () => {
    expect(foundIn(madeSegment(calls(5), page, inBrowser))).toEqual(['nPlusOneApi']);
  });
  test('four, slow starts, other methods, files, and servers are none', () => {
    expect(foundIn(madeSegment(calls(4), page, inBrowser))).toEqual([]);
    expect(
      foundIn(
        madeSegment(
          calls(5).map((call, index) => ({ ...call, atMs: index * 15 })),
          page,
          inBrowser,
        ),
      ),
    ).toEqual([]);
    expect(foundIn(madeSegment(calls(5, { attributes: { 'http.request.method': 'POST' } }), page, inBrowser))).toEqual(
      [],
    );
    expect(
      foundIn(madeSegment(calls(5, { attributes: { 'url.full': 'https://a.example/1/a.png' } }), page, inBrowser)),
    ).toEqual([]);
    expect(foundIn(madeSegment(calls(5, { name: 'GET /items' }), page, inBrowser))).toEqual([]);
    expect(foundIn(madeSegment(calls(5)))).toEqual([]);
  });
});

test('slow calls of a server one after the other', () => {
  const calls = (count: number, gapMs: number): MadeSpan[] =>
    Array.from({ length: count }, (_, index) => ({
      op: 'http.client',
      name: `GET https://api.example.com/part${index}`,
      atMs: index * (1_000 + gapMs),
      ms: 1_000,
    }));
  expect(foundIn(madeSegment(calls(3, 10)))).toEqual(['consecutiveHttp']);
  expect(foundIn(madeSegment(calls(2, 10)))).toEqual([]);
  expect(foundIn(madeSegment(calls(3, 500)))).toEqual([]);
  expect(foundIn(madeSegment(calls(3, -1)))).toEqual([]);
  expect(foundIn(madeSegment(calls(3, 10), page, inBrowser))).toEqual([]);
});

test('a large answer', () => {
  const call = (bytes: number, url = '/api/all', ms = 100): Segment =>
    madeSegment([{ op: 'http.client', name: `GET ${url}`, ms, numbers: { 'http.response.body.size': bytes } }]);
  expect(foundIn(call(300_001))).toEqual(['largePayload']);
  expect(foundIn(call(300_000))).toEqual([]);
  expect(foundIn(call(300_001, '/a.png'))).toEqual([]);
  expect(foundIn(call(300_001, '/_next/data/x'))).toEqual([]);
  expect(foundIn(call(300_001, '/a', 99))).toEqual([]);
});

test('files that a page waits for', () => {
  const script = { op: 'resource.script', name: 'https://cdn.example.com/app.js', atMs: 0, ms: 900 };
  const blocking = { ...script, numbers: { 'http.response.body.size': 600_000 } };
  const painted = (fcp: number): MadeSpan => ({ ...page, numbers: { fcp } });
  expect(foundIn(madeSegment([blocking], painted(2_000), inBrowser))).toEqual(['renderBlockingAsset']);
  expect(foundIn(madeSegment([blocking], painted(1_999), inBrowser))).toEqual([]);
  expect(foundIn(madeSegment([blocking], painted(3_000), inBrowser))).toEqual([]);
  const whole = {
    'http.response.body.size': 512_000,
    'http.response.body.decoded_size': 512_000,
    'http.response.size': 512_300,
  };
  const small = { 'http.response.body.size': 100, 'http.response.body.decoded_size': 300, 'http.response.size': 400 };
  const spans = [
    { ...script, ms: 301, numbers: whole },
    { ...script, numbers: small },
  ];
  expect(foundIn(madeSegment(spans, page, inBrowser))).toEqual(['uncompressedAsset']);
  expect(foundIn(madeSegment(spans.slice(0, 1), page, inBrowser))).toEqual([]);
  const cached = { ...whole, 'http.response.size': 0 };
  expect(foundIn(madeSegment([{ ...script, numbers: cached }, ...spans.slice(1)], page, inBrowser))).toEqual([]);
});

test('calls that wait for a connection', () => {
  const calls = (count: number, delayMs: number): MadeSpan[] =>
    Array.from({ length: count }, (_, index) => ({
      op: 'http.client',
      name: `GET /api/r${index}`,
      atMs: index,
      ms: 3_000,
      attributes: { 'network.protocol.version': '1.1' },
      numbers: { 'http.request.request_start': 1_800_000_000 + (index + index * delayMs) / 1_000 },
    }));
  expect(foundIn(madeSegment(calls(7, 100), page, inBrowser))).toEqual(['httpOverhead']);
  expect(foundIn(madeSegment(calls(5, 200), page, inBrowser))).toEqual([]);
  expect(foundIn(madeSegment(calls(7, 80), page, inBrowser))).toEqual([]);
});

test('what holds up the main thread', () => {
  const blocked = { blocked_main_thread: 'true' };
  const file: MadeSpan = { op: 'file.write', name: 'a.txt', ms: 8, attributes: blocked };
  expect(foundIn(madeSegment(repeated(2, file)))).toEqual(['fileIoOnMainThread']);
  expect(foundIn(madeSegment([file]))).toEqual([]);
  expect(foundIn(madeSegment(repeated(3, { ...file, attributes: { ...blocked, 'file.path': 'Main.nib' } })))).toEqual(
    [],
  );
  expect(foundIn(madeSegment([{ name: 'INSERT INTO a', ms: 16, attributes: blocked }]))).toEqual(['dbOnMainThread']);
  expect(foundIn(madeSegment([{ name: 'INSERT INTO a', ms: 16 }]))).toEqual([]);
});

test('a query that holds what the request sent', () => {
  const asked: MadeSpan = { attributes: { 'url.query': 'name=O%27Brien&sort=desc' } };
  const holding = `SELECT * FROM users WHERE name = 'O'Brien' ORDER BY id`;
  expect(foundIn(madeSegment([{ name: holding }], asked))).toEqual(['queryInjection']);
  expect(foundIn(madeSegment([{ name: 'SELECT * FROM users WHERE name = $1' }], asked))).toEqual([]);
  expect(foundIn(madeSegment([{ name: holding, origin: 'auto.db.otel.mysql' }], asked))).toEqual([]);
  expect(foundIn(madeSegment([{ name: 'SELECT name FROM users ORDER BY x desc' }], asked))).toEqual([]);
  const shown = 'SELECT * FROM users WHERE name = %s ORDER BY id';
  const segment = madeSegment([{ name: holding, description: shown }], asked);
  const [problem] = detectProblems(segment, defaultPerformanceSettings);
  // Names of parameters are evidence enough; what people typed is theirs.
  expect(JSON.stringify(problem?.data)).not.toContain('Brien');
});

describe('trees that nobody sends by accident', () => {
  const facts = { transaction: 't', platform: 'node', sdkName: '' };

  test('10,000 children are cut to the first 1,000', () => {
    const spans = [
      madeSpan({ id: rootId, parent: '', name: 'root' }),
      ...Array.from({ length: 10_000 }, (_, index) => madeSpan({ ...query, atMs: index }, index + 1)),
    ];
    const segment = toSegment(rootId, spans, facts, 10_001);
    expect(segment.spans).toHaveLength(maxSegmentSpans);
    expect(segment.total).toBe(10_001);
  });

  test('a chain of a thousand, circles, and a span that is its own parent', () => {
    const chain = Array.from({ length: 1_000 }, (_, index) =>
      madeSpan({ name: 'SELECT 1', parent: index === 0 ? rootId : spanId(index), atMs: 0 }, index + 1),
    );
    expect(toSegment(rootId, chain, facts).spans.map(({ id }) => id)).toEqual(chain.map(({ id }) => id));
    const circle = [
      madeSpan({ id: 'a', parent: 'b' }, 1),
      madeSpan({ id: 'b', parent: 'a' }, 2),
      madeSpan({ id: 'c', parent: 'c' }, 3),
      madeSpan({ id: 'a', parent: 'c' }, 4),
    ];
    const { spans } = toSegment(rootId, circle, facts);
    expect(spans.map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c']);
    expect(detectProblems(toSegment(rootId, [...chain, ...circle], facts), defaultPerformanceSettings)).toEqual([]);
  });

  test('1,000 equal spans at one moment', () => {
    const segment = madeSegment(repeated(1_000, { ...query, atMs: 0, ms: 0 }));
    expect(foundIn(segment)).toEqual([]);
  });

  test('a pattern that nearly repeats all the time is read once', () => {
    const ops = Array.from({ length: maxSegmentSpans }, (_, index) => ({
      ...query,
      name: `SELECT ${'abcdefgh'[(index * 7 + Math.floor(index / 9)) % 8]}`,
    }));
    expect(foundIn(madeSegment(ops))).toEqual([]);
  });
});
