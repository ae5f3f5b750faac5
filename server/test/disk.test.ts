/** What is deleted leaves the disk within the hour, and what ages out goes in whole parts: by the size of the folders. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sizeOfFolder } from '../src/base/disk-usage.ts';
import { lasting } from '../src/base/testing.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const mb = 1e6;
/** Of all that is sent, and of the sizes that follow from it. */
const share = lasting(1 / 4, 1);

let server: Server;
beforeAll(async () => {
  server = await Server.create({}, { clock: true });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const org = (): string => `/organizations/${server.installed.organization}`;

/** Of the folder, bytes on disk. */
const sizeOf = (...path: string[]): Promise<number> => sizeOfFolder(join(server.dataDir, ...path));

/** An event of 10 kB that compress badly, with a file of 20 kB. */
async function fail(dsn: string, bug: string): Promise<void> {
  const eventId = newEventId();
  const values = [
    {
      type: `${bug}Error`,
      value: `of ${bug}`,
      stacktrace: { frames: [{ filename: '/app/a.js', function: bug, lineno: 1, in_app: true }] },
    },
  ];
  const event = errorEnvelope(eventId, {
    exception: { values },
    timestamp: server.now() / 1000,
    extra: Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`part ${index}`, randomBytes(700).toString('base64')]),
    ),
  });
  const file = randomBytes(20_000);
  const header = JSON.stringify({ type: 'attachment', length: file.length, filename: 'core.dmp' });
  const body = Buffer.concat([Buffer.from(event), Buffer.from(`${header}\n`), file, Buffer.from('\n')]);
  expect((await fetch(envelopeUrl(dsn), { method: 'POST', body })).status).toBe(200);
}

async function failOften(dsn: string, bug: string, times: number): Promise<void> {
  for (let left = Math.floor(times); left > 0; left -= 25)
    await Promise.all(Array.from({ length: Math.min(25, left) }, () => fail(dsn, bug)));
}

async function later(ms: number): Promise<void> {
  await server.stop();
  await server.moveClock(ms);
  await server.start();
}

const request = async (method: string, path: string): Promise<void> => {
  const headers = { authorization: `Bearer ${server.installed.token}` };
  expect((await fetch(`${server.url}/api/0${path}`, { method, headers })).ok).toBe(true);
};

describe.sequential('the disk', () => {
  let other: { slug: string; dsn: string };

  test('holds what came', async () => {
    other = await server.api(`${org()}/projects/`, { method: 'POST', body: JSON.stringify({ name: 'Other' }) });
    await failOften(server.installed.dsn, 'first', 500 * share);
    await failOften(server.installed.dsn, 'second', 100 * share);
    await failOften(other.dsn, 'third', 300 * share);
    await server.drained();
    expect(await sizeOf('payloads')).toBeGreaterThan(6 * share * mb);
    expect(await sizeOf('blobs')).toBeGreaterThan(17 * share * mb);
  });

  test('gets back what a deleted issue took', async () => {
    await later(20 * minuteMs);
    const before = { payloads: await sizeOf('payloads'), blobs: await sizeOf('blobs') };
    const issues = await server.api<{ id: string; title: string }[]>(`${org()}/issues/?limit=10`);
    const gone = issues.find(({ title }) => title.startsWith('firstError'))?.id ?? '';
    await request('DELETE', `${org()}/issues/?id=${gone}`);
    await later(minuteMs);
    // The share of the first.
    await server.until('its files are gone', async () => (await sizeOf('blobs')) < before.blobs * 0.5);
    await later(6 * minuteMs);
    await server.until('its events are gone', async () => (await sizeOf('payloads')) < before.payloads * 0.55);
    await using events = await server.events();
    await server.until(
      'its rows are gone',
      async () => {
        const [row] = await events.query<{ marked: number; rows: number }>(
          `SELECT countIf(has_lightweight_delete) AS marked, sumIf(rows, table = 'errors') AS rows FROM system.parts
           WHERE database = currentDatabase() AND active`,
        );
        return row?.marked === 0 && row.rows === 400 * share;
      },
      120_000,
    );
  }, 240_000);

  test('gets back what a deleted project took, though it is killed meanwhile', async () => {
    const before = { payloads: await sizeOf('payloads'), blobs: await sizeOf('blobs') };
    await request('DELETE', `/projects/${server.installed.organization}/${other.slug}/`);
    await server.kill();
    await server.moveClock(6 * minuteMs);
    await server.start();
    await server.until('its files are gone', async () => (await sizeOf('blobs')) < before.blobs * 0.35);
    await server.until('its events are gone', async () => (await sizeOf('payloads')) < before.payloads * 0.35);
    await using events = await server.events();
    await server.until('its rows are gone', async () => {
      const [row] = await events.query<{ rows: number }>(
        `SELECT sum(rows) AS rows FROM system.parts WHERE database = currentDatabase() AND active AND table = 'errors'`,
      );
      return row?.rows === 100 * share;
    });
  }, 240_000);

  test('gets back what is past retention, a day after the other', async () => {
    await later(85 * dayMs);
    await failOften(server.installed.dsn, 'second', 50 * share);
    await server.drained();
    await later(20 * dayMs);
    await server.until('the first days are gone', async () => (await sizeOf('blobs', 'items')) < 1.3 * share * mb);
    await server.until('their events as well', async () => (await sizeOf('payloads')) < 0.7 * share * mb);
    expect(await sizeOf('payloads')).toBeGreaterThan(0.2 * share * mb);
  }, 240_000);
});
