/** The number of events, counted by the real engine. */
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLive } from '../../../base/live.ts';
import { createFailures } from '../../../base/self/index.ts';
import { addTestProject } from '../testing/projects.ts';
import { errorRow, hash, openTestStores, store, type TestStores } from '../testing/stores.ts';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { changeStatusIn, type StatusChange } from './change.ts';
import { openLoops } from '../../../base/jobs/testing.ts';
import { createStateKeeper } from './keeper.ts';
import { type Forecasts, moveByVolume } from './volume.ts';

const hour = 3_600_000;
const minute = 60_000;
const day = 24 * hour;
/** The beginning of the hour that is looked at. */
const now = Math.floor(Date.now() / hour) * hour;

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
  await stores.state.db
    .insertInto('organization')
    .values({ id: 'org', name: 'Org', slug: 'org', logo: null, metadata: null, createdAt: new Date(0).toISOString() })
    .execute();
}, 60_000);
afterAll(() => stores[Symbol.asyncDispose]());

let projects = 0;
let projectId: number;
let forecasts: Forecasts;
beforeEach(async () => {
  projectId = (await addTestProject(stores.state, `web${++projects}`)).id;
  forecasts = new Map();
});

/** `count` events from a time on, a second apart, of so many users in turn. */
const rowsOf = (name: string, at: number, count: number, users = 0): ErrorRow[] =>
  Array.from({ length: count }, (_, index) =>
    errorRow({
      project_id: projectId,
      group_hash: hash(`${projectId} ${name}`),
      title: name,
      timestamp: at + index * 1_000,
      user: users ? `id:${index % users}` : '',
    }),
  );

const seen = (...sent: Parameters<typeof rowsOf>): Promise<void> => store(stores, rowsOf(...sent));

const row = async (name: string) =>
  stores.state.db
    .selectFrom('issue')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('title', '=', name)
    .executeTakeFirstOrThrow();

const change = async (name: string, asked: StatusChange, at: number) => {
  const { id } = await row(name);
  await stores.state.transaction((trx) =>
    changeStatusIn(trx, { issueIds: [id], change: asked, userId: null, nowMs: at }),
  );
};

/** Where the issues stand after they were looked at. */
async function looked(at: number, ...names: string[]): Promise<(string | null)[]> {
  const ids = await Promise.all(names.map(async (name) => (await row(name)).id));
  await moveByVolume(stores, ids, at, forecasts);
  return Promise.all(names.map(async (name) => (await row(name)).substatus));
}

const lastReason = async (name: string): Promise<unknown> => {
  const { id } = await row(name);
  const entry = await stores.state.db
    .selectFrom('issue_activity')
    .select(['type', 'data'])
    .where('issue_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return [entry.type, JSON.parse(entry.data)];
};

const ongoing = (name: string): Promise<void> => change(name, { kind: 'review' }, now - 5 * day);

describe('beyond its forecast', () => {
  test('what goes on escalates, with the numbers that say why; its neighbour does not', async () => {
    const days = [8, 7, 6, 5, 4, 3, 2, 1];
    const names = ['loud', 'usual'];
    await store(
      stores,
      names.flatMap((name) => days.flatMap((back) => rowsOf(name, now - back * day, 20))),
    );
    for (const name of names) await ongoing(name);
    await store(stores, [...rowsOf('loud', now, 120), ...rowsOf('usual', now, 22)]);
    expect(await looked(now + 5 * minute, 'loud', 'usual')).toEqual(['escalating', 'ongoing']);
    expect(await lastReason('loud')).toEqual([
      'set_escalating',
      { count: 120, forecast: 78, hour: new Date(now).toISOString(), from: 'ongoing', to: 'escalating' },
    ]);
  });

  test('what came in the last minute of an hour is seen at the beginning of the next', async () => {
    await seen('a', now - 3 * day, 1);
    await ongoing('a');
    await seen('a', now - minute, 50);
    expect(await looked(now + 1_000, 'a')).toEqual(['escalating']);
  });

  test('what escalates matters more than its level says', async () => {
    await seen('quiet', now - 3 * day, 2);
    await stores.state.db.updateTable('issue').set({ level: 'info' }).where('project_id', '=', projectId).execute();
    const { id } = await row('quiet');
    await stores.state.db.updateTable('issue').set({ substatus: 'ongoing' }).where('id', '=', id).execute();
    await seen('quiet', now, 300);
    await stores.state.db.updateTable('issue').set({ level: 'info' }).where('id', '=', id).execute();
    expect(await looked(now + 10 * minute, 'quiet')).toEqual(['escalating']);
    expect((await row('quiet')).priority).toBe('high');
    expect(await lastReason('quiet')).toEqual(['set_priority', { priority: 'high', reason: 'escalating' }]);
  });

  test('what is new does not escalate', async () => {
    await seen('a', now, 500);
    expect(await looked(now + 10 * minute, 'a')).toEqual(['new']);
  });

  test('archived while it is loud, it may stay as loud as it was', async () => {
    await seen('a', now - 2 * hour, 2);
    await seen('a', now - 10 * minute, 400);
    await change('a', { kind: 'archive_until_escalating' }, now - minute);
    await seen('a', now - 50_000, 40);
    expect(await looked(now, 'a')).toEqual(['archived_until_escalating']);
    await seen('a', now, 300);
    expect(await looked(now + 6 * minute, 'a')).toEqual(['archived_until_escalating']);
    await seen('a', now + 6 * minute, 3_000);
    expect(await looked(now + 58 * minute, 'a')).toEqual(['escalating']);
  });

  test('what came before somebody decided does not count', async () => {
    await seen('a', now - 3 * day, 1);
    await seen('a', now, 300);
    await change('a', { kind: 'resolve' }, now + 6 * minute);
    await change('a', { kind: 'reopen' }, now + 7 * minute);
    await seen('a', now + 8 * minute, 10);
    expect(await looked(now + 9 * minute, 'a')).toEqual(['ongoing']);
    await seen('a', now + 10 * minute, 20);
    expect(await looked(now + 11 * minute, 'a')).toEqual(['escalating']);
    expect(await lastReason('a')).toMatchObject(['set_escalating', { count: 30 }]);
  });

  test('looked at twice at once, it escalates once', async () => {
    await seen('a', now - 3 * day, 1);
    await ongoing('a');
    await seen('a', now, 100);
    const { id } = await row('a');
    const moved = await Promise.all([1, 2].map(() => moveByVolume(stores, [id], now + 5 * minute, new Map())));
    expect(moved.flat()).toHaveLength(1);
  });
});

describe('archived until so many', () => {
  test.each([
    ['events', { ignoreCount: 10 }, { ignoreCount: 10, count: 10 }],
    ['users', { ignoreUserCount: 3 }, { ignoreUserCount: 3, userCount: 3 }],
  ])('%s: those before do not count', async (_what, condition, reason) => {
    await seen('a', now, 50, 9);
    await change('a', { kind: 'archive_until_condition_met', condition }, now + minute);
    await seen('a', now + 2 * minute, 9, 2);
    expect(await looked(now + 3 * minute, 'a')).toEqual(['archived_until_condition_met']);
    await seen('a', now + 4 * minute, 1);
    await seen('a', now + 5 * minute, 3, 3);
    expect(await looked(now + 6 * minute, 'a')).toEqual(['ongoing']);
    const [type, data] = (await lastReason('a')) as [string, Record<string, number>];
    expect(type).toBe('archived_condition_met');
    expect(Object.keys(reason).every((key) => (data[key] ?? 0) >= reason[key as keyof typeof reason])).toBe(true);
  });

  test('within a window: slowly they may come', async () => {
    await seen('a', now - 5 * hour, 1);
    const condition = { ignoreCount: 5, ignoreWindow: 10 };
    await change('a', { kind: 'archive_until_condition_met', condition }, now - 4 * hour);
    const backs = Array.from({ length: 12 }, (_, index) => 12 - index);
    await store(
      stores,
      backs.flatMap((back) => rowsOf('a', now - back * 6 * minute, 1)),
    );
    expect(await looked(now, 'a')).toEqual(['archived_until_condition_met']);
    await seen('a', now, 5);
    expect(await looked(now + minute, 'a')).toEqual(['ongoing']);
  });

  test('many issues together, each by its own number', async () => {
    for (const [name, ignoreCount] of [
      ['a', 3],
      ['b', 30],
      ['c', 5],
    ] as const) {
      await seen(name, now, 1);
      await change(name, { kind: 'archive_until_condition_met', condition: { ignoreCount } }, now + minute);
      await seen(name, now + 2 * minute, 5);
    }
    expect(await looked(now + 5 * minute, 'a', 'b', 'c')).toEqual([
      'ongoing',
      'archived_until_condition_met',
      'ongoing',
    ]);
  });
});

test('the keeper looks at what got events, also at what came before it was there', async () => {
  const live = createLive();
  const published: number[] = [];
  live.subscribe((message) => message.type === 'issues' && published.push(...message.issueIds));
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const at = Date.now() - 30_000;
  for (const name of ['before', 'after']) {
    await seen(name, at - hour, 1);
    await change(name, { kind: 'archive_until_condition_met', condition: { ignoreCount: 2 } }, at - minute);
  }
  await seen('before', at, 2);
  const [before, after] = [await row('before'), await row('after')];
  await using keeper = openLoops([createStateKeeper({ ...stores, live })], { failures: createFailures({ logger }) });
  await expect.poll(() => published, { timeout: 15_000 }).toContain(before.id);
  await seen('after', at, 2);
  live.publish({ type: 'events', projectId, issueIds: [after.id], newIssueIds: [], count: 2, first: false });
  await expect.poll(() => published, { timeout: 15_000 }).toContain(after.id);
  expect(lines).toEqual([]);
  expect(keeper).toBeDefined();
});
