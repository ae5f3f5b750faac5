/** Events that mean harm, or come from broken clients: none throws, none gives more than it may. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemResult } from '../types.ts';
import { outcomesOf, receivedAt, run } from './testing.ts';

/** What one event of a megabyte may become at most, in characters. */
const maxPayload = 1_500_000;

function check(result: ItemResult): void {
  expect(result.outcomes.length).toBeGreaterThanOrEqual(1);
  for (const { row, grouping, seed } of result.events ?? []) {
    expect(row.payload.length).toBeLessThan(maxPayload);
    expect(row.payload.isWellFormed()).toBe(true);
    const texts = [
      row.title,
      row.culprit,
      row.message,
      row.error_type,
      row.error_value,
      row.user,
      row.transaction,
      ...Object.keys(row.tags),
      ...Object.values(row.tags),
    ];
    for (const text of texts) {
      expect(typeof text).toBe('string');
      expect(text.includes('\0')).toBe(false);
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeLessThan(20_000);
    }
    expect(row.payload).not.toMatch(/\\u(?:0000|d[89a-f])/i);
    expect(row.event_id).toMatch(/^[\da-f]{32}$/);
    expect(Number.isSafeInteger(row.timestamp)).toBe(true);
    expect(grouping.hashes.length).toBeGreaterThanOrEqual(1);
    for (const hash of grouping.hashes) expect(hash).toMatch(/^[\da-f]{32}$/);
    expect(JSON.stringify(grouping.tree).length).toBeLessThan(maxPayload);
    expect(typeof seed.title).toBe('string');
  }
}

const repeat = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const frame = { function: 'f', filename: '/a.js', in_app: true, vars: { a: 1 } };

describe('hostile events', () => {
  it.each<[string, unknown]>([
    ['a time of 1970', { timestamp: 0, message: 'm' }],
    ['a time of 2100', { timestamp: '2100-01-01T00:00:00Z', message: 'm', breadcrumbs: [{ timestamp: 4e9 }] }],
    ['a time beyond all', { timestamp: 1e300, breadcrumbs: [{ timestamp: -1 }, { timestamp: 'x' }] }],
    [
      'NUL everywhere',
      String.raw`{"message":"a\u0000b","tags":{"k\u0000":"v\u0000"},"extra":{"\u0000":"\u0000"},"release":"r\u0000"}`,
    ],
    [
      'lone surrogates everywhere',
      String.raw`{"message":"\ud800","transaction":"\udfff","tags":[["a","\ud800"]],"user":{"id":"\ud800x"},"fingerprint":["\ud83d"],"contexts":{"\ud800":{"a":"\ud800"}},"request":{"data":"{\"a\":\"\\ud800\\u0000\"}","query_string":"a=%00&b=%ED%A0%80"}}`,
    ],
    [
      'numbers beyond 2^53',
      '{"user":{"id":12345678901234567890},"extra":{"n":1e400,"m":-9007199254740993},"exception":[{"type":"E","stacktrace":{"frames":[{"lineno":1e99,"colno":-5}]}}]}',
    ],
    [
      'keys of prototypes',
      '{"__proto__":{"a":1},"constructor":1,"tags":{"__proto__":"x","constructor":"y"},"extra":{"__proto__":{"b":1},"toString":1},"contexts":{"__proto__":{"c":1},"constructor":{"name":"x"}},"user":{"__proto__":1,"hasOwnProperty":2},"modules":{"__proto__":"1"},"sdk":{"__proto__":1}}',
    ],
    ['brackets in extra', `{"extra":${nested('[', ']', 500_000)}}`],
    ['objects in contexts', `{"contexts":{"a":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}}`],
    ['brackets at the top', nested('[', ']', 500_000)],
    [
      'depth where text is wanted',
      `{"message":${nested('[', ']', 100_000)},"exception":${nested('[', ']', 100_000)},"tags":{"a":${nested('[', ']', 100_000)}}}`,
    ],
    ['tens of thousands of breadcrumbs', { breadcrumbs: repeat(40_000, { message: 'b' }) }],
    ['10,000 frames', { exception: [{ type: 'E', stacktrace: { frames: repeat(10_000, frame) } }] }],
    ['1,000 exceptions', { exception: repeat(1000, { type: 'E', value: 'v', stacktrace: { frames: [frame] } }) }],
    ['1,000 threads', { threads: repeat(1000, { id: 1, current: true, stacktrace: { frames: [frame] } }) }],
    ['10,000 tags', { tags: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`tag${index}`, 'x'])) }],
    [
      '10,000 contexts',
      { contexts: Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`c${index}`, { a: 1 }])) },
    ],
    [
      '10,000 headers and cookies',
      {
        request: {
          headers: repeat(10_000, ['a', 'b']),
          cookies: repeat(10_000, ['a', 'b']),
          query_string: 'a=b&'.repeat(50_000),
        },
      },
    ],
    ['10,000 fingerprint entries', { fingerprint: repeat(10_000, '{{ default }} x') }],
    ['one text of a megabyte', { message: 'a'.repeat(1_000_000) }],
    [
      'many texts of a megabyte',
      {
        exception: [{ type: 't'.repeat(200_000), value: 'v'.repeat(200_000) }],
        transaction: 'x'.repeat(200_000),
        extra: { a: 'y'.repeat(200_000) },
      },
    ],
    [
      'an exception group that goes round',
      {
        exception: [
          { type: 'A', mechanism: { exception_id: 1, parent_id: 2 } },
          { type: 'B', mechanism: { exception_id: 2, parent_id: 1 } },
          { type: 'C', mechanism: { exception_id: 0, parent_id: 0, is_exception_group: true } },
        ],
      },
    ],
    [
      'a user agent of brackets',
      { platform: 'javascript', request: { headers: { 'User-Agent': '('.repeat(100_000) } } },
    ],
  ])('%s', (_name, payload) => {
    check(run('event', payload));
  });

  it('moves impossible times to the time of arrival', () => {
    expect(run('event', { timestamp: 0 }).events?.[0]?.row.timestamp).toBe(receivedAt);
    expect(run('event', { timestamp: 4_102_444_800 }).events?.[0]?.row.timestamp).toBe(receivedAt);
  });

  it('leaves the prototype of objects alone', () => {
    run(
      'event',
      '{"__proto__":{"polluted":1},"extra":{"__proto__":{"polluted":1}},"contexts":{"__proto__":{"polluted":1}},"user":{"data":{"__proto__":{"polluted":1}}}}',
    );
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  const keys = fc.constantFrom(
    'exception',
    'values',
    'stacktrace',
    'frames',
    'breadcrumbs',
    'message',
    'logentry',
    'formatted',
    'params',
    'tags',
    'extra',
    'contexts',
    'trace',
    'user',
    'ip_address',
    'request',
    'headers',
    'cookies',
    'url',
    'query_string',
    'data',
    'env',
    'sdk',
    'settings',
    'infer_ip',
    'fingerprint',
    'threads',
    'debug_meta',
    'images',
    'timestamp',
    'release',
    'environment',
    'dist',
    'level',
    'platform',
    'type',
    'value',
    'mechanism',
    'exception_id',
    'parent_id',
    'is_exception_group',
    'function',
    'filename',
    'abs_path',
    'context_line',
    'pre_context',
    'in_app',
    'vars',
    'module',
    'category',
    'arguments',
    'digest',
    'csp',
    'blocked_uri',
    'effective_directive',
    'template',
    'checksum',
    'modules',
    'transaction',
    'server_name',
    'errors',
    'sentry.interfaces.Http',
    '__proto__',
    'constructor',
    'password',
    'csp-report',
    'body',
  );
  const leaves = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '{{auto}}',
      'javascript',
      'node',
      '{{ default }}',
      'https://u:p@h/a?b=c#d',
      '%s {0}',
      'E: v',
      '\0',
      '4111111111111111',
      'csp-violation',
    ),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 7, depthSize: 'medium' },
      leaves,
      fc.array(tie('json'), { maxLength: 5 }),
      fc.dictionary(fc.oneof({ weight: 8, arbitrary: keys }, { weight: 1, arbitrary: fc.string() }), tie('json'), {
        maxKeys: 12,
      }),
    ),
  }));

  it('takes any JSON in any place', () => {
    fc.assert(
      fc.property(
        fc.dictionary(keys, json, { minKeys: 3, maxKeys: 25 }),
        fc.constantFrom('event', 'raw_security', 'client_report', 'span', 'nonsense'),
        (payload, type) => {
          const result = run(type, payload);
          check(result);
          expect(outcomesOf(result).map(([, outcome]) => outcome)).not.toContain('invalid:internal');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('event', 'raw_security', 'client_report', 'attachment', ''),
        (bytes, type) => {
          const result = run(type, bytes);
          check(result);
          expect(outcomesOf(result).map(([, outcome]) => outcome)).not.toContain('invalid:internal');
        },
      ),
      { numRuns: 500 },
    );
  });

  it('does not care for the order of keys', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, entry]) => [key, turned(entry)]),
      );
    };
    const text = fc.string({ maxLength: 20 });
    const frames = fc.array(
      fc.record(
        { function: text, filename: text, module: text, in_app: fc.boolean(), context_line: text, lineno: fc.nat() },
        { requiredKeys: [] },
      ),
      { maxLength: 6 },
    );
    const exceptions = fc.array(
      fc.record({ type: text, value: text, stacktrace: fc.record({ frames }) }, { requiredKeys: ['value'] }),
      { maxLength: 3 },
    );
    const event = fc.record(
      {
        platform: fc.constantFrom('javascript', 'python'),
        exception: exceptions,
        message: text,
        fingerprint: fc.array(text, { maxLength: 2 }),
      },
      { requiredKeys: ['platform'] },
    );
    fc.assert(
      fc.property(event, (payload) => {
        expect(run('event', turned(payload)).events?.[0]?.grouping.hashes).toEqual(
          run('event', payload).events?.[0]?.grouping.hashes,
        );
      }),
      { numRuns: 300 },
    );
  });
});
