/** Quotas on both databases: who may have which, how use adds up, and that people are told once each. */
import { beforeEach, describe, expect, test } from 'vitest';
import { quotaTarget, quotaTermAt } from '../../base/quotas.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { makeChannel } from '../notify/testing/channels.ts';
import { makePeople, organizationId } from '../notify/testing/people.ts';
import { addQuotaUse, createProject, deleteOldUse, deleteProject, createKeyDirectory } from '../projects/index.ts';
import {
  changeQuota,
  changeQuotaSettings,
  createQuota,
  deleteQuota,
  endQuotaIncident,
  listQuotas,
  type NewQuota,
  quotaSettings,
  tellOfQuotas,
  usedInMonth,
  usedOf,
} from './index.ts';

const nowMs = Date.parse('2026-11-27T10:00:30Z');
const month = quotaTermAt('month', nowMs, 'UTC').number;
const minute = quotaTermAt('minute', nowMs, 'UTC').number;

const ofAll: NewQuota = {
  projectId: null,
  keyId: null,
  category: 'error',
  period: 'month',
  amount: 1_000,
  isHard: true,
};

/** Rows of the events store that every question is answered with, by what it asks of. */
const eventsWith = (answers: Readonly<Record<string, readonly object[]>>): Pick<Events, 'query'> => ({
  query: async (sql) =>
    JSON.parse(JSON.stringify(Object.entries(answers).find(([part]) => sql.includes(part))?.[1] ?? [])),
});
const noEvents = eventsWith({});

const use = (target: string, added: number, term = month, period: 'month' | 'minute' = 'month') => ({
  target,
  category: 'error' as const,
  period,
  term,
  added,
});
const organization = quotaTarget('organization', organizationId);

interface Told {
  readonly to: string;
  readonly title: string;
  readonly severity: string;
  readonly text: string;
  readonly fields: { readonly name: string; readonly value: string }[];
}

async function told(state: State): Promise<Told[]> {
  const rows = await state.db
    .selectFrom('delivery')
    .select(['user_id', 'channel_id', 'notification'])
    .orderBy('id')
    .execute();
  return rows.map(({ user_id: userId, channel_id: channelId, notification }) => ({
    to: userId ?? `channel ${channelId}`,
    ...(JSON.parse(notification) as Omit<Told, 'to'>),
  }));
}

onEachDatabase('quotas', (databases) => {
  const open = async () => {
    const state = await databases.migrated();
    await makePeople(state, ['ada', 'bob', 'eve']);
    await state.db.updateTable('member').set({ role: 'owner' }).where('userId', '=', 'ada').execute();
    await state.db.updateTable('member').set({ role: 'admin' }).where('userId', '=', 'bob').execute();
    await state.db.updateTable('member').set({ role: 'member' }).where('userId', '=', 'eve').execute();
    return state;
  };

  describe('settled', () => {
    test('one for each of whom, what and when; they go with their key and their project', async () => {
      const state = await open();
      const { project, key } = await createProject(state, { organizationId, name: 'web' });
      const quota = await createQuota(state, organizationId, ofAll);
      await expect(createQuota(state, organizationId, { ...ofAll, amount: 5 })).rejects.toMatchObject({
        code: 'QUOTA_EXISTS',
      });
      await createQuota(state, organizationId, { ...ofAll, period: 'minute' });
      await createQuota(state, organizationId, { ...ofAll, projectId: project.id, amount: 100 });
      await createQuota(state, organizationId, { ...ofAll, projectId: project.id, keyId: key.id, isHard: false });
      expect((await listQuotas(state, organizationId)).map(({ scope, period }) => `${scope} ${period}`)).toEqual([
        'organization month',
        'organization minute',
        'project month',
        'key month',
      ]);
      await changeQuotaSettings(state, organizationId, { timeZone: 'Europe/Berlin' });
      const entry = await createKeyDirectory({ state }).lookup(key.publicKey);
      expect(entry?.timeZone).toBe('Europe/Berlin');
      expect(entry?.quotas.map(({ scope, amount, isHard }) => [scope, amount, isHard]).toSorted()).toEqual([
        ['key', 1_000, false],
        ['organization', 1_000, true],
        ['organization', 1_000, true],
        ['project', 100, true],
      ]);
      expect((await changeQuota(state, quota, { amount: 0 }))?.amount).toBe(0);
      await deleteProject(state, project.id);
      expect(await listQuotas(state, organizationId)).toHaveLength(2);
      expect(await deleteQuota(state, organizationId, quota.id)).toBe(true);
      expect(await deleteQuota(state, organizationId, quota.id)).toBe(false);
    });

    test('settings that nobody has touched are those of UTC', async () => {
      const state = await open();
      expect(await quotaSettings(state, organizationId)).toEqual({ timeZone: 'UTC', channelIds: [] });
      await changeQuotaSettings(state, organizationId, { channelIds: [3] });
      expect(await quotaSettings(state, organizationId)).toEqual({ timeZone: 'UTC', channelIds: [3] });
    });
  });

  test('use adds up over nodes, and what is old is deleted', async () => {
    const state = await open();
    const quota = await createQuota(state, organizationId, ofAll);
    expect(await addQuotaUse(state, [use(organization, 2), use('key:1', 5), use(organization, 1)])).toEqual([3, 5, 3]);
    const sums = await Promise.all(Array.from({ length: 20 }, () => addQuotaUse(state, [use(organization, 1)])));
    expect(sums.flat().toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 4));
    const many = Array.from({ length: 1_200 }, (_, index) => use(`key:${index + 1}`, 1));
    expect((await addQuotaUse(state, many)).slice(0, 2)).toEqual([6, 1]);
    const at = { timeZone: 'UTC', nowMs };
    expect((await usedOf(state, [quota], at))[0]).toMatchObject({ used: 23 });
    expect(await usedInMonth(state, [organization, 'key:1'], quotaTermAt('month', nowMs, 'UTC'))).toEqual({
      error: 29,
    });
    await addQuotaUse(state, [use(organization, 1, month - 3), use(organization, 1, month - 4)]);
    await addQuotaUse(state, [use(organization, 1, minute, 'minute'), use(organization, 1, minute - 16, 'minute')]);
    await deleteOldUse(state, nowMs);
    const left = await state.db.selectFrom('quota_use').select('term').where('target', '=', organization).execute();
    expect(left.map(({ term }) => term).toSorted()).toEqual([month - 3, month, minute]);
  });

  describe('told', () => {
    const memory = new Set<string>();
    const tell = (state: State, at = nowMs, events = noEvents) =>
      tellOfQuotas({ state, events }, { consoleUrl: 'http://127.0.0.1', nowMs: at, memory });
    beforeEach(() => memory.clear());

    test('owners, admins and channels, at 80 and at 100 %, once each, also by several nodes at once', async () => {
      const state = await open();
      await createQuota(state, organizationId, ofAll);
      await addQuotaUse(state, [use(organization, 799)]);
      expect(await tell(state)).toBe(false);
      await addQuotaUse(state, [use(organization, 1)]);
      await Promise.all([tell(state), tell(state)]);
      await tell(state, nowMs + 60_000);
      await addQuotaUse(state, [use(organization, 200)]);
      await Promise.all([tell(state), tell(state)]);
      await tell(state);
      const all = await told(state);
      expect(all.map(({ to, severity }) => [to, severity]).toSorted()).toEqual([
        ['ada', 'critical'],
        ['ada', 'warning'],
        ['bob', 'critical'],
        ['bob', 'warning'],
      ]);
      expect(all.map(({ title }) => title.slice(0, 4)).toSorted()).toEqual(['100%', '100%', '80% ', '80% ']);
      // A new month begins anew.
      await addQuotaUse(state, [use(organization, 900, month + 1)]);
      expect(await tell(state, Date.parse('2026-12-02T00:00:00Z'))).toBe(true);
      expect(await told(state)).toHaveLength(6);
    });

    test('nothing of a quota of 0, and the higher one alone where both are passed at once', async () => {
      const state = await open();
      const quota = await createQuota(state, organizationId, { ...ofAll, amount: 0 });
      await addQuotaUse(state, [use(organization, 500)]);
      expect(await tell(state)).toBe(false);
      await changeQuota(state, quota, { amount: 400, isHard: false });
      await tell(state);
      expect((await told(state)).map(({ to, severity, text }) => [to, severity, text])).toEqual([
        ['ada', 'warning', 'The quota is soft: nothing is dropped.'],
        ['bob', 'warning', 'The quota is soft: nothing is dropped.'],
      ]);
      // Raised, it tells of what it comes to then.
      await changeQuota(state, quota, { amount: 600 });
      await tell(state);
      await tell(state);
      expect((await told(state)).map(({ title }) => title.split(' ')[0])).toEqual(['100%', '100%', '80%', '80%']);
    });

    test('of minutes once a day each', async () => {
      const state = await open();
      await createQuota(state, organizationId, { ...ofAll, period: 'minute', amount: 10 });
      const fill = (at: number, added: number) =>
        addQuotaUse(state, [use(organization, added, quotaTermAt('minute', at, 'UTC').number, 'minute')]);
      await fill(nowMs, 9);
      await tell(state);
      await fill(nowMs + 60_000, 9);
      await tell(state, nowMs + 60_000);
      expect(await told(state)).toHaveLength(2);
      await fill(nowMs + 120_000, 10);
      // A minute later it is still told.
      await tell(state, nowMs + 180_000);
      expect(await told(state)).toHaveLength(4);
      await fill(nowMs + 86_400_000, 10);
      await tell(state, nowMs + 86_400_000);
      expect(await told(state)).toHaveLength(6);
    });

    test('pagers hear when it is over: in the next month, after the minute, when it is raised or deleted', async () => {
      const state = await open();
      const pager = await makeChannel(state, organizationId, 'pagerduty', { key: 'k'.repeat(32) });
      const other = await makeChannel(state, organizationId, 'opsgenie', { key: 'k' });
      await changeQuotaSettings(state, organizationId, { channelIds: [pager] });
      const said = async () =>
        (await told(state)).filter(({ to }) => to.startsWith('channel')).map(({ to, severity }) => `${to} ${severity}`);
      const monthly = await createQuota(state, organizationId, ofAll);
      const minutely = await createQuota(state, organizationId, { ...ofAll, period: 'minute', amount: 10 });
      await addQuotaUse(state, [use(organization, 1_000), use(organization, 10, minute, 'minute')]);
      await tell(state);
      // Also after a restart.
      memory.clear();
      await tell(state);
      const both = [`channel ${pager} critical`, `channel ${pager} critical`];
      expect(await said()).toEqual(both);
      await tell(state, nowMs + 60_000);
      expect(await said()).toEqual(both);
      await tell(state, nowMs + 180_000);
      await tell(state, nowMs + 185_000);
      memory.clear();
      await tell(state, nowMs + 190_000);
      expect(await said()).toEqual([...both, `channel ${pager} resolved`]);
      const keys = async () =>
        (await state.db.selectFrom('delivery').select(['group_key']).where('severity', '=', 'resolved').execute()).map(
          (row) => row.group_key,
        );
      expect(await keys()).toEqual([`quota:${minutely.id}`]);
      const december = Date.parse('2026-12-01T00:00:01Z');
      expect(await tell(state, december)).toBe(true);
      expect(await tell(state, december + 5_000)).toBe(false);
      expect(await keys()).toEqual([`quota:${minutely.id}`, `quota:${monthly.id}`]);
      await addQuotaUse(state, [use(organization, 900, month + 1)]);
      await tell(state, december);
      await changeQuota(state, monthly, { amount: 5_000 });
      await tell(state, december);
      expect((await said()).slice(3)).toEqual([
        `channel ${pager} resolved`,
        `channel ${pager} warning`,
        `channel ${pager} resolved`,
      ]);
      await addQuotaUse(state, [use(organization, 4_000, month + 1)]);
      await tell(state, december);
      await state.transaction((trx) => endQuotaIncident(trx, monthly, 'http://127.0.0.1'));
      await deleteQuota(state, organizationId, monthly.id);
      expect((await said()).slice(6)).toEqual([`channel ${pager} warning`, `channel ${pager} resolved`]);
      expect((await said()).some((one) => one.startsWith(`channel ${other}`))).toBe(false);
      const last = (await told(state)).at(-1);
      expect(last?.title).toBe('The monthly quota of errors of Acme has room again');
    });

    test('with what brought most of it', async () => {
      const state = await open();
      const web = await createProject(state, { organizationId, name: 'web' });
      const api = await createProject(state, { organizationId, name: 'api' });
      const second = await state.db
        .insertInto('project_key')
        .values({
          project_id: web.project.id,
          public_key: 'b'.repeat(32),
          label: 'Staging',
          is_active: 1,
          rate_limit_count: null,
          rate_limit_window_seconds: null,
          created_at: 1,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await createQuota(state, organizationId, ofAll);
      await addQuotaUse(state, [
        use(organization, 1_000),
        use(quotaTarget('project', web.project.id), 900),
        use(quotaTarget('project', api.project.id), 100),
        use(quotaTarget('key', web.key.id), 150),
        use(quotaTarget('key', second.id), 750),
      ]);
      const events = eventsWith({
        "release != ''": [{ release: 'web@2', n: 600, spread: 5_400, largest: 10, stored: 60 }],
        group_hash: [],
      });
      await tell(state, nowMs, events);
      const [first] = await told(state);
      expect(first?.title).toMatch(/^100% of the monthly quota of .+ is used: 1,000 errors of 1,000 errors$/);
      expect(first?.fields.map(({ name, value }) => `${name}: ${value}`)).toEqual([
        'Most from project: web: 900 errors (90%)',
        'Most from key: Staging: 750 errors (75%)',
        'Most from release: web@2: about 600 errors (454–746) (60%)',
        'Starts again: 2026-12-01 00:00 UTC',
      ]);
    });
  });
});
