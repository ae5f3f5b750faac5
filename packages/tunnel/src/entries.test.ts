/** Every entry, over HTTP where it has a server, before a monitor that notes what reaches it. */
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listen, openUpstream, type Answer, type Upstream } from '../test/upstream.ts';
import { tunnel as expressTunnel } from './express.ts';
import { tunnel as fastifyTunnel } from './fastify.ts';
import { tunnel as honoTunnel } from './hono.ts';
import { tunnelProxy, tunnelRoute } from './next.ts';
import { tunnel as nodeTunnel } from './node.ts';
import type { TunnelOptions } from './options.ts';
import { handleTunnel } from './tunnel.ts';

interface App extends AsyncDisposable {
  send(path: string, init: RequestInit): Promise<Response>;
}

/** Each with a parser of bodies that would spoil them, where a framework has one. */
const apps: Readonly<Record<string, (options: TunnelOptions) => Promise<App>>> = {
  async request(options) {
    return inProcess((request) => handleTunnel(request, options, '127.0.0.1'));
  },
  async 'next route'(options) {
    return inProcess(tunnelRoute(options));
  },
  async 'next proxy'(options) {
    const tunnel = tunnelProxy(options);
    return inProcess(async (request) => (await tunnel(request)) ?? new Response('page'));
  },
  async hono(options) {
    const app = new Hono().use(honoTunnel(options)).all('*', (context) => context.text('page'));
    return inProcess((request) =>
      Promise.resolve(app.fetch(request, { incoming: { socket: { remoteAddress: '127.0.0.1' } } })),
    );
  },
  async node(options) {
    const takes = nodeTunnel(options);
    return over(
      await listen((request, response) => {
        if (!takes(request, response)) response.end('page');
      }),
    );
  },
  async express(options) {
    const app = express()
      .use(expressTunnel(options))
      .use(express.raw({ type: '*/*' }))
      .use((_request, response) => void response.send('page'));
    return over(await listen((request, response) => void app(request, response)));
  },
  async 'express under a path'(options) {
    const app = express().use('/monitoring', expressTunnel(options));
    app.use((_request, response) => void response.send('page'));
    return over(await listen((request, response) => void app(request, response)));
  },
  async fastify(options) {
    const app = fastify();
    await app.register(fastifyTunnel, options);
    app.all('/*', () => 'page');
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return over({ url, [Symbol.asyncDispose]: async () => void (await app.close()) });
  },
};

function inProcess(handle: (request: Request) => Promise<Response>): App {
  return {
    send: (path, init) => handle(new Request(`http://localhost${path}`, init)),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function over(server: AsyncDisposable & { url: string }): App {
  return {
    send: (path, init) => fetch(server.url + path, init),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A compressed replay among the items: bytes that are no text. */
function replayEnvelope(dsn: string): Buffer<ArrayBuffer> {
  const payload = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31 + (at >> 8)) & 0xff));
  const header = Buffer.from(`${JSON.stringify({ dsn })}\n{"type":"replay_recording","length":${payload.length}}\n`);
  return Buffer.concat([header, payload, Buffer.from('\n')]);
}

let upstream: Upstream;
let app: App;

beforeEach(async () => {
  upstream = await openUpstream();
});
afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

describe.each(Object.entries(apps))('%s', (name, open) => {
  test('hands the bytes on, and nothing that could be a credential', async () => {
    app = await open({ dsns: [undefined, upstream.dsn] });
    const body = replayEnvelope(upstream.dsn);
    const response = await app.send('/monitoring', {
      method: 'POST',
      body,
      headers: {
        'content-type': 'text/plain;charset=UTF-8',
        cookie: 'session=secret',
        authorization: 'Bearer secret',
        'proxy-authorization': 'Basic secret',
        'x-api-key': 'secret',
        'x-csrf-token': 'secret',
        referer: 'https://shop.example.com/reset?token=secret',
        'user-agent': 'Mozilla/5.0 Test',
        origin: 'https://shop.example.com',
        'sec-ch-ua-platform': '"Linux"',
        'x-forwarded-for': '203.0.113.66',
        forwarded: 'for=203.0.113.66',
      },
    });
    expect([response.status, await response.json()]).toEqual([200, {}]);
    expect(response.headers.get('set-cookie')).toBeNull();
    const [noted] = upstream.noted;
    expect(noted?.body.equals(body)).toBe(true);
    expect(noted?.url).toBe(`/api/1/envelope/?sentry_version=7&sentry_key=${'a'.repeat(32)}`);
    expect(JSON.stringify(noted?.headers)).not.toMatch(/secret|203\.0\.113/);
    expect(noted?.headers).toMatchObject({
      'content-type': 'application/x-sentry-envelope',
      'content-length': String(body.length),
      'user-agent': 'Mozilla/5.0 Test',
      origin: 'https://shop.example.com',
      'sec-ch-ua-platform': '"Linux"',
    });
    // Next.js does not tell who is at the other end of the connection.
    expect(noted?.headers['x-forwarded-for']).toBe(name.startsWith('next') ? undefined : '127.0.0.1');
  });

  test('passes on the address that the trusted proxy saw', async () => {
    app = await open({ dsns: [upstream.dsn], trustedProxies: 1 });
    const headers = { 'x-forwarded-for': '10.6.6.6, 203.0.113.7' };
    await app.send('/monitoring', { method: 'POST', body: `{"dsn":"${upstream.dsn}"}\n`, headers });
    expect(upstream.noted[0]?.headers['x-forwarded-for']).toBe('203.0.113.7');
  });

  test('makes SDKs hold back as the monitor says', async () => {
    app = await open({ dsns: [upstream.dsn] });
    const limits = { 'retry-after': '60', 'x-sentry-rate-limits': '60:error:key:key_quota' };
    const send = (): Promise<Response> =>
      app.send('/monitoring/', { method: 'POST', body: `{"dsn":"${upstream.dsn}"}\n` });
    upstream.answer = { status: 429, headers: { ...limits, 'x-internal': 'db-7' }, body: 'quota of db-7' };
    const response = await send();
    expect(response.status).toBe(429);
    expect(await response.text()).not.toContain('db-7');
    expect(Object.fromEntries(response.headers)).toMatchObject(limits);
    expect(response.headers.get('x-internal')).toBeNull();
    upstream.answer = { status: 200, headers: { 'x-sentry-rate-limits': '60:replay:key' } };
    expect((await send()).headers.get('x-sentry-rate-limits')).toBe('60:replay:key');
  });

  test('says no more than 502 when the monitor fails, redirects, is slow or gone', async () => {
    const errors: unknown[] = [];
    app = await open({ dsns: [upstream.dsn], timeoutMs: 300, onError: (error) => errors.push(error) });
    const send = (): Promise<Response> =>
      app.send('/monitoring', { method: 'POST', body: `{"dsn":"${upstream.dsn}"}\n` });
    const elsewhere = await openUpstream();
    const answers: (Answer | undefined)[] = [
      { status: 500, body: 'Error: at /srv/monitor/secret.ts' },
      { status: 302, headers: { location: elsewhere.url } },
      { status: 401, headers: { 'www-authenticate': 'Basic' } },
      { status: 200, stalls: true },
      undefined,
    ];
    for (const answer of answers) {
      upstream.answer = answer;
      const response = await send();
      expect([response.status, await response.json()]).toEqual([502, { detail: 'The monitor is not reachable.' }]);
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
    await upstream[Symbol.asyncDispose]();
    expect((await send()).status).toBe(502);
    expect(errors).toHaveLength(6);
    expect(elsewhere.noted).toEqual([]);
    await elsewhere[Symbol.asyncDispose]();
    upstream = await openUpstream();
  });

  test.each([
    ['another key', (dsn: string) => `{"dsn":"${dsn.replaceAll('a', 'b')}"}\n`, 403],
    ['another project', (dsn: string) => `{"dsn":"${dsn}2"}\n`, 403],
    ['another host', () => '{"dsn":"https://k@evil.example/1"}\n', 403],
    ['another address in disguise', (dsn: string) => `{"dsn":"${dsn.replace('@', '@evil.example@')}"}\n`, 403],
    ['a path', (dsn: string) => `{"dsn":"${dsn.replace('/1', '/../1')}/../../x/1"}\n`, 403],
    ['no DSN', () => '{}\n{"type":"event"}\n{}', 403],
    ['a DSN that is an object', () => '{"dsn":{"toString":1}}\n', 403],
    ['a DSN with a line break', (dsn: string) => `{"dsn":"${dsn}\\r\\nx-evil: 1"}\n`, 403],
    ['garbage', () => '\u0000\uffff garbage', 400],
    ['null', () => 'null\n', 403],
    ['deep nesting', () => `${'['.repeat(60_000)}\n`, 400],
    ['a first line without end', () => 'x'.repeat(200_000), 400],
    ['nothing', () => '', 400],
  ])('refuses %s', async (_what, body, status) => {
    app = await open({ dsns: [upstream.dsn] });
    const response = await app.send('/monitoring', { method: 'POST', body: body(upstream.dsn) });
    expect(response.status).toBe(status);
    expect(upstream.noted).toEqual([]);
  });

  test('refuses what is compressed or too large', async () => {
    app = await open({ dsns: [upstream.dsn], maxBodyBytes: 1000 });
    const send = (body: string, headers = {}): Promise<Response> =>
      app.send('/monitoring', { method: 'POST', body, headers });
    expect((await send(`{"dsn":"${upstream.dsn}"}\n`, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send(`{"dsn":"${upstream.dsn}"}\n${'x'.repeat(1000)}`)).status).toBe(413);
    expect(upstream.noted).toEqual([]);
  });

  test.skipIf(['request', 'next route'].includes(name))('leaves other requests to the application', async () => {
    app = await open({ dsns: [upstream.dsn] });
    for (const [path, method] of [
      ['/monitoring', 'GET'],
      ['/monitoring/deep', 'POST'],
      ['/', 'POST'],
    ] as const)
      expect(await (await app.send(path, { method })).text()).toBe('page');
  });
});

test.each(['request', 'next route'])('%s: only POST', async (name) => {
  app = (await apps[name]?.({ dsns: [upstream.dsn] })) ?? app;
  const response = await app.send('/anywhere', { method: 'GET' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

test('paths can be chosen, and that of `tunnel: true` is served besides', async () => {
  app = (await apps['express']?.({ dsns: [upstream.dsn], path: ['/a', '/b/'] })) ?? app;
  const { managedPath } = await import('./tunnel.ts');
  const body = `{"dsn":"${upstream.dsn}"}\n`;
  const statuses = ['/a', '/b?x=1', `${managedPath(upstream.dsn)}/`].map(async (path) =>
    (await app.send(path, { method: 'POST', body })).headers.get('content-type'),
  );
  expect(await Promise.all(statuses)).toEqual(Array(3).fill('application/json'));
  expect(await (await app.send('/monitoring', { method: 'POST', body })).text()).toBe('page');
});

test('a monitor known here by another address is reached there', async () => {
  app = inProcess((request) =>
    handleTunnel(request, { dsns: ['https://k@culprit.example.com/7'], upstream: `${upstream.url}/base/` }),
  );
  const body = '{"dsn":"https://k@culprit.example.com/7"}\n';
  expect((await app.send('/x', { method: 'POST', body })).status).toBe(200);
  expect(upstream.noted[0]?.url).toBe('/base/api/7/envelope/?sentry_version=7&sentry_key=k');
});

test('a body that a parser has read already is refused, not awaited', async () => {
  const parsed = express().use(express.text({ type: '*/*' }), expressTunnel({ dsns: [upstream.dsn] }));
  app = over(await listen((request, response) => void parsed(request, response)));
  expect((await app.send('/monitoring', { method: 'POST', body: `{"dsn":"${upstream.dsn}"}\n` })).status).toBe(400);
});
