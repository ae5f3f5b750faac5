import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeAfterAnswer, readOver } from './read-over.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

test('a client that goes on sending is cut off', async () => {
  const server = createServer((request, response) => {
    readOver(request);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  const client = connect(address.port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\na little of it');
  await once(client, 'data');
  const closed = once(client, 'close');
  vi.advanceTimersByTime(5_000);
  await closed;
  server.close();
});

test('a client that is answered and never closes its side is cut off', async () => {
  const server = createServer((request, response) => {
    closeAfterAnswer(request);
    response.writeHead(408, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  const accepted = once(server, 'connection');
  const client = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n');
  const [socket] = (await accepted) as [Socket];
  const answered = once(client, 'end');
  client.resume();
  await answered;
  // The rest comes in time, and then nothing more.
  client.write('0123456789');
  while (socket.bytesRead < 58) await new Promise((resolve) => setImmediate(resolve));
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(5_000);
  await closed;
  client.destroy();
  server.close();
});

test('a body that was read, or never comes, leaves nothing behind', async () => {
  const read = new PassThrough();
  read.end('all');
  read.resume();
  await once(read, 'end');
  readOver(read);
  expect(vi.getTimerCount()).toBe(0);

  const waiting = new PassThrough();
  readOver(waiting);
  vi.advanceTimersByTime(5_000);
  expect(waiting.destroyed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
