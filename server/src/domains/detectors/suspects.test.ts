/** What is noted, taken and finished, on each database; and what is suspicious at all. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { SpanRow } from '../../base/tables/spans.ts';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createSampler } from './sampler.ts';
import { defaultPerformanceSettings, patchPerformanceSettings } from '../../base/problems/settings.ts';
import { finishSuspects, maxAttempts, nextDue, noteSuspects, takeSuspects } from './suspects.ts';
import { createSuspicion, type Suspect } from './suspicion.ts';

const node = 'test';
const at = (nowMs: number) => ({ node, leaseMs: 60_000, nowMs });

onEachDatabase('suspects', ({ migrated }) => {
  let state: State;
  beforeEach(async () => {
    state = await migrated();
    const createdAt = new Date(0);
    await state.db
      .insertInto('organization')
      .values({ id: 'org', name: 'org', slug: 'org', logo: null, metadata: null, createdAt: createdAt.toISOString() })
      .execute();
    for (const id of [1, 2]) {
      await state.db
        .insertInto('project')
        .values({
          id,
          organization_id: 'org',
          slug: `p${id}`,
          name: 'p',
          platform: '',
          short_id_prefix: `P${id}`,
          settings: '{}',
          created_at: 0,
          first_event_at: null,
        })
        .execute();
    }
  });

  const suspect = (segmentId: string, projectId = 1): Suspect => ({
    projectId,
    traceId: 'd'.repeat(32),
    segmentId,
    transaction: 'GET /',
    at: 5,
  });

  test('are due after the wait, a project at a time, and gone when finished', async () => {
    const noted = [suspect('a'), suspect('b'), suspect('c', 2), suspect('d', 99)];
    expect(await noteSuspects(state, noted, { now: 1_000, waitMs: 100 })).toBe(3);
    expect(await nextDue(state)).toBe(1_100);
    expect(await takeSuspects(state, at(1_099), 10)).toEqual([]);
    const taken = await takeSuspects(state, at(1_100), 10);
    expect(taken.map(({ segmentId }) => segmentId).toSorted()).toEqual(['a', 'b']);
    const others = await takeSuspects(state, at(1_100), 10);
    expect(others.map(({ segmentId }) => segmentId)).toEqual(['c']);
    expect(await takeSuspects(state, at(1_100), 10)).toEqual([]);
    await finishSuspects(state, node, [...taken, ...others], new Map(), 2_000);
    expect(await nextDue(state)).toBeUndefined();
  });

  test('what comes while one is examined leads to another look', async () => {
    await noteSuspects(state, [suspect('a')], { now: 0, waitMs: 0 });
    const [taken] = await takeSuspects(state, at(0), 10);
    await noteSuspects(state, [suspect('a')], { now: 50, waitMs: 0 });
    await finishSuspects(state, node, taken ? [taken] : [], new Map(), 60);
    expect(await takeSuspects(state, at(60), 10)).toMatchObject([{ segmentId: 'a', pieces: 2, attempts: 1 }]);
  });

  test('who took one and died leaves it to the next, but not for ever', async () => {
    await noteSuspects(state, [suspect('a')], { now: 0, waitMs: 0 });
    let now = 0;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      expect(await takeSuspects(state, at(now), 10)).toMatchObject([{ attempts: attempt }]);
      expect(await takeSuspects(state, at(now), 10)).toEqual([]);
      now = (await nextDue(state)) ?? 0;
    }
    expect(await takeSuspects(state, at(now), 10)).toEqual([]);
    expect(await nextDue(state)).toBeUndefined();
  });

  test('go with their project', async () => {
    await noteSuspects(state, [suspect('a')], { now: 0, waitMs: 0 });
    await state.db.deleteFrom('project').where('id', '=', 1).execute();
    expect(await nextDue(state)).toBeUndefined();
  });
});

describe('suspicion', () => {
  const suspicious = (rows: readonly Partial<SpanRow>[], settings = defaultPerformanceSettings): boolean => {
    const suspicion = createSuspicion(() => settings);
    for (const [index, row] of rows.entries()) {
      suspicion.look(
        testSpanRow({ span_id: String(index), segment_id: 'root', is_segment: 0, attributes: {}, numbers: {}, ...row }),
      );
    }
    return suspicion.suspects().length > 0;
  };
  const query = (ms: number, name: string): Partial<SpanRow> => ({
    op: 'db',
    name,
    description_hash: name,
    duration_us: ms * 1_000,
    origin: 'auto.db.otel.postgres',
  });
  const root = { op: 'http.server', is_segment: 1 } as const;

  test('an ordinary request is none', () => {
    const queries = [query(3, 'SELECT 1'), query(4, 'SELECT a FROM b WHERE c = $1'), query(3, 'SELECT 1')];
    expect(suspicious([root, ...queries, { op: 'http.client', description_hash: 'x', duration_us: 90_000 }])).toBe(
      false,
    );
    expect(suspicious([{ ...root, op: 'pageload', numbers: { fcp: 3_000 } }])).toBe(false);
  });

  test.each<[string, Partial<SpanRow>[]]>([
    ['half an n+1', [query(9, 'a'), query(9, 'a'), query(9, 'a')]],
    ['a slow query', [query(500, 'SELECT 1')]],
    ['queries that could run at once', [query(80, 'SELECT a WHERE b'), query(40, 'SELECT 1')]],
    ['a large answer', [{ op: 'http.client', duration_us: 100_000, numbers: { 'http.response.body.size': 300_001 } }]],
    [
      'slow calls',
      [
        { op: 'http.client', duration_us: 500_000 },
        { op: 'http.client', duration_us: 500_000 },
      ],
    ],
    [
      'a large script',
      [{ op: 'resource.script', duration_us: 400_000, numbers: { 'http.response.body.size': 600_000 } }],
    ],
    ['a file on the main thread', [{ op: 'file.read', attributes: { blocked_main_thread: 'true' } }]],
    ['values in a query', [{ ...query(1, `SELECT a FROM b WHERE c = 'x'`), origin: '' }]],
  ])('%s is', (_, rows) => {
    expect(suspicious(rows)).toBe(true);
  });

  test('what is switched off is not', () => {
    const off = patchPerformanceSettings(defaultPerformanceSettings, { slowDb: { enabled: false } });
    expect(suspicious([query(500, 'SELECT a FROM b WHERE c = $1')], off)).toBe(false);
  });

  test('each segment is one, once', () => {
    const suspicion = createSuspicion(() => defaultPerformanceSettings);
    for (const segment_id of ['a', 'b', 'a', '']) {
      suspicion.look(
        testSpanRow({ ...query(600, 'SELECT 1'), segment_id, is_segment: 0, attributes: {}, numbers: {} }),
      );
    }
    expect(suspicion.suspects().map(({ segmentId }) => segmentId)).toEqual(['a', 'b', '']);
  });
});

test('a few of each transaction, and no more of a project than the limit, a minute', () => {
  const isSampled = createSampler({ perProject: 3, perTransaction: 2 });
  const of = (transaction: string, projectId = 1): Suspect => ({
    projectId,
    traceId: '',
    segmentId: '',
    transaction,
    at: 0,
  });
  expect([of('a'), of('a'), of('a'), of('b'), of('c'), of('a', 2)].map((one) => isSampled(one, 0))).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
  expect(isSampled(of('a'), 60_000)).toBe(true);
});
