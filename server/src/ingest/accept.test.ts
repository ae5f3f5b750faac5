/** What is accepted, in which forms, and what stands in the log afterwards. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { parseEnvelope, parseRateLimits } from '@culprit/envelope';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultProjectSettings } from '../process/types.ts';
import { openRaw, openTestServer, publicKey, testKey, type TestServer } from './test-server.ts';

const eventId = '9ec79c33ec9942ab8353589fcb2e04dc';
const event = `{"event_id":"${eventId}"}\n{"type":"event"}\n{"message":"x"}`;
const path = `/api/1/envelope/?sentry_version=7&sentry_key=${publicKey}&sentry_client=sentry.javascript.node%2F11.12.0`;
let server: TestServer;

beforeEach(async () => {
  server = await openTestServer();
});

afterEach(async () => {
  expect(server.errors).toEqual([]);
  await server[Symbol.asyncDispose]();
});

async function post(to: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}${to}`, {
    method: 'POST',
    body: typeof body === 'object' ? Buffer.from(body) : body,
    headers,
  });
}

const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

describe('the answer', () => {
  test('names the event, without hyphens', async () => {
    const response = await post(path, `{"event_id":"9EC79C33-EC99-42AB-8353-589FCB2E04DC"}\n{"type":"event"}\n{}`);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ id: eventId });
  });

  test('is empty when there is no event id', async () => {
    expect(await (await post(path, '{}\n{"type":"client_report"}\n{}')).json()).toEqual({});
  });

  test('an envelope without items is fine and leaves nothing', async () => {
    expect((await post(path, '{}')).status).toBe(200);
    expect(await server.drain()).toEqual([]);
  });

  test('unknown item types are kept', async () => {
    expect((await post(path, '{}\n{"type":"hologram"}\n{}')).status).toBe(200);
    expect(await server.drainEnvelopes()).toHaveLength(1);
  });
});

test('nobody outside can say that an import brought it', async () => {
  const mark = '{"keepFrom":0}';
  const headers = { imported: mark, 'x-imported': mark, 'sec-ch-ua-imported': mark };
  const item = `{"type":"event","imported":${mark}}`;
  const body = `{"imported":${mark},"head":{"imported":${mark}}}\n${item}\n{"message":"x","imported":${mark}}`;
  await post(`${path}&imported=${mark}`, body, headers);
  await post(`/api/1/store/?sentry_key=${publicKey}&imported=1`, `{"message":"x","imported":${mark}}`, headers);
  await post('/monitoring', `{"dsn":"http://${publicKey}@localhost/1","imported":${mark}}\n${item}\n{}`, headers);
  const heads = (await server.drainEnvelopes()).map(({ head }) => head);
  expect(heads.map((head) => head.imported)).toEqual([undefined, undefined, undefined]);
  expect(heads.flatMap((head) => Object.keys(head)).filter((name) => name.includes('import'))).toEqual([]);
});

test('the log has the body as it came, and what is known of the sender', async () => {
  await post(path, event, {
    'user-agent': 'Mozilla/5.0 Test',
    origin: 'https://shop.example.com',
    'sec-ch-ua': '"Chromium";v="156"',
    'sec-ch-ua-platform': '"Linux"',
  });
  const [received] = await server.drainEnvelopes();
  expect(received?.head).toMatchObject({
    kind: 'envelope',
    projectId: 1,
    keyId: 1,
    encoding: '',
    remoteAddress: '127.0.0.1',
    userAgent: 'Mozilla/5.0 Test',
    origin: 'https://shop.example.com',
    clientHints: { 'sec-ch-ua': '"Chromium";v="156"', 'sec-ch-ua-platform': '"Linux"' },
  });
  expect(text(received?.body)).toBe(event);
});

test.each([
  ['gzip', 'gzip', gzipSync(event)],
  ['x-gzip', 'gzip', gzipSync(event)],
  ['deflate', 'deflate', deflateSync(event)],
  ['deflate', 'deflate', deflateRawSync(event)],
  ['br', 'br', brotliCompressSync(event)],
  ['zstd', 'zstd', zstdCompressSync(event)],
  ['identity', '', Buffer.from(event)],
  ['something-new', '', Buffer.from(event)],
])('content-encoding %s is kept as %j', async (sent, kept, body) => {
  expect((await post(path, body, { 'content-encoding': sent })).status).toBe(200);
  const [received] = await server.drainEnvelopes();
  expect(received?.head.encoding).toBe(kept);
  expect(Buffer.from(received?.body ?? [])).toEqual(body);
});

test.each([
  '',
  'text/plain;charset=UTF-8',
  'application/json',
  'application/x-sentry-envelope',
  'not a content type',
  'multipart/form-data',
])('content type %j does not matter', async (contentType) => {
  expect((await post(path, event, { 'content-type': contentType })).status).toBe(200);
});

test('a large body is stored as it came', async () => {
  const payload = Buffer.alloc(3_000_000);
  for (let at = 0; at < payload.length; at += 4) payload.writeUInt32LE(Math.imul(at, 2654435761) >>> 0, at);
  const body = Buffer.concat([Buffer.from(`{}\n{"type":"attachment","length":${payload.length}}\n`), payload]);
  for (const [encoding, sent] of [
    ['', body],
    ['gzip', gzipSync(body)],
  ] as const) {
    expect((await post(path, sent, { 'content-encoding': encoding || 'identity' })).status).toBe(200);
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < sent.length; at += 100_000) yield sent.subarray(at, at + 100_000);
    }
    const headers = { 'content-encoding': encoding || 'identity' };
    const chunked = await fetch(`${server.url}${path}`, { method: 'POST', body: pieces(), duplex: 'half', headers });
    expect(chunked.status).toBe(200);
    for (const received of await server.drainEnvelopes()) expect(sent.equals(received.body)).toBe(true);
  }
});

describe('the key', () => {
  const plain = '/api/1/envelope/';
  const basic = Buffer.from(`${publicKey}:`).toString('base64');
  test.each([
    ['X-Sentry-Auth', plain, { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${publicKey}` }, event],
    [
      'X-Sentry-Auth of an old client',
      plain,
      { 'x-sentry-auth': `sentry sentry_key=${publicKey},sentry_version=5` },
      event,
    ],
    ['Authorization Sentry', plain, { authorization: `Sentry sentry_key=${publicKey}` }, event],
    ['Authorization Basic', plain, { authorization: `Basic ${basic}` }, event],
    ['query', `${plain}?sentry_key=${publicKey}`, {}, event],
    ['dsn', plain, {}, `{"dsn":"http://${publicKey}:@localhost/1"}\n{"type":"session"}\n{}`],
    [
      'everywhere',
      path,
      { 'x-sentry-auth': `Sentry sentry_key=${publicKey}` },
      `{"dsn":"http://${publicKey}@h/1"}\n{"type":"session"}\n{}`,
    ],
    ['tunnel', '/monitoring', {}, `{"dsn":"http://${publicKey}@localhost/1"}\n{"type":"session"}\n{}`],
    [
      'tunnel of a site with a password',
      '/monitoring/',
      { authorization: 'Bearer abc' },
      `{"dsn":"http://${publicKey}@localhost/1"}\n{"type":"session"}\n{}`,
    ],
  ])('%s', async (_what, to, headers, body) => {
    expect((await post(to, body, headers)).status).toBe(200);
    expect(await server.drainEnvelopes()).toHaveLength(1);
  });

  test.each([
    ['another key in the dsn', path, `{"dsn":"http://${'b'.repeat(32)}@localhost/1"}\n`, 400, 'AUTH_CONFLICT'],
    ['another project in the dsn', path, `{"dsn":"http://${publicKey}@localhost/2"}\n`, 403, 'KEY_PROJECT_MISMATCH'],
    ['a tunnel without dsn', '/monitoring', '{}\n', 401, 'AUTH_MISSING'],
    ['a dsn that is none', '/monitoring', '{"dsn":"hello"}\n', 400, 'AUTH_MALFORMED'],
    ['a dsn of an unknown key', '/monitoring', `{"dsn":"http://${'b'.repeat(32)}@localhost/1"}\n`, 403, 'KEY_UNKNOWN'],
  ])('%s', async (_what, to, body, status, code) => {
    const response = await post(to, body);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  describe('of a project that had other ids elsewhere', () => {
    const long = '9007199254740993127';
    beforeEach(() => void server.keys.set(publicKey, testKey({ aliases: ['4505', long] })));

    test.each([
      ['its own', '1', 200],
      ['another', '4505', 200],
      ['one that no number holds', long, 200],
      ['one that differs in its last digit', '9007199254740993128', 403],
      ['of somebody else', '4506', 403],
    ])('%s', async (_what, id, status) => {
      const query = `?sentry_key=${publicKey}`;
      const body = `{"dsn":"http://${publicKey}@localhost/${id}"}\n{"type":"session"}\n{}`;
      expect((await post(`/api/${id}/envelope/${query}`, event)).status).toBe(status);
      expect((await post(`/api/${id}/store/${query}`, '{"message":"x"}')).status).toBe(status);
      expect((await post('/monitoring', body)).status).toBe(status);
      const heads = (await server.drainEnvelopes()).map(({ head }) => head.projectId);
      expect(heads).toEqual(status === 200 ? [1, 1, 1] : []);
    });

    test('more than 19 digits are none', async () => {
      expect((await post(`/api/${long}0/envelope/?sentry_key=${publicKey}`, event)).status).toBe(400);
    });
  });

  test('a directory that has to ask takes part', async () => {
    await using other = await openTestServer();
    other.keys.get = (key) => Promise.resolve(key === publicKey ? testKey() : undefined) as never;
    expect((await fetch(`${other.url}${path}`, { method: 'POST', body: event })).status).toBe(200);
  });

  test('a directory that fails gives 500 with a digest, and the server goes on', async () => {
    await using other = await openTestServer();
    const get = other.keys.get.bind(other.keys);
    other.keys.get = () => {
      throw new Error('state store is away');
    };
    const response = await fetch(`${other.url}${path}`, { method: 'POST', body: event });
    const body = (await response.json()) as { digest: string };
    expect(response.status).toBe(500);
    expect(body.digest).toMatch(/^\d{1,10}$/);
    expect(other.errors).toEqual([expect.objectContaining({ digest: body.digest })]);
    other.keys.get = get;
    expect((await fetch(`${other.url}${path}`, { method: 'POST', body: event })).status).toBe(200);
  });
});

describe('pages of other origins', () => {
  test('ask first', async () => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example.com', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '3600',
      'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after, x-error-digest',
      'access-control-allow-headers': expect.stringContaining('x-sentry-auth'),
    });
  });

  test('are refused when the project lists others', async () => {
    server.keys.set(publicKey, testKey({ settings: { ...defaultProjectSettings, allowedDomains: ['*.example.com'] } }));
    expect((await post(path, event, { origin: 'https://shop.example.com' })).status).toBe(200);
    expect((await post(path, event)).status).toBe(200);
    const refused = await post(path, event, { origin: 'https://evil.example' });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
    expect((await post(path, event, { referer: 'https://evil.example/page' })).status).toBe(403);
    expect(await server.drainOutcomes()).toEqual({ '1 unknown invalid:cors': 2 });
  });
});

describe('limits of a key', () => {
  const report = '{"type":"client_report"}\n{"discarded_events":[]}\n';

  beforeEach(() => {
    server.keys.set(publicKey, testKey({ rateLimit: { count: 1, windowSeconds: 3600 } }));
  });

  test('stop what goes over, with what SDKs need to hold back', async () => {
    expect((await post(path, event)).headers.get('x-sentry-rate-limits')).toBeNull();
    const response = await post(path, event);
    expect(response.status).toBe(429);
    const [limit] = parseRateLimits(response.headers.get('x-sentry-rate-limits') ?? '');
    expect(limit).toMatchObject({ categories: ['error'], scope: 'key', reason: 'key_quota' });
    expect(response.headers.get('retry-after')).toBe(String(limit?.retryAfter));
    expect(await response.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await server.drainEnvelopes()).toHaveLength(1);
    expect(await server.drainOutcomes()).toEqual({ '1 error rate_limited:key_quota': 1 });
  });

  test.each(['', 'gzip'])('keep the rest of an envelope (%j)', async (encoding) => {
    const mixed = `${event}\n{"type":"attachment","length":3}\na\nb\n${report}`;
    const body = encoding ? gzipSync(mixed) : Buffer.from(mixed);
    await post(path, event);
    await server.drain();
    const response = await post(path, body, encoding ? { 'content-encoding': encoding } : {});
    expect(response.status).toBe(200);
    expect(response.headers.get('x-sentry-rate-limits')).toMatch(/^\d+:error:key:key_quota$/);
    expect(response.headers.get('retry-after')).toBeNull();
    const [received] = await server.drainEnvelopes();
    expect(received?.head.encoding).toBe('');
    const envelope = parseEnvelope(received?.body ?? new Uint8Array());
    expect(envelope.header).toEqual({ event_id: eventId });
    expect(envelope.items.map((item) => [item.type, text(item.payload)])).toEqual([
      ['client_report', '{"discarded_events":[]}'],
    ]);
    expect(await server.drainOutcomes()).toEqual({
      '1 error rate_limited:key_quota': 1,
      '1 attachment rate_limited:key_quota': 1,
    });
  });

  test('keep the rest of a large envelope', async () => {
    await post(path, event);
    await server.drain();
    const large = Buffer.alloc(5_000_000, 'log line ');
    const body = Buffer.concat([
      Buffer.from(
        `{}\n{"type":"user_report"}\n{"comments":"first"}\n{"type":"event"}\n{}\n{"type":"profile_chunk","length":${large.length}}\n`,
      ),
      large,
    ]);
    expect((await post(path, gzipSync(body), { 'content-encoding': 'gzip' })).status).toBe(200);
    const [received] = await server.drainEnvelopes();
    expect(received?.head.encoding).toBe('zstd');
    expect(received?.body.length).toBeLessThan(100_000);
  });

  test('never stop client reports', async () => {
    for (let count = 0; count < 3; count++) expect((await post(path, `{}\n${report}`)).status).toBe(200);
  });
});

test('of more items than a type may have, the surplus is dropped and counted', async () => {
  const checkIn = '{"type":"check_in"}\n{}\n';
  expect((await post(path, `{}\n${checkIn}${checkIn}`)).status).toBe(200);
  const [received] = await server.drainEnvelopes();
  expect(parseEnvelope(received?.body ?? new Uint8Array()).items).toHaveLength(1);
  expect(await server.drainOutcomes()).toEqual({ '1 monitor invalid:too_many': 1 });
});

test('while the log is full the answer is 503, until there is room again', async () => {
  await using small = await openTestServer({ limitBytes: 30_000 });
  const send = (): Promise<Response> =>
    fetch(`${small.url}${path}`, { method: 'POST', body: `${event}${' '.repeat(9000)}` });
  let response = await send();
  for (let count = 0; response.status === 200 && count < 10; count++) response = await send();
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(await response.json()).toMatchObject({ code: 'LOG_FULL' });
  await small.drain();
  expect((await send()).status).toBe(200);
  expect(await small.drainOutcomes()).toEqual({ '1 error rate_limited:log_full': 1 });
});

test('stopping does not wait for an upload that does not end', async () => {
  const stopping = await openTestServer({ config: { bodyTimeoutSeconds: 3600 } });
  const { socket, answer } = await openRaw(stopping.port);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{}`);
  await expect.poll(() => stopping.stats.inFlight).toBe(1);
  await stopping[Symbol.asyncDispose]();
  expect(await answer).toBe('');
});

test('behind a trusted proxy the address is that of the client', async () => {
  await using proxied = await openTestServer({ trustProxy: 'loopback' });
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  await fetch(`${proxied.url}${path}`, { method: 'POST', body: event, headers });
  await post(path, event, headers);
  expect((await proxied.drainEnvelopes())[0]?.head.remoteAddress).toBe('203.0.113.7');
  expect((await server.drainEnvelopes())[0]?.head.remoteAddress).toBe('127.0.0.1');
});
