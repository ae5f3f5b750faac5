/** What is encoded is read back as it was: by our reader, and from the engine's own tables. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { share } from '../../../base/shared-lists.ts';
import { columnsOf, insertedTables, type Kind, type TableRows } from '../../../base/tables/index.ts';
import type { OpenedEvents } from '../open.ts';
import { testErrorRow, testSpanRow } from '../test-rows.ts';
import { openPreparedEvents } from '../testing/prepared.ts';
import { Bytes } from './bytes.ts';
import { createColumn } from './columns.ts';
import { decodeRows } from './decode.ts';
import { createEncoder, encodeRows, faultOf, likeColumns } from './encode.ts';

function roundTrip<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][]): TableRows[T][] {
  const block = encodeRows(table, rows);
  if (!block) return [];
  expect(block.rows).toBe(rows.length);
  return decodeRows(table, block.bytes);
}

/** Any UTF-16, lone surrogates and NUL among it; few different ones, so that some repeat. */
const text = fc.oneof(
  fc.constantFrom('', 'GET /cart', "it's\t\n\\\0", 'ünïcode 🚀', 'x'.repeat(200)),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const names = fc.string({ unit: 'binary', maxLength: 12 }).filter((name) => name !== '__proto__');
const count = fc.oneof(fc.nat(300), fc.maxSafeNat());
const flag = fc.constantFrom(0, 1);
const dayMs = 86_400_000;
const nowMs = Date.now();

const valueOf: { readonly [K in Kind]: fc.Arbitrary<unknown> } = {
  text,
  texts: fc.array(text, { maxLength: 5 }),
  number: count,
  signed: fc.maxSafeInteger(),
  numbers: fc.array(fc.integer({ min: 0, max: 0xffff_ffff }), { maxLength: 5 }),
  flag,
  flags: fc.array(flag, { maxLength: 5 }),
  'flag or null': fc.constantFrom(0, 1, null),
  millis: fc.integer({ min: nowMs - dayMs, max: nowMs + dayMs }),
  micros: fc.integer({ min: (nowMs - dayMs) * 1_000, max: (nowMs + dayMs) * 1_000 }),
  hash: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map(String),
  'text by name': fc.dictionary(names, text, { maxKeys: 5 }),
  'number by name': fc.dictionary(names, fc.double({ noNaN: true, noDefaultInfinity: true }), { maxKeys: 5 }),
};

const rowsOf = <T extends keyof TableRows>(table: T, maxLength: number): fc.Arbitrary<TableRows[T][]> =>
  fc.array(fc.record(Object.fromEntries(columnsOf(table).map(({ name, kind }) => [name, valueOf[kind]]))), {
    minLength: 1,
    maxLength,
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<TableRows[T][]>;

/** As UTF-8 has it. */
const asStored = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(asStored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed(), asStored(each)]));
};

describe('read back', () => {
  test.each(insertedTables)('rows of %s are what they were', (table) => {
    fc.assert(
      fc.property(rowsOf(table, 6), (rows) => {
        expect(asStored(roundTrip(table, rows))).toEqual(asStored(rows));
      }),
      { numRuns: 60 },
    );
  });

  test('many different texts, of which each stands for itself, and many that repeat', () => {
    // As one text: to compare arrays of a hundred thousand takes seconds.
    const shown = (rows: readonly { event_id?: unknown; title?: unknown }[]): string =>
      rows.map(({ event_id, title }) => `${String(event_id)}: ${String(title)}`).join('\n');
    for (const different of [1, 64, 65, 66, 255, 256, 257, 1000, 66_000]) {
      const rows = Array.from({ length: Math.max(different * 2, 300) }, (_, index) =>
        testErrorRow({ event_id: `id ${index}`, title: `title ${index % different}` }),
      );
      expect(shown(roundTrip('errors', rows))).toBe(shown(rows));
    }
  });

  test('lists that events share, before and after their texts are written out', () => {
    const lists = Array.from({ length: 90 }, (_, index) => [`a ${index}`, `b ${index}`, 'c']);
    for (const list of lists) share(list);
    const rows = Array.from({ length: 400 }, (_, index) =>
      testErrorRow({ stack_functions: lists[index < 200 ? index % 7 : index % 90] ?? [], missing_scripts: [] }),
    );
    expect(roundTrip('errors', rows).map((row) => row.stack_functions)).toEqual(rows.map((row) => row.stack_functions));
    const lines = [[1, 2, 3], [0xffff_ffff], []];
    for (const list of lines) share(list);
    const numbered = Array.from({ length: 9 }, (_, index) =>
      testErrorRow({ stack_lines: lines[index % 3] ?? [], stack_in_app: index % 2 ? [1, 0] : [] }),
    );
    expect(roundTrip('errors', numbered)).toEqual(numbered);
    const unlike = Array.from({ length: 200 }, (_, index) => {
      const list = [`${index}`, `${index}`];
      share(list);
      return testErrorRow({ stack_functions: list });
    });
    const twice = [...unlike, ...unlike];
    expect(roundTrip('errors', twice).map((row) => row.stack_functions)).toEqual(
      twice.map((row) => row.stack_functions),
    );
  });

  test('an encoder that was used before has nothing of it', () => {
    for (let round = 0; round < 4; round++) {
      using encoder = createEncoder('errors');
      expect([encoder.rows, encoder.weight, encoder.block()]).toEqual([0, 0, undefined]);
      const rows = Array.from({ length: 200 >> round }, (_, index) =>
        testErrorRow({ event_id: `${round} ${index}`, ...(round % 2 === 1 && { stack_functions: [`f${index}`] }) }),
      );
      for (const row of rows) encoder.add(row);
      expect(decodeRows('errors', encoder.block()?.bytes ?? Buffer.alloc(0))).toEqual(rows);
    }
  });

  test('the weight follows from the rows alone', () => {
    const rows = Array.from({ length: 300 }, (_, index) =>
      testErrorRow({ title: `${index % 3}`, tags: { a: `${index}` } }),
    );
    const weigh = (): number => {
      using encoder = createEncoder('errors');
      for (const row of rows) encoder.add(row);
      return encoder.weight;
    };
    expect(new Set([weigh(), weigh(), weigh()]).size).toBe(1);
    expect(weigh()).toBeGreaterThan(300 * 100);
  });

  test('times become whole numbers that the store can hold', () => {
    const times = (timestamp: number, received_at: number): number[] => {
      const [row] = roundTrip('errors', [testErrorRow({ timestamp, received_at })]);
      return [row?.timestamp ?? Number.NaN, row?.received_at ?? Number.NaN];
    };
    expect(times(1.9, Number.NaN)).toEqual([1, 0]);
    expect(times(-1, 999)).toEqual([-1, 999]);
    expect(times(-1e15, 1e300)).toEqual([Date.UTC(1900, 0, 1), Date.UTC(2300, 0, 1) - 1]);
  });

  test('microseconds survive, before 1970 too', () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000_000_000, max: 9_000_000_000_000_000 }), (at) => {
        expect(roundTrip('spans', [testSpanRow({ started_at: at })])[0]?.started_at).toBe(at);
      }),
    );
  });

  test('what is left out stays left out, and rows that leave out different columns go apart', () => {
    const [bare, lined] = [testErrorRow(), testErrorRow({ stack_lines: [], stack_in_app: [1, 0], handled: null })];
    expect(roundTrip('errors', [bare])).toEqual([bare]);
    expect(roundTrip('errors', [lined])).toEqual([lined]);
    expect(likeColumns('errors', [bare, lined, bare])).toEqual([[bare, bare], [lined]]);
  });

  test('none for none', () => {
    expect(encodeRows('errors', [])).toBeUndefined();
  });
});

test.each(Object.keys(valueOf) as Kind[])('a column of %s takes no more than it says', (kind) => {
  const column = createColumn(kind, { bytes: 0 });
  fc.assert(
    fc.property(fc.array(valueOf[kind], { maxLength: 400 }), (values) => {
      for (const value of values) column.add(value as never);
      const out = new Bytes();
      column.writePrefix(out);
      column.writeValues(out);
      expect(out.length).toBeLessThanOrEqual(column.size);
      column.clear();
    }),
    { numRuns: 30 },
  );
});

test('what a column cannot hold is a fault of the row', () => {
  expect(faultOf('spans', testSpanRow())).toBeUndefined();
  expect(faultOf('spans', testSpanRow({ exclusive_us: -5, duration_us: Number.NaN }))).toBeUndefined();
  expect(faultOf('spans', testSpanRow({ duration_us: -5 }))).toBe('duration_us: -5 is not a whole number from 0 on');
  expect(faultOf('spans', testSpanRow({ exclusive_us: 0.5 }))).toBe('exclusive_us: 0.5 is not a whole number');
  expect(faultOf('errors', testErrorRow({ texts: '18446744073709551615' }))).toBeUndefined();
  expect(faultOf('errors', testErrorRow({ texts: '18446744073709551616' }))).toMatch(/^texts: /);
  expect(faultOf('errors', testErrorRow({ texts: 'x' }))).toMatch(/^texts: x/);
});

describe('the engine', () => {
  let dataDir: string;
  let opened: OpenedEvents;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'culprit-blocks-'));
    opened = await openPreparedEvents(dataDir);
  });
  afterAll(async () => {
    await opened.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const readAs: Readonly<Partial<Record<Kind, (name: string) => string>>> = {
    millis: (name) => `toUnixTimestamp64Milli(${name})`,
    micros: (name) => `toUnixTimestamp64Micro(${name})`,
    hash: (name) => `toString(${name})`,
  };

  test.each(insertedTables)('has the rows of %s as they were', async (table) => {
    const { events } = opened;
    const [rows = []] = fc.sample(rowsOf(table, 300), { numRuns: 1, seed: 7 });
    // Their columns are narrower than the numbers of a block.
    const narrow = { sequence: 0xffff_ffff, severity_number: 24, payload_ordinal: 0xffff_ffff };
    const statuses = table === 'sessions' ? { status: 6 } : {};
    const many = Array.from({ length: 300 }, (_, index) => rows[index % rows.length] as TableRows[typeof table]).map(
      (row, index) => {
        const small = Object.entries({ ...narrow, ...statuses }).filter(([name]) => name in row);
        return { ...row, ...Object.fromEntries(small), project_id: index + 1 };
      },
    );
    await events.insert(table, many, `blocks:${table}`);
    const columns = columnsOf(table);
    const selected = columns.map(({ name, kind }) => `${readAs[kind]?.(`x.${name}`) ?? `x.${name}`} AS ${name}`);
    const found = await events.query<Record<string, unknown>>(
      `SELECT ${selected.join(', ')} FROM ${table} AS x ORDER BY x.project_id`,
    );
    for (const [index, row] of found.entries()) {
      const sent: object = many[index] ?? {};
      for (const { name } of columns) {
        expect([name, asStored(row[name])]).toEqual([name, asStored(Reflect.get(sent, name))]);
      }
    }
    expect(found).toHaveLength(many.length);
  });
});
