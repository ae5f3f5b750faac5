import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPublicAddress } from './addresses.ts';
import { parseAllowList } from './allow-list.ts';
import { callOutside, type OutboundCall, type OutboundOptions } from './call.ts';

const post = (url: string, overrides: Partial<OutboundCall> = {}): OutboundCall => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"a":"ü"}',
  confined: false,
  ...overrides,
});

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Stands for a service inside: whatever reaches it is written down. */
async function listen(
  host: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ server: Server; port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: request.headers, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { server, port: (server.address() as AddressInfo).port, seen };
}

let inside: Awaited<ReturnType<typeof listen>>;
let other: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  inside = await listen('127.0.0.1', (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const to = url.searchParams.get('to');
    const status = Number(url.searchParams.get('status') ?? 200);
    if (to !== null) response.setHeader('location', to);
    if (url.searchParams.has('retry')) response.setHeader('retry-after', url.searchParams.get('retry') ?? '');
    response.setHeader('set-cookie', 'a=b');
    response.statusCode = status;
    if (url.pathname === '/silent') return;
    if (url.pathname === '/drip') {
      setInterval(() => response.write('.'), 20).unref();
      return;
    }
    if (url.pathname === '/large') {
      response.write('x'.repeat(100_000));
      return;
    }
    response.end('said');
  });
  other = await listen('127.0.0.2', (_request, response) => response.end('other'));
});

afterAll(() => {
  for (const { server } of [inside, other]) {
    server.closeAllConnections();
    server.close();
  }
});

const at = (path: string, host = '127.0.0.1'): string => `http://${host}:${inside.port}${path}`;
const allowed = (entries: string, more: OutboundOptions = {}): OutboundOptions => ({
  allow: parseAllowList(entries),
  ...more,
});
const failure = (call: Promise<unknown>): Promise<{ stage?: string; message: string }> =>
  call.then(
    () => ({ message: 'it did not fail' }),
    (error: { stage?: string; message: string }) => error,
  );

describe('addresses', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::808:808',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:0808:0808::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '5f00::1',
    'no address',
  ])('%s is not for the public', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    '%s is',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('the allow list', () => {
  test('takes addresses, networks and hosts, each with or without a port', () => {
    const list = parseAllowList('10.0.0.0/8, 127.0.0.1:8065, chat.internal, api.internal:80, [fd00::1]:9, fd12::/16,');
    expect(list.allows('x', '10.9.9.9', 1)).toBe(true);
    expect(list.allows('x', '11.9.9.9', 1)).toBe(false);
    expect(list.allows('x', '127.0.0.1', 8065)).toBe(true);
    expect(list.allows('x', '::ffff:127.0.0.1', 8065)).toBe(true);
    expect(list.allows('x', '127.0.0.1', 8066)).toBe(false);
    expect(list.allows('CHAT.internal', '192.168.0.1', 443)).toBe(true);
    expect(list.allows('evil.chat.internal', '192.168.0.1', 443)).toBe(false);
    expect(list.allows('api.internal', '192.168.0.1', 81)).toBe(false);
    expect(list.allows('x', 'fd00::1', 9)).toBe(true);
    expect(list.allows('x', 'fd12:1::1', 9)).toBe(true);
  });

  test.each(['10.0.0.0/33', 'http://x', 'a b', '1.2.3.4:x', '[1.2.3.4]', 'x/8', '::1/129'])('refuses %s', (text) => {
    expect(() => parseAllowList(text)).toThrow(RangeError);
  });
});

describe('calls', () => {
  test('reach what is allowed, with the body as it is and without cookies', async () => {
    const options = allowed(`127.0.0.1:${inside.port}`);
    const answer = await callOutside(post(at('/hook?a=1')), options);
    expect(answer).toMatchObject({ status: 200, body: 'said', retryAfter: undefined });
    const again = await callOutside(post(at('/hook?retry=7&status=503')), options);
    expect(again).toMatchObject({ status: 503, retryAfter: '7' });
    const [first, second] = inside.seen.slice(-2);
    expect(first).toMatchObject({ url: '/hook?a=1', body: '{"a":"ü"}', headers: { host: `127.0.0.1:${inside.port}` } });
    expect(second?.headers.cookie).toBeUndefined();
  });

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '①②⑦.⓪.⓪.①',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'localhost',
    'localhost.',
  ])('do not get inside by %s', async (host) => {
    const before = inside.seen.length;
    expect(await failure(callOutside(post(at('/', host))))).toMatchObject({ stage: 'refused' });
    expect(inside.seen).toHaveLength(before);
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'data:text/plain,x', 'http://a:b@example.com/', '//x', ''])(
    'go nowhere by %s',
    async (url) => expect(await failure(callOutside(post(url)))).toMatchObject({ stage: 'refused' }),
  );

  test('are refused when any address of a name is inside', async () => {
    const lookup = async (): Promise<string[]> => ['8.8.8.8', '10.0.0.1'];
    const said = await failure(callOutside(post('https://mixed.test/'), { lookup }));
    expect(said).toMatchObject({ stage: 'refused' });
    expect(said.message).toContain('CULPRIT_OUTBOUND_ALLOW');
  });

  test('go nowhere where they are switched off', async () => {
    const asked: string[] = [];
    const lookup = async (host: string): Promise<string[]> => (asked.push(host), ['8.8.8.8']);
    const said = await failure(callOutside(post('https://open.test/'), { lookup, allow: parseAllowList(' none ') }));
    expect(said).toMatchObject({ stage: 'refused' });
    expect(said.message).toContain('CULPRIT_OUTBOUND_ALLOW=none');
    expect(asked).toEqual([]);
  });

  test('go to the address that was checked when the name changes its mind', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']];
    let asked = 0;
    const lookup = async (): Promise<string[]> => answers[asked++] ?? [];
    const options = allowed(`127.0.0.1:${inside.port}`, { lookup });
    const before = other.seen.length;
    expect(await callOutside(post(at('/rebound', 'rebind.test')), options)).toMatchObject({ body: 'said' });
    expect(asked).toBe(1);
    expect(inside.seen.at(-1)?.headers.host).toBe(`rebind.test:${inside.port}`);
    expect(await failure(callOutside(post(at('/', 'rebind.test')), options))).toMatchObject({ stage: 'refused' });
    expect(other.seen).toHaveLength(before);
  });

  test('follow a repeat to where it may go, three times at most, and tell of the others', async () => {
    const options = allowed(`127.0.0.1:${inside.port}`);
    const once = await callOutside(post(at(`/?status=307&to=${encodeURIComponent('/there')}`)), options);
    expect(once.status).toBe(200);
    expect(inside.seen.at(-1)).toMatchObject({ url: '/there', body: '{"a":"ü"}' });
    const before = inside.seen.length;
    const loop = await callOutside(post(at(`/loop?status=308&to=`)), options);
    expect(loop.status).toBe(308);
    expect(inside.seen.length - before).toBe(4);
    const moved = await callOutside(post(at('/?status=302&to=/there')), options);
    expect(moved).toMatchObject({ status: 302, location: '/there' });
  });

  test.each([
    'http://127.0.0.2:PORT/',
    'http://[::ffff:127.0.0.2]:PORT/',
    'http://2130706434:PORT/',
    'http://localhost:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
  ])('follow no redirect to %s', async (to) => {
    const before = other.seen.length;
    const target = to.replace('PORT', String(other.port));
    const url = at(`/?status=307&to=${encodeURIComponent(target)}`);
    const said = await failure(callOutside(post(url), allowed(`127.0.0.1:${inside.port}`)));
    expect(said).toMatchObject({ stage: 'refused' });
    expect(other.seen).toHaveLength(before);
  });

  test('with a signature or a key stay where they were sent', async () => {
    const options = allowed('127.0.0.0/8');
    const before = other.seen.length;
    const url = at(`/?status=307&to=${encodeURIComponent(`http://127.0.0.2:${other.port}/`)}`);
    expect(await callOutside(post(url, { confined: true }), options)).toMatchObject({ status: 307 });
    expect(other.seen).toHaveLength(before);
    const same = at(`/?status=307&to=${encodeURIComponent('/same')}`);
    expect(await callOutside(post(same, { confined: true }), options)).toMatchObject({ status: 200 });
  });

  test('end in time, and say how far they came', async () => {
    const options = allowed('127.0.0.1', { totalMs: 300, connectMs: 200 });
    expect(await failure(callOutside(post(at('/silent')), options))).toMatchObject({ stage: 'sent' });
    expect(await callOutside(post(at('/drip')), options)).toMatchObject({ status: 200 });
    const silent = createTcpServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    // A handshake that never ends is no connection.
    const tls = await failure(callOutside(post(`https://127.0.0.1:${port}/`), options));
    expect(tls).toMatchObject({ stage: 'connect' });
    silent.close();
    expect(await failure(callOutside(post(`http://127.0.0.1:${port}/`), options))).toMatchObject({ stage: 'connect' });
    const never = { ...options, lookup: (): Promise<string[]> => new Promise(() => {}) };
    expect(await failure(callOutside(post('http://slow.test/'), never))).toMatchObject({ stage: 'connect' });
  });

  test('end when the receiver wants another protocol, or speaks one', async () => {
    const said = [
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'SSH-2.0-OpenSSH_9.9\r\n',
    ];
    const odd = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(said.shift() ?? ''));
    });
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/`;
    expect(await callOutside(post(url), allowed('127.0.0.1'))).toMatchObject({ status: 101 });
    expect(await failure(callOutside(post(url), allowed('127.0.0.1')))).toMatchObject({ stage: 'sent' });
    odd.close();
  });

  test('read no more of an answer than they keep', async () => {
    const answer = await callOutside(post(at('/large')), allowed('127.0.0.1', { maxAnswerBytes: 1000 }));
    expect(answer.body).toHaveLength(1000);
  });

  test('send nothing when they are called off at the last moment', async () => {
    const before = inside.seen.length;
    const options = allowed('127.0.0.1', { beforeSending: () => Promise.reject(new Error('not ours any more')) });
    expect(await failure(callOutside(post(at('/called-off')), options))).toMatchObject({
      message: 'not ours any more',
    });
    expect(inside.seen).toHaveLength(before);
  });
});
