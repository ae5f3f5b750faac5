/** Events first, maps later: on a real engine, with scripts that a real minifier made. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import { openBlobs } from '../../ports/blobs/open.ts';
import { findEvent, findIssue, pickEvent, hashesOf } from '../issues/index.ts';
import { hash, openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { createSymbolicator, type Symbolicator } from '../artifacts/symbolicator.ts';
import { releaseAll } from '../../ports/state/claims.ts';
import { addJobs, finishJob, progressOf, takeJob, type Wanted } from './jobs.ts';
import { runJob } from './run-job.ts';
import * as late from './testing/late-maps.ts';
import { build, file, release } from './testing/late-maps.ts';

let stores: TestStores;
let blobs: Blobs;
let symbolicator: Symbolicator;
let built: late.Build;
let projectId: number;
let projects = 0;

beforeAll(async () => {
  stores = await openTestStores();
  blobs = openBlobs({ url: '', dataDir: stores.dataDir });
  symbolicator = createSymbolicator({ state: stores.state, blobs });
  built = await build('a1b2c3');
}, 60_000);
afterAll(() => stores[Symbol.asyncDispose]());
beforeEach(async () => {
  projects += 1;
  projectId = await late.addProject(stores.state, `org${projects}`);
});

const send = (thrown: Partial<late.Thrown> = {}): Promise<string> =>
  late.send({ ...stores, blobs, symbolicator }, { projectId, build: built, ...thrown });

const upload = (one: late.Build, place: { release?: string; debugId?: string } = {}): Promise<void> =>
  late.upload({ ...stores, blobs }, one, { organizationId: `org${projects}`, projectId, ...place });

async function symbolicateAgain(wanted: Wanted): Promise<string> {
  await addJobs(stores.state, [projectId], wanted, Date.now() - 10_000);
  return runNext();
}

const claimer = { node: 'this one', leaseMs: 30_000 };

async function runNext(): Promise<string> {
  const job = await takeJob(stores.state, claimer);
  if (!job) throw new Error('no job');
  const detail = await runJob({ ...stores, symbolicator, pseudonymKey: '00' }, job, {
    node: claimer.node,
    days: 14,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  await finishJob(stores.state, { id: job.id, node: claimer.node }, { state: 'done', detail });
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
    expect((await takeJob(stores.state, { ...claimer, node: 'killed' }))?.projectId).toBe(projectId);
    expect(await progressOf(stores.state, projectId)).toMatchObject({ running: true });
    expect(await takeJob(stores.state, claimer)).toBeUndefined();
    await releaseAll(stores.state, 'killed');
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
    { data: { unresolved: { code: 'map_invalid', detail: expect.stringContaining('Upload the source map again') } } },
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
