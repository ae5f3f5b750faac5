import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CodedError } from '../base/errors.ts';
import { readBody, releaseHeld, type BodyPools, type HeldBytes } from './body.ts';
import { createGate } from './gate.ts';
import { openRaw } from './test-server.ts';

const kib = 1024;
const limits = { maxBytes: 1000 * kib, timeoutSeconds: 2 };
let pools: BodyPools;
let server: Server;
let port: number;
/** How each upload ended, in that order: its size or its error. */
let ended: (number | string)[];
/** Answers wait for this, as they wait for the log. */
let appended: Promise<void>;

beforeEach(async () => {
  pools = { small: createGate(300 * kib), large: createGate(1500 * kib), arriving: new Set() };
  ended = [];
  appended = Promise.resolve();
  server = createServer((request, response) => {
    const held: HeldBytes = { small: 0, large: 0 };
    const take = async (): Promise<void> => {
      try {
        ended.push((await readBody(request, limits, pools, held)).length);
        await appended;
      } catch (error) {
        ended.push(error instanceof CodedError ? error.code : String(error));
      } finally {
        releaseHeld(pools, held);
        response.end();
      }
    };
    void take();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await expect.poll(() => [pools.small.held, pools.large.held, pools.arriving.size]).toEqual([0, 0, 0]);
});

/** Starts an upload of `declared` bytes and sends `sent` of them. */
async function upload(
  declared: number | 'chunked',
  sent: number,
): Promise<Awaited<ReturnType<typeof openRaw>>['socket']> {
  const { socket } = await openRaw(port);
  const length = declared === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${declared}`;
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${length}\r\n\r\n`);
  if (declared === 'chunked') socket.write(`${sent.toString(16)}\r\n${'x'.repeat(sent)}\r\n`);
  else socket.write(Buffer.alloc(sent, 'x'));
  return socket;
}

const post = (body: string): Promise<Response> => fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });

test('small and large bodies are held while they are worked on', async () => {
  let release = (): void => {};
  appended = new Promise((resolve) => (release = resolve));
  const both = Promise.all([post('x'.repeat(100)), post('x'.repeat(500 * kib))]);
  await expect.poll(() => [pools.small.held, pools.large.held]).toEqual([100, 500 * kib]);
  release();
  await both;
  expect(ended.toSorted()).toEqual([100, 500 * kib]);
});

test('a chunked body reserves all that it may become, and gives back what it did not need', async () => {
  let release = (): void => {};
  appended = new Promise((resolve) => (release = resolve));
  const socket = await upload('chunked', 260 * kib);
  await expect.poll(() => [pools.small.held, pools.large.held]).toEqual([0, 1000 * kib]);
  socket.write('0\r\n\r\n');
  await expect.poll(() => pools.large.held).toBe(260 * kib);
  release();
});

test('large uploads wait for room, and small ones pass by', async () => {
  const first = await upload(1000 * kib, 10);
  await expect.poll(() => pools.large.held).toBe(1000 * kib);
  const second = upload(900 * kib, 900 * kib);
  await post('small');
  expect(ended).toEqual([5]);
  first.write(Buffer.alloc(1000 * kib - 10, 'x'));
  await second;
  await expect.poll(() => ended).toEqual([5, 1000 * kib, 900 * kib]);
});

test.each([900 * kib, 'chunked'] as const)(
  'one that waits too long (%s) is told that there is no room',
  async (declared) => {
    pools.large.tryTake(1000 * kib);
    await upload(declared, 300 * kib);
    await expect.poll(() => ended, { timeout: 5000 }).toEqual(['OVERLOADED']);
    pools.large.release(1000 * kib);
  },
);

test('one that goes away while it waits leaves nothing', async () => {
  const first = await upload(1000 * kib, 10);
  await expect.poll(() => pools.large.held).toBe(1000 * kib);
  const second = await upload('chunked', 300 * kib);
  await new Promise((resolve) => setTimeout(resolve, 50));
  second.destroy();
  first.write(Buffer.alloc(1000 * kib - 10, 'x'));
  await expect.poll(() => ended).toContain(1000 * kib);
  await expect.poll(() => ended).toContain('UploadAborted: the client disconnected');
});

test('slow senders make way for others', async () => {
  await upload(200 * kib, 150 * kib);
  await upload(200 * kib, 140 * kib);
  await expect.poll(() => pools.small.held).toBe(290 * kib);
  await post('x'.repeat(100 * kib));
  expect(ended).toEqual(['OVERLOADED', 100 * kib]);
});

test('when what is being written fills the pool, a newcomer is refused', async () => {
  let release = (): void => {};
  appended = new Promise((resolve) => (release = resolve));
  const writing = post('x'.repeat(250 * kib));
  await expect.poll(() => ended).toEqual([250 * kib]);
  await post('x'.repeat(100 * kib));
  expect(ended).toEqual([250 * kib, 'OVERLOADED']);
  release();
  await writing;
});
