import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, openTestStores, store, type TestStores } from '../issues/testing/stores.ts';
import { enqueueReports, reportOf, weekDue } from './report.ts';
import { changePersonalSettings } from './settings.ts';
import { makePeople, organizationId } from './testing/people.ts';

const utc = (text: string): number => Date.parse(`${text}Z`);

test('Monday morning is when it is there', () => {
  expect(weekDue('UTC', utc('2026-11-16T08:59:59'))).toBeUndefined();
  expect(weekDue('UTC', utc('2026-11-16T09:00:00'))).toEqual({
    name: '2026-11-09',
    fromMs: utc('2026-11-09T00:00:00'),
    untilMs: utc('2026-11-16T00:00:00'),
  });
  expect(weekDue('UTC', utc('2026-11-17T08:59:00'))?.name).toBe('2026-11-09');
  expect(weekDue('UTC', utc('2026-11-17T09:00:00'))).toBeUndefined();
  expect(weekDue('Pacific/Auckland', utc('2026-11-15T20:00:00'))?.name).toBe('2026-11-09');
  // A week with an hour less.
  const short = weekDue('Europe/Berlin', utc('2026-03-30T07:00:00'));
  expect((short?.untilMs ?? 0) - (short?.fromMs ?? 0)).toBe(167 * 3_600_000);
});

test('a week in which nothing happened is not reported', () => {
  const week = { name: '2026-11-09', fromMs: 0, untilMs: 1 };
  const nothing = {
    events: 0,
    eventsBefore: 12,
    newIssues: [],
    newCount: 0,
    regressions: [],
    regressionCount: 0,
    top: [],
    crashFree: 1,
  };
  expect(reportOf(nothing, { organization: 'Acme', week, consoleUrl: '' })).toBeUndefined();
  const some = reportOf({ ...nothing, events: 6 }, { organization: 'Acme', week, consoleUrl: '' });
  expect(some?.fields).toContainEqual({ name: 'Errors', value: '6 (-50%)' });
});

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores?.[Symbol.asyncDispose]());

test('a week that had something is reported once to each who wants it', async () => {
  const { state } = stores;
  await makePeople(state, ['ada', 'bob', 'cy']);
  const { id: projectId } = await state.db
    .insertInto('project')
    .values({
      organization_id: organizationId,
      slug: 'web',
      name: 'Web',
      platform: '',
      short_id_prefix: 'WEB',
      settings: '{}',
      created_at: 1,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await changePersonalSettings(state, { userId: 'bob', organizationId }, { report: false }, 1);
  await changePersonalSettings(state, { userId: 'cy', organizationId }, { timeZone: 'Pacific/Honolulu' }, 1);
  const at = (text: string) => ({ timestamp: utc(text), project_id: projectId });
  await store(stores, [
    errorRow({ ...at('2026-11-04T12:00:00'), group_hash: hash('old'), title: 'Old' }),
    errorRow({ ...at('2026-11-10T12:00:00'), group_hash: hash('old'), title: 'Old' }),
    errorRow({ ...at('2026-11-11T12:00:00'), group_hash: hash('new'), title: 'New', user: 'id:1' }),
    errorRow({ ...at('2026-11-12T12:00:00'), group_hash: hash('new'), title: 'New', user: 'id:2' }),
    errorRow({ ...at('2026-11-16T01:00:00'), group_hash: hash('later'), title: 'Later' }),
  ]);
  const monday = { consoleUrl: 'http://culprit.test', nowMs: utc('2026-11-16T09:00:30') };
  await enqueueReports(stores, monday);
  await enqueueReports(stores, { ...monday, nowMs: monday.nowMs + 3_600_000 });
  const rows = await state.db.selectFrom('delivery').select(['key', 'user_id', 'notification']).execute();
  expect(rows.map((row) => row.key)).toEqual(['report:2026-11-09:ada']);
  const report = JSON.parse(rows[0]?.notification ?? '{}') as NonNullable<ReturnType<typeof reportOf>>;
  expect(report.title).toBe('Acme: week of 2026-11-09');
  expect(report.fields).toEqual([
    { name: 'Errors', value: '3 (+200%)' },
    { name: 'New issues', value: '1' },
    { name: 'Regressions', value: '0' },
  ]);
  expect(
    report.sections?.map(({ heading, lines }) => [heading, ...lines.map(({ title, text }) => `${title}: ${text}`)]),
  ).toEqual([
    ['Most frequent', 'WEB-2 New: 2 events, 2 users', 'WEB-1 Old: 1 event'],
    ['New issues', 'WEB-2 New: app/product/page.tsx in getPrice'],
  ]);
});

test('after a storm, the count of an issue says how far it may be off; that of all does not, for it is right', async () => {
  const { state } = stores;
  const week = { consoleUrl: 'http://culprit.test', nowMs: utc('2026-11-23T09:00:30') };
  const { id } = await state.db.selectFrom('project').select('id').executeTakeFirstOrThrow();
  const sampled = (name: string) =>
    Array.from({ length: 40 }, () => ({
      ...errorRow({ project_id: id, group_hash: hash(name), title: name, timestamp: utc('2026-11-18T12:00:00') }),
      stands_for: 9,
    }));
  await store(stores, [...sampled('one'), ...sampled('other')]);
  await enqueueReports(stores, week);
  const { notification } = await state.db
    .selectFrom('delivery')
    .select('notification')
    .where('key', '=', 'report:2026-11-16:ada')
    .executeTakeFirstOrThrow();
  const report = JSON.parse(notification) as NonNullable<ReturnType<typeof reportOf>>;
  // With the one of Monday night.
  expect(report.fields[0]).toEqual({ name: 'Errors', value: '801 (+26,600%)' });
  const [frequent] = report.sections ?? [];
  expect(frequent?.lines.map(({ title, text }) => `${title}: ${text}`).toSorted()).toEqual([
    'WEB-3 Later: 1 event',
    'WEB-4 one: about 400 events (280–520)',
    'WEB-5 other: about 400 events (280–520)',
  ]);
});
