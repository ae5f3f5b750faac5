/** Events that were stored before frames were columns are found by them too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { stackColumns } from '../../../process/items/event/stack-columns.ts';
import type { Event } from '../../../process/steps/event.ts';
import { openClickHouse } from '../clickhouse.ts';
import { startEngine } from '../supervisor.ts';
import { testErrorRow } from '../test-rows.ts';
import { migrateEvents } from './index.ts';

const dir = mkdtempSync(join(tmpdir(), 'culprit-test-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the texts of events that were stored before are found by their number', async () => {
  await using engine = await startEngine({ dataDir: mkdtempSync(join(dir, 'texts-')) });
  await using events = openClickHouse(engine.address);
  await migrateEvents(events, { retentionDays: 90 });
  const payload = JSON.stringify({
    exception: { values: [{ type: 'Odd', stacktrace: { frames: [{ function: 'pay' }] } }] },
  });
  const old = ['one', 'two', 'two'].map((title, index) =>
    testErrorRow({
      event_id: String(index).repeat(32),
      title,
      payload,
      group_hash: index ? 'b'.repeat(32) : '0'.repeat(32),
    }),
  );
  await events.insert('errors', old, 'before');
  for (let round = 0; round < 2; round += 1) {
    await events.command('DROP VIEW error_texts_by_day SYNC');
    await events.command('ALTER TABLE errors CLEAR COLUMN texts SETTINGS mutations_sync = 2');
    await events.command('ALTER TABLE schema_migrations DELETE WHERE id IN (13, 19) SETTINGS mutations_sync = 2');
    expect(await migrateEvents(events, { retentionDays: 90 })).toEqual(['error texts', 'fewer views']);
    expect(await events.query('SELECT title, stack_functions FROM error_texts ORDER BY title')).toEqual([
      { title: 'one', stack_functions: ['pay'] },
      { title: 'two', stack_functions: ['pay'] },
    ]);
    const found = await events.query(
      "SELECT event_id FROM errors WHERE texts IN (SELECT texts FROM error_texts WHERE title = 'two') ORDER BY event_id",
    );
    expect(found).toEqual([{ event_id: '1'.repeat(32) }, { event_id: '2'.repeat(32) }]);
  }
  await events.insert('errors', [testErrorRow({ title: 'new', texts: '18446744073709551615' })], 'after');
  expect(await events.query("SELECT toString(texts) AS texts FROM error_texts WHERE title = 'new'")).toEqual([
    { texts: '18446744073709551615' },
  ]);
});

test('texts are as old as the last event that has them', async () => {
  await using engine = await startEngine({ dataDir: mkdtempSync(join(dir, 'days-')) });
  await using events = openClickHouse(engine.address);
  await migrateEvents(events, { retentionDays: 90 });
  // In one month.
  const days = [14, 20, 3, 20];
  const rows = days.map((day, index) =>
    testErrorRow({ event_id: String(index).repeat(32), texts: '7', timestamp: Date.UTC(2026, 9, day) }),
  );
  await events.insert('errors', rows, 'days');
  await events.insert('errors', rows.slice(0, 1), 'again');
  await events.command('OPTIMIZE TABLE error_texts FINAL');
  expect(await events.query('SELECT toString(texts) AS texts, day FROM error_texts')).toEqual([
    { texts: '7', day: '2026-10-20' },
  ]);
});

test('columns read from payloads are those that the pipeline makes', async () => {
  await using engine = await startEngine({ dataDir: dir });
  await using events = openClickHouse(engine.address);
  await migrateEvents(events, { retentionDays: 90 });
  const event: Event = {
    event_id: 'e'.repeat(32),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: 0,
    received: 0,
    tags: [],
    exception: {
      values: [
        {
          type: 'Error',
          value: 'ünïcode "quoted"',
          mechanism: { type: 'chained' },
          stacktrace: {
            frames: [
              { function: 'pay', filename: 'cart.ts', abs_path: '/app/cart.ts', lineno: 7, colno: 3, in_app: true },
              { function: 'pay', module: 'app.cart', package: 'app', in_app: false },
            ],
          },
        },
        { type: 'PayError' },
      ],
    },
  };
  const columns = stackColumns(event);
  const names = Object.keys(columns);
  await events.insert(
    'errors',
    [
      testErrorRow({ event_id: '1'.repeat(32), payload: JSON.stringify(event) }),
      testErrorRow({ event_id: '2'.repeat(32), payload: JSON.stringify(event), ...columns }),
      testErrorRow({ event_id: '3'.repeat(32), payload: '{}', ...columns }),
      testErrorRow({ event_id: '4'.repeat(32), payload: 'null' }),
    ],
    'first',
  );
  const rows = (): Promise<unknown[]> => events.query(`SELECT ${names.join(', ')} FROM errors ORDER BY event_id`);
  const none = Object.fromEntries(names.map((name) => [name, name === 'error_main_thread' ? null : []]));
  expect(await rows()).toEqual([columns, columns, columns, none]);
  // As a part from before the columns were there.
  await events.command(
    `ALTER TABLE errors ${names.map((name) => `CLEAR COLUMN ${name}`).join(', ')} SETTINGS mutations_sync = 2`,
  );
  expect(await rows()).toEqual([columns, columns, none, none]);
  const found = await events.query<{ n: number }>(
    "SELECT count() AS n FROM errors WHERE group_hash = {hash:String} AND has(stack_functions, 'pay') AND event_id != '0'",
    { hash: 'a'.repeat(32) },
  );
  expect(found).toEqual([{ n: 2 }]);
});
