/** What is handed over to be forwarded, and what is refused because it was. */
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { itemType } from '@culprit/envelope';
import { defaultProjectSettings } from '../process/types.ts';
import type { MirroredHead } from './index.ts';
import { openTestServer, publicKey, testKey, type TestServer } from './test-server.ts';

interface Added {
  readonly projectId: number;
  readonly head: MirroredHead;
  readonly body: string;
}

let server: TestServer;
const added: Added[] = [];

beforeEach(async () => {
  server = await openTestServer({
    mirrors: {
      id: 'here',
      add: (projectId, head, body) => void added.push({ projectId, head, body: Buffer.from(body).toString() }),
    },
  });
  server.keys.set(publicKey, testKey({ isMirrored: true }));
});
afterEach(async () => {
  added.length = 0;
  await server[Symbol.asyncDispose]();
});

const url = (path: string): string => `${server.url}/api/1/${path}?sentry_key=${publicKey}&sentry_client=sdk/1`;
const event = '{"event_id":"00000000000000000000000000000001"}\n{"type":"event"}\n{}\n';
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(url(path), { method: 'POST', body: body as never, headers: { 'user-agent': 'agent', ...headers } });

test('an envelope as it came, with who sent it', async () => {
  const body = gzipSync(event);
  const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain', origin: 'https://shop.example' };
  expect((await post('envelope/', body, { ...headers, 'sec-ch-ua-mobile': '?0' })).status).toBe(200);
  expect(added).toHaveLength(1);
  expect(added[0]?.body).toBe(body.toString());
  expect(added[0]).toMatchObject({
    projectId: 1,
    head: {
      kind: 'envelope',
      encoding: 'gzip',
      contentType: 'text/plain',
      hasDsn: false,
      categories: itemType('event').limitCategories,
      client: 'sdk/1',
      userAgent: 'agent',
      clientHints: { 'sec-ch-ua-mobile': '?0' },
      origin: 'https://shop.example',
      remoteAddress: '127.0.0.1',
    },
  });
  // That the address of a client is not stored holds for the other side as well.
  const settings = { ...defaultProjectSettings, storeIpAddresses: false };
  server.keys.set(publicKey, testKey({ isMirrored: true, settings }));
  await post('envelope/', event);
  expect(added[1]?.head.remoteAddress).toBeUndefined();
});

test('an event of /store/, a security report and OTLP', async () => {
  expect((await post('store/', '{"message":"old"}')).status).toBe(200);
  const report = '{"csp-report":{}}';
  const type = { 'content-type': 'application/csp-report' };
  expect(
    (await fetch(`${url('security/')}&sentry_release=a%26b`, { method: 'POST', body: report, headers: type })).status,
  ).toBe(200);
  const otlp = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"hi"}}]}]}]}';
  const json = { 'content-type': 'application/json' };
  expect((await post('integration/otlp/v1/logs', otlp, json)).status).toBe(200);
  expect(added.map(({ head: { kind, contentType, query } }) => ({ kind, contentType, query }))).toEqual([
    { kind: 'envelope', contentType: undefined, query: undefined },
    { kind: 'security', contentType: 'application/csp-report', query: 'sentry_release=a%26b' },
    { kind: 'logs', contentType: 'application/json', query: undefined },
  ]);
  expect(added[0]?.body).toContain('{"type":"event","length":17}\n{"message":"old"}');
  expect(added[1]?.body).toBe(report);
  expect(added[2]?.body).toBe(otlp);
});

test('nothing that was refused, and nothing of a project without a mirror', async () => {
  expect((await post('envelope/', 'no envelope')).status).toBe(400);
  server.keys.set(publicKey, testKey({ isMirrored: true, rateLimit: { count: 1, windowSeconds: 3600 } }));
  await post('envelope/', event);
  expect((await post('envelope/', event)).status).toBe(429);
  expect(added).toHaveLength(1);
  server.keys.set(publicKey, testKey());
  expect((await post('envelope/', event)).status).toBe(200);
  expect(added).toHaveLength(1);
});

test('what went through here before is refused, and what went through others is not', async () => {
  const through = (hops: string) => post('envelope/', event, { 'x-culprit-mirror': hops });
  const refused = await through('there, here');
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'MIRROR_LOOP' });
  expect((await through('a, b, c, d')).status).toBe(403);
  expect((await through('there')).status).toBe(200);
  expect(added.map(({ head }) => head.hops)).toEqual(['there']);
  expect(await server.drainOutcomes()).toEqual({ '1 unknown invalid:mirror_loop': 2 });
});
