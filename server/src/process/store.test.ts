import { expect, test } from 'vitest';
import type { Blobs } from '../blobs/blobs.ts';
import type { Events } from '../events/events.ts';
import type { ItemRow } from '../events/tables.ts';
import type { State } from '../state/state.ts';
import { createRowEncoder } from '../events/encode.ts';
import { createOutcomeCounter } from './outcomes.ts';
import { storeBatch } from './store.ts';

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
    events: [],
    errors: createRowEncoder('errors'),
    spans: createRowEncoder('spans'),
    spanReleases: new Map(),
    twins: [],
    waiting: [],
    items,
    blobs: [],
    outcomes: createOutcomeCounter(),
  };
  await storeBatch(stores, computed, 'log:1-2', 0);
  return inserts;
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
