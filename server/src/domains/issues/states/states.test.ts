import { beforeEach, describe, expect, test } from 'vitest';
import { createLive, type Live } from '../../../base/live.ts';
import { noteReleases, saveRelease } from '../../releases/index.ts';
import type { State } from '../../../ports/state/state.ts';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import { recordBatch } from '../record.ts';
import { addTestProject } from '../testing/projects.ts';
import { errorRow, hash } from '../testing/stores.ts';
import { changeStatus, restoreStatus, type StatusChange } from './change.ts';
import { settledAfterMs } from './machine.ts';
import { moveByTime } from './time.ts';
import { pickStatus } from './transition.ts';

const minute = 60_000;
const start = Date.UTC(2026, 0, 5);

onEachDatabase('states', (databases) => {
  let state: State;
  let live: Live;
  let projectId: number;
  let published: number[][];
  /** ms since the epoch; each event and change is a minute later than the one before. */
  let now: number;

  beforeEach(async () => {
    state = await databases.migrated();
    live = createLive();
    published = [];
    live.subscribe((message) => published.push([...(message.type === 'issues' ? message.issueIds : [])]));
    now = start;
    await state.db
      .insertInto('organization')
      .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0).toISOString() })
      .execute();
    await state.db
      .insertInto('user')
      .values({
        id: 'ada',
        name: 'Ada',
        email: 'ada@example.com',
        emailVerified: state.capabilities.dialect === 'sqlite' ? 1 : true,
        image: null,
        createdAt: new Date(0).toISOString(),
        updatedAt: new Date(0).toISOString(),
      })
      .execute();
    await state.db
      .insertInto('member')
      .values({ id: 'm', organizationId: 'org', userId: 'ada', role: 'owner', createdAt: new Date(0).toISOString() })
      .execute();
    projectId = (await addTestProject(state, 'web')).id;
  });

  /** One event of each name, in a release, as one batch; also says that the release is known, as the pipeline does. */
  async function seen(names: readonly string[], release = '', at = (now += minute)): Promise<void> {
    const events = names.map((name) => {
      const row = errorRow({ project_id: projectId, group_hash: hash(name), release, timestamp: at });
      return {
        row,
        grouping: { version: 'test:1', hashes: [hash(name)], basis: 'exception', tree: [] },
        seed: { title: name, culprit: '', level: 'error', platform: 'node', type: 'error', metadata: {} },
      };
    });
    await recordBatch(state, events, at);
    await noteReleases(state, [{ projectId, release, firstSeen: at, lastSeen: at }], at);
  }

  const row = async (name: string) =>
    state.db.selectFrom('issue').selectAll().where('title', '=', name).executeTakeFirstOrThrow();
  const stateOf = async (name: string): Promise<string> => {
    const { status, substatus } = await row(name);
    return substatus ?? status;
  };
  const activity = async (name: string) => {
    const { id } = await row(name);
    const rows = await state.db
      .selectFrom('issue_activity')
      .selectAll()
      .where('issue_id', '=', id)
      .orderBy('id')
      .execute();
    return rows.map((one) => [one.type, JSON.parse(one.data) as Record<string, unknown>, one.user_id] as const);
  };
  const change = async (names: readonly string[], asked: StatusChange) => {
    const issueIds = await Promise.all(names.map(async (name) => (await row(name)).id));
    return changeStatus({ state, live }, { issueIds, change: asked, userId: 'ada', nowMs: (now += minute) });
  };
  const release = (version: string, more: object = {}) =>
    saveRelease(state, { organizationId: 'org', version }, { projectIds: [projectId], ...more }, (now += minute));
  const commit = (id: string, message: string, authorEmail = '') => ({
    id: id.padEnd(40, '0'),
    repository: 'acme/web',
    message,
    authorName: '',
    authorEmail,
    committedAt: now,
    files: [],
  });

  describe('people', () => {
    test('who, when, why, and only what changed is told', async () => {
      await seen(['a', 'b']);
      await change(['a'], { kind: 'resolve' });
      const { changed } = await change(['a', 'b'], { kind: 'resolve' });
      expect(changed.map((one) => one.id)).toEqual([(await row('b')).id]);
      expect(published).toEqual([[(await row('a')).id], [(await row('b')).id]]);
      expect(await activity('b')).toEqual([
        ['first_seen', {}, null],
        ['set_resolved', { from: 'new', to: 'resolved' }, 'ada'],
      ]);
      expect(await row('b')).toMatchObject({ status: 'resolved', status_changed_at: now, moves_at: null });
    });

    test('what is undone is exactly as it was', async () => {
      await seen(['a', 'b', 'c'], 'web@1.0.0');
      await change(['b'], { kind: 'archive_until_condition_met', condition: { ignoreDuration: 60, ignoreCount: 3 } });
      await change(['c'], { kind: 'resolve_in_next_release' });
      const statuses = async () => (await Promise.all(['a', 'b', 'c'].map(row))).map(pickStatus);
      const before = await statuses();
      const { changed } = await change(['a', 'b', 'c'], { kind: 'resolve' });
      const changedAt = now;
      const request = { issues: changed, changedAt, userId: 'ada', nowMs: (now += minute) };
      expect(await restoreStatus({ state, live }, request)).toHaveLength(3);
      expect(await statuses()).toEqual(before);
      expect((await activity('b')).at(-1)).toEqual([
        'set_archived',
        { undo: true, from: 'resolved', to: 'archived_until_condition_met' },
        'ada',
      ]);
      expect(await restoreStatus({ state, live }, request)).toEqual([]);
    });

    test('what changed again since is not undone', async () => {
      await seen(['a', 'b']);
      const { changed } = await change(['a', 'b'], { kind: 'resolve' });
      const changedAt = now;
      await seen(['b']);
      const request = { issues: changed, changedAt, userId: 'ada', nowMs: (now += minute) };
      expect(await restoreStatus({ state, live }, request)).toEqual([(await row('a')).id]);
      expect([await stateOf('a'), await stateOf('b')]).toEqual(['new', 'regressed']);
    });

    test('said once more with another release, the release is another', async () => {
      await seen(['a'], 'web@1.0.0');
      await change(['a'], { kind: 'resolve_in_release', release: 'web@1.1.0' });
      expect((await change(['a'], { kind: 'resolve_in_release', release: 'web@1.1.0' })).changed).toEqual([]);
      expect((await change(['a'], { kind: 'resolve_in_release', release: 'latest' })).changed).toHaveLength(1);
      expect((await activity('a')).map(([type, { version }]) => [type, version]).slice(1)).toEqual([
        ['set_resolved_in_release', 'web@1.1.0'],
        ['set_resolved_in_release', 'web@1.0.0'],
      ]);
    });

    test('where no release is known there is no latest', async () => {
      await seen(['a']);
      await expect(change(['a'], { kind: 'resolve_in_release', release: 'latest' })).rejects.toThrow(
        /no latest release/,
      );
    });

    test('many at once, by several nodes: each once', async () => {
      const names = Array.from({ length: 600 }, (_, index) => `issue ${index}`);
      await seen(names);
      const ids = (await state.db.selectFrom('issue').select('id').orderBy('id').execute()).map((one) => one.id);
      const asked = { issueIds: ids, change: { kind: 'resolve' }, userId: null, nowMs: (now += minute) } as const;
      const all = await Promise.all([1, 2, 3].map(() => changeStatus({ state, live }, asked)));
      expect(all.flatMap(({ changed }) => changed.map((one) => one.id)).toSorted((a, b) => a - b)).toEqual(ids);
    });
  });

  describe('events', () => {
    test('resolved now: any later event brings it back, an earlier one does not, and a batch that is repeated changes nothing', async () => {
      await seen(['a'], 'web@1.0.0');
      await change(['a'], { kind: 'resolve' });
      await seen(['a'], 'web@1.0.0', now - 1);
      expect(await stateOf('a')).toBe('resolved');
      await seen(['a'], 'web@1.0.0');
      expect(await stateOf('a')).toBe('regressed');
      const once = await activity('a');
      expect(once.at(-1)).toEqual([
        'set_regression',
        { version: 'web@1.0.0', from: 'resolved', to: 'regressed' },
        null,
      ]);
      await seen(['a'], 'web@1.0.0', now);
      expect(await activity('a')).toEqual(once);
    });

    test.each([
      ['an older one', 'web@1.9.9', 'in_next_release'],
      ['the newest that was known', 'web@2.0.0', 'in_next_release'],
      ['a hotfix of an old one, made later', 'web@1.10.0', 'in_next_release'],
      ['a build of the newest', 'web@2.0.0+77', 'regressed'],
      ['the next', 'web@2.0.1', 'regressed'],
      ['a later one', 'web@10.0.0', 'regressed'],
      ['one that is no version, made later', '4f2c1ab', 'regressed'],
      ['none, by time', '', 'regressed'],
    ])('resolved in the next release, an event of %s: %s is %s', async (_what, version, expected) => {
      await seen(['other'], 'web@2.0.0');
      await seen(['a'], 'web@1.0.0');
      await change(['a'], { kind: 'resolve_in_next_release' });
      await seen(['a'], version);
      expect(await stateOf('a')).toBe(expected);
    });

    test('resolved in the next release where releases are hashes: those made later are newer', async () => {
      await seen(['a'], 'aaaaaaa');
      await seen(['other'], 'bbbbbbb');
      await change(['a'], { kind: 'resolve_in_next_release' });
      await seen(['a'], 'aaaaaaa');
      await seen(['a'], 'bbbbbbb');
      expect(await stateOf('a')).toBe('in_next_release');
      await seen(['a'], '1234567');
      expect(await stateOf('a')).toBe('regressed');
    });

    test('each package has a next release of its own', async () => {
      await seen(['other'], 'api@9.0.0');
      await seen(['a'], 'web@1.0.0');
      await seen(['other'], 'api@9.1.0');
      await change(['a'], { kind: 'resolve_in_next_release' });
      await seen(['a'], 'web@1.0.0');
      await seen(['a'], 'web@0.9.0');
      expect(await stateOf('a')).toBe('in_next_release');
      await seen(['a'], 'web@1.0.1');
      expect(await stateOf('a')).toBe('regressed');
    });

    test('also where releases are hashes: that another package was deployed is no news', async () => {
      await seen(['a'], 'web@aaaaaaa');
      await seen(['other'], 'api@bbbbbbb');
      await seen(['other'], 'web@ccccccc');
      await seen(['other'], 'api@ddddddd');
      await change(['a'], { kind: 'resolve_in_next_release' });
      expect((await activity('a')).at(-1)?.[1]).toMatchObject({ currentVersion: 'web@ccccccc' });
      // Of each package the newest is known, however late the others came.
      await seen(['a'], 'web@ccccccc');
      await seen(['a'], 'api@ddddddd');
      expect(await stateOf('a')).toBe('in_next_release');
      await seen(['a'], 'web@1234567');
      expect(await stateOf('a')).toBe('regressed');
    });

    test('the newest release is that of the package in which the issue was seen', async () => {
      await seen(['a'], 'web@1.0.0');
      await seen(['b'], 'api@2.0.0');
      await seen(['other'], 'web@1.1.0');
      await seen(['other'], 'api@2.1.0');
      await change(['a', 'b'], { kind: 'resolve_in_release', release: 'latest' });
      expect((await activity('a')).at(-1)?.[1]).toMatchObject({ version: 'web@1.1.0' });
      expect((await activity('b')).at(-1)?.[1]).toMatchObject({ version: 'api@2.1.0' });
    });

    test.each([
      ['web@1.9.9', 'in_release'],
      ['4f2c1ab', 'in_release'],
      ['web@2.0.0', 'regressed'],
      ['web@2.1.0', 'regressed'],
      ['', 'regressed'],
    ])('resolved in web@2.0.0, which nobody has made yet, an event of %j: %s', async (version, expected) => {
      await seen(['a'], 'web@1.0.0');
      await change(['a'], { kind: 'resolve_in_release', release: 'web@2.0.0' });
      await seen(['a'], version);
      expect(await stateOf('a')).toBe(expected);
    });

    test('one batch of several releases: the one that counts decides', async () => {
      await seen(['a'], 'web@1.0.0');
      await change(['a'], { kind: 'resolve_in_next_release' });
      now += minute;
      const at = now;
      await seen(['a'], 'web@1.0.1', at);
      expect((await activity('a')).at(-1)?.[1]).toMatchObject({ version: 'web@1.0.1' });
    });
  });

  describe('commits', () => {
    test('resolve what they name in the release that they came with, by the member who wrote them', async () => {
      await seen(['a', 'b', 'c'], 'web@1.0.0');
      const commits = [commit('a1', 'Fixes: WEB-1, web-2\n\nmore', 'ada@example.com'), commit('a2', 'see WEB-3')];
      const { resolved } = await release('web@1.1.0', { commits });
      expect(resolved.map((one) => one.id)).toEqual([(await row('a')).id, (await row('b')).id]);
      expect(await stateOf('c')).toBe('new');
      expect((await activity('b')).at(-1)).toEqual([
        'set_resolved_by_commit',
        {
          commit: 'a1'.padEnd(40, '0'),
          repository: 'acme/web',
          version: 'web@1.1.0',
          message: 'Fixes: WEB-1, web-2',
          from: 'new',
          to: 'in_release',
        },
        'ada',
      ]);
      await seen(['a'], 'web@1.0.0');
      expect(await stateOf('a')).toBe('in_release');
      await seen(['a'], 'web@1.1.0');
      expect(await stateOf('a')).toBe('regressed');
    });

    test('resolve an issue once: sent again, or with a later release, they change nothing', async () => {
      await seen(['a'], 'web@1.0.0');
      const commits = [commit('a1', 'fixes WEB-1')];
      await release('web@1.1.0', { commits });
      await seen(['a'], 'web@1.1.0');
      await release('web@1.1.0', { commits });
      await release('web@1.2.0', { commits });
      expect(await stateOf('a')).toBe('regressed');
      await release('web@1.2.1', { commits: [...commits, commit('b2', 'closes web-1, really')] });
      expect(await stateOf('a')).toBe('in_release');
    });

    test('say nothing about issues of projects that the release is not of', async () => {
      await seen(['a']);
      const other = await addTestProject(state, 'api');
      await release('api@1.0.0', { projectIds: [other.id], commits: [commit('a1', 'fixes WEB-1')] });
      expect(await stateOf('a')).toBe('new');
    });

    test('that are waited for: nothing brings the issue back until a release has the commit', async () => {
      await seen(['a'], 'web@1.0.0');
      await change(['a'], { kind: 'resolve_in_commit', commit: 'C0FFEE1', repository: '' });
      await seen(['a'], 'web@1.0.5');
      await seen(['a']);
      expect(await stateOf('a')).toBe('in_commit');
      await release('web@1.1.0', { commits: [commit('beef', 'other')] });
      expect(await stateOf('a')).toBe('in_commit');
      await release('web@1.2.0', { commits: [commit('c0ffee1', 'the fix')] });
      expect(await stateOf('a')).toBe('in_release');
      expect((await activity('a')).at(-1)).toMatchObject(['set_resolved_in_release', { version: 'web@1.2.0' }, null]);
      expect(JSON.parse((await row('a')).status_details)).toMatchObject({ by: 'ada', inRelease: 'web@1.2.0' });
      await seen(['a'], 'web@1.1.0');
      expect(await stateOf('a')).toBe('in_release');
      await seen(['a'], 'web@1.3.0');
      expect(await stateOf('a')).toBe('regressed');
    });

    test('that a release has already: it is resolved in the first of them, and whichever else has it counts', async () => {
      await seen(['a'], 'web@1.0.0');
      await release('web@2.0.0', { commits: [commit('c0ffee1', 'the fix')] });
      await release('web@1.5.0', { commits: [commit('beef', 'other')] });
      await change(['a'], { kind: 'resolve_in_commit', commit: 'c0ffee1', repository: 'acme/web' });
      expect(await stateOf('a')).toBe('in_release');
      await seen(['a'], 'web@1.5.0');
      expect(await stateOf('a')).toBe('in_release');
      await release('web@1.5.1', { commits: [commit('c0ffee1', 'the fix')] });
      await seen(['a'], 'web@1.5.1');
      expect(await stateOf('a')).toBe('regressed');
    });
  });

  describe('time', () => {
    const pass = async (ms: number) => (await moveByTime(state, (now += ms))).changed.map((one) => one.to);

    test('what is new and what came back settles after a week', async () => {
      await seen(['a']);
      expect(await pass(settledAfterMs - 1)).toEqual([]);
      expect(await pass(1)).toEqual(['ongoing']);
      expect(await activity('a')).toContainEqual(['set_ongoing', { from: 'new', to: 'ongoing' }, null]);
      await change(['a'], { kind: 'resolve' });
      await seen(['a']);
      expect(await pass(settledAfterMs)).toEqual(['ongoing']);
      expect(await pass(settledAfterMs)).toEqual([]);
    });

    test('what somebody has looked at has settled', async () => {
      await seen(['a']);
      await change(['a'], { kind: 'review' });
      expect(await pass(settledAfterMs)).toEqual([]);
    });

    test('archived for a time comes back at its end', async () => {
      await seen(['a']);
      await change(['a'], { kind: 'archive_until_condition_met', condition: { ignoreDuration: 90 } });
      const until = now + 90 * minute;
      expect(await pass(90 * minute - 1)).toEqual([]);
      expect(await pass(1)).toEqual(['ongoing']);
      expect((await activity('a')).at(-1)).toMatchObject([
        'archived_condition_met',
        { ignoreDuration: 90, until },
        null,
      ]);
    });

    test('two nodes move an issue once', async () => {
      await seen(['a', 'b']);
      now += settledAfterMs;
      const moved = await Promise.all([moveByTime(state, now), moveByTime(state, now)]);
      expect(moved.flatMap((one) => one.changed)).toHaveLength(2);
      expect((await activity('a')).map(([type]) => type)).toEqual(['first_seen', 'set_ongoing']);
    });

    test('more than one transaction takes', async () => {
      await seen(Array.from({ length: 501 }, (_, index) => `issue ${index}`));
      now += settledAfterMs;
      expect(await moveByTime(state, now)).toMatchObject({ more: true, changed: { length: 500 } });
      expect(await moveByTime(state, now)).toMatchObject({ more: false, changed: { length: 1 } });
    });
  });
});
