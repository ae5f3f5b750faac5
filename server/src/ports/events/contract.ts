/** What every events store does, whatever stands behind its address. The store is empty and not migrated when it is given. */
import { sameDays } from '../../base/retention.ts';
import { askedBy } from '../../base/asker.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertedTables, tableRecords } from '../../base/tables/index.ts';
import { encodeRows } from './blocks/encode.ts';
import type { ErrorRow } from '../../base/tables/errors.ts';
import type { Events } from './events.ts';
import { layoutOf } from './layout.ts';
import { migrateEvents } from './migrations/index.ts';
import { testErrorRow, testLogRow, testSpanRow } from './test-rows.ts';

/** Texts that have broken encoders: quotes, escapes, separators of ClickHouse's formats, NUL, lone surrogates. */
export const hostileTexts = [
  '',
  `'`,
  `''`,
  `\\`,
  `\\'`,
  `\\\\n`,
  `"`,
  '`',
  'tab\there',
  'line\nbreak\r\n',
  'nul\0nul',
  '\b\f\v\u0001\u001f\u007f',
  '\\N',
  'NULL',
  '{a:String}',
  '[1,2]',
  "{'k':'v'}",
  "'); DROP TABLE errors; --",
  '/* comment */ -- comment',
  '%27%00&param_a=1',
  '😀 é 漢字 \u2028\u2029\ufeff',
  '\ud83d',
  'x\ude00y',
  '\\ud83d \\\\ud83d',
  '__proto__',
  'a'.repeat(10_000),
];

/** What the kinds of columns in records are stored as. */
const storedTypes: Readonly<Record<string, RegExp>> = {
  text: /^String$/,
  texts: /^Array\(String\)$/,
  number: /^UInt\d+$/,
  signed: /^Int64$/,
  numbers: /^Array\(UInt32\)$/,
  flag: /^UInt8$/,
  flags: /^Array\(UInt8\)$/,
  'flag or null': /^Nullable\(UInt8\)$/,
  millis: /^DateTime64\(3, 'UTC'\)$/,
  micros: /^DateTime64\(6, 'UTC'\)$/,
  hash: /^UInt64$/,
  'text by name': /^Map\(String, String\)$/,
  'number by name': /^Map\(String, Float64\)$/,
};

/** What inserted values are read as. */
const plainType = (type: string): string =>
  type.replaceAll('LowCardinality(String)', 'String').replace(/^SimpleAggregateFunction\(\w+, (.*)\)$/, '$1');

export function eventsContract(name: string, open: () => Promise<{ events: Events; close(): Promise<void> }>): void {
  describe(`events contract: ${name}`, () => {
    let events: Events;
    let close: () => Promise<void>;
    let project = 100;

    beforeAll(async () => {
      ({ events, close } = await open());
      await migrateEvents(events, { retentionDays: 90 });
    });
    afterAll(() => close());

    test('rows come back as they were inserted', async () => {
      project++;
      const rows = hostileTexts.map((text, index) =>
        testErrorRow({
          project_id: project,
          timestamp: Date.now() - index * 1000 - 0.5,
          event_id: index.toString(16).padStart(32, '0'),
          title: text,
          environment: text,
          user: text,
          group_hashes: [text, text],
          tags: { [`k${text}`]: text },
          handled: index % 2 === 0 ? 1 : null,
          payload: JSON.stringify({ text }),
        }),
      );
      await events.insert('errors', rows, `hostile:${project}`);
      const stored = await events.query<Record<string, unknown>>(
        `SELECT title, environment, user, group_hashes, tags, handled, payload, toUnixTimestamp64Milli(timestamp) AS at
         FROM errors WHERE project_id = {project:UInt64} ORDER BY event_id`,
        { project },
      );
      expect(stored).toEqual(
        rows.map((row) => {
          const text = row.title.toWellFormed();
          return {
            title: text,
            environment: text,
            user: text,
            group_hashes: [text, text],
            tags: { [`k${text}`]: text },
            handled: row.handled,
            payload: row.payload,
            at: Math.trunc(row.timestamp),
          };
        }),
      );
    });

    test('what a row leaves out is computed, what is empty in it stays so, beside each other in one batch', async () => {
      project++;
      const now = Date.now();
      const frames = [{ function: 'f', lineno: 7, in_app: true }];
      const payload = JSON.stringify({ exception: { values: [{ type: 'E', stacktrace: { frames } }] } });
      const given = {
        stack_functions: ["it's", 'a\tb'],
        stack_lines: [1, 4_294_967_295],
        stack_in_app: [1, 0],
      } as const;
      const rows = [
        {},
        { stack_functions: [], stack_lines: [], stack_in_app: [], error_main_thread: null },
        { ...given, texts: '18446744073709551615', error_main_thread: 1 },
      ].map((columns, index) =>
        testErrorRow({
          project_id: project,
          payload,
          event_id: String(index).padStart(32, '0'),
          timestamp: [now, now - 1, Date.UTC(2200, 0, 1) + 1][index] ?? 0,
          ...(columns as Partial<ErrorRow>),
        }),
      );
      await events.insert('errors', rows, `left-out:${project}`);
      expect(
        await events.query(
          `SELECT stack_functions, stack_lines, stack_in_app, error_main_thread, toUnixTimestamp64Milli(timestamp) AS at,
             texts = 18446744073709551615 AS is_given, texts = 0 AS is_none
           FROM errors WHERE project_id = {project:UInt64} ORDER BY event_id`,
          { project },
        ),
      ).toEqual([
        {
          stack_functions: ['f'],
          stack_lines: [7],
          stack_in_app: [1],
          error_main_thread: null,
          at: now,
          is_given: 0,
          is_none: 0,
        },
        {
          stack_functions: [],
          stack_lines: [],
          stack_in_app: [],
          error_main_thread: null,
          at: now - 1,
          is_given: 0,
          is_none: 0,
        },
        { ...given, error_main_thread: 1, at: Date.UTC(2200, 0, 1) + 1, is_given: 1, is_none: 0 },
      ]);
    });

    test('parameters arrive as they were given', async () => {
      for (const text of hostileTexts) {
        const [row] = await events.query(
          `SELECT {text:String} AS text, {list:Array(String)} AS list, {map:Map(String, String)} AS map,
           {maybe:Nullable(String)} AS maybe, length({text:String}) AS bytes`,
          { text, list: [text, `<${text}>`], map: { [`k${text}`]: text }, maybe: text },
        );
        const whole = text.toWellFormed();
        expect(row).toEqual({
          text: whole,
          list: [whole, `<${whole}>`],
          map: { [`k${whole}`]: whole },
          // The protocol writes null as \N and a backslash as \\, so only null itself is null.
          maybe: whole,
          bytes: Buffer.byteLength(whole),
        });
      }
    });

    test('parameters of other types', async () => {
      const [row] = await events.query(
        `SELECT {none:Nullable(String)} AS none, toString({big:UInt64}) AS big, toString({bigs:Array(UInt64)}) AS bigs,
         {negative:Int64} AS negative, {float:Float64} AS float, {time:DateTime64(3, 'UTC')} AS time, {yes:Bool} AS yes,
         {empty:Array(String)} AS empty, {numbers:Map(String, UInt64)} AS numbers, {text:LowCardinality(String)} AS text,
         {maybes:Array(Nullable(String))} AS maybes, {pairs:Array(Array(UInt8))} AS pairs`,
        {
          none: null,
          big: 18446744073709551615n,
          bigs: [18446744073709551615n, 9007199254740993n],
          negative: -5,
          float: 1.5,
          time: new Date('2026-11-21T08:00:00.123Z'),
          yes: true,
          empty: [],
          numbers: { a: 1 },
          text: 'x',
          maybes: ['a', null],
          pairs: [[1], [], [2, 3]],
        },
      );
      expect(row).toEqual({
        none: null,
        big: '18446744073709551615',
        bigs: '[18446744073709551615,9007199254740993]',
        negative: -5,
        float: 1.5,
        time: '2026-11-21 08:00:00.123',
        yes: true,
        empty: [],
        numbers: { a: 1 },
        text: 'x',
        maybes: ['a', null],
        pairs: [[1], [], [2, 3]],
      });
    });

    test('thousands of values in one parameter', async () => {
      const hashes = Array.from({ length: 5000 }, (_, index) => index.toString(16).padStart(32, '0'));
      expect(await events.query('SELECT length({hashes:Array(String)}) AS length', { hashes })).toEqual([
        { length: 5000 },
      ]);
    });

    test('a batch that is repeated with its token changes nothing, also in the aggregates', async () => {
      project++;
      const rows = [
        testErrorRow({ project_id: project, user: 'id:1' }),
        testErrorRow({ project_id: project, user: 'id:2', event_id: 'f'.repeat(32) }),
        testErrorRow({ project_id: project, user: '', timestamp: Date.now() - 20 * 86_400_000 }),
      ];
      await events.insert('errors', rows, 'first');
      await events.insert('errors', rows, 'first');
      const block = encodeRows('errors', rows);
      if (block) await events.insertBlock('errors', block, 'first');
      const outcome = {
        project_id: project,
        minute: Date.now(),
        category: 'error',
        outcome: 'accepted',
        reason: '',
        quantity: 3,
      };
      await events.insert('outcomes', [outcome], 'first');
      await events.insert('outcomes', [outcome], 'first');
      const counts = async (): Promise<unknown> =>
        events.query(
          `SELECT (SELECT count() FROM errors WHERE project_id = {project:UInt64}) AS errors,
           (SELECT sum(events) FROM issue_hours WHERE project_id = {project:UInt64}) AS hours,
           (SELECT uniqMerge(users) FROM issue_hours WHERE project_id = {project:UInt64}) AS users,
           (SELECT sum(events) FROM issue_ranks WHERE project_id = {project:UInt64} AND days = 1) AS days,
           (SELECT sum(events) FROM issue_ranks WHERE project_id = {project:UInt64} AND days = 7) AS weeks,
           (SELECT sum(events) FROM issue_lives WHERE project_id = {project:UInt64}) AS lives,
           (SELECT sum(quantity) FROM outcomes WHERE project_id = {project:UInt64}) AS outcomes`,
          { project },
        );
      expect(await counts()).toEqual([{ errors: 3, hours: 3, users: 2, days: 3, weeks: 3, lives: 3, outcomes: 3 }]);
      await events.insert('errors', rows, 'second');
      expect(await counts()).toEqual([{ errors: 6, hours: 6, users: 2, days: 6, weeks: 6, lives: 6, outcomes: 3 }]);
    });

    test('an event that stands for others counts for them, and for whom they met', async () => {
      project++;
      const row = (user: string, stands_for: number, sampled_users: string[]) => ({
        ...testErrorRow({ project_id: project, user, handled: 0 }),
        stands_for,
        sampled_users,
      });
      const rows = [
        row('id:1', 9, ['id:1', 'id:2', 'id:3']),
        row('', 4, ['id:4']),
        row('id:5', 0, []),
        row('id:5', 2, []),
      ];
      await events.insert('errors', rows, `stands:${project}`);
      await events.insert('errors', rows, `stands:${project}`);
      const totals = 'sum(events) AS events, sum(unhandled) AS unhandled, uniqMerge(users) AS users';
      for (const [table, sampled] of [
        ['issue_hours', ', sum(sampled) AS sampled'],
        ['issue_lives', ''],
      ]) {
        const found = await events.query(
          `SELECT ${totals}${sampled} FROM ${table} WHERE project_id = {project:UInt64}`,
          { project },
        );
        expect(found).toEqual([{ events: 19, unhandled: 19, users: 5, ...(sampled && { sampled: 15 }) }]);
      }
      expect(
        await events.query(
          `SELECT days, sum(events) AS events FROM issue_ranks WHERE project_id = {project:UInt64} GROUP BY days ORDER BY days`,
          { project },
        ),
      ).toEqual([
        { days: 1, events: 19 },
        { days: 7, events: 19 },
      ]);
    });

    test('a batch of spans that is repeated with its token changes nothing, also in the aggregates', async () => {
      project++;
      const rows = [
        testSpanRow({ project_id: project, user: 'id:1', numbers: { lcp: 1200 } }),
        testSpanRow({ project_id: project, user: 'id:2', duration_us: 2_000_000, failed: 1 }),
        testSpanRow({ project_id: project, user: 'id:2', duration_us: 2_000_000, failed: 1 }),
        testSpanRow({ project_id: project, is_segment: 0, started_at: (Date.now() - 20 * 86_400_000) * 1000 }),
        testSpanRow({ project_id: project, op: 'ui.webvital.cls', numbers: { cls: 0 } }),
      ];
      await events.insert('spans', rows, `spans:${project}`);
      await events.insert('spans', rows, `spans:${project}`);
      const measures = `sum(count) AS count, sum(failed) AS failed, sum(satisfied) AS satisfied, sum(total_us) AS us,
        uniqCombined64Merge(12)(users) AS users,
        arrayMap(us -> round(us / 1e5), quantilesDDMerge(0.01, 0.5, 0.75, 0.95, 0.99)(durations)) AS durations`;
      const of = (table: string, columns: string): Promise<unknown> =>
        events.query(`SELECT ${columns} FROM ${table} WHERE project_id = {project:UInt64}`, { project });
      expect(await of('spans', 'count() AS count')).toEqual([{ count: 5 }]);
      // A web vital that stands alone is no segment of a trace.
      expect(await of('segments', 'count() AS count, sum(failed) AS failed')).toEqual([{ count: 3, failed: 2 }]);
      for (const table of ['transaction_hours', 'transaction_days']) {
        expect(await of(table, measures)).toEqual([
          { count: 3, failed: 2, satisfied: 1, us: 4_120_000, users: 2, durations: [20, 20, 20, 20] },
        ]);
      }
      for (const table of ['vital_hours', 'vital_days']) {
        expect(await of(table, 'sum(count) AS count, sum(good) AS good, round(sum(score), 2) AS score')).toEqual([
          { count: 2, good: 2, score: 1.9 },
        ]);
      }
    });

    test('updates of a session are one session, in any order and however often they come', async () => {
      project++;
      const counts = { exited: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 };
      const row = {
        project_id: project,
        minute: Date.now(),
        environment: '',
        release: 'shop@1.0.0',
        session: '18446744073709551615',
        status: 1,
        duration_ms: 0,
        user: '0',
        ...counts,
        received_at: Date.now(),
      };
      const counted = { ...row, session: '0', status: 0, exited: 4, crashed: 1 };
      const batches = [
        [{ ...row, status: 6, user: '18446744073709551614', duration_ms: 1500 }],
        [row, counted],
        [counted],
      ];
      for (const [number, rows] of batches.entries()) {
        await events.insert('sessions', rows, `sessions:${project}:${number}`);
        await events.insert('sessions', rows, `sessions:${project}:${number}`);
      }
      const of = (sql: string): Promise<unknown> =>
        events.query(`${sql} WHERE project_id = {project:UInt64}`, { project });
      expect(
        await of(`SELECT countIf(status > 0) AS single, max(status) AS worst, toString(max(user)) AS user,
          max(duration_ms) AS ms, sum(exited) AS exited, sum(crashed) AS crashed FROM sessions FINAL`),
      ).toEqual([{ single: 1, worst: 6, user: '18446744073709551614', ms: 1500, exited: 8, crashed: 2 }]);
      expect(
        await of(`SELECT uniqMerge(sessions) AS single, uniqMerge(sessions_crashed) AS crashed, uniqMerge(users) AS users,
          uniqMerge(users_crashed) AS crashed_users, sum(exited) AS exited FROM session_hours`),
      ).toEqual([{ single: 1, crashed: 1, users: 1, crashed_users: 1, exited: 8 }]);
    });

    test('spans come back as they were inserted', async () => {
      project++;
      const rows = hostileTexts.map((text, index) =>
        testSpanRow({
          project_id: project,
          span_id: index.toString(16).padStart(16, '0'),
          // Whole µs of today are below 2^53.
          started_at: 1_790_000_000_123_456 + index,
          exclusive_us: -1,
          name: text,
          description: text,
          transaction: text,
          service: text,
          attributes: { [`k${text}`]: text },
          numbers: { [`n${text}`]: 0.1 },
          links: text,
        }),
      );
      await events.insert('spans', rows, `hostile spans:${project}`);
      const stored = await events.query<Record<string, unknown>>(
        `SELECT name, description, transaction, service, attributes, numbers, links, exclusive_us,
           toUnixTimestamp64Micro(started_at) AS started_at
         FROM spans WHERE project_id = {project:UInt64} ORDER BY span_id`,
        { project },
      );
      expect(stored).toEqual(
        rows.map((row) => {
          const text = row.name.toWellFormed();
          return {
            name: text,
            description: text,
            transaction: text,
            service: text,
            attributes: { [`k${text}`]: text },
            numbers: { [`n${text}`]: 0.1 },
            links: text,
            exclusive_us: -1,
            started_at: row.started_at,
          };
        }),
      );
    });

    test('logs come back as they were inserted, once', async () => {
      project++;
      const rows = hostileTexts.map((text, index) =>
        testLogRow({
          project_id: project,
          timestamp: 1_790_000_000_123_456,
          sequence: index,
          body: text,
          service: text,
          attributes: { [`k${text}`]: text },
          numbers: { [`n${text}`]: 0.1 },
        }),
      );
      await events.insert('logs', rows, `logs:${project}`);
      await events.insert('logs', rows, `logs:${project}`);
      const stored = await events.query<Record<string, unknown>>(
        `SELECT body, service, attributes, numbers, toUnixTimestamp64Micro(timestamp) AS at
         FROM logs WHERE project_id = {project:UInt64} ORDER BY timestamp, sequence`,
        { project },
      );
      expect(stored).toEqual(
        rows.map(({ body, timestamp }) => {
          const text = body.toWellFormed();
          const maps = { attributes: { [`k${text}`]: text }, numbers: { [`n${text}`]: 0.1 } };
          return { body: text, service: text, ...maps, at: timestamp };
        }),
      );
    });

    test('rows of all tables', async () => {
      project++;
      await events.insert('items', [], 'nothing');
      await events.insert(
        'items',
        [
          {
            project_id: project,
            received_at: Date.now(),
            item_type: 'replay_video',
            category: 'replay',
            outcome: 'accepted',
            reason: '',
            detail: '',
            event_id: '',
            headers: '{"type":"replay_video"}',
            size_bytes: 4,
            payload: '',
            blob_key: 'items/1',
          },
        ],
        `items:${project}`,
      );
      expect(
        await events.query('SELECT item_type, size_bytes, headers FROM items WHERE project_id = {project:UInt64}', {
          project,
        }),
      ).toEqual([{ item_type: 'replay_video', size_bytes: 4, headers: '{"type":"replay_video"}' }]);
    });

    test('slow queries delay neither inserts nor commands', async () => {
      project++;
      const finished: string[] = [];
      const slow = Array.from({ length: 8 }, () =>
        events.query('SELECT sum(sleepEachRow(1)) FROM numbers(2)').then(() => finished.push('query')),
      );
      await events.insert('errors', [testErrorRow({ project_id: project })], `slow:${project}`);
      finished.push('insert');
      await events.command('CREATE TABLE IF NOT EXISTS contract_probe (a UInt8) ENGINE = Memory');
      finished.push('command');
      await Promise.all(slow);
      expect(finished.slice(0, 2)).toEqual(['insert', 'command']);
    });

    test('a query ends when its signal aborts, and its place is free again', async () => {
      const endless = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1';
      const running = async (): Promise<number> => {
        const [row] = await events.query<{ count: number }>(
          `SELECT count() AS count FROM system.processes WHERE query LIKE '%sipHash64(number) = 1%' AND query NOT LIKE '%processes%'`,
        );
        return row?.count ?? 0;
      };
      const aborts = [new AbortController(), new AbortController()];
      const queries = aborts.map(({ signal }) => events.query(endless, {}, { signal, maxExecutionSeconds: 25 }));
      const settled = Promise.allSettled(queries);
      await expect.poll(running, { timeout: 15_000 }).toBe(2);
      for (const abort of aborts) abort.abort(new Error('no longer needed'));
      const results = await settled;
      expect(
        results.map((result) => (result.status === 'rejected' ? (result.reason as Error).message : 'done')),
      ).toEqual(['no longer needed', 'no longer needed']);
      await expect.poll(running, { timeout: 15_000 }).toBe(0);
    });

    test('whoever asks a lot leaves room for others, and what they left unanswered ends', async () => {
      const endless = 'SELECT count() FROM numbers(100000000000) WHERE NOT ignore(sipHash64(number))';
      const left = new AbortController();
      const greedy = Array.from({ length: 8 }, () =>
        askedBy({ key: 'greedy', signal: left.signal }, () => events.query(endless, {}, { maxExecutionSeconds: 25 })),
      );
      const ended = Promise.allSettled(greedy);
      let over = 0;
      for (const each of greedy) void each.catch(() => over++);
      const modest = await askedBy({ key: 'modest' }, () => events.query<{ one: number }>('SELECT 1 AS one'));
      expect(modest).toEqual([{ one: 1 }]);
      expect(over, 'answered while all of those go on').toBe(0);
      left.abort(new Error('the page was left'));
      for (const { status } of await ended) expect(status).toBe('rejected');
      expect(await askedBy({ key: 'greedy' }, () => events.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
    });

    test('a query that takes too long is QUERY_TIMEOUT', async () => {
      const endless = 'SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 2';
      await expect(events.query(endless, {}, { maxExecutionSeconds: 1 })).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
      });
    });

    test('mistakes in SQL and parameters are told as ClickHouse tells them', async () => {
      await expect(events.query('SELEC 1')).rejects.toMatchObject({ code: '62' });
      // All tables are named here: one that is not there is still being made by the first start.
      await expect(events.query('SELECT * FROM no_such_table')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
      await expect(events.query('SELECT {missing:String}')).rejects.toMatchObject({ code: '456' });
      await expect(events.query('SELECT {number:UInt8}', { number: 'x' })).rejects.toThrow();
      await expect(events.query('SELECT {list:Array(String)}', { list: 'x' })).rejects.toThrow();
      expect(await events.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });

    test('migrations run once, and again without effect', async () => {
      expect(await migrateEvents(events, { retentionDays: 90 })).toEqual([]);
      expect(
        await events.query(
          `SELECT count() > 0 AS some, count() = uniqExact(id) AS once FROM ${layoutOf(events.address).rows}.schema_migrations`,
        ),
      ).toEqual([{ some: 1, once: 1 }]);
    });

    test('each table has a record, with the columns that it has and how long its rows are kept', async () => {
      const tables = await events.query<{ name: string; definition: string }>(
        `SELECT name, create_table_query AS definition FROM system.tables
         WHERE database = {rows:String} AND engine LIKE '%MergeTree' AND name != 'schema_migrations' ORDER BY name`,
        { rows: layoutOf(events.address).rows },
      );
      expect(tables.map(({ name }) => name)).toEqual(Object.keys(tableRecords).sort());
      expect(tables.filter(({ definition }) => !definition.includes('toIntervalDay(90)'))).toEqual([]);
      const columns = await events.query<{ table: string; name: string; type: string }>(
        `SELECT table, name, type
         FROM system.columns WHERE database = currentDatabase() AND default_kind NOT IN ('ALIAS', 'MATERIALIZED')`,
      );
      const typesOf = (table: string): Record<string, string> =>
        Object.fromEntries(columns.flatMap((one) => (one.table === table ? [[one.name, plainType(one.type)]] : [])));
      for (const { name } of tables) expect(typesOf(name), name).toHaveProperty('project_id', 'UInt64');
      for (const name of insertedTables) {
        const record = tableRecords[name];
        if (!record || !('columns' in record)) throw new Error(name);
        const types = typesOf(name);
        expect(Object.keys(types).sort(), name).toEqual(Object.keys(record.columns).sort());
        for (const [column, kind] of Object.entries(record.columns)) {
          expect(types[column], `${name}.${column}`).toMatch(storedTypes[kind.replace(/[?:].*/, '')] ?? kind);
        }
      }
    });

    test('a shorter retention drops what is older', async () => {
      project++;
      const old = testErrorRow({ project_id: project, timestamp: Date.now() - 40 * 86_400_000 });
      await events.insert('errors', [old], `old:${project}`);
      await events.insert('errors', [testErrorRow({ project_id: project })], `new:${project}`);
      const count = (): Promise<unknown> =>
        events.query('SELECT count() AS count FROM errors WHERE project_id = {project:UInt64}', { project });
      expect(await count()).toEqual([{ count: 2 }]);
      // Who only opens the store changes nothing of it.
      await migrateEvents(events, { retentionDays: 10 });
      await events.command('OPTIMIZE TABLE errors FINAL');
      expect(await count()).toEqual([{ count: 2 }]);
      await migrateEvents(events, { retentionDays: 90, keptDays: { ...sameDays(90), errors: 10 } });
      const drop = async (): Promise<unknown> => {
        await events.command('OPTIMIZE TABLE errors FINAL');
        return count();
      };
      await expect.poll(drop, { timeout: 15_000 }).toEqual([{ count: 1 }]);
      await migrateEvents(events, { retentionDays: 90, keptDays: sameDays(90) });
    });

    test('it says whether it is ready', async () => {
      expect(await events.ready()).toBe(true);
    });
  });
}
