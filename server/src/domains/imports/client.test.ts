/** How it asks: as often as it is allowed to, and no further than it may. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { parseAllowList } from '../../base/outbound/index.ts';
import { Client, retryAfterMs } from './client.ts';

let answers: ((response: ServerResponse) => void)[] = [];
let asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  const answer = answers.shift();
  if (answer) answer(response);
  else response.end('[]');
});

beforeEach(async () => {
  answers = [];
  asked = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const waits: [number, string][] = [];
const clientOf = (allow = '127.0.0.1'): Client =>
  new Client({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tracker: 'Sentry',
    token: 'secret',
    allow: parseAllowList(allow),
    signal: new AbortController().signal,
    onWait: (ms, why) => void waits.push([ms, why]),
  });
const ask = { scope: 'org:read' };

test('what is refused for a while is asked again when it says', async () => {
  answers = [
    (response) => response.writeHead(429, { 'retry-after': '2' }).end('{}'),
    (response) => response.writeHead(503, { 'retry-after': '0' }).end('<html>busy</html>'),
  ];
  const began = performance.now();
  expect((await clientOf().get('/x', z.array(z.unknown()), ask)).data).toEqual([]);
  expect(performance.now() - began).toBeGreaterThan(1_900);
  expect(asked).toHaveLength(3);
  expect(asked[0]?.headers.authorization).toBe('Bearer secret');
  // That of nothing is no wait.
  expect(waits).toEqual([[2_000, 'asked']]);
});

test('one that is away at the first request is elsewhere; one that answered before will be back', async () => {
  await expect(clientOf().get('/x', z.unknown(), ask)).resolves.toBeDefined();
  const client = clientOf();
  asked = [];
  const gone = (response: ServerResponse): void =>
    void response.writeHead(502, { 'retry-after': '0' }).end('Bad gateway');
  answers = [gone, gone, gone];
  await expect(client.get('/x', z.unknown(), ask)).rejects.toThrow('/x answered with status 502');
  await client.get('/x', z.unknown(), ask);
  answers = Array.from({ length: 8 }, () => gone);
  expect((await client.get('/x', z.array(z.unknown()), ask)).data).toEqual([]);
  expect(asked).toHaveLength(3 + 1 + 8 + 1);
});

test('an error of the other side ends what is needed, and is told of what is not', async () => {
  const broken = (response: ServerResponse): void => void response.writeHead(500, { 'retry-after': '0' }).end('{}');
  answers = [broken, broken, broken];
  await expect(clientOf().get('/x', z.unknown(), { ...ask, optional: true })).rejects.toMatchObject({ status: 500 });
});

test('where nothing is left of the allowance, it waits until there is', async () => {
  const reset = Math.ceil(Date.now() / 1000) + 2;
  answers = [
    (response) =>
      response
        .writeHead(200, { 'x-sentry-rate-limit-remaining': '0', 'x-sentry-rate-limit-reset': String(reset) })
        .end('[1]'),
  ];
  const client = clientOf();
  await client.get('/x', z.array(z.unknown()), ask);
  await client.get('/x', z.array(z.unknown()), ask);
  expect(Date.now()).toBeGreaterThanOrEqual(reset * 1000 - 50);
});

test('private addresses only where they are allowed; never a long wait, never a large answer', async () => {
  await expect(clientOf('').get('/x', z.unknown(), ask)).rejects.toThrow(/not a public address.*--allow-private/);
  answers = [(response) => response.writeHead(429, { 'retry-after': '86400' }).end('{}')];
  await expect(clientOf().get('/x', z.unknown(), ask)).rejects.toThrow(/limits requests .* --resume/);
  answers = [(response) => response.end(Buffer.alloc(33 * 1024 * 1024, 32))];
  await expect(clientOf().get('/x', z.unknown(), ask)).rejects.toThrow(/exceeds 33,554,432 bytes/);
});

test.each([
  ['3', 3_000],
  ['Thu, 26 Nov 2026 12:00:05 GMT', 5_000],
  ['Thu, 26 Nov 2026 11:00:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s', (text, ms) => {
  expect(retryAfterMs(text, Date.UTC(2026, 10, 26, 12))).toBe(ms);
});
