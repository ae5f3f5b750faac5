/** What the event index gives is what the engine gives, whatever is stored, merged, deleted or told twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { lasting } from '../../../base/testing.ts';
import type { EventIndex } from '../../../ports/event-index/event-index.ts';
import { richnessOf, richnessSql } from '../../../ports/event-index/richness.ts';
import type { Events } from '../../../ports/events/events.ts';
import { connectEvents } from '../../../ports/events/open.ts';
import { fillIndex, type IndexedEvents } from '../../../ports/events/fill-index/fill.ts';
import { countStatements } from '../../../ports/events/testing/statements.ts';
import { ownText } from '../../../process/items/event/own.ts';
import { twinVersion } from '../../../process/steps/twin.ts';
import { removeEvents } from '../bulk/remove.ts';
import { findEvent, findOwner, findPayload, hashesOf, listEvents, pickEvent, placeOf } from '../index.ts';
import type { EventScope } from './event-scope.ts';
import { tagKeysOfIssue, tagsOfIssue } from './tags.ts';
import { errorRow, hash, openTestStores, recordIssues, type TestStores } from '../testing/stores.ts';
import { addTestProject } from '../testing/projects.ts';

let stores: TestStores;
let events: Events;
let index: EventIndex;
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

const now = Date.now();
const weekMs = 7 * 86_400_000;
let projectId = 0;
let projects = 0;
let seed = 1;
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** The same stores without the index. */
const engineAlone = (): Pick<TestStores, 'events'> => ({
  events: {
    payloads: events.payloads,
    query: (...asked: Parameters<Events['query']>) => events.query(...asked),
  } as Events,
});

/** As processing makes them: the payload says what columns say. */
function randomRow(name: string, fields: Partial<ErrorRow> = {}): ErrorRow {
  const tags = Array.from({ length: Math.floor(random() * 12) }, (_, tag): [string, string] => [
    `tag${tag}`,
    pick(['a', 'ü😀', '']),
  ]);
  const row = errorRow({
    project_id: projectId,
    group_hash: hash(`group ${Math.floor(random() * 4)}`),
    timestamp: now - pick([0, 1, 2]) * weekMs - Math.floor(random() * 50),
    event_id: hash(`${projectId} ${name}`),
    level: pick(['error', 'warning', 'fatal']),
    environment: pick(['production', 'staging', '']),
    release: pick(['shop@1.0.0', '']),
    transaction: pick(['/a', '']),
    grouping_version: pick(['culprit:test', twinVersion]),
    digest: pick(['', '123']),
    trace_id: pick(['', hash('trace')]),
    title: pick(['TypeError: "quoted" \\ and\nmore', 'half \ud83d of a pair', '']),
    error_value: pick(['half \ud83d of a pair', 'plain']),
    missing_scripts: pick([[], ['~/a.js']]),
    mechanism: pick(['', 'generic']),
    ...fields,
  });
  const { event_id, timestamp, level, platform, environment, release, transaction } = row;
  const payload = {
    event_id,
    timestamp: timestamp / 1000,
    level,
    platform,
    ...(environment && { environment }),
    ...(release && { release }),
    ...(transaction && { transaction }),
    sdk: { name: row.sdk_name, version: row.sdk_version },
    exception: {
      values: [{ type: row.error_type, value: row.error_value, mechanism: { type: 'generic', handled: false } }],
    },
    tags,
  };
  return {
    ...row,
    tags: Object.fromEntries(tags),
    payload: JSON.stringify(payload),
    group_hashes: [row.group_hash, hash('other')],
  };
}

let batches = 0;

/** As the pipeline does, but for those that `inRow` says. */
async function storeRows(
  rows: readonly ErrorRow[],
  inRow: (row: ErrorRow) => boolean = () => false,
  into = events,
): Promise<void> {
  await recordIssues(stores, rows);
  await using writer = events.payloads?.createWriter();
  using batch = writer?.batch();
  const stored = rows.map((row) => {
    if (!batch || inRow(row)) return row;
    const { segment, ordinal } = batch.add(row.payload, row.group_hash, ownText(row));
    return { ...row, payload: '', payload_segment: segment, payload_ordinal: ordinal };
  });
  if (batch) await writer?.write(batch);
  batches += 1;
  await into.insert('errors', stored, `indexed ${batches}`);
}

async function expectSame(rows: readonly ErrorRow[], hashSets: readonly (readonly string[])[]): Promise<void> {
  const alone = engineAlone();
  for (const { event_id: id } of rows) {
    expect(await findEvent(stores, [projectId], id)).toEqual(await findEvent(alone, [projectId], id));
    expect(await findOwner(stores, [projectId, 9], id)).toMatchObject(
      (await findOwner(alone, [projectId, 9], id)) ?? {},
    );
    expect(await findPayload(stores, [projectId], id)).toBe(await findPayload(alone, [projectId], id));
    expect(await findEvent(stores, [projectId + 1], id)).toBeUndefined();
  }
  for (const hashes of hashSets) {
    const scope = { projectId, hashes, nowMs: now };
    for (const which of ['latest', 'oldest', 'recommended'] as const) {
      const [picked, expected] = await Promise.all([pickEvent(stores, scope, which), pickEvent(alone, scope, which)]);
      const place = picked && (await placeOf(stores, scope, picked));
      const { place: expectedPlace, ...event } = expected ?? {};
      expect(picked && { ...picked, place: undefined }).toEqual(expected && { ...event, place: undefined });
      expect(place).toEqual(expectedPlace);
    }
    for (const asked of [
      { limit: 7 },
      { limit: 7, oldestFirst: true },
      { limit: 200 },
      { limit: 7, cursor: { value: now, offset: 0, previous: false } },
    ])
      expect(await listed(stores, scope, asked)).toEqual(await listed(alone, scope, asked));
    expect(await tagKeysOfIssue(stores, { projectId }, hashes)).toEqual(
      await tagKeysOfIssue(alone, { projectId }, hashes),
    );
    for (const asked of [
      { values: 3 },
      { values: 10, keys: ['tag1', 'handled'] },
      { values: 10, environments: ['staging'] },
    ]) {
      const options = { sample: 1_000, standAlone: true, ...asked };
      expect(await tagsOfIssue(stores, { projectId }, hashes, options)).toEqual(
        await tagsOfIssue(alone, { projectId }, hashes, options),
      );
    }
    for (const row of rows.slice(0, lasting(8, 25)))
      expect(await placeOf(stores, scope, row)).toEqual(await placeOf(alone, scope, row));
  }
}

/** As far as a list says it: what is read from beside payloads says more. */
async function listed(
  from: Pick<TestStores, 'events'>,
  scope: EventScope,
  asked: Parameters<typeof listEvents>[2],
): Promise<unknown> {
  const page = await listEvents(from, scope, asked);
  return { ...page, rows: page.rows.map((row) => ({ ...row, ...unlisted })) };
}

const unlisted = {
  group_hashes: [],
  grouping_version: '',
  received_at: 0,
  error_value: '',
  span_id: '',
  sdk_name: '',
  sdk_version: '',
  missing_scripts: [],
  payload: '',
  payload_segment: 0,
  payload_ordinal: 0,
};

const hashSets = [[0], [1, 2], [0, 1, 2, 3], [9]].map((numbers) => numbers.map((number) => hash(`group ${number}`)));

beforeEach(async () => {
  projectId = (await addTestProject(stores.state, `p${++projects}`)).id;
});

describe('with the index', () => {
  test('every answer is that of the engine, over random stores', async () => {
    for (const round of lasting([1], [0, 1, 2])) {
      seed = round + 5;
      const rows = Array.from({ length: lasting(24, 60) }, (_, number) => randomRow(`${round} ${number}`));
      await storeRows(rows, () => round === 1 && random() < 0.3);
      await expectSame(rows, hashSets);
    }
  }, 60_000);

  test('richness is the same in both', async () => {
    const rows = Array.from({ length: 80 }, (_, number) => randomRow(`rich ${number}`));
    await storeRows(rows);
    const rated = await events.query<{ id: string; richness: number }>(
      `SELECT event_id AS id, ${richnessSql} AS richness FROM errors WHERE project_id = {project:UInt64}`,
      { project: projectId },
    );
    expect(new Map(rated.map(({ id, richness }) => [id, richness]))).toEqual(
      new Map(rows.map((row) => [row.event_id, richnessOf(row)])),
    );
    expect(new Set(rated.map(({ richness }) => richness)).size).toBeGreaterThan(8);
  });

  test('what narrows an issue is asked of the engine', async () => {
    const rows = Array.from({ length: 10 }, (_, number) =>
      randomRow(`narrow ${number}`, { group_hash: hash('group 0') }),
    );
    await storeRows(rows);
    const scope = { projectId, hashes: [hash('group 0')], nowMs: now };
    for (const narrowed of [
      { ...scope, environments: ['staging'] },
      { ...scope, root: false as const },
    ]) {
      expect(await pickEvent(stores, narrowed, 'latest')).toEqual(await pickEvent(engineAlone(), narrowed, 'latest'));
    }
    expect((await countStatements(events, () => pickEvent(stores, scope, 'latest'))).total).toBeLessThan(2);
    expect((await countStatements(events, () => listEvents(stores, scope, { limit: 5 }))).total).toBe(0);
    const tags = (standAlone: boolean) =>
      countStatements(events, () =>
        tagsOfIssue(stores, { projectId }, scope.hashes, { sample: 1_000, values: 5, standAlone }),
      );
    expect([(await tags(true)).total, (await tags(false)).total]).toEqual([0, 1]);
  });

  test('of few that are large the engine is asked, of one of them it is not', async () => {
    const rows = Array.from({ length: 3 }, (_, number) => {
      const row = randomRow(`large ${number}`, { missing_scripts: [], group_hash: hash('group 0') });
      return { ...row, payload: JSON.stringify({ ...JSON.parse(row.payload), extra: { text: 'x'.repeat(900_000) } }) };
    });
    await storeRows(rows);
    const scope = { projectId, hashes: [hash('group 0')], nowMs: now };
    const list = (limit: number) => countStatements(events, () => listEvents(stores, scope, { limit }));
    expect([(await list(2)).total, (await list(3)).total]).toEqual([0, 1]);
    await expectSame(rows, hashSets.slice(0, 1));
  });

  test('of what was erased, damaged or lies in its row the engine is asked', async () => {
    const rows = Array.from({ length: 6 }, (_, number) =>
      randomRow(`odd ${number}`, { timestamp: now - number, missing_scripts: [], group_hash: hash('group 0') }),
    );
    const [erased, , inRow] = rows.map(({ event_id }) => event_id);
    await storeRows(rows, (row) => row.event_id === inRow);
    const [place] = index.placesOf(erased ?? '');
    await events.payloads?.erase(place ? [place] : []);
    await expectSame(rows, hashSets.slice(0, 1));
    expect(await findEvent(stores, [projectId], erased ?? '')).toBeUndefined();
    expect(index.placesOf(inRow ?? '')).toEqual([]);
    expect((await countStatements(events, () => findEvent(stores, [projectId], rows[1]?.event_id ?? ''))).total).toBe(
      0,
    );
  });

  test('deleted events are nowhere, and what comes in meanwhile is where the engine has it', async () => {
    const rows = Array.from({ length: lasting(14, 30) }, (_, number) =>
      randomRow(`deleted ${number}`, { missing_scripts: [] }),
    );
    await storeRows(rows);
    const { id } = await stores.state.db
      .selectFrom('issue_hash')
      .select('issue_id as id')
      .where('project_id', '=', projectId)
      .where('hash', '=', rows[0]?.group_hash ?? '')
      .executeTakeFirstOrThrow();
    const hashes = await hashesOf(stores.state, id);
    const late = [randomRow('late', { group_hash: rows[0]?.group_hash ?? '' })];
    await Promise.all([removeEvents(stores, [id]), storeRows(late)]);
    await expectSame([...rows, ...late], [...hashSets, hashes]);
    expect(await findEvent(stores, [projectId], rows[0]?.event_id ?? '')).toBeUndefined();
  }, 180_000);

  test('it is filled with what the engine has', async () => {
    const rows = Array.from({ length: lasting(20, 50) }, (_, number) =>
      randomRow(`filled ${number}`, { missing_scripts: [] }),
    );
    // As before there was an index.
    await index.lose();
    await using unindexed = connectEvents(stores.address);
    await storeRows(rows, () => false, unindexed);
    expect(rows.flatMap(({ event_id }) => index.placesOf(event_id))).toEqual([]);
    await expectSame(rows.slice(0, lasting(5, 50)), hashSets.slice(0, lasting(2, 4)));
    const rests: number[] = [];
    const filled = await fillIndex(events as IndexedEvents, {
      signal: new AbortController().signal,
      rest: async (tookMs) => void rests.push(tookMs),
    });
    expect(filled.rows).toBeGreaterThanOrEqual(rows.length);
    expect(rests.length).toBeGreaterThanOrEqual(filled.weeks);
    expect(index.filling.isComplete()).toBe(true);
    await expectSame(rows, hashSets);
  }, 180_000);
});
