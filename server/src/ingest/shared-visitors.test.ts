import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type NatsServer, startNats } from '../../test/nats/server.ts';
import { lasting } from '../base/testing.ts';
import { openNats } from '../ports/nats/connection.ts';
import { openSharedVisitors } from './shared-visitors.ts';
import type { Visitors } from './visitors.ts';

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(() => server[Symbol.asyncDispose]());

const allowed = { burst: 10, perSecond: 0.01 };

const times = (count: number, visitors: Visitors, address: string): number =>
  Array.from({ length: count }, () => visitors.take(address)).filter((seconds) => seconds === 0).length;

test('what one node lets pass the others count, each kind by itself', async () => {
  const url = server.url('pages');
  await using mine = await openNats({ url, name: 'test' });
  await using theirs = await openNats({ url, name: 'test' });
  using first = openSharedVisitors(mine);
  using second = openSharedVisitors(theirs);
  const here = first.open('pages', allowed);
  const there = second.open('pages', allowed);
  const other = second.open('scim', allowed);
  let notes = 0;
  mine.connection.subscribe('pages.notes.visitors', { callback: () => void notes++ });
  await Promise.all([mine, theirs].map(({ connection }) => connection.flush()));
  const told = async (count: number): Promise<void> => {
    await vi.waitFor(() => expect(notes).toBe(count));
    await Promise.all([mine, theirs].map(({ connection }) => connection.flush()));
  };
  expect(times(6, here, '2001:db8::1')).toBe(6);
  await told(1);
  // Of IPv6 a /64 is one.
  expect(times(10, there, '2001:db8::2')).toBe(4);
  expect(times(1, there, '2001:db8:0:1::1')).toBe(1);
  expect(times(1, other, '2001:db8::1')).toBe(1);
  await told(3);
  expect(times(10, here, '2001:db8::1')).toBe(0);
  expect(times(10, here, '2001:db8:0:1::2')).toBe(9);
  // At the same moment more pass than may; that is made up for.
  expect(times(20, here, '192.0.2.1') + times(20, there, '192.0.2.1')).toBe(20);
  await told(5);
  expect(here.take('192.0.2.1')).toBeGreaterThan(10 / allowed.perSecond);
});

test('any number of addresses is told in bounded notes', async () => {
  const url = server.url('many');
  await using mine = await openNats({ url, name: 'test' });
  await using theirs = await openNats({ url, name: 'test' });
  using first = openSharedVisitors(mine);
  using second = openSharedVisitors(theirs);
  const here = first.open('pages', allowed);
  const there = second.open('pages', allowed);
  let largest = 0;
  mine.connection.subscribe('many.notes.visitors', {
    callback: (_error, { data }) => void (largest = Math.max(largest, data.length)),
  });
  await Promise.all([mine, theirs].map(({ connection }) => connection.flush()));
  expect(times(10, here, '192.0.2.1')).toBe(10);
  const addresses = lasting(10_000, 100_000);
  for (let index = 0; index < addresses; index++) here.take(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
  await vi.waitFor(() => expect(there.take('192.0.2.1')).toBeGreaterThan(0));
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThan(64 * 1024);
});

test('what is no such note changes nothing, and one that says much keeps nobody out for long', async () => {
  const url = server.url('hostile');
  await using nats = await openNats({ url, name: 'test' });
  await using stranger = await openNats({ url, name: 'test' });
  using visitors = openSharedVisitors(nats);
  const pages = visitors.open('pages', { burst: 10, perSecond: 10 });
  await nats.connection.flush();
  const say = (value: unknown): void =>
    stranger.connection.publish('hostile.notes.visitors', JSON.stringify({ from: 'x', value }));
  for (const passed of [
    'all',
    [['192.0.2.1']],
    [['192.0.2.1', -50]],
    [['192.0.2.1', 1.5]],
    [['x'.repeat(65), 5]],
    [[1, 5]],
    Array.from({ length: 1_001 }, (_, index) => [`192.0.2.1`, index + 1]),
  ])
    say({ of: 'pages', passed });
  say({ of: 'nothing', passed: [['192.0.2.1', 5]] });
  say({ of: 'pages', passed: [['192.0.2.2', 1_000_000]] });
  await vi.waitFor(() => expect(pages.take('192.0.2.2')).toBeGreaterThan(0));
  expect(pages.take('192.0.2.2')).toBeLessThanOrEqual(2);
  expect(Array.from({ length: 10 }, () => pages.take('192.0.2.1'))).toEqual(Array.from({ length: 10 }, () => 0));
});
