import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { madeSpan, readResponse, readStatus, text, toProtobuf, tracesOf } from '../../base/otlp/made.ts';
import { openTestServer, publicKey, testKey, type TestServer } from '../test-server.ts';

const disabledKey = 'd'.repeat(32);
const limitedKey = 'e'.repeat(32);
const protobufType = 'application/x-protobuf';
const jsonType = 'application/json';
let server: TestServer;

beforeAll(async () => {
  server = await openTestServer();
  server.keys.set(disabledKey, testKey({ keyId: 2, isActive: false }));
  server.keys.set(limitedKey, testKey({ keyId: 3, rateLimit: { count: 2, windowSeconds: 3600 } }));
});

afterAll(() => server[Symbol.asyncDispose]());
afterEach(async () => {
  await server.drain();
  expect(server.errors).toEqual([]);
});

const request = tracesOf([madeSpan(), madeSpan()]);
const asJson = Buffer.from(JSON.stringify(request));
const asProtobuf = toProtobuf('traces', request);

interface Exchange {
  readonly path?: string;
  readonly body?: Uint8Array;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

async function post({ path = '/v1/traces', body = asProtobuf, type = protobufType, headers }: Exchange = {}) {
  const auth = headers?.['x-sentry-auth'] ?? headers?.authorization;
  const response = await fetch(server.url + path, {
    method: 'POST',
    body: Buffer.from(body),
    headers: {
      ...(auth === undefined && !path.includes('sentry_key') && { 'x-sentry-auth': `sentry sentry_key=${publicKey}` }),
      ...(type && { 'content-type': type }),
      ...headers,
    },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function items(): Promise<unknown[]> {
  return (await server.drainEnvelopes()).map(({ head, body }) => [head.item, head.encoding, body.length]);
}

test.each([
  '/api/1/integration/otlp/v1/traces',
  '/api/1/integration/otlp/v1/traces/',
  '/api/1/otlp/v1/traces',
  '/api/1/otlp/v1/traces/',
  '/v1/traces',
  '/v1/traces/',
])('%s takes both encodings and answers in the same', async (path) => {
  const protobuf = await post({ path });
  expect([protobuf.response.status, protobuf.response.headers.get('content-type')]).toEqual([200, protobufType]);
  expect(protobuf.bytes).toHaveLength(0);
  expect(protobuf.response.headers.get('access-control-allow-origin')).toBe('*');
  const json = await post({ path, body: asJson, type: 'application/json; charset=utf-8' });
  expect([json.response.status, json.response.headers.get('content-type')]).toEqual([200, jsonType]);
  expect(json.bytes.toString()).toBe('{}');
  expect(await items()).toEqual([
    [{ type: 'otlp_traces', header: { form: 'protobuf', take: 2 } }, '', asProtobuf.length],
    [{ type: 'otlp_traces', header: { form: 'json', take: 2 } }, '', asJson.length],
  ]);
});

test('logs and metrics have their own paths', async () => {
  const logs = toProtobuf('logs', {
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x' } }] }] }],
  });
  const metrics = toProtobuf('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'n' }] }] }] });
  expect((await post({ path: '/v1/logs', body: logs })).response.status).toBe(200);
  expect((await post({ path: '/api/1/otlp/v1/metrics', body: metrics })).response.status).toBe(200);
  expect((await items()).map((item) => (item as [{ type: string }])[0].type)).toEqual(['otlp_logs', 'otlp_metrics']);
});

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)('%s bodies reach the log as they came', async (encoding, compress) => {
  for (const [plain, type] of [
    [asProtobuf, protobufType],
    [asJson, jsonType],
    [Buffer.from(JSON.stringify(tracesOf([madeSpan({ name: 'x'.repeat(5_000_000) })]))), jsonType],
  ] as const) {
    const body = compress(plain);
    expect((await post({ body, type, headers: { 'content-encoding': encoding } })).response.status).toBe(200);
    const [stored] = await server.drainEnvelopes();
    expect(stored?.head.encoding).toBe(encoding);
    expect(Buffer.from(stored?.body ?? []).equals(body)).toBe(true);
  }
});

test.each([
  ['x-sentry-auth', `sentry sentry_key=${publicKey}`],
  ['x-sentry-auth', `Sentry sentry_version=7, sentry_key=${publicKey}`],
  ['authorization', `Bearer ${publicKey}`],
  ['authorization', `bearer ${publicKey.toUpperCase()}`],
  ['authorization', `Sentry ${publicKey}`],
  ['authorization', `Sentry sentry_key=${publicKey}`],
  ['authorization', `Basic ${btoa(`${publicKey}:`)}`],
])('%s: %s', async (name, value) => {
  expect((await post({ headers: { [name]: value } })).response.status).toBe(200);
  expect(await items()).toHaveLength(1);
});

test('the key may stand in the query', async () => {
  expect((await post({ path: `/v1/traces?sentry_key=${publicKey}` })).response.status).toBe(200);
});

test('a request without records is a good one, and nothing is stored of it', async () => {
  const cases = [
    { body: Buffer.alloc(0) },
    { body: toProtobuf('traces', tracesOf([])) },
    { body: Buffer.from('{}'), type: jsonType },
    { body: Buffer.from('{"resourceSpans":[]}'), type: jsonType },
  ];
  for (const one of cases) expect((await post(one)).response.status).toBe(200);
  expect(await items()).toEqual([]);
});

test.each([
  ['truncated protobuf', { body: asProtobuf.subarray(0, -3) }, 400, 3, /cut off/],
  ['truncated JSON', { body: asJson.subarray(0, -3), type: jsonType }, 400, 3, /cut off/],
  [
    'JSON of another signal',
    { body: Buffer.from('{"resourceLogs":[{}]}'), type: jsonType },
    400,
    3,
    /no resourceSpans/,
  ],
  ['JSON said to be protobuf', { body: asJson }, 400, 3, /protobuf/],
  ['protobuf said to be JSON', { type: jsonType }, 400, 3, /not a JSON object/],
  ['an empty JSON body', { body: Buffer.alloc(0), type: jsonType }, 400, 3, /empty/],
  ['a body that is no gzip', { headers: { 'content-encoding': 'gzip' } }, 400, 3, /gzip/],
  ['no key', { headers: { authorization: 'Bearer of a site' } }, 401, 16, /no project key/],
  ['a key that is none', { headers: { 'x-sentry-auth': 'sentry sentry_key=1' } }, 400, 3, /32 hex/],
  [
    'two keys',
    { headers: { authorization: `Bearer ${publicKey}`, 'x-sentry-auth': `sentry sentry_key=${disabledKey}` } },
    400,
    3,
    /different/,
  ],
  ['an unknown key', { headers: { authorization: `Bearer ${'f'.repeat(32)}` } }, 403, 7, /project key is unknown/],
  ['a disabled key', { headers: { authorization: `Bearer ${disabledKey}` } }, 403, 7, /disabled/],
  ['another project', { path: '/api/2/otlp/v1/traces' }, 403, 7, /does not belong/],
  ['no project', { path: '/api/x/otlp/v1/traces' }, 400, 3, /not a number/],
  ['10,000,001 levels', { body: Buffer.alloc(10_000_001, '['), type: jsonType }, 400, 3, /not a JSON object/],
  [
    'more than 20 MiB',
    { body: gzipSync(Buffer.alloc(21 * 2 ** 20, asJson)), headers: { 'content-encoding': 'gzip' } },
    413,
    8,
    /decompresses to more than 100 times/,
  ],
] satisfies [string, Exchange, number, number, RegExp][])('%s', async (_, sent: Exchange, status, code, message) => {
  const { response, bytes } = await post(sent);
  const form = sent.type === jsonType ? 'json' : 'protobuf';
  const answered =
    form === 'json' ? (JSON.parse(bytes.toString()) as { code: number; message: string }) : readStatus(bytes);
  expect([response.status, answered.code]).toEqual([status, code]);
  expect(answered.message).toMatch(message);
  expect(response.headers.get('content-type')).toBe(form === 'json' ? jsonType : protobufType);
  expect(response.headers.get('x-sentry-error')).toMatch(message);
  expect(await items()).toEqual([]);
});

test.each(['text/plain', 'application/grpc', ''])('content type "%s" is refused in JSON', async (type) => {
  const { response, bytes } = await post({ type });
  expect(response.status).toBe(415);
  expect(JSON.parse(bytes.toString())).toMatchObject({
    code: 3,
    message: expect.stringContaining('application/x-protobuf'),
  });
});

test('a bomb is no more than what it is as sent', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20));
  const { response } = await post({ body: bomb, headers: { 'content-encoding': 'gzip' } });
  expect(response.status).toBe(413);
});

test('of a million spans twenty thousand are taken, and the sender is told', async () => {
  const scope = Buffer.alloc(2_000_000, Buffer.from([0x12, 0]));
  const one = toProtobuf('traces', { resourceSpans: [{ scopeSpans: [{}] }] });
  expect([...one]).toEqual([0x0a, 2, 0x12, 0]);
  const length = (bytes: number): number[] => [(bytes & 127) | 128, ((bytes >> 7) & 127) | 128, (bytes >> 14) | 0];
  const group = Buffer.concat([Buffer.from([0x12, ...length(scope.length)]), scope]);
  const body = Buffer.concat([Buffer.from([0x0a, ...length(group.length)]), group]);
  const { response, bytes } = await post({ body });
  expect(response.status).toBe(200);
  expect(readResponse('traces', bytes)).toEqual({
    partialSuccess: { rejectedSpans: 980_000, errorMessage: expect.stringContaining('20000') },
  });
  expect(await items()).toEqual([
    [{ type: 'otlp_traces', header: { form: 'protobuf', take: 20_000 } }, '', body.length],
  ]);
  expect(await server.drainOutcomes()).toMatchObject({ '1 span invalid:too_many': 980_000 });
});

test('a key at its limit is told when to try again, and the request counts', async () => {
  const headers = { authorization: `Bearer ${limitedKey}` };
  expect((await post({ headers })).response.status).toBe(200);
  const { response, bytes } = await post({ headers });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('x-sentry-rate-limits')).toContain('span');
  expect(readStatus(bytes).code).toBe(8);
  expect(await server.drainOutcomes()).toEqual({ '1 span rate_limited:key_quota': 2 });
});

test('what is refused counts for its project', async () => {
  await post({ body: asProtobuf.subarray(0, -3) });
  await post({ path: '/v1/logs', type: 'text/plain' });
  expect(await server.drainOutcomes()).toEqual({
    '1 span invalid:invalid_otlp': 1,
    '1 log_item invalid:content_type': 1,
  });
});

test('a page of another origin may send', async () => {
  const response = await fetch(`${server.url}/v1/traces`, { method: 'OPTIONS' });
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-headers')).toMatch(/x-sentry-auth.*authorization/);
});

test('one attribute of a megabyte is no reason to refuse', async () => {
  const body = toProtobuf('traces', tracesOf([madeSpan({ attributes: [text('big', 'x'.repeat(2 ** 20))] })]));
  expect((await post({ body })).response.status).toBe(200);
  expect(await items()).toHaveLength(1);
});

test('a full log answers 503 with Retry-After, as exporters wait for', async () => {
  await using full = await openTestServer({ limitBytes: 2 ** 20 });
  const body = toProtobuf('traces', tracesOf([madeSpan({ name: 'x'.repeat(2 ** 18) })]));
  const statuses = new Set<number>();
  for (let turn = 0; turn < 20; turn++) {
    const response = await fetch(`${full.url}/v1/traces`, {
      method: 'POST',
      body: Buffer.from(body),
      headers: { 'content-type': protobufType, authorization: `Bearer ${publicKey}` },
    });
    statuses.add(response.status);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) continue;
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(readStatus(bytes).code).toBe(14);
    break;
  }
  expect([...statuses]).toEqual([200, 503]);
});
