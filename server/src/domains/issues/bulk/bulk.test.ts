/** Changes as jobs, on each database: every state and event of a job, nodes that die, and what undoing gives back. */
import { expect, test } from 'vitest';
import type { Events } from '../../../ports/events/events.ts';
import { CodedError } from '../../../base/errors.ts';
import { createLive } from '../../../base/live.ts';
import { createFailures } from '../../../base/self/index.ts';
import type { State } from '../../../ports/state/state.ts';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import type { BulkState } from '../../../base/live.ts';
import { addTestProject } from '../testing/projects.ts';
import { assign } from '../work/index.ts';
import { applyChange, type IssueChange } from './change.ts';
import { hideIn } from './hide.ts';
import {
  addItems,
  addJob,
  addSmallJob,
  beginJob,
  type BulkEvent,
  claimNext,
  findJob,
  holdJob,
  machine,
  nextOf,
  sweepJobs,
} from './job.ts';
import { openLoops } from '../../../base/jobs/testing.ts';
import { type Bulk, createBulk } from './open.ts';
import { removeIssuesIn } from './remove.ts';
import { runJob } from './run.ts';
import { discardedAmong, listTombstones } from './tombstones.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const owner = { organizationId: 'org', userId: 'ada' };

test('each state answers each event as it is written', () => {
  const ignored = {
    collected: 'ignored',
    all_changed: 'ignored',
    due: 'ignored',
    all_deleted: 'ignored',
    cancel: 'ignored',
    broke: 'ignored',
    undo: 'ignored',
    all_undone: 'ignored',
  } as const;
  const expected: Record<BulkState, Record<BulkEvent, BulkState | 'ignored'>> = {
    collecting: { ...ignored, collected: 'running', broke: 'failed' },
    running: { ...ignored, all_changed: 'done', cancel: 'cancelled', broke: 'failed' },
    hidden: { ...ignored, due: 'deleting', cancel: 'undoing', undo: 'undoing' },
    deleting: { ...ignored, all_deleted: 'done' },
    done: { ...ignored, undo: 'undoing' },
    failed: { ...ignored, undo: 'undoing' },
    cancelled: { ...ignored, undo: 'undoing' },
    undoing: { ...ignored, all_undone: 'undone' },
    undone: ignored,
  };
  expect(machine).toEqual(expected);
  // Nothing may stay hidden: a deletion that stops before its time shows its issues again.
  const change: IssueChange = { remove: 'delete' };
  expect(nextOf({ state: 'running', change }, 'all_changed')).toBe('hidden');
  expect(nextOf({ state: 'running', change }, 'cancel')).toBe('undoing');
  expect(nextOf({ state: 'running', change }, 'broke')).toBe('undoing');
});

async function fill(state: State): Promise<{ projectId: number; ids: number[] }> {
  const createdAt = new Date();
  await state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt })
    .execute();
  for (const id of ['ada', 'bob']) {
    const user = { id, name: id, email: `${id}@example.com`, emailVerified: true, image: null };
    await state.db
      .insertInto('user')
      .values({ ...user, createdAt, updatedAt: createdAt })
      .execute();
    await state.db
      .insertInto('member')
      .values({ id: `member ${id}`, organizationId: 'org', userId: id, role: 'member', createdAt })
      .execute();
  }
  const { id: projectId } = await addTestProject(state, 'web');
  const ids: number[] = [];
  for (let number = 1; number <= 5; number += 1) {
    const { id } = await state.db
      .insertInto('issue')
      .values({
        project_id: projectId,
        number,
        status: 'unresolved',
        substatus: number % 2 ? 'new' : 'ongoing',
        level: number === 5 ? 'info' : 'error',
        title: `e${number}`,
        culprit: '',
        platform: '',
        type: 'error',
        metadata: '{}',
        first_seen: now,
        last_seen: now,
        first_release: null,
        last_release: null,
        status_changed_at: null,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await state.db
      .insertInto('issue_hash')
      .values({
        project_id: projectId,
        hash: `h${number}`,
        issue_id: id,
        grouping_version: '',
        basis: '',
        first_event_id: '',
        explanation: '[]',
        created_at: now,
      })
      .execute();
    ids.push(id);
  }
  return { projectId, ids };
}

/** Everything that a change may make different. */
const standing = async ({ db }: State) => ({
  issues: await db
    .selectFrom('issue')
    .select([
      'id',
      'status',
      'substatus',
      'status_details',
      'assignee_user_id',
      'assignee_team_id',
      'priority',
      'priority_locked',
    ])
    .orderBy('id')
    .execute(),
  bookmarks: await db.selectFrom('issue_bookmark').select(['issue_id', 'user_id']).orderBy('issue_id').execute(),
  shared: await db.selectFrom('issue_share').select('issue_id').orderBy('issue_id').execute(),
});

// Nothing here is asked of events.
const noEvents = {} as Events;
const errors: unknown[] = [];
const failures = createFailures({ logger: { error: (fields) => errors.push(fields) } });
const open = (state: State): Bulk & AsyncDisposable => {
  const bulk = createBulk({ state, events: noEvents, live: createLive(), node: 'test' });
  return { ...bulk, [Symbol.asyncDispose]: openLoops(bulk.jobs, { failures })[Symbol.asyncDispose] };
};

const everything: IssueChange = {
  status: { kind: 'resolve' },
  assignee: { kind: 'user', id: 'bob' },
  priority: 'low',
  isBookmarked: true,
  isSubscribed: false,
  isPublic: true,
};

onEachDatabase('changes of issues', ({ migrated }) => {
  test('are undone to what was before, but for what somebody has changed since', async () => {
    const state = await migrated();
    const { ids } = await fill(state);
    await using bulk = open(state);
    await bulk.change({
      ...owner,
      asked: {},
      change: { assignee: { kind: 'user', id: 'ada' } },
      issues: ids.slice(0, 2),
      nowMs: now,
    });
    const before = await standing(state);
    const { job, changed } = await bulk.change({
      ...owner,
      asked: {},
      change: everything,
      issues: ids,
      nowMs: now + 1,
    });
    expect(changed).toEqual(ids);
    expect(await standing(state)).toMatchObject({
      issues: ids.map(() => ({ status: 'resolved', assignee_user_id: 'bob', priority: 'low', priority_locked: 1 })),
      bookmarks: ids.map((issue_id) => ({ issue_id, user_id: 'ada' })),
    });
    const again = await bulk.change({
      ...owner,
      asked: {},
      change: { status: { kind: 'resolve' }, priority: 'low' },
      issues: ids,
      nowMs: now + 2,
    });
    expect(again.changed).toEqual([]);
    const last = ids.at(-1) ?? 0;
    await bulk.change({
      organizationId: 'org',
      userId: 'bob',
      asked: {},
      change: { status: { kind: 'archive_forever' }, assignee: null },
      issues: [last],
      nowMs: now + 3,
    });
    expect((await bulk.undo({ ...job, undoableUntil: Date.now() + 1000 })).state).toBe('undone');
    const after = await standing(state);
    expect(after.issues.slice(0, 4)).toEqual(before.issues.slice(0, 4));
    expect(after.issues[4]).toMatchObject({ status: 'archived', assignee_user_id: null, priority: null });
    expect(after).toMatchObject({ bookmarks: [], shared: [] });
    expect(
      await state.db
        .selectFrom('issue_subscription')
        .select('user_id')
        .where('user_id', '=', 'ada')
        .where('is_active', '=', 0)
        .execute(),
    ).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('are given back to nobody where who had them has left', async () => {
    const state = await migrated();
    const { ids } = await fill(state);
    await using bulk = open(state);
    const give = (id: string, at: number) =>
      bulk.change({ ...owner, asked: {}, change: { assignee: { kind: 'user', id } }, issues: ids, nowMs: at });
    await give('bob', now);
    const { job } = await give('ada', now + 1);
    await state.db.deleteFrom('member').where('userId', '=', 'bob').execute();
    await bulk.undo({ ...job, undoableUntil: Date.now() + 1000 });
    const assignees = (await standing(state)).issues.map((issue) => issue.assignee_user_id);
    expect(new Set(assignees)).toEqual(new Set([null]));
  });

  test('what somebody has is not given away by rules', async () => {
    const state = await migrated();
    const { ids } = await fill(state);
    const live = createLive();
    const give = (issueIds: readonly number[], id: string, onlyFree: boolean) =>
      assign(
        { state, live },
        { issueIds, to: { kind: 'user', id }, byUserId: null, why: 'ownership', onlyFree, nowMs: now },
      );
    await give(ids.slice(0, 2), 'ada', false);
    expect((await give(ids, 'bob', true)).toSorted((a, b) => a - b)).toEqual(ids.slice(2));
    expect(await give(ids, 'nobody', false)).toEqual([]);
  });

  test('keep what was said of them at their beginning', async () => {
    const state = await migrated();
    const { ids } = await fill(state);
    const id = await addJob(state, owner, { asked: {}, change: { priority: 'low' } }, now);
    await addItems(state.db, id, ids, 0);
    await beginJob(state, id, { total: ids.length, detail: 'only the first of them' });
    await using bulk = open(state);
    expect(bulk).toBeDefined();
    await expect
      .poll(() => findJob(state, owner, id), { timeout: 10_000 })
      .toMatchObject({ state: 'done', detail: 'only the first of them' });
  });

  test('go on where a node has died, each part once', async () => {
    const state = await migrated();
    const { ids } = await fill(state);
    const change: IssueChange = { priority: 'low' };
    const dead = { node: 'dead', leaseMs: 600 };
    const job = await addSmallJob(state, owner, { asked: {}, change }, ids, Date.now(), dead);
    await state.transaction(async (trx) => {
      const held = await holdJob(trx, job, dead);
      expect(held).toMatchObject({ state: 'running', done: 0 });
      await applyChange(trx, ids.slice(0, 2), change, { userId: 'ada', nowMs: now, few: true });
      await trx.updateTable('bulk_job').set({ done: 2, changed: 2 }).where('id', '=', job.id).execute();
    });
    // While it is claimed nobody else takes it.
    expect(await claimNext(state, { node: 'other', leaseMs: 1000 })).toBeUndefined();
    await using bulk = open(state);
    expect(bulk).toBeDefined();
    await expect.poll(async () => (await findJob(state, owner, job.id))?.state, { timeout: 10_000 }).toBe('done');
    expect(await findJob(state, owner, job.id)).toMatchObject({ done: 5, changed: 5 });
    const entries = await state.db
      .selectFrom('issue_activity')
      .select('issue_id')
      .where('type', '=', 'set_priority')
      .execute();
    expect(entries.map((row) => row.issue_id).toSorted((a, b) => a - b)).toEqual(ids);
    // Who had it before it was taken over may not go on.
    expect(await state.transaction((trx) => holdJob(trx, job, dead))).toBeUndefined();
    expect(await findJob(state, { organizationId: 'org', userId: 'bob' }, job.id)).toBeUndefined();
  });

  test('are not given up by a node that no longer has them', async () => {
    const state = await migrated();
    const { ids } = await fill(state);
    const slow = { node: 'slow', leaseMs: 600 };
    const job = await addSmallJob(state, owner, { asked: {}, change: { priority: 'low' } }, ids, Date.now(), slow);
    const failing: State = {
      ...state,
      async transaction() {
        await state.db.updateTable('bulk_job').set({ claimed_by: 'other' }).where('id', '=', job.id).execute();
        throw new CodedError('INPUT_INVALID', ['it came too late']);
      },
    };
    const { signal } = new AbortController();
    const stores = { state: failing, events: noEvents, live: createLive() };
    await expect(runJob(stores, job, slow, { calmly: false, signal })).rejects.toThrow('It came too late');
    expect(await findJob(state, owner, job.id)).toMatchObject({ state: 'running', detail: '' });
  });

  test('what is discarded leaves its hashes, with what was merged into it', async () => {
    const state = await migrated();
    const { projectId, ids } = await fill(state);
    const [first = 0, second = 0, third = 0] = ids;
    await state.db
      .updateTable('issue')
      .set({ status: 'merged', merged_into: first })
      .where('id', '=', second)
      .execute();
    await state.db
      .updateTable('issue_hash')
      .set({ issue_id: first, merged_from: second })
      .where('issue_id', '=', second)
      .execute();
    // More than one statement takes.
    const more = Array.from({ length: 11_000 }, (_, index) => `more ${index}`);
    for (let at = 0; at < more.length; at += 1_000) {
      await state.db
        .insertInto('issue_hash')
        .values(
          more.slice(at, at + 1_000).map((hash) => ({
            project_id: projectId,
            hash,
            issue_id: first,
            grouping_version: '',
            basis: '',
            first_event_id: '',
            explanation: '[]',
            created_at: now,
          })),
        )
        .execute();
    }
    await state.transaction(async (trx) => {
      await hideIn(trx, [first]);
      // One that is not hidden was had back meanwhile.
      await removeIssuesIn(trx, [first, third], { change: { remove: 'discard' }, userId: 'ada' }, now);
    });
    const left = await state.db.selectFrom('issue').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(ids.slice(2));
    expect([...(await discardedAmong(state.db, projectId, ['h1', 'h2', 'h3']))].toSorted()).toEqual(['h1', 'h2']);
    expect((await discardedAmong(state.db, projectId, more)).size).toBe(more.length);
    expect(await listTombstones(state, projectId)).toMatchObject([{ number: 1, title: 'e1', actor: { id: 'ada' } }]);
  });

  test('are forgotten when they can be undone no more', async () => {
    const state = await migrated();
    const { ids } = await fill(state);
    await using bulk = open(state);
    const { job } = await bulk.change({ ...owner, asked: {}, change: { priority: 'low' }, issues: ids, nowMs: now });
    const collecting = await addJob(state, owner, { asked: {}, change: {} }, now);
    const later = Date.now() + 10 * 86_400_000;
    while (await sweepJobs(state, later));
    expect(await findJob(state, owner, job.id)).toBeUndefined();
    expect(await findJob(state, owner, collecting)).toBeUndefined();
    expect(await state.db.selectFrom('bulk_item').selectAll().execute()).toEqual([]);
  });
});
