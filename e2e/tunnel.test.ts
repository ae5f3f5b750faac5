/** The tunnel before a real Culprit: the official SDK through it in a real browser, and those who mean no good. */
import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tunnel, type TunnelOptions } from '../packages/tunnel/src/node.ts';
import { errorEnvelope, freePort, newEventId, Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { eventById, eventsTitled } from './failure-events.ts';

interface Shop extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

let server: Server;
let shop: Shop;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_TRUSTED_PROXIES: 'loopback' });
  shop = await openShop({ dsns: [server.installed.dsn], bodyTimeoutMs: 700, maxBodyBytes: 2 * 2 ** 20 });
});
afterAll(async () => {
  await shop?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

/** An application with the tunnel and the page of the SDK. */
async function openShop(options: TunnelOptions, script = ''): Promise<Shop> {
  const takes = tunnel(options);
  const http: HttpServer = createServer((request, response) => {
    if (takes(request, response)) return;
    if (request.url === '/app.js') response.setHeader('content-type', 'text/javascript').end(script);
    else response.setHeader('content-type', 'text/html').end('<title>Shop</title><script src="/app.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

/** As the SDK for browsers sends it through a tunnel. */
function envelope(eventId: string, dsn = server.installed.dsn): string {
  const [header = '', ...items] = errorEnvelope(eventId).split('\n');
  return [JSON.stringify({ ...(JSON.parse(header) as object), dsn }), ...items].join('\n');
}

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${shop.url}/monitoring`, { method: 'POST', body, headers });

async function raw(): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(shop.port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).on('error', () => {});
  return { socket, answer: once(socket, 'close').then(() => text) };
}

describe('the official SDK in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test.each([
    ["'/monitoring'", 'path@1', '/monitoring'],
    ['true', 'true@1', undefined],
    ["{ path: '/telemetry' }", 'object@1', '/telemetry'],
  ])('tunnel: %s', async (option, release, path) => {
    const { dsn } = server.installed;
    const { outputFiles } = await build({
      stdin: {
        contents: `import { init } from '@sentry/browser';
          init({ dsn: ${JSON.stringify(dsn)}, release: ${JSON.stringify(release)}, tunnel: ${option} });
          setTimeout(() => { throw new RangeError('through the tunnel'); });`,
        resolveDir: import.meta.dirname,
      },
      bundle: true,
      write: false,
      format: 'iife',
    });
    await using page = await openShop({ dsns: [dsn], path: path ?? [] }, outputFiles[0]?.text);
    const tab = await browser.newPage();
    const requests: string[] = [];
    tab.on('request', (request) => requests.push(request.url()));
    // A session goes out first, in an envelope of its own.
    const [answer] = await Promise.all([
      tab.waitForResponse((response) => response.request().postData()?.includes('through the tunnel') ?? false),
      tab.goto(page.url),
    ]);
    expect(answer.status()).toBe(200);
    const [event] = await eventsTitled(server, release, 'RangeError: through the tunnel');
    expect(event?.tags.release).toBe(release);
    expect(requests.filter((url) => !url.startsWith(page.url))).toEqual([]);
    if (path) expect(answer.url()).toBe(page.url + path);
    await tab.close();
  });
});

test('the address of the client reaches Culprit, and none that the client made up', async () => {
  const eventId = newEventId();
  const spoofed = { 'x-forwarded-for': '203.0.113.66', 'x-real-ip': '203.0.113.66', forwarded: 'for=203.0.113.66' };
  expect((await post(envelope(eventId), spoofed)).status).toBe(200);
  const { organization, project } = server.installed;
  await eventById(server, eventId);
  const event = await server.api<{ user: unknown }>(`/projects/${organization}/${project}/events/${eventId}/`);
  expect(JSON.stringify(event)).not.toContain('203.0.113.66');
});

test('a thousand at once all arrive', async () => {
  const ids = Array.from({ length: 1000 }, newEventId);
  const answers = await Promise.all(ids.map(async (id) => (await post(envelope(id))).status));
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  await server.drained();
  const { organization, project } = server.installed;
  const last = await Promise.all(
    [ids[0], ids[499], ids[999]].map((id) => eventById(server, id ?? '').then((event) => event.id)),
  );
  expect(last).toEqual([ids[0], ids[499], ids[999]]);
  const issues = await server.api<{ title: string; count: string }[]>(
    `/projects/${organization}/${project}/issues/?statsPeriod=24h`,
  );
  const counted = issues.find(({ title }) => title.startsWith('TypeError: Cannot read properties of null'));
  expect(Number(counted?.count)).toBeGreaterThanOrEqual(1000);
});

test('foreign DSNs are refused before their body has come', async () => {
  const { socket, answer } = await raw();
  const line = `{"dsn":"https://k@evil.example/1"}\n`;
  socket.write(`POST /monitoring HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n${line}`);
  expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
});

test('what is too large is refused by its length, or as soon as it is too long', async () => {
  const declared = await raw();
  declared.socket.write('POST /monitoring HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999\r\n\r\n');
  expect(await declared.answer).toMatch(/^HTTP\/1\.1 413 /);
  const chunked = await raw();
  chunked.socket.write('POST /monitoring HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  const text = `${envelope(newEventId())}${'x'.repeat(3 * 2 ** 20)}`;
  chunked.socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  expect(await chunked.answer).toMatch(/^HTTP\/1\.1 413 /);
});

test('a body that does not come is not waited for', async () => {
  const { socket, answer } = await raw();
  socket.write(
    `POST /monitoring HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n${envelope(newEventId()).slice(0, 50)}`,
  );
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
});

test('headers cannot be smuggled: in the DSN, in headers, or behind the body', async () => {
  const { dsn } = server.installed;
  const eventId = newEventId();
  for (const evil of [
    `${dsn}\r\nx-evil: 1`,
    `${dsn}#@evil`,
    `${dsn}?x=1`,
    dsn.replace('http://', 'http://a\t'),
    `\u0000${dsn}`,
  ]) {
    const response = await post(envelope(eventId, evil));
    // A query or a fragment changes nothing about where it goes; everything else is no DSN that may pass.
    expect([200, 403]).toContain(response.status);
  }
  const { socket, answer } = await raw();
  const body = envelope(newEventId());
  const behind = 'POST /monitoring HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}';
  socket.write(
    `POST /monitoring HTTP/1.1\r\nhost: x\r\nuser-agent: a\tb\r\nx-forwarded-for: 1\r\ncontent-length: ${body.length}\r\n\r\n${body}${behind}`,
  );
  expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
  const both = await raw();
  both.socket.write(
    'POST /monitoring HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  expect(await both.answer).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['bytes', Uint8Array.from({ length: 5000 }, (_, at) => (at * 197) & 0xff)],
  ['NUL', new Uint8Array(100_000)],
  ['text', 'GET / HTTP/1.1\r\n\r\n'],
  ['open brackets', '['.repeat(1_000_000)],
  ['__proto__', '{"__proto__":{"dsn":"x"},"constructor":{"prototype":{}}}\n'],
])('garbage of %s is refused, and the next envelope passes', async (_what, body) => {
  expect([400, 403]).toContain((await post(body)).status);
  expect((await post(envelope(newEventId()))).status).toBe(200);
});

test('what Culprit refuses is told in the words of the tunnel', async () => {
  const { dsn } = server.installed;
  const unknown = dsn.replace(/\/\/[^@]+/, `//${'b'.repeat(32)}`);
  await using other = await openShop({ dsns: [unknown] });
  const response = await fetch(`${other.url}/monitoring`, { method: 'POST', body: envelope(newEventId(), unknown) });
  expect([response.status, await response.json()]).toEqual([502, { detail: 'The monitor is not reachable.' }]);
});

test('a monitor that is down costs a short 502', async () => {
  const dsn = `http://${'a'.repeat(32)}@127.0.0.1:${await freePort()}/1`;
  const errors: unknown[] = [];
  await using other = await openShop({ dsns: [dsn], onError: (error) => errors.push(error) });
  const response = await fetch(`${other.url}/monitoring`, { method: 'POST', body: envelope(newEventId(), dsn) });
  expect([response.status, await response.text()]).toEqual([502, '{"detail":"The monitor is not reachable."}']);
  expect(errors).toHaveLength(1);
});

test('slow senders share a bounded memory, and give it back', async () => {
  await using small = await openShop({ dsns: [server.installed.dsn], maxHeldBytes: 300_000, bodyTimeoutMs: 3000 });
  const head = 'POST /monitoring HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n';
  const statuses: Promise<string>[] = [];
  for (let count = 0; count < 8; count++) {
    const socket = connect(small.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${head}${envelope(newEventId())}${'x'.repeat(60_000)}`);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).on('error', () => {});
    statuses.push(once(socket, 'close').then(() => text.slice(9, 12)));
  }
  const seen = await Promise.all(statuses);
  expect(seen.toSorted()).toEqual(['408', '408', '408', '408', '503', '503', '503', '503']);
  const after = await fetch(`${small.url}/monitoring`, { method: 'POST', body: envelope(newEventId()) });
  expect(after.status).toBe(200);
});
