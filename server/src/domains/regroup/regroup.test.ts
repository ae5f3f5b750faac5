/** Events that went through processing, grouped anew from what is stored of them. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildLookup } from '../artifacts/lookup/index.ts';
import { openBlobs } from '../../ports/blobs/open.ts';
import { findIssue, mergeIssues } from '../issues/index.ts';
import { hash, openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { createLive } from '../../base/live.ts';
import { defaultGroupingSettings, type GroupingSettings } from '../../process/steps/group/index.ts';
import { createFailures } from '../../base/self/index.ts';
import { changesOf } from './changes.ts';
import { explainEvent } from './explain.ts';
import { openPreviews } from './previews.ts';
import { regroup } from './regroup.ts';
import { makeProject, sendEvents } from './testing/send.ts';

let stores: TestStores;
let projectId: number;
beforeAll(async () => {
  stores = await openTestStores();
}, 60_000);
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(async () => {
  projectId = await makeProject(stores);
});

const day = 86_400_000;
const before = defaultGroupingSettings;
const request = (after: Partial<GroupingSettings>, limit = 1_000) => ({
  projectId,
  sinceMs: Date.now() - 7 * day,
  limit,
  before,
  after: { ...before, ...after },
});
const preview = async (after: Partial<GroupingSettings>, limit?: number) => {
  const { places, ...rest } = await regroup(stores, request(after, limit));
  return { ...changesOf(places), ...rest };
};

const thrown = (fn: string, value: string, more: object = {}) => ({
  platform: 'node',
  exception: {
    values: [
      {
        type: 'PaymentError',
        value,
        stacktrace: {
          frames: [
            {
              function: 'handle',
              filename: '/app/src/server.js',
              abs_path: '/app/src/server.js',
              in_app: true,
              lineno: 1,
            },
            { function: fn, filename: `/app/src/${fn}.js`, abs_path: `/app/src/${fn}.js`, in_app: true, lineno: 9 },
          ],
        },
      },
    ],
  },
  ...more,
});

const issueOf = async (eventId: string): Promise<number> => {
  const { issue_id } = await stores.state.db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('project_id', '=', projectId)
    .where('first_event_id', '=', eventId)
    .executeTakeFirstOrThrow();
  return issue_id;
};

test('a rule that puts issues together, and one that takes one apart', async () => {
  const ids = await sendEvents(stores, projectId, [
    thrown('charge', 'card 1'),
    thrown('refund', 'card 2'),
    thrown('refund', 'card 3'),
    thrown('lookup', 'x', { tags: { shop: 'north' } }),
    thrown('lookup', 'x', { tags: { shop: 'south' } }),
    thrown('lookup', 'x', { tags: { shop: 'south' } }),
  ]);
  const [charge, refund, lookup] = [
    await issueOf(ids[0] ?? ''),
    await issueOf(ids[1] ?? ''),
    await issueOf(ids[3] ?? ''),
  ];
  const fingerprintRules = [
    'stack.function:charge -> payment',
    'stack.function:refund -> payment',
    'stack.function:lookup -> lookup, {{ tags.shop }}',
  ].join('\n');
  expect(await preview({ fingerprintRules })).toEqual({
    examined: 6,
    sampled: false,
    merges: [
      {
        into: refund,
        title: expect.stringMatching(/PaymentError: card [23]/),
        issues: [
          { issueId: refund, events: 2 },
          { issueId: charge, events: 1 },
        ],
      },
    ],
    splits: [
      {
        issueId: lookup,
        parts: [
          { title: 'PaymentError: x', events: 2, fingerprint: ['lookup', 'south'], exampleEventId: expect.any(String) },
          { title: 'PaymentError: x', events: 1, fingerprint: ['lookup', 'north'], exampleEventId: ids[3] },
        ],
      },
    ],
    unchanged: 0,
  });
});

test('a stack trace rule that leaves the differing frame out joins the issues', async () => {
  await sendEvents(stores, projectId, [thrown('a', 'x'), thrown('b', 'x'), thrown('c', 'x')]);
  const { merges } = await preview({ stackTraceRules: 'stack.abs_path:**/src/?.js -group' });
  expect(merges).toMatchObject([{ issues: [{}, {}, {}] }]);
});

test('unchanged rules change nothing, whatever a person has merged', async () => {
  const ids = await sendEvents(stores, projectId, [thrown('a', 'x'), thrown('b', 'x'), { message: 'plain' }]);
  const issueIds = [await issueOf(ids[0] ?? ''), await issueOf(ids[1] ?? '')];
  const times = { createdAt: new Date(0).toISOString(), updatedAt: new Date(0).toISOString() };
  const user = { id: 'ada', name: 'Ada', email: 'ada@example.com', emailVerified: 1, image: null, ...times };
  await stores.state.db.insertInto('user').values(user).execute();
  await mergeIssues({ ...stores, live: createLive() }, { issueIds, userId: user.id, nowMs: 1 });
  expect(await preview({})).toMatchObject({ merges: [], splits: [], examined: 3 });
});

test('a bounded sample has the newest of each hash and says what it is', async () => {
  const many = Array.from({ length: 30 }, (_, index) => thrown(index % 2 ? 'a' : 'b', `${index}`));
  await sendEvents(stores, projectId, many);
  const { examined, sampled, merges } = await preview({ fingerprintRules: 'type:PaymentError -> one' }, 6);
  expect({ examined, sampled }).toEqual({ examined: 6, sampled: true });
  // Counts are of all that is stored, not of the sample.
  expect(merges).toMatchObject([{ issues: [{ events: 15 }, { events: 15 }] }]);
});

test('in a thread of its own: progress, result, breaking off, not too many at once', async () => {
  await sendEvents(stores, projectId, [thrown('a', 'x'), thrown('b', 'x')]);
  const noted: unknown[] = [];
  const failures = createFailures({ logger: { error: (fields) => noted.push(fields) } });
  await using previews = openPreviews({
    state: stores.state,
    stateOptions: { url: '', dataDir: stores.dataDir },
    events: stores.address,
    node: 'test',
    failures,
  });
  const rules = { fingerprintRules: 'type:PaymentError -> one' };
  const { id } = await previews.start(request(rules), []);
  const second = await previews.start(request(rules), []);
  await expect(previews.start(request(rules), [])).rejects.toThrow(/Too many previews/);
  expect(await previews.cancel(projectId + 1, second.id)).toBe(false);
  expect(await previews.cancel(projectId, second.id)).toBe(true);
  expect(await previews.find(projectId, second.id)).toBeUndefined();
  expect(await previews.find(projectId + 1, id)).toBeUndefined();
  await expect.poll(async () => (await previews.find(projectId, id))?.status, { timeout: 20_000 }).toBe('done');
  expect(await previews.find(projectId, id)).toMatchObject({
    progress: 1,
    result: { examined: { events: 2, issues: 2, sampled: false }, merges: [{ issues: [{}, {}] }], unchanged: 0 },
  });
  expect(noted).toEqual([]);
});

describe('what is stored is what grouping saw', () => {
  const shared = new URL('../../../../../shared/conformance/grouping/events', import.meta.url).pathname;
  test.runIf(existsSync(shared))('for every event of the shared data, where it is there', async () => {
    const files = readdirSync(shared).filter((name) => name.endsWith('.json'));
    const events = files.map((name) => {
      const {
        _grouping: _,
        event_id: __,
        timestamp: ___,
        ...event
      } = JSON.parse(readFileSync(join(shared, name), 'utf8'));
      return (event.event ?? event) as object;
    });
    await sendEvents(stores, projectId, events);
    await expectSame(50);
  });

  test('for events of servers, browsers, messages and reports', async () => {
    await sendEvents(stores, projectId, [
      thrown('a', 'x'),
      { message: 'order 4711 of ada@example.com failed' },
      { logentry: { message: 'user %s', params: ['ada'] }, fingerprint: ['{{ default }}', 'x'] },
      { fingerprint: ['custom', '{{ level }}'] },
      { platform: 'python', stacktrace: { frames: [{ function: 'f', module: 'm', filename: 'm.py' }] } },
      browser('https://shop.example.com/assets/index-a1b2c3d4.js', 'n'),
      browser('app:///_next/static/chunks/123-aabbccddeeff0011.js', 'checkout'),
      {},
    ]);
    await expectSame(8);
  });

  test('for frames that were mapped by a source map', async () => {
    const url = 'https://shop.example.com/assets/index-mapped.js';
    const { code, debugId } = await upload(url);
    const at = code.indexOf('.percent') + 1;
    const frames = [{ filename: url, function: 'n', lineno: 1, colno: at + 1, in_app: true }];
    const event = {
      platform: 'javascript',
      exception: { values: [{ type: 'TypeError', value: 'x', stacktrace: { frames } }] },
      debug_meta: { images: [{ type: 'sourcemap', code_file: url, debug_id: debugId }] },
    };
    await sendEvents(stores, projectId, [event], { hasArtifacts: true });
    const [row] = await stores.events.query<{ payload: string }>(
      'SELECT payload FROM errors WHERE project_id = {project:UInt64}',
      { project: projectId },
    );
    expect(row?.payload).toContain('src/pricing.ts');
    await expectSame(1);
  });

  const browser = (url: string, fn: string) => ({
    platform: 'javascript',
    exception: {
      values: [
        { type: 'Error', value: 'x', stacktrace: { frames: [{ filename: url, function: fn, lineno: 1, colno: 9 }] } },
      ],
    },
  });

  async function expectSame(count: number): Promise<void> {
    const rows = await stores.events.query<{ id: string; hashes: string[]; payload: string; version: string }>(
      `SELECT event_id AS id, group_hashes AS hashes, payload, grouping_version AS version FROM errors
       WHERE project_id = {project:UInt64} AND NOT startsWith(version, 'twin')`,
      { project: projectId },
    );
    expect(rows.length).toBeGreaterThanOrEqual(count);
    for (const { id, hashes, payload, version } of rows) {
      const { grouped } = explainEvent(JSON.parse(payload), { ...before, version });
      if (grouped.grouping.version === version) expect(grouped.grouping.hashes, id).toEqual(hashes);
    }
  }

  async function upload(url: string): Promise<{ code: string; debugId: string }> {
    const source =
      'export function applyCoupon(basket: { coupon: { percent: number } | null }): number {\n  return basket.coupon!.percent;\n}\n';
    const { code, map } = await transform(source, {
      loader: 'ts',
      format: 'esm',
      minify: true,
      sourcemap: 'external',
      sourcefile: 'src/pricing.ts',
    });
    const digits = createHash('md5').update(url).digest('hex');
    const debugId = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const key = `artifacts/lookups/regroup/${hash(map)}`;
    const blobs = openBlobs({ url: '', dataDir: stores.dataDir });
    await blobs.put(key, Buffer.concat([...buildLookup({ map: Buffer.from(map), script: Buffer.from(code) }).chunks]));
    const { organization_id } = await stores.state.db
      .selectFrom('project')
      .select('organization_id')
      .where('id', '=', projectId)
      .executeTakeFirstOrThrow();
    const times = { created_at: 1, uploaded_at: 1, indexed_at: 1, last_used_at: null };
    const bundle = { checksum: hash(url), release: '', dist: '', state: 'ok', detail: '', chunks: '[]' } as const;
    const { id } = await stores.state.db
      .insertInto('artifact_bundle')
      .values({ organization_id, ...bundle, ...times, size_bytes: 1, file_count: 2, index_version: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await stores.state.db
      .insertInto('artifact_bundle_project')
      .values({ bundle_id: id, project_id: projectId })
      .execute();
    const artifact = {
      url: `~${new URL(url).pathname}`,
      debug_id: debugId,
      map_url: 'x.map',
      lookup_key: key,
      problem: '',
    };
    await stores.state.db
      .insertInto('artifact')
      .values({
        bundle_id: id,
        ...artifact,
        script_bytes: 1,
        map_bytes: 1,
        sources: 1,
        frames_resolved: 0,
        last_used_at: null,
      })
      .execute();
    return { code, debugId };
  }
});

test('the rules that had a say are named with their lines', async () => {
  await sendEvents(stores, projectId, [thrown('charge', 'x')]);
  const [row] = await stores.events.query<{ payload: string }>(
    'SELECT payload FROM errors WHERE project_id = {project:UInt64}',
    { project: projectId },
  );
  const { rules, grouped } = explainEvent(JSON.parse(row?.payload ?? '{}'), {
    ...before,
    fingerprintRules: '# payments\ntype:Other -> no\ntype:PaymentError -> payment',
    stackTraceRules: '\nfunction:handle -app\nfunction:none -group',
  });
  expect(rules).toEqual([
    { kind: 'fingerprint', text: 'type:PaymentError -> payment', line: 3 },
    { kind: 'stackTrace', text: 'function:handle -app', line: 2 },
  ]);
  expect(grouped.grouping.basis).toBe('fingerprint');
  expect(
    (
      await findIssue(stores.state, 'WEB-1', [
        { id: projectId, slug: 'web', name: '', platform: '', shortIdPrefix: 'WEB' },
      ])
    )?.number,
  ).toBe(1);
});
