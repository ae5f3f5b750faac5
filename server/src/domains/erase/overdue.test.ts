/** Projects keep what they have for ages of their own, on an engine: rows, payloads, and what a kill broke off. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableRecords } from '../../base/tables/index.ts';
import type { Place } from '../../ports/payloads/payloads.ts';
import { isWorth, markedPartitions } from '../../ports/events/deleted-rows.ts';
import type { Events } from '../../ports/events/events.ts';
import { type OpenedEvents, openEvents } from '../../ports/events/open.ts';
import { testErrorRow, testLogRow } from '../../ports/events/test-rows.ts';
import { openMigratedCopy } from '../../ports/state/testing/migrated.ts';
import type { State } from '../../ports/state/state.ts';
import { createProject, removeHold, setHold } from '../projects/index.ts';
import {
  chosenBy,
  freedOf,
  groupsOf,
  keepingOf,
  overdueOf,
  readChosen,
  readPolicies,
  saveChoices,
  savePolicies,
} from '../retention/index.ts';
import { deleteOverdue } from './overdue.ts';
import { waitForChanges } from './rows.ts';

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
const retentionDays = 90;
/** Ages of what there is: each of them costs a part in every table. */
const weeks = [0, 1, 2, 4, 8, 12, 13, 14, 19];
const last = 19;
const { signal } = new AbortController();

let dataDir: string;
let store: OpenedEvents;
let events: Events;
let state: State;
/** One that chose nothing, one that keeps less, one that keeps more. */
let usual: number;
let short: number;
let long: number;
const places = new Map<string, Place>();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-overdue-'));
  state = await openMigratedCopy(dataDir);
  await state.db
    .insertInto('organization')
    .values({ id: 'acme', name: 'acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const make = async (name: string) => (await createProject(state, { organizationId: 'acme', name })).project.id;
  [usual, short, long] = [await make('usual'), await make('short'), await make('long')];
  await savePolicies(state, [
    { name: 'Short', days: 28 },
    { name: 'Long', days: 365 },
  ]);
  await choose(long, 'Long');
  await open();
}, 120_000);
afterAll(async () => {
  await store?.close();
  await state?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function open(): Promise<void> {
  store = await openEvents({ url: '', dataDir });
  ({ events } = store);
  await store.prepare(await keepingOf(state, retentionDays));
}

async function choose(projectId: number, policy: string | null): Promise<void> {
  const choices = chosenBy(await readPolicies(state), [], projectId, { errors: policy, logs: policy });
  await state.transaction((trx) => saveChoices({ db: trx }, projectId, choices));
}

const eventId = (projectId: number, week: number): string => (projectId * 100 + week).toString(16).padStart(32, '0');

/** Of each of the weeks before this one, an error with a payload and ten logs of each project. */
async function fill(): Promise<void> {
  let at = 0;
  const writer = events.payloads?.createWriter(() => at);
  for (const week of weeks) {
    at = Date.now() - week * weekMs;
    const batch = writer?.batch();
    const ids = [usual, short, long];
    const placed = ids.map((id) => batch?.add(JSON.stringify({ id, week }), 'kin'));
    if (writer && batch) await writer.write(batch);
    const errors = ids.map((project_id, index) => {
      const place = placed[index];
      if (place) places.set(eventId(project_id, week), place);
      return testErrorRow({
        project_id,
        timestamp: at,
        event_id: eventId(project_id, week),
        payload: place ? '' : '{}',
        payload_segment: place?.segment ?? 0,
        payload_ordinal: place?.ordinal ?? 0,
      });
    });
    await events.insert('errors', errors, `errors:${week}`);
    batch?.[Symbol.dispose]();
    const logs = ids.flatMap((project_id) =>
      Array.from({ length: 10 }, (_, index) => testLogRow({ project_id, timestamp: at * 1_000 + index })),
    );
    await events.insert('logs', logs, `logs:${week}`);
  }
  await writer?.[Symbol.asyncDispose]();
}

async function settled(): Promise<void> {
  for (const table of ['errors', 'logs', 'issue_hours', 'issue_ranks', 'issue_lives'])
    await waitForChanges(events, table, signal);
}

/** The engine, with another way of being told what to do. */
const instead = (command: Events['command']): Events =>
  new Proxy(events, {
    get: (target, name) => {
      if (name === 'command') return command;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });

async function sweep(): Promise<void> {
  await deleteOverdue({ state, events }, retentionDays, signal);
  await settled();
}

/** Weeks of which errors are there, and logs by ten, of a project. */
async function kept(projectId: number): Promise<{ readonly errors: number; readonly logs: number }> {
  const count = async (table: string): Promise<number> =>
    (
      await events.query<{ n: number }>(`SELECT count() AS n FROM ${table} WHERE project_id = {id:UInt64}`, {
        id: projectId,
      })
    )[0]?.n ?? 0;
  return { errors: await count('errors'), logs: (await count('logs')) / 10 };
}

const mondayBefore = (at: number): number => Math.floor((at + 3 * dayMs) / weekMs) * weekMs - 3 * dayMs;

/** Whole weeks: what is older than the Monday before. */
function weeksWithin(days: number): number {
  const from = mondayBefore(Date.now() - days * dayMs);
  return weeks.filter((week) => Date.now() - week * weekMs >= from).length;
}

const isReadable = async (projectId: number, week: number): Promise<boolean> => {
  const place = places.get(eventId(projectId, week));
  return place !== undefined && (await events.payloads?.read([place]))?.[0] !== undefined;
};

test('each insert makes a part a week and table, whatever projects chose', async () => {
  await choose(short, 'Short');
  await fill();
  const rows = await events.query<{ parts: number }>(
    `SELECT count() AS parts FROM system.parts WHERE database = currentDatabase() AND table = 'logs' AND active AND level = 0`,
  );
  expect(rows[0]?.parts).toBeLessThanOrEqual(weeks.length);
  await choose(short, null);
});

test('one keeps more: of the others goes what is older than 90 days, with its payloads', async () => {
  await sweep();
  const within = weeksWithin(retentionDays);
  expect(within).toBeLessThan(weeks.length);
  expect(await kept(usual)).toEqual({ errors: within, logs: within });
  expect(await kept(short)).toEqual({ errors: within, logs: within });
  expect(await kept(long)).toEqual({ errors: weeks.length, logs: weeks.length });
  expect(await isReadable(usual, last)).toBe(false);
  expect(await isReadable(usual, 1)).toBe(true);
  expect(await isReadable(long, last)).toBe(true);
});

test('what a shorter age frees is known before, and is what then goes', async () => {
  const look = { events, report: undefined, now: Date.now() };
  const within = weeksWithin(28);
  const gone = weeksWithin(retentionDays) - within;
  expect((await freedOf(look, 'errors', short, 28)).rows).toBe(gone);
  expect((await freedOf(look, 'logs', short, 28)).rows).toBe(gone * 10);
  await choose(short, 'Short');
  await sweep();
  expect(await kept(short)).toEqual({ errors: within, logs: within });
  expect(await kept(usual)).toEqual({ errors: weeksWithin(retentionDays), logs: weeksWithin(retentionDays) });
  expect((await freedOf(look, 'errors', short, 28)).rows).toBe(0);
});

test('what was written as the week began stays, and what came just before goes', async () => {
  const monday = mondayBefore(Date.now() - 28 * dayMs) * 1_000;
  const at = [monday - 1, monday].map((timestamp) => testLogRow({ project_id: short, timestamp, body: 'at the edge' }));
  await events.insert('logs', at, 'at the edge');
  const look = { events, report: undefined, now: Date.now() };
  expect((await freedOf(look, 'logs', short, 28)).rows).toBe(1);
  await sweep();
  const left = await events.query<{ at: number }>(
    `SELECT toUnixTimestamp64Micro(timestamp) AS at FROM logs WHERE body = 'at the edge'`,
  );
  expect(left.map((row) => Number(row.at))).toEqual([monday]);
  await events.command(`DELETE FROM logs WHERE body = 'at the edge' SETTINGS lightweight_deletes_sync = 2`);
});

test('days are those of UTC, whatever zone the engine is in', async () => {
  const { condition } = overdueOf(tableRecords['issue_lives']?.age ?? '', groupsOf({ days: 90, own: new Map() }), {
    engineDays: null,
    now: Date.parse('2026-06-03T12:00:00Z'),
  }) ?? { condition: '' };
  for (const zone of ['UTC', 'Pacific/Honolulu', 'Pacific/Kiritimati'])
    expect(
      await events.query(
        `SELECT toString(day) AS found FROM (SELECT toDate('2026-03-01') + number AS day FROM numbers(3)) WHERE ${condition}
         SETTINGS session_timezone = '${zone}'`,
      ),
      zone,
    ).toEqual([{ found: '2026-03-01' }]);
});

test('a run that finds nothing changes nothing', async () => {
  const changes = () => events.query<{ n: number }>('SELECT count() AS n FROM system.mutations');
  const before = await changes();
  await sweep();
  expect(await changes()).toEqual(before);
});

test('what was marked is found by the job that writes parts anew', async () => {
  const marked = await markedPartitions(events);
  for (const table of ['errors', 'logs', 'issue_hours'])
    expect(marked.filter((one) => one.table === table).some(isWorth), table).toBe(true);
});

test('a kill between the payloads and the rows is made good by the next run', async () => {
  await savePolicies(state, [
    { name: 'Short', days: 14 },
    { name: 'Long', days: 365 },
  ]);
  const command: Events['command'] = async (sql, ...rest) => {
    if (sql.startsWith('DELETE FROM errors')) throw new Error('killed');
    return events.command(sql, ...rest);
  };
  await expect(deleteOverdue({ state, events: instead(command) }, retentionDays, signal)).rejects.toThrow('killed');
  await store.close();
  await open();
  await sweep();
  const within = weeksWithin(14);
  expect(await kept(short)).toEqual({ errors: within, logs: within });
  expect(await isReadable(short, 0)).toBe(true);
});

test('a project on hold keeps what it has, whatever it chose; others go on by their own ages', async () => {
  await setHold(state, short, { reason: 'a case', userId: null }, Date.now());
  await choose(usual, 'Short');
  await savePolicies(state, [
    { name: 'Short', days: 1 },
    { name: 'Long', days: 365 },
  ]);
  const before = await kept(short);
  await sweep();
  expect(await kept(short)).toEqual(before);
  expect((await kept(usual)).errors).toBe(weeksWithin(1));
  await removeHold(state, short);
  await sweep();
  expect((await kept(short)).errors).toBe(weeksWithin(1));
  expect((await kept(long)).errors).toBe(weeks.length);
});

test('a hold that is set while a run is under way holds for the tables that are left', async () => {
  const touched: string[] = [];
  const command: Events['command'] = async (sql) => {
    touched.push(/DELETE FROM (\w+)/.exec(sql)?.[1] ?? '');
    await setHold(state, usual, { reason: 'a case', userId: null }, Date.now());
  };
  const old = { timestamp: (Date.now() - 40 * dayMs) * 1_000 };
  const error = testErrorRow({ project_id: usual, timestamp: Date.now() - 40 * dayMs, event_id: eventId(usual, 99) });
  await events.insert('errors', [error], 'error before the hold');
  await events.insert('logs', [testLogRow({ project_id: usual, ...old })], 'log before the hold');
  await deleteOverdue({ state, events: instead(command) }, retentionDays, signal);
  expect(touched).toEqual(['errors']);
  await removeHold(state, usual);
});

test('the age of a table is the longest that a project chose, and shorter again once none does', async () => {
  expect((await keepingOf(state, retentionDays)).keptDays).toMatchObject({ errors: 365, logs: 365, spans: 90 });
  await choose(long, null);
  expect((await keepingOf(state, retentionDays)).keptDays).toMatchObject({ errors: 90, logs: 90 });
  expect((await readChosen(state)).choices.every(({ projectId }) => projectId !== long)).toBe(true);
});
