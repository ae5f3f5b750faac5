/** The errors of a trace are the same whether the event index leads to them or the engine looks for them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorRow } from '../../base/tables/errors.ts';
import type { Events } from '../../ports/events/events.ts';
import { countStatements } from '../../ports/events/testing/statements.ts';
import { ownText } from '../../process/items/event/own.ts';
import { errorRow, hash, openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { readErrors } from './read.ts';

let stores: TestStores;
let events: Events;
beforeAll(async () => {
  stores = await openTestStores();
  events = stores.events;
}, 60_000);
afterAll(() => stores[Symbol.asyncDispose]());

const now = Date.now();
const weekMs = 7 * 86_400_000;
const traceId = hash('a trace');

/** As processing makes it: the payload says what columns say. */
function made(name: string, fields: Partial<ErrorRow> = {}): ErrorRow {
  const row = errorRow({
    project_id: 1,
    group_hash: hash('group'),
    event_id: hash(name),
    trace_id: traceId,
    timestamp: now,
    ...fields,
  });
  const { event_id, level, platform, environment, release, transaction } = row;
  const payload = {
    event_id,
    level,
    platform,
    ...(environment && { environment }),
    ...(release && { release }),
    ...(transaction && { transaction }),
    sdk: { name: row.sdk_name, version: row.sdk_version },
    contexts: { trace: { span_id: row.span_id } },
    exception: { values: [{ type: row.error_type, value: row.error_value }] },
    tags: Object.entries(row.tags),
  };
  return { ...row, payload: JSON.stringify(payload) };
}

let batches = 0;
async function store(rows: readonly ErrorRow[]): Promise<void> {
  await using writer = events.payloads?.createWriter();
  using batch = writer?.batch();
  const stored = rows.map((row) => {
    if (!batch) return row;
    const { segment, ordinal } = batch.add(row.payload, row.group_hash, ownText(row));
    return { ...row, payload: '', payload_segment: segment, payload_ordinal: ordinal };
  });
  if (batch) await writer?.write(batch);
  await events.insert('errors', stored, `errors of a trace ${++batches}`);
}

const engineAlone = (): Events =>
  ({ query: (...asked: Parameters<Events['query']>) => events.query(...asked) }) as Events;

test('errors of services, projects and times', async () => {
  const services: Partial<ErrorRow>[] = [
    { tags: { service: 'cart', server_name: 'web-1' } },
    { tags: { server_name: 'web-1' }, platform: 'python', release: 'shop@1.0.0' },
    { tags: { server_name: 'web-1' }, platform: 'python', release: '@1' },
    { tags: { server_name: 'web-1' }, platform: 'python', release: '1.0.0' },
    { tags: { server_name: 'web-1' }, platform: 'node', release: 'shop@1.0.0' },
    { tags: {}, platform: 'python', release: 'shop@1.0.0' },
    { level: 'warning', transaction: '/cart', span_id: 'b'.repeat(16), project_id: 2 },
    { timestamp: now - weekMs },
    { project_id: 3 },
    { trace_id: hash('another') },
  ];
  await store(services.map((fields, index) => made(`error ${index}`, { timestamp: now - 100 * index, ...fields })));
  for (const nearMs of [undefined, now, now - weekMs]) {
    for (const projectIds of [[1], [1, 2], [4]]) {
      const request = { projectIds, traceId, nearMs };
      const found = await readErrors(events, request);
      expect(found).toEqual(await readErrors(engineAlone(), request));
      expect(await countStatements(events, () => readErrors(events, request))).toMatchObject({ total: 0 });
    }
  }
  expect(await readErrors(events, { projectIds: [1, 2], traceId })).toHaveLength(8);
  await store(Array.from({ length: 40 }, (_, index) => made(`many ${index}`, { timestamp: now - 10_000 - index })));
  const request = { projectIds: [1, 2], traceId };
  expect(await readErrors(events, request)).toHaveLength(48);
  expect(await readErrors(events, request)).toEqual(await readErrors(engineAlone(), request));
});
