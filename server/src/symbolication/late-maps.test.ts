/** Events first, maps later: on a real engine, with scripts that a real minifier made. */
import { createHash } from 'node:crypto';
import { transform } from 'esbuild';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildLookup } from '../artifacts/lookup/index.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { openBlobs } from '../blobs/open.ts';
import { findEvent, findIssue, pickEvent, hashesOf } from '../issues/index.ts';
import { hash, openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { encodeReceived } from '../log/received.ts';
import { computeBatch, type ComputeInput, finishWaiting } from '../process/compute.ts';
import { storeBatch } from '../process/store.ts';
import { createSymbolicator, type Symbolicator } from '../process/symbolicator.ts';
import { defaultProjectSettings } from '../process/types.ts';
import { addJobs, finishJob, progressOf, resumeJobs, takeJob, type Wanted } from './jobs.ts';
import { runJob } from './run-job.ts';

const source = `export function applyCoupon(total: number, basket: { coupon: { percent: number } | null }): number {
  const percent = basket.coupon!.percent;
  return total - (total * percent) / 100;
}

export function basketTotal(basket: { coupon: { percent: number } | null }): number {
  return applyCoupon(100, basket);
}

export function shippingCost(basket: { weight: { grams: number } | null }): number {
  return basket.weight!.grams * 2;
}
`;
const file = 'src/pricing.ts';
const release = 'shop@1.0.0';

interface Build {
  readonly code: string;
  readonly map: string;
  readonly debugId: string;
  readonly url: string;
  /** Line and column, 1-based, of a text of the built script. */
  at(text: string): { lineno: number; colno: number };
}

async function build(name: string): Promise<Build> {
  const { code, map } = await transform(source, {
    loader: 'ts',
    format: 'esm',
    minify: true,
    sourcemap: 'external',
    sourcefile: file,
    banner: `/* ${name} */`,
  });
  const digits = createHash('md5').update(name).digest('hex');
  return {
    code,
    map,
    debugId: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    url: `https://shop.example.com/assets/index-${name}.js`,
    at(text) {
      const before = code.slice(0, code.indexOf(text));
      return { lineno: before.split('\n').length, colno: before.length - before.lastIndexOf('\n') };
    },
  };
}

let stores: TestStores;
let blobs: Blobs;
let symbolicator: Symbolicator;
let built: Build;
let projectId: number;
let projects = 0;
let batches = 0;

beforeAll(async () => {
  stores = await openTestStores();
  blobs = openBlobs({ url: '', dataDir: stores.dataDir });
  symbolicator = createSymbolicator({ state: stores.state, blobs });
  built = await build('a1b2c3');
}, 60_000);
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(async () => {
  projects += 1;
  const organization = { id: `org${projects}`, name: 'Acme', slug: `acme${projects}`, logo: null, metadata: null };
  await stores.state.db
    .insertInto('organization')
    .values({ ...organization, createdAt: new Date(0).toISOString() })
    .execute();
  const project = { organization_id: organization.id, slug: 'web', name: 'Web', platform: '', short_id_prefix: 'WEB' };
  const row = await stores.state.db
    .insertInto('project')
    .values({ ...project, settings: '{}', created_at: 0, first_event_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  projectId = row.id;
});

interface Thrown {
  readonly message?: string;
  readonly build?: Build;
  /** Texts of the script, the caller first. */
  readonly stack?: readonly string[];
  readonly withDebugId?: boolean;
  readonly at?: number;
}

/** Sends an event through processing, as the pipeline does. Returns its id. */
async function send({
  build: by = built,
  stack,
  withDebugId = true,
  at = Date.now(),
  message = "Cannot read properties of null (reading 'x')",
}: Thrown = {}): Promise<string> {
  batches += 1;
  const eventId = hash(`late ${batches}`);
  const frames = (stack ?? ['(100,', '.percent']).map((text) => ({ filename: by.url, function: 'n', ...by.at(text) }));
  const event = {
    release,
    platform: 'javascript',
    timestamp: at / 1000,
    exception: {
      values: [{ type: 'TypeError', value: message, stacktrace: { frames } }],
    },
    ...(withDebugId && { debug_meta: { images: [{ type: 'sourcemap', code_file: by.url, debug_id: by.debugId }] } }),
  };
  const body = Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`);
  const value = encodeReceived({ kind: 'envelope', projectId, keyId: 1, receivedAt: at, encoding: '' }, body);
  const bundles = await stores.state.db.selectFrom('artifact_bundle_project').select('project_id').execute();
  const input: ComputeInput = {
    records: [{ position: batches, value }],
    settings: new Map([[projectId, defaultProjectSettings]]),
    withArtifacts: new Set(bundles.map((one) => one.project_id)),
    maxEnvelopeBytes: 1024 * 1024,
    poisoned: new Set<number>(),
  };
  for (const slice of computeBatch(input)) {
    const results = await symbolicator.symbolicate(slice.waiting.map((one) => one.event));
    const missing = new Map(slice.waiting.map((one, index) => [one.event, results[index]?.missing ?? []]));
    finishWaiting(slice, input, (waiting) => missing.get(waiting) ?? []);
    await storeBatch({ ...stores, blobs }, slice, `late:${process.pid}:${batches}`, Date.now());
  }
  return eventId;
}

/** What indexing leaves of an upload. */
async function upload(one: Build, place: { release?: string; debugId?: string } = {}): Promise<void> {
  const key = `artifacts/lookups/org${projects}/${hash(one.map)}`;
  const lookup = buildLookup({ map: Buffer.from(one.map), script: Buffer.from(one.code) });
  await blobs.put(key, Buffer.concat([...lookup.chunks]));
  const { id } = await stores.state.db
    .insertInto('artifact_bundle')
    .values({
      organization_id: `org${projects}`,
      checksum: hash(one.url),
      release: place.release ?? '',
      dist: '',
      state: 'ok',
      detail: '',
      chunks: '[]',
      size_bytes: 1,
      file_count: 2,
      index_version: 1,
      created_at: 1,
      uploaded_at: 1,
      indexed_at: 1,
      last_used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await stores.state.db
    .insertInto('artifact_bundle_project')
    .values({ bundle_id: id, project_id: projectId })
    .execute();
  await stores.state.db
    .insertInto('artifact')
    .values({
      bundle_id: id,
      url: `~${new URL(one.url).pathname}`,
      debug_id: place.debugId ?? one.debugId,
      map_url: 'index.js.map',
      script_bytes: 1,
      map_bytes: 1,
      sources: 1,
      lookup_key: key,
      problem: '',
      frames_resolved: 0,
      last_used_at: null,
    })
    .execute();
}

async function symbolicateAgain(wanted: Wanted): Promise<string> {
  await addJobs(stores.state, [projectId], wanted, Date.now() - 10_000);
  return runNext();
}

async function runNext(): Promise<string> {
  const job = await takeJob(stores.state, Date.now());
  if (!job) throw new Error('no job');
  const detail = await runJob({ ...stores, symbolicator }, job, {
    days: 14,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  await finishJob(stores.state, job.id, { state: 'done', detail }, Date.now());
  return detail;
}

async function framesOf(eventId: string) {
  const event = await findEvent(stores, [projectId], eventId);
  const payload = JSON.parse(event?.payload ?? '{}');
  return payload.exception.values[0].stacktrace.frames as {
    filename: string;
    lineno: number;
    data: { unresolved?: unknown };
  }[];
}

const places = async (eventId: string) =>
  (await framesOf(eventId)).map(({ filename, lineno }) => `${filename}:${lineno}`);
const issues = () =>
  stores.state.db.selectFrom('issue').selectAll().where('project_id', '=', projectId).orderBy('id').execute();

const original = [`${file}:7`, `${file}:2`];

describe('an event whose map comes later', () => {
  test.each<[by: string, withDebugId: boolean, upload: { release?: string; debugId?: string }, wanted: () => Wanted]>([
    ['debug id', true, {}, () => ({ debugIds: [built.debugId] })],
    ['release and URL', false, { release, debugId: '' }, () => ({ debugIds: [], release, dist: '' })],
  ])(
    'by %s: shows lines of the source, its issue stays and takes the events to come',
    async (_by, withDebugId, place, wanted) => {
      const before = await send({ withDebugId });
      expect(await framesOf(before)).toMatchObject([{ filename: built.url, lineno: 2 }, {}]);
      await upload(built, place);
      await symbolicateAgain(wanted());
      expect(await places(before)).toEqual(original);
      const [issue, ...more] = await issues();
      expect(more).toEqual([]);
      expect(issue).toMatchObject({ culprit: `${file} in applyCoupon` });
      const after = await send({ withDebugId });
      expect(await places(after)).toEqual(original);
      expect(await issues()).toHaveLength(1);
      // Its old hash still finds it.
      const hashes = await hashesOf(stores.state, issue?.id ?? 0);
      expect(hashes).toContain((await findEvent(stores, [projectId], before))?.group_hash);
      expect((await pickEvent(stores, { projectId, hashes, nowMs: Date.now() }, 'recommended'))?.event_id).toBe(after);
    },
  );

  test('and events of the same that came with their map meanwhile: the two issues become one', async () => {
    // Other words, or the two would be one issue from the start.
    const before = await send({ message: 'no price' });
    await upload(built);
    const after = await send();
    const [first, second] = await issues();
    expect(second).toBeDefined();
    await symbolicateAgain({ debugIds: [built.debugId] });
    expect((await issues()).map(({ id }) => id)).toEqual([first?.id]);
    const hashes = await hashesOf(stores.state, first?.id ?? 0);
    for (const id of [before, after]) expect(await findEvent(stores, [projectId], id, hashes)).toBeDefined();
    const project = { id: projectId, slug: 'web', name: 'Web', platform: '', shortIdPrefix: 'WEB' };
    // Links to the one that is gone lead to the one that is left.
    for (const link of [String(second?.id), `WEB-${second?.number}`]) {
      expect((await findIssue(stores.state, link, [project]))?.id).toBe(first?.id);
    }
  });

  test('events of one unmapped issue that are different bugs stay together, and nothing is lost', async () => {
    const stack = ['(100,', '.percent'];
    const one = await send({ stack });
    const other = await send({ stack: [stack[0] ?? '', '.grams'] });
    expect(await issues()).toHaveLength(1);
    await upload(built);
    await symbolicateAgain({ debugIds: [built.debugId] });
    expect(await issues()).toHaveLength(1);
    expect(await places(one)).toEqual(original);
    expect(await places(other)).toEqual([`${file}:7`, `${file}:11`]);
  });

  test('is found again after the server stopped in the middle, and the second run changes nothing', async () => {
    const id = await send();
    await upload(built);
    await addJobs(stores.state, [projectId], { debugIds: [built.debugId] }, Date.now() - 10_000);
    expect((await takeJob(stores.state, Date.now()))?.projectId).toBe(projectId);
    expect(await progressOf(stores.state, projectId)).toMatchObject({ running: true });
    expect(await resumeJobs(stores.state)).toBe(true);
    for (const run of [runNext, () => symbolicateAgain({ debugIds: [built.debugId] })]) {
      await run();
      expect(await places(id)).toEqual(original);
      expect(await issues()).toHaveLength(1);
    }
  });

  test('of another script, release or project is left alone', async () => {
    const id = await send();
    const other = await build('fff');
    await upload(other);
    await symbolicateAgain({ debugIds: [other.debugId], release: 'shop@9', dist: '' });
    expect(await framesOf(id)).toMatchObject([{ filename: built.url, lineno: 2 }, {}]);
  });

  test('older than the days that are looked back is left alone, unless it is asked for', async () => {
    const id = await send({ at: Date.now() - 20 * 24 * 60 * 60_000 });
    await upload(built);
    await symbolicateAgain({ debugIds: [built.debugId] });
    expect((await places(id))[0]).not.toBe(original[0]);
    await symbolicateAgain({ eventId: id });
    expect(await places(id)).toEqual(original);
  });
});

test('a lookup file that is gone or damaged leaves the frame with the reason, and stops nothing', async () => {
  await upload(built);
  await blobs.put(`artifacts/lookups/org${projects}/${hash(built.map)}`, Buffer.from('no lookup at all'));
  const fresh = createSymbolicator({ state: stores.state, blobs });
  const kept = symbolicator;
  symbolicator = fresh;
  const id = await send();
  symbolicator = kept;
  expect(await framesOf(id)).toMatchObject([
    { data: { unresolved: { code: 'map_invalid', detail: expect.stringContaining('upload the source map again') } } },
    {},
  ]);
});

test('a build with other names and another hash lands in the same issue', async () => {
  const second = await build('zz9');
  await upload(built);
  await upload(second);
  await send({ build: built });
  await send({ build: second });
  expect(await issues()).toHaveLength(1);
});
