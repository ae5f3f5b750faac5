/** Whoever sends a body byte by byte does not hold a connection for longer than a body may take. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_BODY_TIMEOUT_SECONDS: '1' });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

interface Slow {
  readonly path: string;
  readonly headers?: readonly string[];
  readonly parts: readonly (string | Buffer)[];
  readonly length?: number;
  readonly everyMs: number;
}

/** Sends the parts with pauses until the server ends it; resolves to what it said. */
async function sendSlowly({ path, headers = [], parts, length, everyMs }: Slow): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
  socket.on('error', () => {});
  // Whoever is hung up on may hear of it as an error, too.
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const framing = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${server.port}`,
    `origin: ${server.url}`,
    framing,
    ...headers,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (const part of parts) {
    if (socket.destroyed) break;
    if (length === undefined) socket.write(`${part.length.toString(16)}\r\n`);
    socket.write(part);
    if (length === undefined) socket.write('\r\n');
    await delay(everyMs);
  }
  const ended = await Promise.race([closed.then(() => true), delay(8_000, false)]);
  socket.destroy();
  if (!ended) throw new Error(`POST ${path} is still open; it said: ${said}`);
  return said;
}

const json = 'content-type: application/json';
const bytes = Array.from({ length: 40 }, () => ' ');

test.each(['/api/auth/sign-in/email', '/api/0/setup/', '/api/0/invitations/x/', '/api/0/nothing/'])(
  '%s answers and hangs up',
  async (path) => {
    const [declared, chunked] = await Promise.all([
      sendSlowly({ path, headers: [json], parts: bytes, length: 100_000, everyMs: 100 }),
      sendSlowly({ path, headers: [json], parts: bytes, everyMs: 100 }),
    ]);
    for (const said of [declared, chunked]) {
      expect(said).toMatch(/^HTTP\/1\.1 408 /);
      expect(said).toContain('"code":"BODY_TIMEOUT"');
    }
  },
);

test('whoever is signed in has no more time', async () => {
  const authorization = `authorization: Bearer ${server.installed.token}`;
  const path = '/api/0/organizations/acme/projects/';
  expect(await sendSlowly({ path, headers: [json, authorization], parts: ['{'], length: 50, everyMs: 0 })).toMatch(
    / 408 /,
  );
});

test('an upload over a slow line arrives', async () => {
  const chunk = Buffer.from('const a = 1;'.repeat(100));
  const checksum = createHash('sha1').update(chunk).digest('hex');
  const boundary = 'xxxxxxxx';
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${checksum}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
    ),
    chunk,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const parts = Array.from({ length: 10 }, (_, index) => body.subarray(index * 150, (index + 1) * 150)).filter(
    (part) => part.length,
  );
  const said = await sendSlowly({
    path: '/api/0/organizations/acme/chunk-upload/',
    headers: [
      `content-type: multipart/form-data; boundary=${boundary}`,
      `authorization: Bearer ${server.installed.token}`,
      'connection: close',
    ],
    parts,
    length: body.length,
    everyMs: 250,
  });
  expect(said).toMatch(/^HTTP\/1\.1 200 /);
});
