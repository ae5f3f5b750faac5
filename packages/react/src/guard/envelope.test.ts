import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildEnvelope, sdk } from './envelope.ts';

const dsn = 'https://0123456789abcdef0123456789abcdef@monitor.example.com/7';
const surroundings = {
  event_id: '0123456789abcdef0123456789abcdef',
  release: 'shop@1',
  environment: 'production',
  request: { url: 'https://shop.example/', headers: { 'User-Agent': 'a', Referer: undefined } },
  tags: { digest: undefined },
};
const build = (error: unknown, place?: string, sentryTrace?: string) =>
  buildEnvelope(dsn, { error, timestampMs: 1_763_700_000_123, place }, surroundings, sentryTrace)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const values = (error: unknown, place?: string) =>
  (build(error, place)[2] as { exception: { values: Record<string, unknown>[] } }).exception.values;

test('header, item header, event', () => {
  const lines = build(Object.assign(new Error('x'), { stack: 'Error: x\n    at a (https://shop.example/a.js:1:2)' }));
  expect(lines).toEqual([
    { event_id: surroundings.event_id, dsn },
    { type: 'event' },
    {
      event_id: surroundings.event_id,
      timestamp: 1_763_700_000.123,
      platform: 'javascript',
      level: 'fatal',
      sdk,
      release: 'shop@1',
      environment: 'production',
      request: { url: 'https://shop.example/', headers: { 'User-Agent': 'a' } },
      tags: {},
      contexts: {},
      exception: {
        values: [
          {
            type: 'Error',
            value: 'x',
            stacktrace: {
              frames: [{ filename: 'https://shop.example/a.js', function: 'a', lineno: 1, colno: 2, in_app: true }],
            },
            mechanism: { type: 'culprit.guard', handled: false },
          },
        ],
      },
    },
  ]);
});

test('the version is the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as typeof sdk;
  expect(sdk.version).toBe(version);
});

test.each([
  [`${'a'.repeat(32)}-${'b'.repeat(16)}-1`, { trace_id: 'a'.repeat(32), parent_span_id: 'b'.repeat(16) }],
  [`${'a'.repeat(32)}-${'b'.repeat(16)}`, { trace_id: 'a'.repeat(32), parent_span_id: 'b'.repeat(16) }],
  ['', undefined],
  ['nonsense', undefined],
])('trace %j', (header, expected) => {
  const { trace } = (build('x', undefined, header)[2] as { contexts: { trace?: object } }).contexts;
  if (expected) expect(trace).toEqual({ ...expected, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) });
  else expect(trace).toBe(undefined);
});

describe('what was thrown', () => {
  test.each<[string, unknown, string, string]>([
    ['a text', 'text', 'Error', 'text'],
    ['undefined', undefined, 'Error', 'undefined'],
    ['null', null, 'Error', 'null'],
    ['a number', 7, 'Error', '7'],
    ['a symbol', Symbol('s'), 'Error', 'Symbol(s)'],
    ['an object', { message: 'as an error', name: 'Mine' }, 'Mine', 'as an error'],
    ['an error without a name', Object.assign(new Error('x'), { name: '' }), 'Error', 'x'],
    ['a NUL and half a character', 'a\0\ud800', 'Error', 'a\0\ud800'],
    ['endless', 'x'.repeat(100_000), 'Error', 'x'.repeat(2000)],
  ])('%s', (_name, thrown, type, value) => {
    expect(values(thrown)).toEqual([
      expect.objectContaining({ type, value, mechanism: { type: 'culprit.guard', handled: false } }),
    ]);
  });

  test('has the place of the event where it has no stack', () => {
    expect(values('x', 'https://shop.example/a.js:1:2')[0]?.stacktrace).toEqual({
      frames: [{ filename: 'https://shop.example/a.js', function: '?', lineno: 1, colno: 2, in_app: true }],
    });
    expect(values('x')[0]?.stacktrace).toBe(undefined);
  });

  test('a file that failed to load has no stack, as the guard itself made that error', () => {
    expect(values(Object.assign(new Error('x'), { name: 'ScriptLoadError' }))[0]?.stacktrace).toBe(undefined);
  });

  test('causes stand before it, and end', () => {
    const inner = new RangeError('inner');
    const all = values(new Error('outer', { cause: inner }));
    expect(all.map(({ value, mechanism }) => [value, mechanism !== undefined])).toEqual([
      ['inner', false],
      ['outer', true],
    ]);
    inner.cause = inner;
    expect(values(inner)).toHaveLength(4);
    expect(values(new Error('outer', { cause: 'a text' }))).toHaveLength(1);
  });
});
