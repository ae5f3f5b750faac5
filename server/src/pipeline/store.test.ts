import { ClickHouseError } from '@clickhouse/client';
import { expect, test } from 'vitest';
import type { Blobs } from '../ports/blobs/blobs.ts';
import type { Events } from '../ports/events/events.ts';
import type { ItemRow } from '../base/tables/items.ts';
import type { LogRow } from '../base/tables/logs.ts';
import type { SpanRow } from '../base/tables/spans.ts';
import { testLogRow, testSpanRow } from '../ports/events/test-rows.ts';
import { createSuspicion } from '../domains/detectors/index.ts';
import type { State } from '../ports/state/state.ts';
import { decodeRows } from '../ports/events/blocks/decode.ts';
import { type Block, createEncoder } from '../ports/events/blocks/encode.ts';
import { createEncoders } from './computed.ts';
import { createOutcomeCounter } from './outcomes.ts';
import { storeBatch } from './store.ts';

const receivedAt = 1_763_700_030_000;

const item = (payload: string): ItemRow => ({
  project_id: 1,
  received_at: 1_763_700_030_000,
  item_type: 'log',
  category: 'log_item',
  outcome: 'accepted',
  reason: '',
  detail: '',
  event_id: '',
  headers: '{}',
  size_bytes: payload.length,
  payload,
  blob_key: '',
});

/** Notes what is inserted. Without events and blobs, neither the state store nor the blob store is asked. */
async function insertsOf(items: ItemRow[]): Promise<[table: string, rows: number, token: string][]> {
  const inserts: [string, number, string][] = [];
  const events = {
    async insert(table: string, rows: readonly unknown[], token: string) {
      inserts.push([table, rows.length, token]);
    },
  } as Partial<Events> as Events;
  const stores = { events, state: {} as State, blobs: {} as Blobs };
  const computed = {
    bytes: 0,
    events: [],
    errors: createEncoder('errors'),
    groups: new Set<string>(),
    rows: createEncoders(),
    spanTally: new Map(),
    suspicion: createSuspicion(() => undefined),
    otherReleases: new Map(),
    twins: [],
    waiting: [],
    maybeReported: [],
    refused: [],
    items,
    blobs: [],
    outcomes: createOutcomeCounter(),
  };
  await storeBatch(stores, computed, 'log:1-2', 0);
  return inserts;
}

/** The same with spans and logs; the store refuses rows whose name or body says so. */
async function insertsOfRows(
  rows: SpanRow[],
  logRows: LogRow[] = [],
): Promise<{ inserts: [string, number, string][]; kept: ItemRow[]; outcomes: unknown }> {
  const inserts: [string, number, string][] = [];
  const kept: ItemRow[] = [];
  const events = {
    async insert(table: string, added: readonly unknown[]) {
      if (table === 'items') kept.push(...(added as ItemRow[]));
    },
    async insertBlock(table: 'spans' | 'logs', { bytes, rows }: Block, token: string) {
      if (decodeRows(table, bytes).some((row) => Object.values(row).includes('refuse')))
        throw new ClickHouseError({ code: '6', type: 'CANNOT_PARSE_TEXT', message: 'no' });
      inserts.push([table, rows, token]);
    },
  } as Partial<Events> as Events;
  const encoders = createEncoders();
  for (const row of rows) encoders.spans.add(row);
  for (const row of logRows) encoders.logs.add(row);
  const outcomes = createOutcomeCounter();
  const counted = [
    { category: 'span', quantity: rows.length },
    { category: 'log_item', quantity: logRows.length },
  ];
  for (const one of counted.filter(({ quantity }) => quantity > 0)) {
    outcomes.count({ projectId: 1, receivedAt }, { ...one, outcome: { kind: 'accepted' } });
  }
  const empty = {
    bytes: 0,
    events: [],
    errors: createEncoder('errors'),
    groups: new Set<string>(),
    twins: [],
    waiting: [],
    maybeReported: [],
    refused: [],
    items: [],
    blobs: [],
  };
  const stores = { events, state: {} as State, blobs: {} as Blobs };
  await storeBatch(
    stores,
    {
      ...empty,
      rows: encoders,
      spanTally: new Map(),
      suspicion: createSuspicion(() => undefined),
      otherReleases: new Map(),
      outcomes,
    },
    'log:1-2',
    0,
  );
  return {
    inserts,
    kept,
    outcomes: outcomes.rows().map(({ outcome, reason, quantity }) => [outcome, reason, quantity]),
  };
}

test('rows go in one insert, under the token of the batch', async () => {
  expect(await insertsOf([item('a'), item('b')])).toEqual([['items', 2, 'log:1-2:items']]);
});

test('more rows than the store takes at once go in several, with the same tokens each time', async () => {
  const items = Array.from({ length: 600 }, () => item('x'.repeat(63 * 1024)));
  const inserts = await insertsOf(items);
  expect(inserts).toEqual([
    ['items', 256, 'log:1-2:items'],
    ['items', 256, 'log:1-2.1:items'],
    ['items', 88, 'log:1-2.2:items'],
  ]);
  expect(await insertsOf(items)).toEqual(inserts);
});

test('spans go in one insert, in several where they are many', async () => {
  expect((await insertsOfRows([testSpanRow(), testSpanRow()])).inserts).toEqual([['spans', 2, 'log:1-2:spans']]);
  const many = Array.from({ length: 400 }, () => testSpanRow({ events: 'x'.repeat(100_000) }));
  expect((await insertsOfRows(many)).inserts).toEqual([
    ['spans', 335, 'log:1-2:spans'],
    ['spans', 65, 'log:1-2.1:spans'],
  ]);
});

test('a span that the store refuses holds up no other, and is kept', async () => {
  const rows = ['a', 'b', 'refuse', 'c'].map((name) => testSpanRow({ name, received_at: receivedAt }));
  const { inserts, kept, outcomes } = await insertsOfRows(rows);
  expect(inserts).toEqual([
    ['spans', 2, 'log:1-2/0:spans'],
    ['spans', 1, 'log:1-2/1/1:spans'],
  ]);
  expect(kept).toMatchObject([{ item_type: 'span', category: 'span', reason: 'store_refused', project_id: 1 }]);
  expect(outcomes).toEqual([
    ['accepted', '', 3],
    ['invalid', 'store_refused', 1],
  ]);
});

test('a log that the store refuses holds up no other, and is kept', async () => {
  const rows = ['a', 'refuse'].map((body) => testLogRow({ body, received_at: receivedAt }));
  const { inserts, kept, outcomes } = await insertsOfRows([], rows);
  expect(inserts).toEqual([['logs', 1, 'log:1-2/0:logs']]);
  expect(kept).toMatchObject([{ item_type: 'log', category: 'log_item', reason: 'store_refused', project_id: 1 }]);
  expect(outcomes).toEqual([
    ['accepted', '', 1],
    ['invalid', 'store_refused', 1],
  ]);
});
