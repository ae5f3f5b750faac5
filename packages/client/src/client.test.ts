import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient, CulpritError } from './index.ts';
import { nextCursor } from './pages.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const issues = '/api/0/organizations/{org}/issues/';
const path = { org: 'acme' };

test('pages follow one another as they are needed', async () => {
  const asked: string[] = [];
  const url = await serve((request, answer) => {
    asked.push(request.url ?? '');
    const page = Number(new URL(request.url ?? '', 'http://a').searchParams.get('cursor') ?? 0);
    answer.setHeader(
      'link',
      `<x>; rel="previous"; results="false"; cursor="0", <x>; rel="next"; results="${page < 2}"; cursor="${page + 1}"`,
    );
    answer.setHeader('content-type', 'application/json').end(JSON.stringify([{ id: `${page}a` }, { id: `${page}b` }]));
  });
  const client = createClient({ url: `${url}/`, token: 't' });
  const found: string[] = [];
  for await (const { id } of client.pages(issues, { params: { path, query: { query: 'a b' } } })) {
    found.push(id);
    if (found.length === 3) expect(asked).toHaveLength(2);
  }
  expect(found).toEqual(['0a', '0b', '1a', '1b', '2a', '2b']);
  expect(asked[1]).toBe('/api/0/organizations/acme/issues/?query=a%20b&cursor=1');
});

test('what is refused is thrown as the server says it, or whoever answers in its place', async () => {
  const problem = { status: 404, title: 'Not Found', detail: 'Issue X not found.', code: 'NOT_FOUND' };
  const url = await serve((request, answer) => {
    if (request.url?.includes('acme'))
      answer.writeHead(404, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem));
    else answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  const client = createClient({ url, retries: 0 });
  const refused = await client.GET(issues, { params: { path } }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CulpritError);
  expect(refused).toMatchObject({ message: problem.detail, problem });
  const failed = await client.GET(issues, { params: { path: { org: 'b' } } }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ problem: { status: 502, code: '' } });
});

test('a busy server is asked again with the same body, for as long as it asks for and no more often than wanted', async () => {
  const bodies: string[] = [];
  const url = await serve(async (request, answer) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    if (bodies.length < 3) answer.writeHead(429, { 'retry-after': '0' }).end();
    else answer.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"1"}');
  });
  const create = (options: object) =>
    createClient({ url, ...options }).POST('/api/0/organizations/{org}/searches/', {
      params: { path },
      body: { name: 'Errors', query: 'level:error' },
    });
  expect((await create({})).data).toMatchObject({ id: '1' });
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies)).toEqual(new Set(['{"name":"Errors","query":"level:error"}']));
  bodies.length = 0;
  await expect(create({ retries: 1 })).rejects.toMatchObject({ problem: { status: 429 } });
  expect(bodies).toHaveLength(2);
});

test('a pause that is too long is not waited for, and one that is given up ends', async () => {
  const url = await serve((_, answer) => answer.writeHead(503, { 'retry-after': '20' }).end());
  await expect(createClient({ url, longestPauseMs: 1_000 }).GET(issues, { params: { path } })).rejects.toMatchObject({
    problem: { status: 503 },
  });
  const signal = AbortSignal.timeout(50);
  await expect(createClient({ url }).GET(issues, { params: { path }, signal })).rejects.toThrow(/timeout/i);
});

test('a connection that breaks is tried again for reads only', async () => {
  let reads = 0;
  let writes = 0;
  const url = await serve((request, answer) => {
    if (request.method === 'GET' && ++reads > 1)
      return void answer.setHeader('content-type', 'application/json').end('[]');
    if (request.method === 'POST') writes++;
    request.socket.destroy();
  });
  const client = createClient({ url });
  expect((await client.GET(issues, { params: { path } })).data).toEqual([]);
  expect(reads).toBe(2);
  const body = { name: 'Errors', query: '' };
  await expect(client.POST('/api/0/organizations/{org}/searches/', { params: { path }, body })).rejects.toThrow();
  expect(writes).toBe(1);
});

test.each([
  [null, undefined],
  ['', undefined],
  ['<x>; rel="next"; results="false"; cursor="1:0:0"', undefined],
  ['<x>; rel="previous"; results="true"; cursor="0", <y,z>; rel="next"; results="true"; cursor="1:0:0"', '1:0:0'],
])('%s leads to %s', (header, cursor) => {
  expect(nextCursor(header)).toBe(cursor);
});
