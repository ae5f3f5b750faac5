/** What a page of another site, a curious visitor or a proxy in between gets out of this server's answers. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner, Server } from '../harness.ts';
import { signIn } from './people.ts';
import { rawCall } from './raw-call.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'on' });
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** The origin is looked at where there is a cookie. */
const cookieOfNobody = { cookie: 'culprit.session_token=x' };

const projects = '/api/0/organizations/acme/projects/';

describe('a page of the console', () => {
  const pageHeaders = async (): Promise<Headers> =>
    (await fetch(`${server.url}/issues`, { headers: { accept: 'text/html' } })).headers;

  test('runs nothing but its own scripts, whatever gets into it, and stands in no frame', async () => {
    const policy = (await pageHeaders()).get('content-security-policy') ?? '';
    const directives = new Map(policy.split(';').map((one) => [one.trim().split(' ')[0], one.trim()]));
    for (const name of ['default-src', 'base-uri', 'frame-ancestors']) {
      expect(directives.get(name)).toBe(`${name} 'none'`);
    }
    // What is left out falls back to `default-src`.
    expect(directives.has('object-src')).toBe(false);
    for (const name of ['script-src', 'script-src-elem', 'script-src-attr', 'connect-src', 'form-action']) {
      const [, ...sources] = directives.get(name)?.split(' ') ?? [];
      for (const source of sources) expect(source).toMatch(/^'(?:self|sha256-[\w+/=]+)'$/);
    }
  });

  test('tells other sites no address of it', async () => {
    expect((await pageHeaders()).get('referrer-policy')).toBe('same-origin');
  });
});

describe('an answer of the API', () => {
  test('is for no page of another origin, asked first or not', async () => {
    const { headers } = await signIn(server);
    const asked = [
      await fetch(server.url + projects, { headers: { ...headers, origin: 'https://evil.example' } }),
      await fetch(server.url + projects, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
      }),
      await fetch(`${server.url}/api/auth/sign-in/email`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    ];
    expect(asked[0]?.status).toBe(200);
    for (const { headers: given } of asked) {
      expect([...given.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('says its type with its encoding', async () => {
    const authorization = `Bearer ${server.installed.token}`;
    const typeOf = async (path: string): Promise<string | null> =>
      (await fetch(server.url + path, { headers: { authorization } })).headers.get('content-type');
    expect(await typeOf(projects)).toBe('application/json; charset=utf-8');
    expect(await typeOf('/api/0/organizations/none/')).toBe('application/problem+json; charset=utf-8');
    expect(await typeOf('/unsubscribe')).toBe('text/html; charset=utf-8');
    expect(await typeOf('/nothing.js')).toBe('text/plain; charset=utf-8');
  });
});

describe('whatever is answered', () => {
  /** Through a proxy, as where there is https. */
  const ask = async (at: Server, method: string, path: string): Promise<Headers> => {
    const headers = {
      authorization: `Bearer ${at.installed.token}`,
      'content-type': 'application/json',
      'x-forwarded-for': '198.51.100.7',
    };
    const answer = await fetch(at.url + path, { method, headers, ...(method === 'POST' && { body: '{}' }) });
    await answer.body?.cancel();
    return answer.headers;
  };
  const answers = [
    ['GET', '/'],
    ['GET', '/guard.js'],
    ['GET', '/nothing.js'],
    ['GET', '/api/0/'],
    ['GET', projects],
    ['GET', '/api/0/organizations/none/'],
    ['GET', '/api/0/openapi.json'],
    ['GET', '/api/nothing'],
    ['GET', '/unsubscribe'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['GET', '/.well-known/security.txt'],
    ['GET', '/llms.txt'],
    ['POST', '/api/auth/sign-in/email'],
    ['POST', '/api/1/store/'],
  ] as const;

  test('asks for https for a year, where the address has it', async () => {
    await using secured = await Server.create({ CULPRIT_URL: 'https://errors.example.com' });
    const live = ['GET', '/api/0/organizations/acme/live/'] as const;
    for (const [method, path] of [...answers, live]) {
      const found = (await ask(secured, method, path)).get('strict-transport-security') ?? '';
      expect([path, Number(/^max-age=(\d+)/.exec(found)?.[1])]).toEqual([path, 31_536_000]);
    }
    // To a browser that came by http it would mean nothing, and on another machine's name it would be wrong.
    expect((await ask(server, 'GET', '/')).has('strict-transport-security')).toBe(false);
  });

  test('stands in no frame', async () => {
    for (const [method, path] of answers) {
      // Of SDKs: what is sent there shows nothing, on whatever page.
      if (path === '/api/1/store/') continue;
      const policy = (await ask(server, method, path)).get('content-security-policy');
      expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
    }
  });
});

test('a request is not shown back, and no folder is listed', async () => {
  const traced = await rawCall(server.url, { method: 'TRACE', headers: { 'x-secret': 'hunter2' } });
  expect(traced.status).toBe(404);
  expect(traced.text).not.toContain('hunter2');
  for (const path of ['/assets/', '/assets', '/.git/', '/.git/HEAD', '/.git/config', '/.env', '/secret.key']) {
    const { text } = await rawCall(server.url + path, { headers: { accept: 'text/html' } });
    expect([path, text]).toEqual([path, expect.not.stringMatching(/\.js\.br|href="\.\.|^ref: |\[core\]|CULPRIT_/m)]);
  }
});

/** What the server says to these bytes, until it hangs up or a second passes. */
function say(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
    let said = '';
    socket.setEncoding('utf8').on('data', (part: string) => (said += part));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('close', () => resolve(said));
    socket.on('error', reject);
  });
}

test.each([
  ['both lengths', 'content-length: 4\r\ntransfer-encoding: chunked'],
  ['two lengths', 'content-length: 4\r\ncontent-length: 60'],
  ['a length that is signed', 'content-length: +4'],
  ['an encoding that is not known', 'transfer-encoding: xchunked'],
  ['a space before the colon', 'transfer-encoding : chunked'],
])('no second request hides in a body of %s', async (_, framing) => {
  const hidden = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
  for (const path of ['/api/1/envelope/', '/api/auth/sign-in/email']) {
    const said = await say(`POST ${path} HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n0\r\n\r\n${hidden}`);
    expect([path, said]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
    expect(said.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
  }
});

test('what a request says is a value in the log, and makes no line and no time of its own', async () => {
  const made = 'https://evil.example%0a","time":0,"msg":"made up"},{"level":60';
  const { status } = await rawCall(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { ...cookieOfNobody, origin: made },
    body: owner,
  });
  expect(status).toBe(403);
  const lines = await server.until('it is logged', () => {
    const said = server.output.trim().split('\n');
    return said.some((line) => line.includes('evil.example')) && said;
  });
  // What greets whoever started it is no entry.
  const [others, logged] = [false, true].map((isEntry) => lines.filter((line) => line.startsWith('{') === isEntry));
  expect(others?.join()).not.toMatch(/evil|made up/);
  const entries = (logged ?? []).map((line) => JSON.parse(line) as { level: number; time: number; msg: string });
  for (const { level, time, msg } of entries) {
    expect(level).toBeLessThan(60);
    expect(Math.abs(Date.now() - time)).toBeLessThan(600_000);
    expect(msg).not.toBe('made up');
  }
});

test('an address that comes twice, or in the query, counts for no other than the one in the body', async () => {
  const ask = (query: string, body: object): Promise<number> =>
    rawCall(`${server.url}/api/auth/sign-in/email${query}`, {
      method: 'POST',
      headers: { origin: server.url },
      body,
    }).then(({ status }) => status);
  const { email, password } = owner;
  expect(await ask(`?email=${email}&password=wrong`, { email, password })).toBe(200);
  expect(await ask(`?email=${email}&password=${encodeURIComponent(password)}`, { email, password: 'wrong' })).toBe(401);
  expect(await ask('', { email: [email], password })).toBe(400);
  const { status } = await rawCall(`${server.url}${projects}?cursor=0:0:0&cursor=nonsense`, {
    headers: { authorization: `Bearer ${server.installed.token}` },
  });
  expect(status).toBe(400);
});
