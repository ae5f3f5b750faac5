/** The whole way on a real engine: what SDKs send, in pieces and twice, becomes one issue with its evidence. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events } from '../../ports/events/events.ts';
import { findEvent } from '../issues/index.ts';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { encodeReceived } from '../../ports/queue/received.ts';
import { computeBatch } from '../../pipeline/compute.ts';
import { storeBatch } from '../../pipeline/store.ts';
import { defaultProjectSettings } from '../../process/types.ts';
import { updateProject } from '../projects/index.ts';
import { examineDue } from './examine.ts';
import { problemsOfTrace } from './problems-of-trace.ts';
import { nextDue, noteSuspects } from './suspects.ts';

let stores: TestStores;
let projectId = 0;
let batches = 0;
const now = Date.now();
const seconds = now / 1_000 - 30;
const id = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16);

beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0).toISOString() })
    .execute();
});
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(async () => {
  const { id: made } = await stores.state.db
    .insertInto('project')
    .values({
      organization_id: 'org',
      slug: `shop-${(batches += 1)}`,
      name: 'Shop',
      platform: 'node',
      short_id_prefix: `SHOP${batches}`,
      settings: '{}',
      created_at: 0,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  projectId = made;
});

interface Sent {
  readonly type: string;
  readonly header?: object;
  readonly payload: object;
}

/** One request through processing, as the processing thread does it; the number of suspects. */
async function send(...items: readonly Sent[]): Promise<number> {
  const lines = items.flatMap(({ type, header = {}, payload }) => {
    const body = JSON.stringify(payload);
    return [JSON.stringify({ type, length: Buffer.byteLength(body), ...header }), body];
  });
  const head = { kind: 'envelope', projectId, keyId: 1, receivedAt: now, encoding: '' } as const;
  return process([{ position: 1, value: encodeReceived(head, Buffer.from(['{}', ...lines, ''].join('\n'))) }]);
}

async function sendOtlp(spans: readonly object[]): Promise<number> {
  const payload = { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] };
  const item = { type: 'otlp_traces', header: { form: 'json', take: spans.length } };
  const head = { kind: 'envelope', projectId, keyId: 1, receivedAt: now, encoding: '', item } as const;
  return process([{ position: 1, value: encodeReceived(head, Buffer.from(JSON.stringify(payload))) }]);
}

async function process(records: { position: number; value: Uint8Array }[]): Promise<number> {
  const settings = new Map([[projectId, defaultProjectSettings]]);
  let suspects = 0;
  for (const slice of computeBatch({ records, settings, maxEnvelopeBytes: 1e8, poisoned: new Set() })) {
    await storeBatch({ ...stores, blobs: {} as Blobs }, slice, `examine-${(batches += 1)}`, now);
    suspects += await noteSuspects(stores.state, slice.suspicion.suspects(), { now, waitMs: 0 });
  }
  return suspects;
}

/** Until nothing is due. */
async function examine(events: Events = stores.events, at = now): Promise<void> {
  while (
    (
      await examineDue(
        { state: stores.state, events },
        { now: at, waitMs: 0, claimer: { node: 'test', leaseMs: 60_000 } },
      )
    ).taken > 0
  );
}

const issues = () =>
  stores.state.db.selectFrom('issue').selectAll().where('project_id', '=', projectId).orderBy('number').execute();

const problems = () =>
  stores.events.query<{ event_id: string; issue_type: string; group_hash: string; trace_id: string; span_id: string }>(
    'SELECT event_id, issue_type, group_hash, trace_id, span_id FROM errors WHERE project_id = {project:UInt64}',
    { project: projectId },
  );

interface Trace {
  readonly traceId: string;
  readonly root: string;
  readonly source: string;
  readonly queries: readonly string[];
}

const newTrace = (count = 6): Trace => ({
  traceId: id() + id(),
  root: id(),
  source: id(),
  queries: Array.from({ length: count }, id),
});

const sourceText = 'SELECT id FROM carts WHERE owner = $1';
const queryText = 'SELECT * FROM items WHERE cart = $1';

function transactionOf({ traceId, root, source, queries }: Trace, more: object = {}): Sent {
  const span = (span_id: string, description: string, atMs: number, ms: number) => ({
    span_id,
    parent_span_id: root,
    op: 'db',
    description,
    start_timestamp: seconds + atMs / 1_000,
    timestamp: seconds + (atMs + ms) / 1_000,
  });
  return {
    type: 'transaction',
    payload: {
      type: 'transaction',
      event_id: traceId,
      transaction: 'GET /cart',
      transaction_info: { source: 'route' },
      platform: 'node',
      environment: 'production',
      release: 'shop@1',
      user: { id: '7' },
      sdk: { name: 'sentry.javascript.node', version: '10.0.0' },
      start_timestamp: seconds,
      timestamp: seconds + 2,
      contexts: { trace: { trace_id: traceId, span_id: root, op: 'http.server' } },
      spans: [
        span(source, sourceText, 0, 5),
        ...queries.map((one, index) => span(one, queryText, 10 + index * 12, 10)),
      ],
      ...more,
    },
  };
}

test('a transaction with an n+1 becomes an issue whose event has the evidence', async () => {
  const trace = newTrace();
  expect(await send(transactionOf(trace))).toBe(1);
  await examine();
  expect(await nextDue(stores.state)).toBeUndefined();
  const [issue, ...more] = await issues();
  expect(more).toEqual([]);
  expect(issue).toMatchObject({
    type: 'performance_n_plus_one_db_queries',
    title: 'N+1 Query',
    culprit: 'GET /cart',
    level: 'info',
    status: 'unresolved',
    substatus: 'new',
    first_release: 'shop@1',
  });
  expect(JSON.parse(issue?.metadata ?? '')).toMatchObject({ value: 'SELECT * FROM items WHERE cart = %s' });
  const [row, ...others] = await problems();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ issue_type: 'performance_n_plus_one_db_queries', span_id: trace.queries[0] });
  const event = await findEvent(stores, [projectId], row?.event_id ?? '');
  expect(event).toMatchObject({ level: 'info', user: 'id:7', environment: 'production', title: 'N+1 Query' });
  expect(JSON.parse(event?.payload ?? '')).toMatchObject({
    contexts: { trace: { trace_id: trace.traceId, span_id: trace.root } },
    occurrence: {
      type: 'performance_n_plus_one_db_queries',
      evidenceDisplay: [
        { name: 'Offending spans', important: true },
        { name: 'Transaction', value: 'GET /cart' },
        {},
        {},
        {},
        {},
      ],
      evidenceData: {
        transaction: 'GET /cart',
        op: 'db',
        traceId: trace.traceId,
        parentSpanIds: [trace.root],
        causeSpanIds: [trace.source],
        offenderSpanIds: [...trace.queries],
        numRepeatingSpans: 6,
      },
    },
  });
  const request = { projectIds: [projectId], traceId: trace.traceId, nearMs: now };
  expect(await problemsOfTrace(stores.events, request)).toMatchObject([
    { type: 'performance_n_plus_one_db_queries', offenderSpanIds: trace.queries, causeSpanIds: [trace.source] },
  ]);
});

test('spans of version 2 in three requests, the root last, become the same issue as a transaction', async () => {
  const trace = newTrace();
  await send(transactionOf(newTrace()));
  const span = (span_id: string, timing: { name: string; atMs: number; ms: number; root?: boolean }) => ({
    trace_id: trace.traceId,
    span_id,
    ...(timing.root ? {} : { parent_span_id: trace.root }),
    name: timing.name,
    is_segment: timing.root ?? false,
    status: 'ok',
    start_timestamp: seconds + timing.atMs / 1_000,
    end_timestamp: seconds + (timing.atMs + timing.ms) / 1_000,
    attributes: {
      'sentry.op': { type: 'string', value: timing.root ? 'http.server' : 'db' },
      'sentry.segment.id': { type: 'string', value: trace.root },
      'sentry.segment.name': { type: 'string', value: 'GET /cart' },
      'sentry.segment.name.source': { type: 'string', value: 'route' },
    },
  });
  const container = (...items: readonly object[]): Sent => ({
    type: 'span',
    header: { content_type: 'application/vnd.sentry.items.span.v2+json', item_count: items.length },
    payload: { version: 2, items },
  });
  const queries = trace.queries.map((one, index) => span(one, { name: queryText, atMs: 10 + index * 12, ms: 10 }));
  const suspects = [
    await send(container(span(trace.source, { name: sourceText, atMs: 0, ms: 5 }), ...queries.slice(0, 3))),
    await send(container(...queries.slice(3))),
    await send(container(span(trace.root, { name: 'GET /cart', atMs: 0, ms: 2_000, root: true }))),
  ];
  expect(suspects[0]).toBe(1);
  await examine();
  expect(await issues()).toHaveLength(1);
  expect(await problems()).toHaveLength(2);
});

test('OpenTelemetry exports children before their root: it is waited for', async () => {
  const trace = newTrace();
  const nanos = (atMs: number): string => String(BigInt(Math.round(seconds * 1_000 + atMs)) * 1_000_000n);
  const span = (spanId: string, name: string, atMs: number, ms: number, more: object) => ({
    traceId: trace.traceId,
    spanId,
    name,
    startTimeUnixNano: nanos(atMs),
    endTimeUnixNano: nanos(atMs + ms),
    ...more,
  });
  const query = (spanId: string, text: string, atMs: number) =>
    span(spanId, 'SELECT shop', atMs, 10, {
      kind: 3,
      parentSpanId: trace.root,
      attributes: [
        { key: 'db.system.name', value: { stringValue: 'postgresql' } },
        { key: 'db.query.text', value: { stringValue: text } },
      ],
    });
  const queries = trace.queries.map((one, index) => query(one, queryText, 20 + index * 12));
  expect(await sendOtlp([query(trace.source, sourceText, 0), ...queries])).toBe(1);
  await examine();
  expect(await issues()).toEqual([]);
  expect(await nextDue(stores.state)).toBeGreaterThan(now);
  await sendOtlp([
    span(trace.root, 'GET /cart', 0, 2_000, {
      kind: 2,
      attributes: [{ key: 'http.route', value: { stringValue: '/cart' } }],
    }),
  ]);
  await examine(stores.events, now + 60_000);
  expect(await issues()).toMatchObject([{ type: 'performance_n_plus_one_db_queries', culprit: 'GET /cart' }]);
});

describe('repeats change nothing', () => {
  /** The events store, broken at the given call of a method. */
  function breaking(method: 'insert' | 'query', when: 'before' | 'after', call: number): Events {
    let calls = 0;
    return new Proxy(stores.events, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== method) return value.bind(target) as unknown;
        return async (...args: unknown[]): Promise<unknown> => {
          calls += 1;
          if (calls === call && when === 'before') throw new Error('killed');
          const result: unknown = await (value as (...values: unknown[]) => unknown).apply(target, args);
          if (calls === call && when === 'after') throw new Error('killed');
          return result;
        };
      },
    });
  }

  test.each([
    ['query', 'before', 1],
    ['query', 'after', 2],
    ['insert', 'before', 1],
    ['insert', 'after', 1],
  ] as const)('killed %s %s call %i', async (method, when, call) => {
    await send(transactionOf(newTrace()));
    await expect(examine(breaking(method, when, call))).rejects.toThrow('killed');
    await examine(stores.events, now + 120_000);
    expect(await nextDue(stores.state)).toBeUndefined();
    expect(await issues()).toHaveLength(1);
    expect(await problems()).toHaveLength(1);
  });

  test('a request that is sent twice, and spans that come late', async () => {
    const trace = newTrace();
    await send(transactionOf(trace));
    await examine();
    await send(transactionOf(trace));
    await examine();
    const late = { ...trace, queries: [...trace.queries, id()] };
    await send(transactionOf(late));
    await examine();
    expect(await issues()).toHaveLength(1);
    expect(await problems()).toHaveLength(1);
  });

  test('another visit is another event; a resolved issue is opened again', async () => {
    await send(transactionOf(newTrace()));
    await examine();
    const before = now - 60_000;
    await stores.state.db
      .updateTable('issue')
      .set({ status: 'resolved', substatus: null, status_changed_at: before })
      .where('project_id', '=', projectId)
      .execute();
    await send(transactionOf(newTrace()));
    await examine();
    expect(await issues()).toMatchObject([{ status: 'unresolved', substatus: 'regressed' }]);
    expect(await problems()).toHaveLength(2);
  });
});

test('thresholds are in force for the next suspect', async () => {
  await send(transactionOf(newTrace()));
  await updateProject(stores.state, projectId, { settings: { performance: { nPlusOneDb: { count: 7 } } } });
  await examine();
  expect(await issues()).toEqual([]);
  expect(await nextDue(stores.state)).toBeUndefined();
  await expect(
    updateProject(stores.state, projectId, { settings: { performance: { nPlusOneDb: { count: 1 } } } }),
  ).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('must be from 2 to 100') as string,
  });
});

test('a segment of 10,000 queries is examined as far as it goes, and says so', async () => {
  const trace = newTrace(9_000);
  await send(transactionOf(trace));
  await examine();
  const [row] = await problems();
  const event = await findEvent(stores, [projectId], row?.event_id ?? '');
  const { evidenceData } = (
    JSON.parse(event?.payload ?? '{}') as { occurrence: { evidenceData: Record<string, unknown> } }
  ).occurrence;
  expect(evidenceData['remark']).toBe('the first 1001 of 9002 spans were checked');
  expect(evidenceData['offenderSpanIds']).toHaveLength(999);
});

test('segments that come to more than one query takes are looked at whole', async () => {
  await send(...Array.from({ length: 13 }, () => transactionOf(newTrace(980))));
  await examine();
  const found = await problems();
  expect(found).toHaveLength(13);
  for (const { event_id } of found) {
    const event = await findEvent(stores, [projectId], event_id);
    const { occurrence } = JSON.parse(event?.payload ?? '{}') as {
      occurrence: { evidenceData: Record<string, unknown> };
    };
    expect(occurrence.evidenceData['offenderSpanIds']).toHaveLength(980);
  }
});

test('a deleted project leaves nothing behind', async () => {
  await send(transactionOf(newTrace()));
  await stores.state.db.deleteFrom('project').where('id', '=', projectId).execute();
  await examine();
  expect(await problems()).toEqual([]);
});
