import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openClickHouse } from './clickhouse.ts';
import { eventsContract } from './contract.ts';
import { findFreePort } from './free-port.ts';
import { openEvents } from './open.ts';
import { testErrorRow } from './test-rows.ts';

eventsContract('embedded engine', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-events-'));
  const { events, close } = await openEvents({ url: '', dataDir });
  return {
    events,
    close: async () => {
      await close();
      await rm(dataDir, { recursive: true });
    },
  };
});

const clickhouseUrl = process.env.CULPRIT_TEST_CLICKHOUSE_URL;
if (clickhouseUrl) {
  eventsContract('ClickHouse', async () => {
    const url = new URL(clickhouseUrl);
    url.pathname = `/culprit_test_${process.pid}`;
    const { events, close } = await openEvents({ url: url.href, dataDir: '' });
    return {
      events,
      close: async () => {
        await events.command(`DROP DATABASE ${events.address.database}`);
        await close();
      },
    };
  });
} else {
  console.warn('CULPRIT_TEST_CLICKHOUSE_URL is not set: the events contract runs on the embedded engine only');
}

test('an address where nothing listens is ENGINE_UNAVAILABLE', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}`;
  await using events = openClickHouse({ url, username: 'default', password: '', database: 'culprit' });
  expect(await events.ready()).toBe(false);
  await expect(events.query('SELECT 1')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', status: 503 });
  await expect(events.insert('errors', [testErrorRow()], 't')).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
  });
});

test('a read whose connection was closed under it is asked again, once', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    if (asked === 2 || asked > 3) request.socket.destroy();
    else response.end('{"one":1}\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using events = openClickHouse({ url, username: 'default', password: '', database: 'culprit' });
  expect(await events.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await events.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(asked).toBe(3);
  await expect(events.query('SELECT 1 AS one')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  expect(asked).toBe(5);
  server.close();
});
