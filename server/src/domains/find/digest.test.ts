/** What Find says of a digest with the event index is what it says without. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ErrorRow } from '../../base/tables/errors.ts';
import type { EventIndex } from '../../ports/event-index/event-index.ts';
import type { Events } from '../../ports/events/events.ts';
import { fillIndex, type IndexedEvents } from '../../ports/events/fill-index/fill.ts';
import { connectEvents } from '../../ports/events/open.ts';
import { countStatements } from '../../ports/events/testing/statements.ts';
import { ownText } from '../../process/items/event/own.ts';
import { removeEvents } from '../issues/bulk/remove.ts';
import { addTestProject } from '../issues/testing/projects.ts';
import { errorRow, hash, openTestStores, recordIssues, type TestStores } from '../issues/testing/stores.ts';
import type { Project } from '../projects/index.ts';
import { find } from './find.ts';
import type { Answer } from './types.ts';

let stores: TestStores;
let events: Events;
let index: EventIndex;
let project: Project;
let projects = 0;
beforeAll(async () => {
  stores = await openTestStores();
  events = stores.events;
  if (!events.index) throw new Error('the embedded engine has an index');
  index = events.index;
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0).toISOString() })
    .execute();
}, 60_000);
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(async () => {
  project = (await addTestProject(stores.state, `p${++projects}`)) as Project;
});

const now = Date.now();
const hourMs = 3_600_000;
const weekMs = 168 * hourMs;

interface Made extends Partial<ErrorRow> {
  readonly side?: 'server' | 'browser';
}

/** As processing makes it: the payload says what columns say. */
function made(name: string, { side = 'server', ...fields }: Made = {}): ErrorRow {
  const url = 'https://shop.example.com/cart';
  const tags = { url, ...(side === 'server' ? { 'runtime.name': 'node' } : {}) };
  const row = errorRow({
    project_id: project.id,
    group_hash: hash(`group ${side}`),
    event_id: hash(`${project.id} ${name}`),
    timestamp: now - hourMs,
    platform: side === 'server' ? 'node' : 'javascript',
    trace_id: hash(`trace of ${name}`),
    digest: '1234567',
    tags,
    ...fields,
  });
  const payload = {
    event_id: row.event_id,
    level: row.level,
    platform: row.platform,
    environment: row.environment,
    release: row.release,
    transaction: row.transaction,
    logentry: { formatted: row.message },
    sdk: { name: row.sdk_name, version: row.sdk_version },
    contexts: { trace: { span_id: row.span_id } },
    exception: { values: [{ type: row.error_type, value: row.error_value }] },
    tags: Object.entries(tags),
  };
  return { ...row, payload: JSON.stringify(payload) };
}

let batches = 0;

/** `where`: payloads in segments as of now, in segments that say nothing beside them, or in the rows. */
async function store(
  rows: readonly ErrorRow[],
  where: 'beside' | 'segment' | 'row' = 'beside',
  into = events,
): Promise<void> {
  await recordIssues(stores, rows);
  await using writer = events.payloads?.createWriter();
  using batch = writer?.batch();
  const stored = rows.map((row) => {
    if (!batch || where === 'row') return row;
    const { segment, ordinal } = batch.add(row.payload, row.group_hash, where === 'beside' ? ownText(row) : '');
    return { ...row, payload: '', payload_segment: segment, payload_ordinal: ordinal };
  });
  if (batch) await writer?.write(batch);
  await into.insert('errors', stored, `digest ${++batches}`);
}

const engineAlone = (): Events =>
  ({
    payloads: events.payloads,
    query: (...asked: Parameters<Events['query']>) => events.query(...asked),
  }) as Events;

const ask = (text: string, options: Partial<Parameters<typeof find>[1]> = {}, from = events): Promise<Answer> =>
  find(
    { state: stores.state, events: from },
    { text, projects: [project], ownHosts: ['culprit.test'], nowMs: now, ...options },
  );

/** Payloads that were read along and the tools of the framework, which only some ways read, are no part of an answer. */
const told = (answer: Answer): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      ['payload', 'sdk', 'sdkVersion', 'turbopack'].includes(key) ? undefined : value,
    ),
  );

async function expectSame(text: string, options: Partial<Parameters<typeof find>[1]> = {}): Promise<Answer> {
  const answer = await ask(text, options);
  expect(told(answer)).toEqual(told(await ask(text, options, engineAlone())));
  return answer;
}

test.each(['beside', 'segment', 'row'] as const)('events whose payload is in: %s', async (where) => {
  for (const count of [1, 3, 30]) {
    const digest = String(1000 + count);
    const servers = Array.from({ length: count }, (_, number) =>
      made(`${where} ${count} ${number}`, {
        digest,
        group_hash: hash(`group ${number % 3}`),
        timestamp: now - number * 7 * hourMs,
        release: `shop@${number % 4}`,
      }),
    );
    const shown = made(`${where} ${count} shown`, { side: 'browser', digest, trace_id: servers[0]?.trace_id });
    const tied = made(`${where} ${count} tied`, { side: 'browser', digest: '', trace_id: servers[0]?.trace_id });
    await store([...servers, shown, tied], where);
    const answer = await expectSame(`Digest: ${digest}`);
    expect(answer).toMatchObject({ kind: 'cause', events: count, traces: [{ serverEvents: 1, browserEvents: 2 }] });
    const range = { startMs: now - 30 * hourMs, endMs: now - hourMs, open: false };
    await expectSame(`Digest: ${digest}`, { range: range as never });
    await expectSame(`Digest: ${digest}`, { projects: [] });
    expect((await expectSame(shown.event_id)).kind).toBe('cause');
    const [first] = servers;
    expect(await expectSame(first?.event_id ?? '')).toMatchObject({ kind: 'cause', events: 1 });
    expect(await expectSame(first?.trace_id ?? '')).toMatchObject({ kind: 'cause', traces: [{ browserEvents: 2 }] });
    await expectSame(tied.event_id, { projects: [] });
    await expectSame(tied.trace_id, { range: range as never });
  }
});

test('events that a storm sampled count for all of their group, and say how sure that is', async () => {
  const rows = Array.from({ length: 30 }, (_, number) => ({
    ...made(`sampled ${number}`, { group_hash: hash(`group ${number % 2}`), trace_id: '' }),
    stands_for: 9,
  }));
  await store(rows);
  const asked = vi.spyOn(events, 'query');
  expect(await ask('Digest: 1234567')).toMatchObject({ events: 30, estimate: undefined });
  // Of a project without a storm it is not asked.
  expect(asked.mock.calls.filter(([statement]) => statement.includes('stands_for'))).toEqual([]);
  asked.mockRestore();
  const { sampled_until } = await stores.state.db
    .selectFrom('project')
    .select('sampled_until')
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow();
  const projects = [{ ...project, sampledUntil: sampled_until }];
  // 1.96 * sqrt(30 * 90 + 90) = 103.5; of each issue 1.96 * sqrt(15 * 90 + 90) = 74.4.
  const ofIssue = { events: 150, visits: { count: 150, unit: 'events' }, estimate: { low: 75, high: 225 } };
  expect(await expectSame('Digest: 1234567', { projects })).toMatchObject({
    kind: 'cause',
    events: 300,
    estimate: { low: 196, high: 404 },
    causes: [ofIssue, ofIssue],
    more: 0,
  });
});

test('more events than are read are counted, and the newest of each issue is shown', async () => {
  const rows = Array.from({ length: 640 }, (_, number) =>
    made(`many ${number}`, { group_hash: hash(`group ${number < 3 ? 1 : 0}`), timestamp: now - number * hourMs }),
  );
  await store(rows);
  expect(await expectSame('Digest: 1234567')).toMatchObject({ kind: 'cause', events: 640, causes: [{}, {}] });
});

test('an event that was sent to two projects is found in both, and of its trace what one may see', async () => {
  const other = (await addTestProject(stores.state, `other${projects}`)) as Project;
  const one = made('twice');
  const shown = made('shown', { side: 'browser', digest: '', trace_id: one.trace_id, project_id: other.id });
  await store([one, { ...one, project_id: other.id }, shown]);
  for (const text of ['Digest: 1234567', one.event_id, one.trace_id]) {
    const answer = await ask(text, { projects: [project, other] });
    expect(answer, text).toMatchObject({ kind: 'cause', causes: [{}, {}], shown: [{ eventId: shown.event_id }] });
    expect(await expectSame(text)).toMatchObject({ kind: 'cause', causes: [{}], shown: [] });
  }
});

test('a trace with more errors than are read beside their payloads', async () => {
  const server = made('cause');
  const views = Array.from({ length: 40 }, (_, number) =>
    made(`view ${number}`, { side: 'browser', digest: '', trace_id: server.trace_id, timestamp: now - number }),
  );
  await store([server, ...views.slice(0, 20)]);
  for (const rest of [[], views.slice(20)]) {
    if (rest.length) await store(rest);
    for (const text of ['Digest: 1234567', server.trace_id])
      expect(await expectSame(text)).toMatchObject({ traces: [{ browserEvents: 20 + rest.length }] });
  }
});

test('of deleted events nothing is found, and what comes later is', async () => {
  const rows = [made('old'), made('other', { group_hash: hash('another group') })];
  await store(rows);
  const { id } = await stores.state.db
    .selectFrom('issue_hash')
    .select('issue_id as id')
    .where('hash', '=', rows[0]?.group_hash ?? '')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow();
  await removeEvents(stores, [id]);
  expect(await expectSame('Digest: 1234567')).toMatchObject({ kind: 'cause', events: 1 });
  expect(await expectSame(rows[0]?.event_id ?? '')).toMatchObject({ kind: 'nothing' });
  expect(await expectSame(rows[0]?.trace_id ?? '')).toMatchObject({ kind: 'nothing' });
  await store([made('late')]);
  expect(await expectSame('Digest: 1234567')).toMatchObject({ kind: 'cause', events: 2 });
});

test('a store of an earlier version is asked until the index is filled', async () => {
  await index.lose();
  await using unindexed = connectEvents(stores.address);
  await store([made('unindexed'), made('older', { timestamp: now - weekMs })], 'beside', unindexed);
  expect(index.withDigest('1234567', { projectIds: [project.id] }, 9)).toBeUndefined();
  expect(await expectSame('Digest: 1234567')).toMatchObject({ kind: 'cause', events: 2 });
  const options = { signal: new AbortController().signal, rest: async () => {} };
  await fillIndex(events as IndexedEvents, options);
  expect(index.withDigest('1234567', { projectIds: [project.id] }, 9)?.events).toHaveLength(2);
  expect(await expectSame('Digest: 1234567')).toMatchObject({ kind: 'cause', events: 2 });
});

test('few statements, none of which waits for another', async () => {
  const asked = (text: string) => countStatements(events, () => ask(text));
  // What else there was is asked for, and whether there are spans, which is remembered.
  await asked('Digest: 1');
  await store([made('few')]);
  await asked('Digest: 1234567');
  const few = made('few');
  for (const text of ['Digest: 1234567', few.event_id, few.trace_id])
    expect(await asked(text), text).toEqual({ total: 0, inARow: 0 });
  // What was dropped.
  await asked('Digest: 99');
  expect(await asked('Digest: 98')).toEqual({ total: 1, inARow: 1 });
  await store(Array.from({ length: 20 }, (_, number) => made(`more ${number}`, { timestamp: now - number })));
  expect(await asked('Digest: 1234567')).toEqual({ total: 1, inARow: 1 });
});

test('without a match, what is known is that of the engine', async () => {
  const old = now - 40 * 24 * hourMs;
  await store([made('one', { digest: '' }), made('two', { side: 'browser', digest: '', timestamp: now - 5 })]);
  expect(await expectSame('Digest: 4')).toMatchObject({ kind: 'nothing', evidence: { digests: { seen: false } } });
  await store([made('three', { timestamp: old })]);
  expect(await expectSame('Digest: 4')).toMatchObject({ evidence: { digests: { seen: false } } });
  await store([made('four')], 'segment');
  expect(await expectSame('Digest: 4')).toMatchObject({ evidence: { digests: { seen: true } } });
  await expectSame('while loading shop.example.com');
});
