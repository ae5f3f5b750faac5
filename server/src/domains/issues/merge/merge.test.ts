/** Merging and taking back on both databases, with events in a real engine. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lasting } from '../../../base/testing.ts';
import type { Events } from '../../../ports/events/events.ts';
import { createLive, type LiveMessage } from '../../../base/live.ts';
import type { State } from '../../../ports/state/state.ts';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../testing/stores.ts';
import { activityOf, changeStatus, findIssue, hashesOf } from '../index.ts';
import { limitIn, limitOf } from '../limits/index.ts';
import { joinIssues } from '../revise/join.ts';
import { moveByTime } from '../states/time.ts';
import { findExactly, listMerges, mergeIssues, moveOut, takeBack } from './index.ts';

let engine: TestStores;
beforeAll(async () => {
  engine = await openTestStores();
}, 60_000);
afterAll(() => engine[Symbol.asyncDispose]());

let projects = 0;
const minute = 60_000;
const start = Date.now() - 60 * minute;

onEachDatabase('merging', ({ migrated }) => {
  let state: State;
  let events: Events;
  let stores: TestStores;
  let projectId: number;
  let published: LiveMessage[];
  const live = createLive();
  const userId = 'u1';

  async function makeProject(): Promise<number> {
    projects += 1;
    const organization = `org${projects}`;
    await state.db
      .insertInto('organization')
      .values({
        id: organization,
        name: 'Acme',
        slug: organization,
        logo: null,
        metadata: null,
        createdAt: new Date(0).toISOString(),
      })
      .execute();
    const row = {
      id: projects,
      organization_id: organization,
      slug: 'web',
      name: 'Web',
      platform: '',
      short_id_prefix: 'WEB',
      settings: '{}',
      created_at: 0,
      first_event_at: null,
    };
    await state.db.insertInto('project').values(row).execute();
    return projects;
  }

  const visible = () => ({ id: projectId, slug: 'web', name: 'Web', platform: '', shortIdPrefix: 'WEB' });

  /** One event of each name, minutes after the start; returns the id of the issue of the first. */
  async function seen(
    names: readonly string[],
    minutes: number,
    release = 'shop@1',
    project = projectId,
  ): Promise<number> {
    const hashes = names.map(hash);
    await store(stores, [
      errorRow({
        project_id: project,
        group_hash: hashes[0] ?? '',
        group_hashes: hashes,
        timestamp: start + minutes * minute,
        error_value: names[0] ?? '',
        release,
      }),
    ]);
    const row = await state.db
      .selectFrom('issue_hash')
      .select('issue_id')
      .where('project_id', '=', project)
      .where('hash', '=', hashes[0] ?? '')
      .executeTakeFirstOrThrow();
    return row.issue_id;
  }

  const row = (id: number) => state.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const ask = { userId, nowMs: start + 59 * minute };
  const merge = (issueIds: number[], into?: number, nowMs = ask.nowMs) =>
    mergeIssues({ state, events, live }, { issueIds, into, userId, nowMs });
  const back = async (parent: number, childIds: number[]) =>
    takeBack({ state, events, live }, { parent: { id: parent, projectId }, childIds, ...ask, nowMs: ask.nowMs + 1 });

  beforeEach(async () => {
    state = await migrated();
    events = engine.events;
    stores = { ...engine, state };
    await state.db
      .insertInto('user')
      .values({
        id: userId,
        name: 'Ada',
        email: 'ada@example.com',
        emailVerified: state.capabilities.dialect === 'sqlite' ? 1 : true,
        image: null,
        createdAt: new Date(0).toISOString(),
        updatedAt: new Date(0).toISOString(),
      })
      .execute();
    projectId = await makeProject();
    published = [];
  });

  test('the busiest stays, has all hashes and the whole time; the others lead to it', async () => {
    const small = await seen(['small'], 1, 'shop@1');
    const big = await seen(['big'], 5, 'shop@2');
    await seen(['big'], 6, 'shop@3');
    const stop = live.subscribe((message) => published.push(message));
    expect(await merge([small, big])).toEqual({ parent: big, children: [small] });
    stop();
    expect(published).toEqual([{ type: 'issues', projectId, issueIds: [big, small] }]);
    expect((await hashesOf(state, big)).toSorted()).toEqual([hash('small'), hash('big')].toSorted());
    expect(await row(big)).toMatchObject({
      first_seen: start + minute,
      first_release: 'shop@1',
      last_seen: start + 6 * minute,
      last_release: 'shop@3',
      status: 'unresolved',
    });
    expect(await row(small)).toMatchObject({ status: 'merged', merged_into: big });
    for (const name of [String(small), 'WEB-1']) expect((await findIssue(state, name, [visible()]))?.id).toBe(big);
    expect(await findExactly(state.db, 'WEB-1', visible())).toMatchObject({ id: small, isMerged: true });
    expect(await seen(['small'], 7)).toBe(big);
    const [activity] = await activityOf(state, big);
    expect(activity).toMatchObject({
      type: 'merged',
      user: { id: userId, name: 'Ada' },
      data: { count: 1, issues: [{ id: String(small), number: 1 }] },
    });
    expect(await listMerges({ state, events }, { id: big, projectId })).toMatchObject([
      {
        issue: { id: small, number: 1 },
        by: { email: 'ada@example.com' },
        hashes: [expect.any(String)],
        events: 2,
        mergedAt: ask.nowMs,
      },
    ]);
  });

  test('a limit goes along, and back', async () => {
    const [a, b] = [await seen(['limit a'], 1), await seen(['limit b'], 2)];
    const limit = { events: 5, per: 'hour' } as const;
    await state.transaction((trx) => limitIn(trx, { issueIds: [a], userId, nowMs: ask.nowMs }, limit));
    await merge([a, b], b);
    expect(await limitOf(state, b)).toMatchObject({ limit, takenFrom: a });
    await back(b, [a]);
    expect([await limitOf(state, a), await limitOf(state, b)]).toMatchObject([{ limit }, { limit: null }]);
    const [older, younger] = [await seen(['limit c'], 3), await seen(['limit d'], 4)];
    await state.transaction((trx) => limitIn(trx, { issueIds: [younger], userId, nowMs: ask.nowMs }, limit));
    expect(await joinIssues(state, projectId, [older, younger], ask.nowMs)).toBe(older);
    expect(await limitOf(state, older)).toMatchObject({ limit, takenFrom: null });
  });

  test('taken back, both are what they would be without: hashes, times, releases, status', async () => {
    const a = await seen(['a'], 2, 'shop@2');
    const b = await seen(['b'], 1, 'shop@1');
    await changeStatus(
      { state, live },
      { issueIds: [b], change: { kind: 'archive_forever' }, userId, nowMs: start + 50 * minute },
    );
    await merge([a, b], a);
    // What comes meanwhile by a hash of its own follows the hash that decided.
    expect(await seen(['b', 'b system'], 10, 'shop@4')).toBe(a);
    expect(await seen(['b later', 'b system'], 11, 'shop@5')).toBe(a);
    expect(await back(a, [b])).toEqual([b]);
    expect((await hashesOf(state, a)).toSorted()).toEqual([hash('a')]);
    expect((await hashesOf(state, b)).toSorted()).toEqual([hash('b'), hash('b system'), hash('b later')].toSorted());
    expect(await row(a)).toMatchObject({
      first_seen: start + 2 * minute,
      last_seen: start + 2 * minute,
      first_release: 'shop@2',
      last_release: 'shop@2',
      status: 'unresolved',
    });
    expect(await row(b)).toMatchObject({
      first_seen: start + minute,
      last_seen: start + 11 * minute,
      first_release: 'shop@1',
      last_release: 'shop@5',
      status: 'archived',
      merged_into: null,
    });
    expect((await activityOf(state, a))[0]).toMatchObject({ type: 'unmerged', data: { issues: [{ id: String(b) }] } });
    expect((await activityOf(state, b))[0]).toMatchObject({ type: 'taken_back' });
    expect(await state.db.selectFrom('issue_own').selectAll().execute()).toEqual([]);
    await expect(back(a, [b])).rejects.toThrow(/not found/);
  });

  test('one within the other: each comes out whole', async () => {
    const [a, b, c] = [await seen(['a'], 1), await seen(['b'], 2), await seen(['c'], 3)];
    await merge([a, b], a);
    await merge([b, c], c);
    expect((await hashesOf(state, c)).length).toBe(3);
    expect((await findIssue(state, String(b), [visible()]))?.id).toBe(c);
    expect((await listMerges({ state, events }, { id: c, projectId })).map(({ issue }) => issue.id)).toEqual([a, b]);
    await back(c, [a]);
    expect((await hashesOf(state, a)).toSorted()).toEqual([hash('a'), hash('b')].toSorted());
    expect(await row(a)).toMatchObject({ last_seen: start + 2 * minute });
    await back(a, [b]);
    expect(await hashesOf(state, a)).toEqual([hash('a')]);
    expect(await hashesOf(state, b)).toEqual([hash('b')]);
    expect(await row(a)).toMatchObject({ first_seen: start + minute, last_seen: start + minute });
    expect(await row(c)).toMatchObject({ first_seen: start + 3 * minute });
  });

  test('both at once: each has its own', async () => {
    const [a, b, c] = [await seen(['a'], 1), await seen(['b'], 2), await seen(['c'], 3)];
    await merge([a, b], a);
    await merge([a, c], c);
    expect(await row(b)).toMatchObject({ merged_into: c });
    await back(c, [a, b]);
    for (const [id, name] of [[a, 'a'] as const, [b, 'b'] as const, [c, 'c'] as const]) {
      expect(await hashesOf(state, id)).toEqual([hash(name)]);
    }
    expect(await row(a)).toMatchObject({ last_seen: start + minute });
  });

  describe('status', () => {
    test('what is resolved is opened by what is open, and closed again when that leaves', async () => {
      const [a, b] = [await seen(['a'], 1), await seen(['b'], 2)];
      await changeStatus(
        { state, live },
        { issueIds: [a], change: { kind: 'resolve' }, userId, nowMs: start + 50 * minute },
      );
      await merge([a, b], a);
      expect(await row(a)).toMatchObject({ status: 'unresolved', substatus: 'ongoing' });
      await back(a, [b]);
      expect(await row(a)).toMatchObject({ status: 'resolved', status_changed_at: start + 50 * minute });
      expect(await row(b)).toMatchObject({ status: 'unresolved' });
    });

    test('what was resolved and has been seen since comes back regressed', async () => {
      const [a, b] = [await seen(['a'], 1), await seen(['b'], 2)];
      await changeStatus(
        { state, live },
        { issueIds: [b], change: { kind: 'resolve' }, userId, nowMs: start + 3 * minute },
      );
      await merge([a, b], a, start + 4 * minute);
      await seen(['b'], 9);
      await back(a, [b]);
      expect(await row(b)).toMatchObject({ status: 'unresolved', substatus: 'regressed' });
    });

    test('what was resolved in a release comes back as that; the next event of that release opens it', async () => {
      const [a, b] = [await seen(['a'], 1), await seen(['b'], 2)];
      const change = { kind: 'resolve_in_release', release: 'shop@5.0.0' } as const;
      await changeStatus({ state, live }, { issueIds: [b], change, userId, nowMs: start + 3 * minute });
      await merge([a, b], a, start + 4 * minute);
      await seen(['b'], 9, 'shop@4.9.9');
      await back(a, [b]);
      expect(await row(b)).toMatchObject({ status: 'resolved', substatus: 'in_release' });
      await seen(['b'], 10, 'shop@5.0.0');
      expect(await row(b)).toMatchObject({ status: 'unresolved', substatus: 'regressed' });
    });

    test('what settles after a week does so also after a merge', async () => {
      const [a, b] = [await seen(['a'], 1), await seen(['b'], 2)];
      const { moves_at } = await row(b);
      await merge([a, b], a);
      await moveByTime(state, start + 30 * 24 * 60 * minute);
      await back(a, [b]);
      expect(await row(b)).toMatchObject({ status: 'unresolved', substatus: 'new', moves_at });
    });

    test('a merged issue is not changed with the others', async () => {
      const [a, b] = [await seen(['a'], 1), await seen(['b'], 2)];
      await merge([a, b], a);
      expect(
        await changeStatus({ state, live }, { issueIds: [a, b], change: { kind: 'resolve' }, userId, nowMs: start }),
      ).toMatchObject({
        changed: [{ id: a }],
      });
      expect(await row(b)).toMatchObject({ status: 'merged' });
    });
  });

  test('hashes moved out are an issue of their own, with the title of their newest event', async () => {
    const a = await seen(['a'], 1, 'shop@1');
    const b = await seen(['b'], 5, 'shop@2');
    await merge([a, b], a);
    const issue = await findIssue(state, String(a), [visible()]);
    if (!issue) throw new Error('no issue');
    const id = await moveOut({ state, events, live }, { issue, hashes: [hash('b')], ...ask });
    expect(await row(id)).toMatchObject({
      number: 3,
      title: 'TypeError: b',
      status: 'unresolved',
      first_seen: start + 5 * minute,
      last_release: 'shop@2',
    });
    expect(await row(a)).toMatchObject({ last_release: 'shop@1' });
    expect(await hashesOf(state, id)).toEqual([hash('b')]);
    expect((await activityOf(state, id))[0]).toMatchObject({
      type: 'split_from',
      data: { issues: [{ id: String(a) }] },
    });
    expect(await seen(['next'], 6)).toBe(id + 1);
    await expect(moveOut({ state, events, live }, { issue, hashes: [hash('a')], ...ask })).rejects.toThrow(/must stay/);
    await expect(moveOut({ state, events, live }, { issue, hashes: [hash('b')], ...ask })).rejects.toThrow(/not found/);
    expect(await merge([a, id], a)).toEqual({ parent: a, children: [id] });
  });

  test('what cannot be one is refused with the reason', async () => {
    const [a, b] = [await seen(['a'], 1), await seen(['b'], 2)];
    const other = await seen(['x'], 1, 'shop@1', await makeProject());
    await expect(merge([a])).rejects.toThrow(/at least two/);
    await expect(merge([a, a])).rejects.toThrow(/at least two/);
    await expect(merge([a, other])).rejects.toThrow(/different projects/);
    await expect(merge([a, b], other)).rejects.toThrow(/not in the list/);
    await state.db.updateTable('issue').set({ type: 'performance_slow_db_query' }).where('id', '=', b).execute();
    await expect(merge([a, b])).rejects.toThrow(/performance/);
  });

  test('merges, events and taking back at once leave every hash with one owner', async () => {
    const ids: number[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push(await seen([name], 1));
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = ids;
    await Promise.allSettled([
      merge([a, b], a),
      merge([b, c], c),
      merge([c, d, e], e),
      seen(['a', 'new'], 2),
      seen(['b'], 3),
      merge([a, f], f),
      seen(['f', 'newer'], 4),
    ]);
    const issues = await state.db.selectFrom('issue').selectAll().where('project_id', '=', projectId).execute();
    const roots = new Set(issues.filter((issue) => issue.merged_into === null).map((issue) => issue.id));
    const owners = await state.db.selectFrom('issue_hash').selectAll().where('project_id', '=', projectId).execute();
    expect(owners).toHaveLength(8);
    for (const owner of owners) expect(roots).toContain(owner.issue_id);
    for (const issue of issues) expect((issue.status === 'merged') === (issue.merged_into !== null)).toBe(true);
  });

  test('many at once, and a hundred of them back', async () => {
    const count = lasting(250, 1_000);
    const rows = Array.from({ length: count }, (_, index) =>
      errorRow({ project_id: projectId, group_hash: hash(`many ${index}`), timestamp: start + index }),
    );
    await store(stores, rows);
    const all = await state.db
      .selectFrom('issue')
      .select('id')
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute();
    const ids = all.map(({ id }) => id);
    const { parent, children } = await merge(ids);
    expect(children).toHaveLength(count - 1);
    expect(await row(parent)).toMatchObject({ first_seen: start, last_seen: start + count - 1 });
    expect((await listMerges({ state, events }, { id: parent, projectId })).length).toBe(count - 1);
    await back(parent, children.slice(0, 100));
    expect(await hashesOf(state, parent)).toHaveLength(count - 100);
  });
});
