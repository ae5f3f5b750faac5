import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { CodedError } from '../../base/errors.ts';
import { createStateGuard, createStoreWatch, listNodes, missingRoles, openNodes, processingOf } from './index.ts';

const none = { lagMs: null, waitingFor: '' };

onEachDatabase('nodes', (databases) => {
  test('are there, gone after a minute, forgotten after a day, and leave when they stop', async () => {
    const state = await databases.migrated();
    using watch = createStoreWatch([{ store: 'state', ask: async () => true }]);
    const common = { state, version: '1.0.0', watch, progress: () => none, sweep: async () => {} };
    const silent = { version: '0.9.0', address: '10.0.0.9:7420', report: 'of another version' };
    const now = Date.now();
    await state.db
      .insertInto('node')
      .values([
        { id: 'old', roles: 'api', started_at: 1, seen_at: now - 61_000, ...silent },
        { id: 'older', roles: 'api', started_at: 1, seen_at: now - 86_401_000, ...silent },
      ])
      .execute();
    {
      await using first = openNodes({ ...common, id: 'a', roles: ['intake', 'api'], address: '10.0.0.1:7420' });
      await using second = openNodes({
        ...common,
        id: 'b',
        roles: ['process'],
        address: '10.0.0.2:7420',
        progress: () => ({ lagMs: 70, waitingFor: 'the events store' }),
      });
      await first.beat();
      await second.beat();
      const found = await listNodes(state, Date.now());
      expect(found).toMatchObject([
        { id: 'a', roles: ['intake', 'api'], version: '1.0.0', isGone: false, lagMs: null },
        { id: 'b', roles: ['process'], isGone: false, lagMs: 70, waitingFor: 'the events store' },
        { id: 'old', isGone: true, stores: [] },
      ]);
      expect(found[0]?.stores).toMatchObject([{ store: 'state', state: 'reachable' }]);
      expect(processingOf(found)).toEqual({ lagMs: 70, waitingFor: 'the events store' });
      expect(missingRoles(found)).toEqual(['jobs']);
      // Of those that are gone nobody says what they do.
      expect(missingRoles(found.slice(1))).toEqual(['intake', 'api', 'jobs']);
      expect([missingRoles([]), processingOf(found.slice(2))]).toEqual([[], undefined]);
    }
    expect((await listNodes(state, Date.now())).map(({ id }) => id)).toEqual(['old']);
  });
});

test('a store is reachable, slow or down, and since when', async () => {
  let answer: () => Promise<boolean> = async () => true;
  let now = 1_000;
  using watch = createStoreWatch([{ store: 'log', ask: () => answer() }], {
    slowMs: 20,
    longestMs: 100,
    now: () => now,
  });
  const look = async () => {
    await watch.look();
    now += 1_000;
    return watch.views()[0];
  };
  expect(watch.views()).toEqual([]);
  expect(await look()).toEqual({ store: 'log', state: 'reachable', since: 1_000 });
  answer = () => new Promise((resolve) => setTimeout(resolve, 40, true));
  expect(await look()).toEqual({ store: 'log', state: 'reachable', since: 1_000 });
  expect(await look()).toEqual({ store: 'log', state: 'slow', since: 2_000 });
  answer = () => Promise.reject(new Error('refused'));
  expect(await look()).toEqual({ store: 'log', state: 'down', since: 4_000 });
  answer = () => new Promise(() => {});
  expect(await look()).toEqual({ store: 'log', state: 'down', since: 4_000 });
  answer = async () => true;
  expect(await look()).toEqual({ store: 'log', state: 'reachable', since: 6_000 });
});

test('what is not reachable is asked again by itself, and changes are told', async () => {
  let isThere = false;
  const told: string[] = [];
  using watch = createStoreWatch([{ store: 'blobs', ask: async () => isThere }], {
    againMs: 5,
    onChange: ({ store, state }) => void told.push(`${store} ${state}`),
  });
  await watch.look();
  isThere = true;
  await vi.waitFor(() => expect(watch.view('blobs')?.state).toBe('reachable'));
  expect(told).toEqual(['blobs down', 'blobs reachable']);
});

const away = { code: 'STATE_UNAVAILABLE', message: expect.stringMatching(/on node a:1 since 2026-11-25 20:45 UTC/) };

test('without the state store questions end at once, also those that were asked before, and say since when', async () => {
  let isThere = true;
  using watch = createStoreWatch([{ store: 'state', ask: async () => isThere }], {
    now: () => Date.parse('2026-11-25T20:45:30Z'),
  });
  const guard = createStateGuard(watch, () => 'a:1');
  await watch.look();
  const never = new Promise<never>(() => {});
  const asked = expect(guard('question', () => never)).rejects.toMatchObject(away);
  const change = guard('change', () => delay(50, 'made'));
  isThere = false;
  await watch.look();
  await asked;
  expect(await change).toBe('made');
  let isAsked = false;
  await expect(guard('change', async () => (isAsked = true))).rejects.toMatchObject(away);
  expect(isAsked).toBe(false);
});

test('one connection that broke is what it says, and an outage is known from the first of them', async () => {
  let isThere = true;
  using watch = createStoreWatch([{ store: 'state', ask: async () => isThere }], {
    now: () => Date.parse('2026-11-25T20:45:30Z'),
  });
  const guard = createStateGuard(watch, () => 'a:1');
  const broken = new CodedError('STATE_UNAVAILABLE', ['the connection ended']);
  await expect(guard('question', () => Promise.reject(broken))).rejects.toBe(broken);
  isThere = false;
  await expect(guard('question', () => Promise.reject(broken))).rejects.toMatchObject({ ...away, cause: broken });
  const other = new CodedError('NOT_FOUND', ['it']);
  isThere = true;
  await watch.look();
  await expect(guard('question', () => Promise.reject(other))).rejects.toBe(other);
});
