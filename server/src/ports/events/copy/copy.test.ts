/** An events store becomes what another is, while that is written to; payloads in segments come into the rows. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lasting } from '../../../base/testing.ts';
import type { Events } from '../events.ts';
import { connectEvents, type OpenedEvents } from '../open.ts';
import { payloadColumns, type PayloadColumns, withPayloads } from '../payload-rows.ts';
import { testErrorRow, testLogRow, testSpanRow } from '../test-rows.ts';
import { openPreparedEvents } from '../testing/prepared.ts';
import {
  compareEvents,
  type Copied,
  copyEvents,
  dropViews,
  type Journal,
  makeViews,
  numberInserts,
  stopMerges,
  tablesToCopy,
} from './copy.ts';
import type { CopiedTable, Ends } from './partition.ts';

let dir: string;
const opened: OpenedEvents[] = [];
let source: Events;
let target: Events;
let tables: CopiedTable[];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'culprit-events-copy-'));
  for (const name of ['source', 'target']) opened.push(await openPreparedEvents(join(dir, name)));
  const [from, to] = opened;
  if (!from || !to) throw new Error('there are two');
  source = from.events;
  const { payloadsDir: _, ...address } = to.events.address;
  target = connectEvents(address);
  tables = await tablesToCopy(source, target);
});
afterAll(async () => {
  await target?.close();
  for (const each of opened) await each.close();
  rmSync(dir, { recursive: true, force: true });
});

let made = 0;
const dayMs = 86_400_000;

async function store(count: number, ageDays = 0): Promise<void> {
  const { payloads } = source;
  if (!payloads) throw new Error('the embedded engine has segments');
  await using writer = payloads.createWriter();
  using batch = writer.batch();
  const at = Date.now() - ageDays * dayMs;
  const errors = Array.from({ length: count }, () => {
    const id = (made++).toString(16).padStart(32, '0');
    const payload = JSON.stringify({ event: id, text: 'ü😀 '.repeat(made % 300) });
    // Some have it in their row.
    const place = made % 7 ? batch.add(payload, 'kin') : { segment: 0, ordinal: 0 };
    return testErrorRow({
      event_id: id,
      user: `id:${made % 50}`,
      group_hash: 'abc'.charAt(made % 3).repeat(32),
      timestamp: at + made,
      received_at: at,
      payload: made % 7 ? '' : payload,
      facts: '{}',
      payload_segment: place.segment,
      payload_ordinal: place.ordinal,
    });
  });
  await writer.write(batch);
  await source.insert('errors', errors, `errors ${made}`);
  const spans = errors.map(({ event_id }, index) =>
    testSpanRow({ span_id: event_id.slice(16), is_segment: index % 2 ? 1 : 0, started_at: (at + index) * 1_000 }),
  );
  await source.insert('spans', spans, `spans ${made}`);
  await source.insert('logs', [testLogRow({ timestamp: at * 1_000 })], `logs ${made}`);
}

function journalIn(partitions = new Map<string, Copied>()): Journal {
  return {
    partitions,
    async note(key, copied) {
      if (copied) partitions.set(key, copied);
      else partitions.delete(key);
    },
  };
}

const ends = (onBytes: Ends['onBytes'] = async () => {}, signal = new AbortController().signal): Ends => ({
  source,
  target,
  signal,
  onBytes,
});

/** All that can be read of the errors, and what aggregates come to. */
async function everything(events: Events): Promise<unknown> {
  const rows = await events.query<PayloadColumns & Record<string, unknown>>(
    `SELECT * EXCEPT (texts, payload, payload_segment, payload_ordinal), toString(texts) AS texts, ${payloadColumns}
     FROM errors ORDER BY event_id`,
  );
  const ask = (sql: string): Promise<unknown[]> => events.query(sql);
  return [
    await withPayloads(events, rows),
    await ask(
      `SELECT group_hash, hour, sum(events) AS n, uniqMerge(users) AS users, min(first_seen) AS a, max(last_seen) AS b
       FROM issue_hours GROUP BY ALL ORDER BY ALL`,
    ),
    await ask('SELECT days, start, group_hash, sum(events) AS n FROM issue_ranks GROUP BY ALL ORDER BY ALL'),
    await ask('SELECT * FROM spans ORDER BY span_id'),
    await ask('SELECT * FROM logs ORDER BY timestamp'),
    await ask('SELECT * FROM segments ORDER BY ALL'),
    await ask('SELECT count() AS n, sum(cityHash64(*)) AS sum FROM error_texts FINAL'),
  ];
}

async function expectSame(): Promise<void> {
  expect((await compareEvents(tables, { source, target })).differences).toEqual([]);
  expect(await everything(target)).toEqual(await everything(source));
}

test('what comes, is merged and is deleted meanwhile', async () => {
  await store(200, 20);
  await store(300);
  await numberInserts(source, tables, true);
  await dropViews(target);
  const journal = journalIn();
  const first = await copyEvents(tables, journal, ends());
  expect(first.rows).toBeGreaterThan(1_000);
  await expectSame();
  expect(await copyEvents(tables, journal, ends())).toMatchObject({ rows: 0, partitions: 0 });

  await store(50);
  await store(20, 20);
  for (const { name } of tables) await source.command(`OPTIMIZE TABLE ${name} FINAL`);
  const second = await copyEvents(tables, journal, ends());
  expect(second.rows).toBeLessThan(first.rows / 2);
  await expectSame();

  // From now on only what came is copied of aggregates as well.
  await stopMerges(source, tables);
  await copyEvents(tables, journal, ends());
  await store(10);
  const third = await copyEvents(tables, journal, ends());
  expect(third.rows).toBeLessThan(60);
  await expectSame();

  await source.command(`DELETE FROM errors WHERE group_hash = {hash:String}`, { hash: 'a'.repeat(32) });
  await copyEvents(tables, journal, ends());
  await expectSame();

  await makeViews(source, target);
  const views = (events: Events): Promise<unknown[]> =>
    events.query(
      `SELECT name, create_table_query AS q FROM system.tables
       WHERE database = currentDatabase() AND engine = 'MaterializedView' ORDER BY name`,
    );
  expect(await views(target)).toEqual(await views(source));
  await dropViews(target);
}, 60_000);

test('broken off anywhere, it ends with the same', async () => {
  await store(40);
  const journal = journalIn();
  let isOver = false;
  for (let sends = 1; !isOver; sends += lasting(9, 3)) {
    const killed = new AbortController();
    let count = 0;
    try {
      await copyEvents(
        tables,
        journal,
        ends(async () => {
          count += 1;
          if (count === sends) killed.abort(new Error('killed'));
        }, killed.signal),
      );
      isOver = true;
    } catch (error) {
      expect(String(error)).toContain('killed');
    }
    await store(3);
  }
  await copyEvents(tables, journal, ends());
  await expectSame();
  // Of a journal that says less than is there, nothing is twice.
  await copyEvents(tables, journalIn(), ends());
  await expectSame();
  await stopMerges(source, tables, false);
  await numberInserts(source, tables, false);
}, 120_000);

test('blocks of many rows are cut', async () => {
  await source.insert(
    'logs',
    Array.from({ length: 16_000 }, (_, index) =>
      testLogRow({ timestamp: (Date.now() + index) * 1_000, body: `${index} `.repeat(400) }),
    ),
    'many',
  );
  await copyEvents(tables, journalIn(), ends());
  expect((await compareEvents(tables, { source, target })).differences).toEqual([]);
}, 60_000);
