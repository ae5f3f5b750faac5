/** Events that were stored with their payload are the same once it lies elsewhere, and at every moment until then. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lasting } from '../../../base/testing.ts';
import type { Events } from '../events.ts';
import type { OpenedEvents } from '../open.ts';
import { packPayloads, payloadColumns, type PayloadColumns, withPayloads } from '../payload-rows.ts';
import { testErrorRow } from '../test-rows.ts';
import { openPreparedEvents } from '../testing/prepared.ts';
import { carryOver, type CarryProgress, weeksToCarry } from './carry.ts';
import { changeRows, pendingPlacements } from './mutations.ts';
import { type CarriedEvents, hasSegments } from './places.ts';

const weekMs = 7 * 86_400_000;
const hashes = ['a', 'b', 'c'].map((digit) => digit.repeat(32));

let dir: string;
let opened: OpenedEvents;
let events: CarriedEvents;
/** Each test has weeks of its own. */
let at = Date.now() - 6 * weekMs;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'culprit-carry-'));
  opened = await openPreparedEvents(dir);
  if (!hasSegments(opened.events)) throw new Error('the embedded engine has segments');
  events = opened.events;
});
afterAll(async () => {
  await opened.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  await events.command('TRUNCATE TABLE errors');
});

const payloadOf = (index: number): string =>
  JSON.stringify({
    type: 'error',
    contexts: { os: { name: `os ${index} ü 😀` } },
    user: { geo: { city: `city ${index}` } },
    request: { method: 'GET', headers: [['a', `b${index}`]] },
    exception: {
      values: [
        {
          type: `Odd${index % 5}`,
          value: `value ${index}`,
          mechanism: { type: 'chained' },
          stacktrace: {
            frames: [{ function: `f${index}`, filename: 'a.ts', lineno: index + 1, colno: 3, in_app: index % 2 === 0 }],
          },
        },
      ],
    },
    extra: { told: `${index} `.repeat(500) },
  });

/** As an earlier version left them: columns that came later are not there. */
async function store(count: number, others: Parameters<typeof testErrorRow>[0][] = []): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) =>
    testErrorRow({
      event_id: index.toString(16).padStart(32, '0'),
      group_hash: hashes[index % hashes.length] ?? '',
      timestamp: at + (index % 50) * 1_000,
      received_at: at + (index % 50) * 1_000,
      payload: payloadOf(index),
    }),
  );
  await events.insert('errors', [...rows, ...others.map((columns) => testErrorRow(columns))], `old ${Math.random()}`);
  const computed = await events.query<{ name: string }>(
    `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'errors' AND default_kind = 'DEFAULT' AND name != 'texts'`,
  );
  const names = [...computed.map(({ name }) => name), 'payload_segment', 'payload_ordinal'];
  await events.command(
    `ALTER TABLE errors ${names.map((name) => `CLEAR COLUMN ${name}`).join(', ')} SETTINGS mutations_sync = 2`,
  );
  await events.command(`INSERT INTO schema_migrations (id, name) VALUES (16, 'now')`);
}

/** All that can be read of the events. */
async function everything(): Promise<unknown[]> {
  const rows = await events.query<PayloadColumns & Record<string, unknown>>(
    `SELECT * EXCEPT (texts, payload, payload_segment, payload_ordinal), toString(texts) AS texts, ${payloadColumns}
     FROM errors ORDER BY project_id, group_hash, timestamp, event_id, title`,
  );
  return withPayloads(events, rows);
}

async function inRows(): Promise<number> {
  const [row] = await events.query<{ n: number }>(`SELECT countIf(payload != '') AS n FROM errors`);
  return row?.n ?? 0;
}

const calm = { signal: new AbortController().signal, rest: async () => {} };

async function carry(from: CarriedEvents = events): Promise<CarryProgress[]> {
  const weeks: CarryProgress[] = [];
  await carryOver(from, { ...calm, onWeek: (week) => weeks.push(week) });
  return weeks;
}

/** As a server that was killed, and started again. */
async function restart(): Promise<void> {
  await events.payloads.settle();
}

describe('carrying over', () => {
  test('moves payloads, newest week first, and what was computed from them stays', async () => {
    await store(300);
    at -= weekMs;
    await store(100);
    const before = await everything();
    expect(before).toHaveLength(400);
    const views = await events.query('SELECT sum(events) AS n FROM issue_ranks WHERE days = 1');
    const done = await carry();
    expect(done.map(({ rows, left, refused }) => ({ rows, left, refused }))).toEqual([
      { rows: 300, left: 100, refused: 0 },
      { rows: 100, left: 0, refused: 0 },
    ]);
    expect(await inRows()).toBe(0);
    expect(await everything()).toEqual(before);
    expect(await events.query('SELECT sum(events) AS n FROM issue_ranks WHERE days = 1')).toEqual(views);
    expect(await weeksToCarry(events)).toEqual([]);
    expect(await carry()).toEqual([]);
    // They go with the events of their time.
    await events.payloads.dropBefore(at + 2 * weekMs + 86_400_000);
    expect((await everything()).length).toBe(0);
  });

  test('is nothing to rows of a version that has segments', async () => {
    await store(3);
    const { payloads } = events;
    await using writer = payloads.createWriter();
    using batch = writer.batch();
    const place = batch.add(payloadOf(9), 'x');
    await writer.write(batch);
    const later = Date.now() + 60_000;
    await events.insert(
      'errors',
      [
        testErrorRow({
          timestamp: at,
          received_at: later,
          event_id: '9'.repeat(32),
          payload: '',
          facts: '{"new":true}',
          error_main_thread: 1,
          payload_segment: place.segment,
          payload_ordinal: place.ordinal,
        }),
        testErrorRow({ timestamp: at, received_at: later, event_id: '8'.repeat(32), payload: '{"stays":1}' }),
      ],
      'new',
    );
    const before = await everything();
    expect(await carry()).toMatchObject([{ rows: 3 }]);
    expect(await inRows()).toBe(1);
    expect(await everything()).toEqual(before);
    expect(await weeksToCarry(events)).toEqual([]);
  });

  test('events that are there twice, and those of one time', async () => {
    const same = { timestamp: at, received_at: at, event_id: 'd'.repeat(32), payload: payloadOf(1) };
    const other = { ...same, event_id: 'f'.repeat(32) };
    const many = Array.from({ length: 4_500 }, (_, index) => ({
      ...same,
      event_id: `1${index.toString(16).padStart(31, '0')}`,
      payload: `{"index":${index}}`,
    }));
    await store(3, [same, same, { ...other, title: 'a' }, { ...other, title: 'b', payload: '{"other":1}' }, ...many]);
    const before = await everything();
    expect(await carry()).toMatchObject([{ rows: 4_505, refused: 0 }]);
    expect(await everything()).toEqual(before);
    // Nothing says whose is whose.
    expect(await inRows()).toBe(2);
    await carry();
    expect(await everything()).toEqual(before);
  });

  test('events that are deleted meanwhile', async () => {
    await store(90);
    let calls = 0;
    await carryOver(events, {
      ...calm,
      rest: async () => {
        calls += 1;
        if (calls === 2)
          await events.command(`DELETE FROM errors WHERE group_hash = {hash:String}`, { hash: hashes[0] });
      },
    });
    expect(calls).toBeGreaterThan(2);
    expect(await everything()).toHaveLength(60);
    expect(await inRows()).toBe(0);
  });
});

/** Does nothing any more after so many statements that change something; of the last it is not known whether it was done. */
function killedAfter(statements: number, isDone: boolean): { killed: CarriedEvents; isOver: () => boolean } {
  let count = 0;
  const command: Events['command'] = async (sql, params) => {
    count += 1;
    if (count > statements || (count === statements && !isDone)) throw new Error('killed');
    await events.command(sql, params);
    if (count === statements) throw new Error('killed');
  };
  const { payloads, address } = events;
  const killed: CarriedEvents = { ...rest(events), payloads, address, command };
  return { killed, isOver: () => count < statements };
}

const rest = (of: CarriedEvents): Omit<CarriedEvents, 'command' | 'payloads' | 'address'> => ({
  insert: (...args) => of.insert(...args),
  insertBlock: (...args) => of.insertBlock(...args),
  query: (...args) => of.query(...args),
  ready: () => of.ready(),
  index: of.index,
  close: () => of.close(),
  [Symbol.asyncDispose]: () => of[Symbol.asyncDispose](),
});

describe('a kill', () => {
  test.each([true, false])(
    'after any statement leaves everything there, and the next run ends it; it was done: %s',
    async (isDone) => {
      for (let statements = 1, isOver = false; !isOver; statements += lasting(5, 1)) {
        await events.command('TRUNCATE TABLE errors');
        await store(60);
        const before = await everything();
        const { killed, isOver: isPast } = killedAfter(statements, isDone);
        await carry(killed).catch((error: unknown) => expect(String(error)).toContain('killed'));
        isOver = isPast();
        expect(await everything()).toEqual(before);
        await restart();
        // An engine that was killed too has forgotten where copies lie.
        if (statements % 2) await events.command('TRUNCATE TABLE IF EXISTS carried_payloads');
        await packAll();
        expect(await everything()).toEqual(before);
        await carry();
        expect([await inRows(), await everything()]).toEqual([0, before]);
        await packAll();
        expect(await everything()).toEqual(before);
      }
    },
    120_000,
  );

  test('copies that are lost, cut off or mixed up are made again', async () => {
    await store(60);
    const before = await everything();
    const { killed } = killedAfter(5, true);
    await expect(carry(killed)).rejects.toThrow('killed');
    const placed = await events.query<{ segment: number }>(
      `SELECT DISTINCT payload_segment AS segment FROM errors WHERE payload_segment != 0`,
    );
    expect(placed).toHaveLength(1);
    await events.payloads.erase([{ segment: placed[0]?.segment ?? 0, ordinal: 7 }]);
    expect(await everything()).toEqual(before);
    const [refused] = await carry();
    expect(refused).toMatchObject({ refused: 60 });
    expect(await everything()).toEqual(before);
    expect(await carry()).toMatchObject([{ rows: 60, refused: 0 }]);
    expect([await inRows(), await everything()]).toEqual([0, before]);
  });
});

describe('an engine that is killed', () => {
  test('goes on with what it was told, and every event stays readable', async () => {
    const { engine } = opened;
    if (!engine) throw new Error('the engine is embedded');
    await store(900);
    const before = await everything();
    // In the middle of a change of rows, mostly.
    for (const afterMs of lasting([20], [0, 5, 20, 60, 150, 400])) {
      let changes = 0;
      const command: Events['command'] = async (sql, params) => {
        await events.command(sql, params);
        if (!sql.startsWith('ALTER') || changes++ > 0) return;
        await delay(afterMs);
        process.kill(engine.pid ?? 0, 'SIGKILL');
      };
      const { payloads, address } = events;
      await carry({ ...rest(events), payloads, address, command }).catch(() => {});
      await expect.poll(() => events.ready().catch(() => false), { timeout: 20_000 }).toBe(true);
      await restart();
      expect(await everything()).toEqual(before);
      await expect.poll(() => pendingPlacements(events), { timeout: 20_000 }).toEqual([]);
      expect(await everything()).toEqual(before);
      await packAll();
    }
    await carry();
    expect([await inRows(), await everything()]).toEqual([0, before]);
    await packAll();
    expect(await everything()).toEqual(before);
  }, 120_000);

  test('gives up what cannot be done, so that events can still be deleted', async () => {
    await store(60);
    const [partition] = await weeksToCarry(events);
    const change = { assignments: "payload_segment = throwIf(payload != '', 'never')", condition: "payload != ''" };
    await expect(changeRows(events, partition?.week ?? '', change, calm.signal)).rejects.toThrow('never');
    await events.command(`DELETE FROM errors WHERE group_hash = {hash:String}`, { hash: hashes[0] });
    expect(await everything()).toHaveLength(40);
  }, 60_000);
});

/** As if nobody had written for a while. */
async function packAll(): Promise<void> {
  const { payloads, address } = events;
  const quiet: CarriedEvents['payloads'] = {
    createWriter: () => payloads.createWriter(),
    settle: () => payloads.settle(),
    read: (places) => payloads.read(places),
    readWhole: (places) => payloads.readWhole(places),
    areErased: (places) => payloads.areErased(places),
    erase: (places) => payloads.erase(places),
    unpacked: () => payloads.unpacked(0),
    search: (options) => payloads.search(options),
    rewrite: (segments, signal) => payloads.rewrite(segments, signal),
    withErased: () => payloads.withErased(),
    erasedBytes: () => payloads.erasedBytes(),
    pack: (segment, wanted) => payloads.pack(segment, wanted),
    daySizes: () => payloads.daySizes(),
    dropBefore: (time) => payloads.dropBefore(time),
  };
  const command: Events['command'] = (...args) => events.command(...args);
  await packPayloads({ ...rest(events), address, command, payloads: quiet }, calm.signal);
}
