/** What was acknowledged is there exactly once, whatever is killed and whenever. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openEventIndex } from '../src/ports/event-index/lmdb.ts';
import { type PayloadColumns, payloadColumns, withPayloads } from '../src/ports/events/payload-rows.ts';
import { lasting } from '../src/base/testing.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';
import { startLoad } from './load.ts';

const rounds = lasting(3, 20);
const awaySeconds = lasting(8, 60);

async function storedCounts(server: Server): Promise<Map<string, number>> {
  await using events = await server.events();
  const rows = await events.query<{ event_id: string; n: number }>(
    'SELECT event_id, count() AS n FROM errors GROUP BY event_id',
  );
  return new Map(rows.map((row) => [row.event_id, row.n]));
}

async function expectExactlyOnce(server: Server, acknowledged: ReadonlySet<string>): Promise<void> {
  await server.drained();
  const stored = await storedCounts(server);
  const lost = [...acknowledged].filter((id) => !stored.has(id));
  const doubled = [...stored].filter(([, n]) => n !== 1).map(([id]) => id);
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  await using events = await server.events();
  const rows = await events.query<PayloadColumns & { event_id: string }>(
    `SELECT event_id, ${payloadColumns} FROM errors`,
  );
  expect(rows.every((row) => row.payload_segment !== 0)).toBe(true);
  const whole = await withPayloads(events, rows);
  expect(
    whole.filter((row) => (JSON.parse(row.payload) as { event_id: string }).event_id === row.event_id).length,
  ).toBe(stored.size);
  const [sums] = await events.query<{ hours: number; days: number; weeks: number; outcomes: number }>(
    `SELECT (SELECT sum(events) FROM issue_hours) AS hours, (SELECT sum(events) FROM issue_ranks WHERE days = 1) AS days,
       (SELECT sum(events) FROM issue_ranks WHERE days = 7) AS weeks,
       (SELECT sum(quantity) FROM outcomes WHERE outcome = 'accepted' AND category = 'error') AS outcomes`,
  );
  expect(sums).toEqual({ hours: stored.size, days: stored.size, weeks: stored.size, outcomes: stored.size });
}

/** What the event index says of groups is what the engine has, and so is each place that it knows. Ends the server. */
async function expectIndexed(server: Server): Promise<void> {
  const rows = await rowsOf(server);
  await server.kill();
  await using index = await openEventIndex({ dir: join(server.dataDir, 'event-index') });
  for (const [hash, ofGroup] of Map.groupBy(rows, (row) => row.hash)) {
    const [{ projectId } = { projectId: 0 }] = ofGroup;
    const ids = index.newest({ projectId, hashes: [hash] }, rows.length)?.map(({ id }) => id);
    expect(ids?.toSorted()).toEqual(ofGroup.map(({ id }) => id).toSorted());
  }
  const known = rows.filter(({ id }) => index.placesOf(id).length > 0);
  expect(known.length).toBeGreaterThan(0);
  expect(known.map(({ id }) => index.placesOf(id))).toEqual(
    known.map(({ segment, ordinal }) => [{ segment, ordinal }]),
  );
  console.log(`places that the index knows: ${known.length} of ${rows.length}`);
}

async function rowsOf(server: Server) {
  await using events = await server.events();
  return events.query<{ projectId: number; hash: string; id: string; segment: number; ordinal: number }>(
    `SELECT project_id AS projectId, group_hash AS hash, event_id AS id, payload_segment AS segment,
       payload_ordinal AS ordinal FROM errors`,
  );
}

/** Pids of the engine processes of this server: it has no other children. */
async function enginePids(server: Server): Promise<number[]> {
  const tasks = `/proc/${server.pid}/task`;
  const threads = await readdir(tasks).catch(() => []);
  const children = threads.map((thread) => readFile(`${tasks}/${thread}/children`, 'utf8').catch(() => ''));
  return (await Promise.all(children)).flatMap((pids) => pids.split(' ').filter(Boolean).map(Number));
}

/** Between kills: an engine needs longer than that to be ready. */
const awayMs = 250;

async function killEngine(server: Server): Promise<void> {
  for (const pid of await enginePids(server)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It was gone already.
    }
  }
}

describe('kill -9 under load', () => {
  test(`${rounds} rounds of server, engine or both: every acknowledged event is there exactly once`, async () => {
    await using server = await Server.create();
    const load = startLoad(server, 8, 40);
    for (let round = 0; round < rounds; round++) {
      await pause(200 + Math.random() * 1_200);
      const victim = round % 3;
      if (victim !== 0) await killEngine(server);
      if (victim !== 1) {
        await server.kill();
        await server.start({ ready: false });
      }
    }
    await load.stop();
    expect(load.acknowledged.size).toBeGreaterThan(rounds * 20);
    await server.until('/readyz', async () => (await fetch(`${server.url}/readyz`)).ok);
    await expectExactlyOnce(server, load.acknowledged);
    await expectIndexed(server);
    console.log(`acknowledged over ${rounds} kills: ${load.acknowledged.size}`);
  });
});

describe('engine away', () => {
  test(`${awaySeconds} s without the engine: ingestion keeps answering 200, everything arrives after`, async () => {
    await using server = await Server.create();
    const load = startLoad(server, 3, 100);
    await pause(500);
    const until = Date.now() + awaySeconds * 1_000;
    while (Date.now() < until) {
      await killEngine(server);
      await pause(awayMs);
    }
    const during = load.acknowledged.size;
    await load.stop();
    expect(during).toBeGreaterThan(awaySeconds * 16);
    expect([...load.statuses.keys()]).toEqual([200]);
    await expectExactlyOnce(server, load.acknowledged);
    await expectIndexed(server);
  });
});

describe('log at its limit', () => {
  test('503 with Retry-After, nothing corrupt, recovers by itself', async () => {
    await using server = await Server.create({ CULPRIT_LOG_MAX_BYTES: '200k' });
    const enough = new AbortController();
    const killer = (async () => {
      while (!enough.signal.aborted) {
        await killEngine(server);
        await pause(awayMs);
      }
    })();
    const url = envelopeUrl(server.installed.dsn);
    const acknowledged = new Set<string>();
    let refused: Response | undefined;
    for (let n = 0; n < 2_000 && !refused; n++) {
      const eventId = newEventId();
      const response = await fetch(url, { method: 'POST', body: errorEnvelope(eventId) });
      if (response.status === 200) acknowledged.add(eventId);
      else refused = response;
    }
    expect(refused?.status).toBe(503);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*');
    enough.abort();
    await killer;
    await server.until('events are taken again', async () => {
      const eventId = newEventId();
      const response = await fetch(url, { method: 'POST', body: errorEnvelope(eventId) });
      if (response.status !== 200) return false;
      acknowledged.add(eventId);
      return true;
    });
    await expectExactlyOnce(server, acknowledged);
  });
});

test('SIGTERM stops gracefully within 10 s, and what was acknowledged is there after the next start', async () => {
  await using server = await Server.create();
  const load = startLoad(server, 8, 10);
  await pause(1_500);
  const tookMs = await server.stop();
  await load.stop();
  expect(tookMs).toBeLessThan(10_000);
  await server.start();
  await expectExactlyOnce(server, load.acknowledged);
});
