import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compressAnswers } from './compress.ts';

const issues = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ id, title: 'TypeError: no price' })));
const browser = { 'accept-encoding': 'gzip, deflate, br', 'x-forwarded-for': '198.51.100.7' };
let app: FastifyInstance;

beforeEach(() => {
  app = fastify();
  compressAnswers(app);
  app.get('/issues', (_request, reply) => reply.type('application/json').send(issues));
  app.get('/small', () => ({ text: 'x'.repeat(900) }));
  app.get('/problem', (_request, reply) => reply.code(400).type('application/problem+json').send(issues));
  app.get('/export', (_request, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-length', issues.length)
      .send(Readable.from([issues])),
  );
  app.get('/broken', (_request, reply) =>
    reply.type('application/x-ndjson').send(
      new Readable({
        read() {
          this.destroy(new Error('the disk is gone'));
        },
      }),
    ),
  );
  app.get('/picture', (_request, reply) => reply.type('image/png').send(Buffer.alloc(5000)));
  app.get('/part', (_request, reply) => reply.code(206).header('content-range', 'bytes 0-4999/9999').send(issues));
  app.get('/secret', (_request, reply) =>
    reply.type('application/json').header('cache-control', 'no-store, no-transform').send(issues),
  );
  app.get('/file', (request, reply) => {
    void reply.type('text/plain').headers({ etag: '"1"', 'accept-ranges': 'bytes', vary: 'origin' });
    return request.headers['if-none-match'] === 'W/"1"' ? reply.code(304).send() : reply.send(issues);
  });
});
afterEach(() => app.close());

const get = (url: string, headers: Record<string, string> = browser, remoteAddress = '127.0.0.1') =>
  app.inject({ url, headers, remoteAddress });

test('what is over 1 kB is compressed as the client takes it', async () => {
  const answer = await get('/issues');
  expect(answer.headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'content-length': String(answer.rawPayload.length),
  });
  expect(String(brotliDecompressSync(answer.rawPayload))).toBe(issues);
  expect(answer.rawPayload.length).toBeLessThan(issues.length / 5);

  const older = await get('/issues', { ...browser, 'accept-encoding': 'gzip' });
  expect(older.headers['content-encoding']).toBe('gzip');
  expect(String(gunzipSync(older.rawPayload))).toBe(issues);

  const none = await get('/issues', { ...browser, 'accept-encoding': 'identity' });
  expect([none.headers['content-encoding'], none.headers['vary'], none.body]).toEqual([
    undefined,
    'accept-encoding',
    issues,
  ]);
  expect((await get('/small')).headers['content-encoding']).toBeUndefined();
  expect((await get('/problem')).headers['content-encoding']).toBe('br');
});

test('files are compressed as they are sent', async () => {
  const answer = await get('/export');
  expect(answer.headers['content-encoding']).toBe('br');
  expect(answer.headers['content-length']).toBeUndefined();
  expect(String(brotliDecompressSync(answer.rawPayload))).toBe(issues);
  const { statusCode, headers, body } = await get('/broken');
  expect([statusCode, headers['content-encoding'], body]).toEqual([
    500,
    undefined,
    expect.stringContaining('the disk is gone'),
  ]);
});

test('a program on this machine gets it as it is, one behind a proxy on it does not', async () => {
  const { 'x-forwarded-for': _, ...direct } = browser;
  expect((await get('/issues', direct)).headers['content-encoding']).toBeUndefined();
  expect((await get('/issues', { ...direct, forwarded: 'for=198.51.100.7' })).headers['content-encoding']).toBe('br');
  expect((await get('/issues', direct, '203.0.113.9')).headers['content-encoding']).toBe('br');
});

test('HEAD says what GET does; a file that did not change stays 304', async () => {
  const [head, whole] = await Promise.all([
    app.inject({ method: 'HEAD', url: '/issues', headers: browser }),
    get('/issues'),
  ]);
  expect(head.body).toBe('');
  for (const name of ['content-encoding', 'content-length', 'vary'])
    expect(head.headers[name]).toBe(whole.headers[name]);

  const file = await get('/file');
  expect(file.headers).toMatchObject({ etag: 'W/"1"', vary: 'origin, accept-encoding', 'content-encoding': 'br' });
  expect(file.headers['accept-ranges']).toBeUndefined();
  const known = await get('/file', { ...browser, 'if-none-match': 'W/"1"' });
  expect([known.statusCode, known.headers['content-encoding'], known.body]).toEqual([304, undefined, '']);
});

test.each(['/picture', '/part', '/secret'])('%s goes as it is', async (url) => {
  const { headers, rawPayload } = await get(url);
  expect(headers['content-encoding']).toBeUndefined();
  expect(rawPayload.length).toBeGreaterThan(1024);
});

test('what another site makes a browser ask goes as it is: its length tells nothing', async () => {
  for (const site of ['cross-site', 'same-site']) {
    expect((await get('/issues', { ...browser, 'sec-fetch-site': site })).headers['content-encoding']).toBeUndefined();
  }
  for (const site of ['same-origin', 'none']) {
    expect((await get('/issues', { ...browser, 'sec-fetch-site': site })).headers['content-encoding']).toBe('br');
  }
});
