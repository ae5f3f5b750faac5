/** Culprit behind nginx and Caddy as the guide says, and what `culprit doctor` says where it is set up otherwise. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { culprit, envelopeUrl, errorEnvelope, freePort, newEventId, Server } from '../server/test/harness.ts';
import { isScaled } from '../server/test/form/scaled.ts';
import { runNodeApp } from './node-app.ts';
import { guideCaddy, guideNginx, nginxConfig, startProxy } from './proxies/run.ts';

interface Finding {
  readonly what: string;
  readonly state: string;
  readonly detail: string;
}

async function addressFindings(server: Server, url: string): Promise<Finding[]> {
  const { stdout } = await culprit(['doctor', '--json', '--url', url], server.environment);
  return (JSON.parse(stdout) as Finding[]).filter(({ what }) => what === 'public address');
}

/** From another address than that of the proxy. */
function post(url: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', localAddress: '127.0.0.2' }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end(body);
  });
}

describe.each(['nginx', 'caddy'] as const)('%s as in the guide', (name) => {
  let server: Server;
  let proxy: AsyncDisposable;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    server = await Server.create({ CULPRIT_URL: url });
    const ports = { proxy: port, server: server.port };
    proxy = await startProxy(name, port, async (dir) =>
      name === 'nginx' ? nginxConfig(await guideNginx(ports), dir) : guideCaddy(ports),
    );
  });
  afterAll(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test('doctor has nothing to say', async () => {
    expect(await addressFindings(server, url)).toEqual([
      { what: 'public address', state: 'ok', detail: expect.stringContaining('leads here. The proxy passes on') },
    ]);
  });

  test('an SDK sends through it, and live updates arrive at once', async () => {
    const closing = new AbortController();
    const stream = await fetch(`${url}/api/0/organizations/acme/live/`, {
      headers: { authorization: `Bearer ${server.installed.token}` },
      signal: closing.signal,
    });
    const reader = (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    await runNodeApp({ sdk: '@sentry/node', dsn: server.installed.dsn, scenario: 'handled', release: 'proxied@1' });
    let told = '';
    while (!told.includes('"type":"events"')) told += (await reader.read()).value ?? '';
    closing.abort();
    await server.until('the issue is found through the proxy', async () => {
      const answer = await fetch(`${url}/api/0/organizations/acme/issues/?query=release:proxied@1`, {
        headers: { authorization: `Bearer ${server.installed.token}` },
      });
      return ((await answer.json()) as unknown[]).length === 1;
    });
  });

  test('the address of a client is its own, and a large envelope passes', async () => {
    const eventId = newEventId();
    const event = { user: { id: '1', ip_address: '{{auto}}' }, extra: { padding: 'x'.repeat(700_000) } };
    const attachment = `{"type":"attachment","filename":"a.txt","length":4000000}\n${'a'.repeat(4_000_000)}\n`;
    expect(await post(envelopeUrl(server.installed.dsn), errorEnvelope(eventId, event) + attachment)).toBe(200);
    const user = await server.until('the event is stored', async () => {
      const path = `/projects/acme/web/events/${eventId}/`;
      return (await server.api<{ user: { ip_address: string } | null }>(path)).user ?? undefined;
    });
    expect(user.ip_address).toBe('127.0.0.2');
  });
});

// The balancer before several nodes adds what this proxy keeps back.
test.skipIf(isScaled)('doctor names what a proxy without settings keeps from Culprit', async () => {
  await using server = await Server.create();
  const port = await freePort();
  // The server asks nginx not to hold answers back; here nginx does not listen.
  const location = `proxy_ignore_headers X-Accel-Buffering; proxy_pass http://127.0.0.1:${server.port};`;
  const bare = `server { listen 127.0.0.1:${port}; location / { ${location} } }`;
  await using proxy = await startProxy('nginx', port, (dir) => nginxConfig(bare, dir));
  const found = await addressFindings(server, `http://127.0.0.1:${port}`);
  expect(proxy).toBeDefined();
  expect(found.map(({ state, detail }) => `${state}: ${detail}`)).toEqual([
    expect.stringMatching(/^warning: A request to .* arrives as one to .*Host and X-Forwarded-Proto/),
    expect.stringMatching(/^warning: .*does not send X-Forwarded-For/),
    expect.stringMatching(/^warning: The proxy holds answers back/),
    expect.stringMatching(/^warning: The proxy refuses large requests \(status 413\).*client_max_body_size 0/),
  ]);
  const gone = await addressFindings(server, `http://127.0.0.1:${await freePort()}`);
  expect(gone).toEqual([
    expect.objectContaining({ detail: expect.stringContaining('does not respond from this machine') }),
  ]);
});
