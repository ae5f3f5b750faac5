/** What must never hurt: each of these gets its status and a message that helps, and the next good request succeeds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest';
import { openRaw, openTestServer, publicKey, testKey, type TestServer } from './test-server.ts';

const disabledKey = 'd'.repeat(32);
const mib = 2 ** 20;
let server: TestServer;

beforeAll(async () => {
  server = await openTestServer({ config: { bodyTimeoutSeconds: 2 } });
  server.keys.set(disabledKey, testKey({ keyId: 2, isActive: false }));
});

afterAll(() => server[Symbol.asyncDispose]());

const path = `/api/1/envelope/?sentry_key=${publicKey}`;
const goodBody = '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n{"type":"event"}\n{"message":"good"}\n';

async function post(to: string, body?: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}${to}`, {
    method: 'POST',
    body: typeof body === 'object' ? Buffer.from(body) : body,
    headers,
  });
}

async function eventOf(message: string | Buffer): Promise<Buffer> {
  return Buffer.concat([Buffer.from('{}\n{"type":"event"}\n'), Buffer.from(message)]);
}

/**
 * A gzip body of about 19 MB that inflates to 19 GB: a body may consist of several gzip streams, so that one of them
 * can be written over and over.
 */
function bomb(start: string, filler: Buffer): Buffer {
  const member = gzipSync(filler, { level: 9 });
  return Buffer.concat([
    gzipSync(start),
    ...Array.from({ length: Math.floor((19 * mib) / member.length) }, () => member),
  ]);
}

afterEach(async () => {
  const response = await post(path, goodBody);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ id: '9ec79c33ec9942ab8353589fcb2e04dc' });
  expect(server.errors).toEqual([]);
  await server.drain();
});

async function expectRefusal(response: Response, status: number, code: string, detail: string | RegExp): Promise<void> {
  const body = (await response.json()) as { detail: string; code: string; causes: string[] };
  expect([response.status, body.code]).toEqual([status, code]);
  expect(body.detail).toMatch(detail);
  expect(body.causes).toBeInstanceOf(Array);
  expect(response.headers.get('x-sentry-error')).toBeTruthy();
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-expose-headers')).toContain('x-sentry-rate-limits');
  expect(await server.drainEnvelopes()).toEqual([]);
}

describe('keys and projects', () => {
  test.each([
    ['no key', '/api/1/envelope/', 401, 'AUTH_MISSING', 'sentry_key'],
    ['a key of the wrong form', '/api/1/envelope/?sentry_key=abc', 400, 'AUTH_MALFORMED', '32 hex'],
    ['an unknown key', `/api/1/envelope/?sentry_key=${'b'.repeat(32)}`, 403, 'KEY_UNKNOWN', 'Check the DSN'],
    ['a disabled key', `/api/1/envelope/?sentry_key=${disabledKey}`, 403, 'KEY_DISABLED', 'Enable it'],
    ['an unknown project', `/api/999/envelope/?sentry_key=${publicKey}`, 403, 'KEY_PROJECT_MISMATCH', 'project 999'],
    ['a project that is no number', `/api/web/envelope/?sentry_key=${publicKey}`, 400, 'PROJECT_ID_INVALID', '"web"'],
    ['version 8', `${path}&sentry_version=8`, 400, 'PROTOCOL_VERSION', 'Use version 7'],
    ['two keys', `${path}&sentry_key=${'b'.repeat(32)}`, 400, 'AUTH_CONFLICT', 'different'],
  ])('%s', async (_what, to, status, code, detail) => {
    await expectRefusal(await post(to, goodBody), status, code, detail);
  });
});

describe('bodies', () => {
  test.each([
    ['empty', '', 400, 'BODY_EMPTY', 'empty'],
    ['no JSON', 'hello', 400, 'ENVELOPE_MALFORMED', 'not JSON'],
    ['a list', '[]\n', 400, 'ENVELOPE_MALFORMED', 'not a JSON object'],
    ['an item without a type', '{}\n{}\n', 400, 'ENVELOPE_MALFORMED', 'no "type"'],
    ['an item that is cut off', '{}\n{"type":"event","length":99}\n{}', 400, 'ENVELOPE_MALFORMED', '99 bytes'],
    ['an item that goes on', '{}\n{"type":"event","length":1}\n{}', 400, 'ENVELOPE_MALFORMED', 'newline'],
    ['an event above its limit', `{}\n{"type":"event"}\n${'x'.repeat(mib + 1)}`, 413, 'ITEM_TOO_LARGE', '"event"'],
    ['too many items', `{}\n${'{"type":"session"}\n{}\n'.repeat(1001)}`, 400, 'ENVELOPE_MALFORMED', '1000 items'],
    ['a header line without end', `{"a":"${'x'.repeat(mib)}"}`, 400, 'ENVELOPE_MALFORMED', 'longer than'],
  ])('%s', async (_what, body, status, code, detail) => {
    await expectRefusal(await post(path, body), status, code, detail);
  });

  test('no body at all', async () => {
    await expectRefusal(await post(path), 400, 'BODY_EMPTY', 'empty');
  });

  test('an event of 50 MB', async () => {
    const body = await eventOf(Buffer.alloc(50 * mib, 'x'));
    await expectRefusal(await post(path, body), 413, 'BODY_TOO_LARGE', String(20 * mib));
  });

  test('an event of 50 MB without a content-length', async () => {
    const piece = Buffer.alloc(mib, 'x');
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{}\n{"type":"event"}\n');
      for (let count = 0; count < 50; count++) yield piece;
    }
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: pieces(), duplex: 'half' });
    await expectRefusal(response, 413, 'BODY_TOO_LARGE', String(20 * mib));
  });

  test('an event of 50 MB, compressed', async () => {
    for (const compress of [gzipSync, zstdCompressSync]) {
      const body = compress(await eventOf(Buffer.alloc(50 * mib, 'x')));
      const encoding = compress === gzipSync ? 'gzip' : 'zstd';
      await expectRefusal(await post(path, body, { 'content-encoding': encoding }), 413, 'ITEM_TOO_LARGE', '"event"');
    }
  });

  test('an attachment of 195 MiB in 6 kB', async () => {
    const item = Buffer.from(`{}\n{"type":"attachment","length":${195 * mib}}\n`);
    for (const [encoding, compress] of [
      ['zstd', zstdCompressSync],
      ['br', (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
      ['gzip', gzipSync],
    ] as const) {
      const body = compress(Buffer.concat([item, Buffer.alloc(195 * mib)]));
      await expectRefusal(await post(path, body, { 'content-encoding': encoding }), 413, 'BODY_RATIO', '100 times');
    }
  });

  test('equal log lines pass, however well they compress', async () => {
    const body = await eventOf(Buffer.alloc(10, 'x'));
    const lines = Buffer.alloc(12 * mib, '2026-01-01T00:00:00Z INFO worker idle, nothing to do\n');
    const header = Buffer.from(`\n{"type":"attachment","length":${lines.length}}\n`);
    const sent = zstdCompressSync(Buffer.concat([body, header, lines]));
    expect(sent.length).toBeLessThan(10_000);
    expect((await post(path, sent, { 'content-encoding': 'zstd' })).status).toBe(200);
  });

  test.each([
    ['what is no gzip', Buffer.from('hello')],
    ['gzip that is cut off', gzipSync(goodBody).subarray(0, 30)],
  ])('%s', async (_what, body) => {
    const response = await post(path, body, { 'content-encoding': 'gzip' });
    await expectRefusal(response, 400, 'BODY_ENCODING', 'decompressed as gzip');
  });

  test.each([
    ['in an event', '{}\n{"type":"event"}\n', Buffer.alloc(16 * mib), 'ITEM_TOO_LARGE', '"event"'],
    ['in an attachment', '{}\n{"type":"attachment"}\n', Buffer.alloc(16 * mib), 'BODY_TOO_LARGE', `${200 * mib}`],
    [
      'in a length',
      '{}\n{"type":"attachment","length":9e11}\n',
      Buffer.alloc(16 * mib),
      'ITEM_TOO_LARGE',
      'attachment',
    ],
    ['in the envelope header', '{"a":"', Buffer.alloc(16 * mib, 'x'), 'ENVELOPE_MALFORMED', 'longer than'],
    ['of blank lines', '{}\n', Buffer.alloc(16 * mib, '\n'), 'ENVELOPE_MALFORMED', 'blank lines'],
    ['of items', '{}\n', Buffer.alloc(16 * mib, '{"type":"event"}\n{}\n'), 'ENVELOPE_MALFORMED', '1000 items'],
  ])('a gzip bomb %s', async (_what, start, filler, code, detail) => {
    const body = bomb(start, filler);
    const memoryBefore = process.memoryUsage.rss();
    const response = await post(path, body, { 'content-encoding': 'gzip' });
    await expectRefusal(response, code === 'ENVELOPE_MALFORMED' ? 400 : 413, code, detail);
    expect(process.memoryUsage.rss() - memoryBefore).toBeLessThan(150 * mib);
  });
});

describe('payloads that only processing looks into are taken as they are', () => {
  test.each([
    ['nested 500,000 deep', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['__proto__', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'],
    ['NUL', '{"message":"a\\u0000b\0"}'],
    ['lone surrogates', '{"message":"\\ud800"}'],
    ['no JSON', 'not json'],
  ])('%s', async (_what, payload) => {
    const response = await post(path, await eventOf(payload));
    expect(response.status).toBe(200);
    const [received] = await server.drainEnvelopes();
    expect(Buffer.from(received?.body ?? []).toString()).toContain(payload);
  });

  test('invalid UTF-8', async () => {
    const payload = Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x22]);
    expect((await post(path, await eventOf(payload))).status).toBe(200);
    const [received] = await server.drainEnvelopes();
    expect(Buffer.from(received?.body ?? []).includes(payload)).toBe(true);
  });
});

test('JSON nested ten million deep', async () => {
  const payload = Buffer.alloc(10_000_000, '[');
  await expectRefusal(await post(path, await eventOf(payload)), 413, 'ITEM_TOO_LARGE', '"event"');
  await expectRefusal(await post(`/api/1/store/?sentry_key=${publicKey}`, payload), 413, 'ITEM_TOO_LARGE', 'event');
  const header = Buffer.concat([Buffer.from('{"a":'), payload]);
  await expectRefusal(await post(path, header), 400, 'ENVELOPE_MALFORMED', 'longer than');
});

describe('senders that do not do as they should', () => {
  const head = (length: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;

  test('one byte now and then ends with 408, and others do not notice', async () => {
    const { socket, answer } = await openRaw(server.port);
    socket.write(head(10_000));
    const drip = setInterval(() => socket.write('x'), 100);
    await sleep(300);
    expect((await post(path, goodBody)).status).toBe(200);
    const text = await answer;
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('did not arrive within 2 seconds');
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text.toLowerCase()).toContain('access-control-allow-origin: *');
    await server.drain();
  });

  test('an upload that breaks off leaves nothing behind', async () => {
    const aborted = server.stats.aborted;
    const { socket } = await openRaw(server.port);
    socket.write(`${head(10_000)}{}\n`);
    await sleep(50);
    socket.destroy();
    await expect.poll(() => server.stats.aborted).toBe(aborted + 1);
    expect(server.stats.inFlight).toBe(0);
    expect(await server.drainEnvelopes()).toEqual([]);
  });

  test('one who goes on sending after the refusal gets the answer', async () => {
    const { socket, answer } = await openRaw(server.port);
    socket.write(head(100 * mib));
    socket.write('{}\n');
    const first = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
    expect(first).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
    await answer;
  });

  test('a broken chunk', async () => {
    const { socket, answer } = await openRaw(server.port);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}\nXX\r\nzz\r\n`);
    expect(await answer).toMatch(/^HTTP\/1.1 400 /);
  });
});

test('what is known to be of a project is counted there', async () => {
  await server.drainOutcomes();
  await post(path, 'hello');
  await post(path, `{}\n{"type":"session"}\n{}\n{"type":"event"}\n${'x'.repeat(mib + 1)}`);
  await post(`/api/1/envelope/?sentry_key=${disabledKey}`, goodBody);
  await post(`/api/1/envelope/?sentry_key=${'b'.repeat(32)}`, goodBody);
  await post(`/api/1/store/?sentry_key=${publicKey}`, '{');
  await post(`/api/1/security/?sentry_key=${publicKey}`, '{}', { 'content-type': 'text/plain' });
  await post('/monitoring', `{"dsn":"http://${publicKey}@localhost/1"}\nhello`);
  expect(await server.drainOutcomes()).toEqual({
    '1 unknown invalid:invalid_envelope': 2,
    '1 error invalid:too_large': 1,
    '1 session invalid:too_large': 1,
    '1 unknown invalid:key_disabled': 1,
    '1 error invalid:invalid_json': 1,
    '1 security invalid:content_type': 1,
  });
});
