import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { envelopePath, takeFirst } from './direct.ts';
import { openTestServer, publicKey } from './test-server.ts';

const path = (method: string, url: string, headers: Readonly<Record<string, string>> = {}): unknown =>
  envelopePath(Object.assign(new IncomingMessage(new Socket()), { method, url, headers }));

test.for([
  ['/api/1/envelope/', '1', ''],
  ['/api/1/envelope', '1', ''],
  ['/api/123456789012345/envelope/?sentry_key=a&b=%2F?c', '123456789012345', 'sentry_key=a&b=%2F?c'],
  ['/api/1/envelope?', '1', ''],
])('%s is plainly one', ([url = '', project = '', query = '']) => {
  expect(path('POST', url)).toEqual({ project, query });
});

test.for([
  ['GET', '/api/1/envelope/'],
  ['OPTIONS', '/api/1/envelope/'],
  ['POST', '/api/1/envelope//'],
  ['POST', '/api/%31/envelope/'],
  ['POST', '/api/x/envelope/'],
  ['POST', '/api/12345678901234567890/envelope/'],
  ['POST', '/api/1/envelope/#?sentry_key=a'],
  ['POST', '/api/1/store/'],
  ['POST', '/monitoring'],
])('%s %s is left to Fastify', ([method = '', url = '']) => {
  expect(path(method, url)).toBeUndefined();
});

test.for(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])(
  'what a proxy sends, %s, is left to Fastify',
  (name) => {
    expect(path('POST', '/api/1/envelope/', { [name]: '' })).toBeUndefined();
  },
);

test('what is not taken goes to those who listened before', async () => {
  const server = createServer((_request, response) => void response.end('ordinary'));
  takeFirst(server, ({ url }, response) => {
    if (url === '/direct') response.end('direct');
    return url === '/direct';
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen');
  const get = async (url: string): Promise<string> => (await fetch(`http://127.0.0.1:${address.port}${url}`)).text();
  expect([await get('/direct'), await get('/else')]).toEqual(['direct', 'ordinary']);
  server.close();
});

test('both ways answer and write the same', async () => {
  const body = `{"event_id":"${'e'.repeat(32)}"}\n{"type":"event"}\n{}\n`;
  const took = await Promise.all(
    [{}, { 'x-forwarded-proto': 'http' }].map(async (headers) => {
      await using server = await openTestServer();
      const send = (query: string): Promise<Response> =>
        fetch(`${server.url}/api/1/envelope/?${query}`, { method: 'POST', headers, body });
      const answers = [await send(`sentry_key=${publicKey}`), await send('sentry_key=x'), await send('')];
      const said = await Promise.all(
        answers.map(async (answer) => [answer.status, answer.headers.get('x-sentry-error'), await answer.text()]),
      );
      const [record, ...rest] = await server.drainEnvelopes();
      expect(rest).toEqual([]);
      return { said, head: { ...record?.head, receivedAt: 0 }, body: Buffer.from(record?.body ?? []).toString() };
    }),
  );
  expect(took[0]).toEqual(took[1]);
  expect(took[0]).toMatchObject({ head: { remoteAddress: '127.0.0.1' }, body });
  expect(took[0]?.said.map(([status]) => status)).toEqual([200, 400, 401]);
});
