import { deflateSync, gzipSync } from 'node:zlib';
import { parseEnvelope } from '@culprit/envelope';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, publicKey, type TestServer } from './test-server.ts';

const eventId = '9ec79c33ec9942ab8353589fcb2e04dc';
const event = `{"event_id":"${eventId}",\n "message":"grüße + 100%"}`;
const path = `/api/1/store/?sentry_key=${publicKey}&sentry_version=5`;
let server: TestServer;

beforeAll(async () => {
  server = await openTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());
afterEach(async () => {
  await server.drain();
  expect(server.errors).toEqual([]);
});

async function post(to: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}${to}`, {
    method: 'POST',
    body: typeof body === 'object' ? Buffer.from(body) : body,
    headers,
  });
}

async function received(): Promise<{ header: unknown; items: unknown[][] }> {
  const [record] = await server.drainEnvelopes();
  const { header, items } = parseEnvelope(record?.body ?? new Uint8Array());
  return { header, items: items.map(({ type, payload }) => [type, Buffer.from(payload).toString()]) };
}

const base64 = Buffer.from(event).toString('base64');
const packed = deflateSync(event).toString('base64');
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('forms of an event', () => {
  test.each([
    ['JSON', event, {}],
    ['JSON after blanks', ` \r\n\t${event}`, {}],
    ['JSON, gzip', gzipSync(event), { 'content-encoding': 'gzip' }],
    ['base64', base64, {}],
    ['base64 of zlib', packed, { 'content-type': 'application/octet-stream' }],
    ['a form', new URLSearchParams({ sentry_data: event }).toString(), form],
    ['a form with base64', new URLSearchParams({ sentry_data: packed }).toString(), form],
    ['a form whose base64 is not encoded', `a=b&sentry_data=${packed}`, form],
    ['JSON that says it is a form', event, form],
  ])('%s', async (_what, body, headers) => {
    const response = await post(path, body, headers);
    expect([response.status, await response.json()]).toEqual([200, { id: eventId }]);
    const { header, items } = await received();
    expect(header).toEqual({ event_id: eventId });
    expect(items).toEqual([['event', expect.stringContaining(event)]]);
  });

  test('an envelope', async () => {
    const body = `{"event_id":"${eventId}"}\n{"type":"event"}\n{}\n`;
    const response = await post(path, body, { 'content-type': 'application/x-sentry-envelope' });
    expect(await response.json()).toEqual({ id: eventId });
    expect((await received()).items).toEqual([['event', '{}']]);
  });

  test('an image', async () => {
    const response = await fetch(`${server.url}${path}&sentry_data=${encodeURIComponent(packed)}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/gif']);
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 6)
        .toString(),
    ).toBe('GIF89a');
    expect((await received()).items).toEqual([['event', event]]);
  });

  test('to the path without a project', async () => {
    const response = await post(`/api/store/`, event, { 'x-sentry-auth': `Sentry sentry_key=${publicKey}` });
    expect(await response.json()).toEqual({ id: eventId });
  });

  test('a transaction', async () => {
    await post(path, '{"type":"transaction","transaction":"GET /"}');
    expect((await received()).items[0]?.[0]).toBe('transaction');
  });

  test.each(['{}', '{"event_id":"nonsense"}', '{"__proto__":{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}}'])(
    'without a usable id %s gets one',
    async (body) => {
      const { id } = (await (await post(path, body)).json()) as { id: string };
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      expect(id).not.toBe(eventId);
      expect((await received()).header).toEqual({ event_id: id });
    },
  );
});

test.each([
  ['cut off', '{"message":', 400, 'STORE_MALFORMED'],
  ['a list', Buffer.from('[]').toString('base64'), 400, 'STORE_MALFORMED'],
  ['neither', 'hello', 400, 'STORE_MALFORMED'],
  ['empty', '', 400, 'BODY_EMPTY'],
  ['too large', `{"a":"${'x'.repeat(2 ** 20)}"}`, 413, 'ITEM_TOO_LARGE'],
  ['too large, packed', deflateSync(Buffer.alloc(50 * 2 ** 20, '{')).toString('base64'), 413, 'ITEM_TOO_LARGE'],
  ['nested deep and cut off', '{"a":'.repeat(200_000), 400, 'STORE_MALFORMED'],
])('%s is refused', async (_what, body, status, code) => {
  const response = await post(path, body);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  expect(await server.drainEnvelopes()).toEqual([]);
});

test('an image without data is refused', async () => {
  expect((await fetch(`${server.url}${path}`)).status).toBe(400);
});

test('a compressed body beyond all limits is refused', async () => {
  const body = gzipSync(Buffer.alloc(50 * 2 ** 20, '{'));
  expect((await post(path, body, { 'content-encoding': 'gzip' })).status).toBe(413);
});
