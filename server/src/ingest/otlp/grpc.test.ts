import { connect as connectHttp2, type ClientHttp2Session, constants } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { madeSpan, readResponse, toProtobuf, tracesOf } from '../../base/otlp/made.ts';
import { openTestServer, publicKey, testKey, type TestServer } from '../test-server.ts';

const limitedKey = 'e'.repeat(32);
const maxBodyBytes = 64 * 1024;
const tracePath = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
let server: TestServer;
let port: number;
let session: ClientHttp2Session;

beforeAll(async () => {
  server = await openTestServer({ config: { maxBodyBytes, bodyTimeoutSeconds: 1 } });
  server.keys.set(limitedKey, testKey({ keyId: 3, rateLimit: { count: 2, windowSeconds: 3600 } }));
  port = await server.listenGrpc();
  session = connectHttp2(`http://127.0.0.1:${port}`);
});

afterAll(async () => {
  session.close();
  await server[Symbol.asyncDispose]();
});
afterEach(async () => {
  await server.drain();
  expect(server.errors).toEqual([]);
});

const message = toProtobuf('traces', tracesOf([madeSpan(), madeSpan()]));

function framed(body: Uint8Array, isCompressed = false, length = body.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, body]);
}

interface Called {
  readonly http: number | undefined;
  readonly status: number;
  readonly message: string;
  readonly details: string;
  readonly body: Buffer;
}

interface Call {
  readonly path?: string;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the client says that nothing more comes. */
  readonly ends?: boolean;
  readonly session?: ClientHttp2Session;
}

function call({ path = tracePath, body = framed(message), headers, ends = true, ...rest }: Call = {}): Promise<Called> {
  const stream = (rest.session ?? session).request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${publicKey}`,
    ...headers,
  });
  const chunks: Buffer[] = [];
  const said: Record<string, unknown> = {};
  const { promise, resolve, reject } = Promise.withResolvers<Called>();
  stream.on('response', (head) => Object.assign(said, head));
  stream.on('trailers', (trailers) => Object.assign(said, trailers));
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('error', reject);
  stream.on('close', () => {
    const word = (name: string): string => (typeof said[name] === 'string' ? said[name] : '');
    const http = said[':status'];
    resolve({
      http: typeof http === 'number' ? http : undefined,
      status: Number(word('grpc-status') || -1),
      message: decodeURIComponent(word('grpc-message')),
      details: Buffer.from(word('grpc-status-details-bin'), 'base64').toString('latin1'),
      body: Buffer.concat(chunks).subarray(5),
    });
  });
  if (ends) stream.end(body);
  else stream.write(body);
  return promise;
}

const items = async (): Promise<unknown[]> =>
  (await server.drainEnvelopes()).map(({ head, body }) => [head.item, head.encoding, body.length]);

const taken = { type: 'otlp_traces', header: { form: 'protobuf', take: 2 } };

test('a call is a request to /v1/traces', async () => {
  expect(await call()).toMatchObject({ http: 200, status: 0, body: Buffer.alloc(0) });
  expect(await items()).toEqual([[taken, '', message.length]]);
  const zipped = gzipSync(message);
  expect(await call({ body: framed(zipped, true), headers: { 'grpc-encoding': 'gzip' } })).toMatchObject({ status: 0 });
  expect(await items()).toEqual([[taken, 'gzip', zipped.length]]);
  // No bytes are a request without records.
  expect(await call({ body: framed(Buffer.alloc(0)) })).toMatchObject({ status: 0 });
  expect(await items()).toEqual([]);
});

test('the key in the metadata names the project', async () => {
  const auth = { authorization: '', 'x-sentry-auth': `sentry sentry_key=${publicKey}` };
  expect(await call({ headers: auth })).toMatchObject({ status: 0 });
  expect(await call({ headers: { authorization: '' } })).toMatchObject({ http: 200, status: 16 });
  expect(await call({ headers: { authorization: `Bearer ${'f'.repeat(32)}` } })).toMatchObject({ status: 7 });
});

test('more records than are taken, and more than the key may send', async () => {
  const many = toProtobuf('traces', {
    resourceSpans: [{ scopeSpans: [{ spans: Array.from({ length: 20_001 }, () => ({})) }] }],
  });
  const zipped = framed(gzipSync(many), true);
  const partial = await call({ body: zipped, headers: { 'grpc-encoding': 'gzip' } });
  expect(partial.status).toBe(0);
  expect(readResponse('traces', partial.body)).toMatchObject({ partialSuccess: { rejectedSpans: 1 } });
  const limited = { headers: { authorization: `Bearer ${limitedKey}` } };
  expect(await call(limited)).toMatchObject({ status: 0 });
  const refused = await call(limited);
  expect(refused).toMatchObject({ http: 200, status: 8, message: expect.stringContaining('rate limit') });
  expect(refused.details).toContain('type.googleapis.com/google.rpc.RetryInfo');
});

test.each<[string, Call, number]>([
  ['another method', { path: '/opentelemetry.proto.collector.trace.v1.TraceService/Import' }, 12],
  ['another service', { path: '/grpc.health.v1.Health/Check' }, 12],
  ['an unknown encoding', { headers: { 'grpc-encoding': 'snappy' } }, 12],
  ['not protobuf', { body: framed(Buffer.from('hello')) }, 3],
  ['not gzip', { body: framed(Buffer.from('hello'), true), headers: { 'grpc-encoding': 'gzip' } }, 3],
  ['compressed, without saying how', { body: framed(gzipSync(message), true) }, 13],
  ['two messages', { body: Buffer.concat([framed(message), framed(message)]) }, 3],
  ['a message with more after it', { body: Buffer.concat([framed(message), Buffer.alloc(1)]) }, 3],
  ['a message that is cut off', { body: framed(message).subarray(0, 40) }, 3],
  ['a prefix that is cut off', { body: Buffer.alloc(3) }, 3],
  ['nothing at all', { body: Buffer.alloc(0) }, 3],
  ['an odd prefix', { body: Buffer.from([7, 0, 0, 0, 0]) }, 3],
  ['more than is taken', { body: framed(Buffer.alloc(maxBodyBytes + 1)) }, 8],
  ['the promise of four gigabytes', { body: framed(message, false, 0xffffffff), ends: false }, 8],
  ['a bomb', { body: framed(gzipSync(Buffer.alloc(50 * 2 ** 20)), true), headers: { 'grpc-encoding': 'gzip' } }, 8],
  ['a prefix that never comes', { body: Buffer.alloc(2), ends: false }, 4],
  ['a message that never comes', { body: framed(message).subarray(0, 50), ends: false }, 4],
])('%s', async (_what, given, status) => {
  const refused = await call(given);
  expect(refused).toMatchObject({ http: 200, status });
  expect(refused.message).not.toBe('');
  expect(await items()).toEqual([]);
  expect(await call()).toMatchObject({ status: 0 });
});

test('what is no call', async () => {
  expect(await call({ headers: { 'content-type': 'text/plain' } })).toMatchObject({ http: 415 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'));
  let said = '';
  socket.on('data', (chunk) => (said += chunk.toString('latin1')));
  socket.on('close', () => resolve(said));
  expect(await promise).not.toContain('200 OK');
  expect(await call()).toMatchObject({ status: 0 });
});

test('many calls at once, and calls that their client gives up', async () => {
  const own = connectHttp2(`http://127.0.0.1:${port}`);
  const all = await Promise.all(Array.from({ length: 300 }, () => call({ session: own })));
  expect(all.filter(({ status }) => status === 0)).toHaveLength(300);
  for (let made = 0; made < 200; made++) {
    const stream = own.request({ ':method': 'POST', ':path': tracePath, 'content-type': 'application/grpc' });
    stream.on('error', () => undefined);
    stream.write(framed(message).subarray(0, 20));
    stream.close(constants.NGHTTP2_CANCEL);
  }
  await delay(50);
  own.destroy();
  expect(await call()).toMatchObject({ status: 0 });
  expect(server.stats.inFlight).toBe(0);
});

test("OpenTelemetry's own exporters", async () => {
  // As people set it.
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `authorization=Bearer%20${publicKey}`);
  const options = { url: `http://127.0.0.1:${port}` };
  const resource = { attributes: { 'service.name': 'shop' }, asyncAttributesPending: false };
  const scope = { name: 'test' };
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
  const time = [1_795_229_859, 0];
  const span = {
    name: 'GET /',
    kind: 0,
    spanContext: () => context,
    startTime: time,
    endTime: time,
    duration: [0, 0],
    attributes: {},
    status: { code: 0 },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
  const log = {
    hrTime: time,
    hrTimeObserved: time,
    body: 'hello',
    attributes: {},
    spanContext: context,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
  };
  const point = { startTime: time, endTime: time, attributes: {}, value: 1 };
  const metric = {
    descriptor: { name: 'n', description: '', unit: '', type: 'COUNTER', valueType: 0 },
    aggregationTemporality: 1,
    dataPointType: 3,
    isMonotonic: true,
    dataPoints: [point],
  };
  const sent = async (send: (done: (result: unknown) => void) => void): Promise<unknown> =>
    new Promise((resolve) => send(resolve));
  const [traces, logs, metrics] = [
    new OTLPTraceExporter({ ...options, compression: 'gzip' as never }),
    new OTLPLogExporter(options),
    new OTLPMetricExporter(options),
  ];
  const results = [
    await sent((done) => traces.export([span as never], done)),
    await sent((done) => logs.export([log as never], done)),
    await sent((done) => metrics.export({ resource, scopeMetrics: [{ scope, metrics: [metric] }] } as never, done)),
  ];
  expect(results).toEqual([0, 1, 2].map(() => ({ code: 0 })));
  expect((await server.drainEnvelopes()).map(({ head }) => [head.item?.type, head.encoding])).toEqual([
    ['otlp_traces', 'gzip'],
    ['otlp_logs', ''],
    ['otlp_metrics', ''],
  ]);
  await Promise.all([traces, logs, metrics].map((exporter) => exporter.shutdown()));
  vi.unstubAllEnvs();
});
