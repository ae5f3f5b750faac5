/** Rules over real stores: events are stored as the pipeline does, then looked at. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../api/testing.ts';
import { searchOfRules } from '../api/rule-search.ts';
import { errorRow, hash, store } from '../issues/testing/stores.ts';
import { createChannel } from '../notify/index.ts';
import { testVault } from '../notify/testing/vault.ts';
import { createProject } from '../projects/index.ts';
import { createFailures } from '../self/index.ts';
import { type Evaluator, openEvaluator } from './evaluator.ts';
import { findRule } from './rules.ts';
import { writeOutcome } from './write.ts';

let api: TestApi;
let channel: string;
let evaluator: Evaluator;
const failed: unknown[] = [];

beforeAll(async () => {
  api = await openTestApi();
  const config = { url: 'https://receiver.example/hook', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` };
  const fields = { type: 'webhook', name: 'Hook', config, quietHours: null, enabled: true } as const;
  channel = String(await createChannel({ state: api.state, vault: testVault }, api.organizationId, fields, Date.now()));
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await evaluator?.[Symbol.asyncDispose]();
  for (const table of ['alert_rule', 'alert_firing', 'alert_lease', 'delivery', 'issue'] as const) {
    await api.state.db.deleteFrom(table).execute();
  }
  await api.events.command('TRUNCATE TABLE errors');
  await api.events.command('TRUNCATE TABLE issue_hours');
  failed.length = 0;
  evaluator = openTestEvaluator();
});

function openTestEvaluator(): Evaluator {
  const { state, events } = api;
  const failures = createFailures({ logger: { error: (fields) => failed.push(fields) } });
  return openEvaluator({
    state,
    events,
    readSearch: searchOfRules({ state, events }),
    failures,
    getUrl: () => 'http://culprit.test',
    everyMs: 0,
  });
}

interface RuleAnswer {
  readonly id: string;
  readonly state: string;
  readonly problem: string;
  readonly sentence: string;
  readonly value: number | null;
  readonly firedLast7Days: number;
}

const rules = '/api/0/organizations/acme/alert-rules/';

async function makeRule(given: Record<string, unknown>): Promise<RuleAnswer> {
  const payload = {
    kind: 'issue',
    name: 'A rule',
    channelIds: [channel],
    conditions: [{ type: 'new_issue' }],
    ...given,
  };
  const answer = await api.call({ method: 'POST', url: rules, payload });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<RuleAnswer>();
}

/** As a node that has just started: it remembers nothing. */
async function look(): Promise<void> {
  await evaluator[Symbol.asyncDispose]();
  evaluator = openTestEvaluator();
  await evaluator.look();
  expect(failed).toEqual([]);
}

const row = (name: string, given: Partial<Parameters<typeof errorRow>[0]> = {}) =>
  errorRow({ project_id: api.projectId, group_hash: hash(name), error_value: name, ...given });
const rowsOf = (name: string, count: number, given: Partial<Parameters<typeof errorRow>[0]> = {}) =>
  Array.from({ length: count }, (_, index) => row(name, { user: `id:${index % 4}`, ...given }));

interface Told {
  readonly title: string;
  readonly severity: string;
  readonly sections?: { readonly lines: readonly { readonly title: string }[] }[];
}

async function told(): Promise<Told[]> {
  const rows = await api.state.db.selectFrom('delivery').select('notification').orderBy('id').execute();
  return rows.map((one) => JSON.parse(one.notification) as Told);
}

interface HistoryEntry {
  readonly state: string;
  readonly why: string;
  readonly issue: { readonly shortId: string } | null;
  readonly deliveries: readonly { readonly id: string }[];
}

const history = (id: string): Promise<HistoryEntry[]> => api.get(`${rules}${id}/history/`);

/** As if so much time had gone by for the rule. */
async function waitMinutes(minutes: number): Promise<void> {
  const ms = minutes * 60_000;
  for (const row of await api.state.db.selectFrom('alert_firing').select(['id', 'at']).execute()) {
    await api.state.db
      .updateTable('alert_firing')
      .set({ at: row.at - ms })
      .where('id', '=', row.id)
      .execute();
  }
  for (const row of await api.state.db.selectFrom('alert_rule_state').selectAll().execute()) {
    const back = {
      evaluated_at: row.evaluated_at - ms,
      message_at: row.message_at === null ? null : row.message_at - ms,
    };
    await api.state.db.updateTable('alert_rule_state').set(back).where('rule_id', '=', row.rule_id).execute();
  }
}

test('a new issue is told once, however often and by whom it is looked at', async () => {
  const rule = await makeRule({});
  await store(api, [row('first')]);
  await look();
  await look();
  await using other = openTestEvaluator();
  await Promise.all([other.look(), evaluator.look()]);
  expect(await told()).toMatchObject([{ title: 'A new issue: TypeError: first', severity: 'warning' }]);
  expect(await history(rule.id)).toMatchObject([
    { state: 'told', why: 'A new issue', issue: { shortId: expect.stringMatching(/^WEB-\d+$/) } },
  ]);
  // What comes again is not new.
  await store(api, [row('first')]);
  await look();
  expect(await told()).toHaveLength(1);
});

test('many at once are one message, what follows is gathered', async () => {
  const rule = await makeRule({ digestMinutes: 5 });
  await store(
    api,
    Array.from({ length: 12 }, (_, index) => row(`storm ${index}`)),
  );
  await look();
  await store(
    api,
    Array.from({ length: 3 }, (_, index) => row(`later ${index}`)),
  );
  await look();
  expect((await told()).map((one) => one.title)).toEqual(['12 new issues']);
  expect((await history(rule.id)).map((one) => one.state)).toEqual([
    ...Array(3).fill('waiting'),
    ...Array(12).fill('told'),
  ]);
  await waitMinutes(6);
  await look();
  expect((await told()).map((one) => one.title)).toEqual(['12 new issues', '3 new issues']);
  const messages = (await history(rule.id)).map(({ deliveries }) => deliveries.map((one) => one.id).join());
  expect(new Set(messages.slice(0, 3)).size).toBe(1);
  expect(new Set(messages.slice(3)).size).toBe(1);
  expect(messages[0]).not.toBe(messages[3]);
  expect(Number(messages[3])).toBeGreaterThan(0);
  const [listed] = await api.get<RuleAnswer[]>(rules);
  expect(listed).toMatchObject({ firedLast7Days: 15, firedByDay: [0, 0, 0, 0, 0, 0, 15] });
});

test('what was gathered waits for who can tell it, whatever else the rule has to tell', async () => {
  const made = await makeRule({ digestMinutes: 5 });
  await store(api, [row('told at once')]);
  await look();
  await store(api, [row('gathered')]);
  await look();
  await waitMinutes(6);
  // A pass that counts found something, and knows nothing of what was gathered.
  const rule = await findRule(api.state, api.organizationId, Number(made.id));
  if (rule?.kind !== 'issue') throw new Error('no rule');
  const { holder } = await api.state.db.selectFrom('alert_lease').select('holder').executeTakeFirstOrThrow();
  const [known] = await api.state.db.selectFrom('issue').select('id').orderBy('id').execute();
  const issueId = known?.id ?? 0;
  const cause = { cause: 'holds:1:0', why: '10 events', value: 10, threshold: 5, at: undefined, isHappening: true };
  await writeOutcome(api.state, {
    organizationId: api.organizationId,
    holder,
    lease: { until: Date.now() + 20_000, readUntil: undefined },
    findings: [{ rule, issueId, cause }],
    flushes: [],
    looks: [],
    problems: [],
    issues: new Map(),
    asked: new Set([issueId]),
    projectsOf: () => [],
    baseUrl: '',
    nowMs: Date.now(),
  });
  expect((await history(made.id)).map((one) => one.state)).toContain('waiting');
  await waitMinutes(6);
  await look();
  expect((await told()).map((one) => one.title)).toEqual([
    'A new issue: TypeError: told at once',
    'A new issue: TypeError: gathered',
  ]);
});

test('a pager is told that it is over once the issue is resolved', async () => {
  const config = { key: 'k', apiUrl: 'https://events.pagerduty.com' };
  const fields = { type: 'pagerduty', name: 'Pager', config, quietHours: null, enabled: true } as const;
  const pager = String(
    await createChannel({ state: api.state, vault: testVault }, api.organizationId, fields, Date.now()),
  );
  await makeRule({ channelIds: [channel, pager], digestMinutes: 0, throttleMinutes: 0 });
  await makeRule({ name: 'Of nobody', channelIds: [pager], query: 'level:fatal' });
  await store(api, [row('paged')]);
  await look();
  const resolve = async (status: string) => {
    const issues = await api.state.db.selectFrom('issue').select('id').execute();
    const url = `/api/0/organizations/acme/issues/?${issues.map(({ id }) => `id=${id}`).join('&')}`;
    return api.call({ method: 'PUT', url, payload: { status } });
  };
  expect((await resolve('resolved')).statusCode).toBe(200);
  await look();
  await look();
  const sent = () =>
    api.state.db.selectFrom('delivery').select(['channel_id', 'severity', 'group_key']).orderBy('id').execute();
  const [hooked, opened, closed, ...others] = await sent();
  expect([hooked?.severity, opened?.severity, closed?.severity]).toEqual(['warning', 'warning', 'resolved']);
  expect([closed?.channel_id, closed?.group_key]).toEqual([Number(pager), opened?.group_key]);
  expect(others).toEqual([]);
  // It comes back, which is another incident; several at once are one that nobody closes, and none of theirs is closed.
  await resolve('unresolved');
  await store(api, [row('second'), row('third')]);
  await look();
  await resolve('resolved');
  await look();
  expect((await sent()).slice(3).map((one) => [one.severity, one.group_key.replace(/\d+/g, 'N')])).toEqual([
    ['warning', 'rule:N:digest:N'],
    ['warning', 'rule:N:digest:N'],
  ]);
});

test('a filter in the search language is asked of the events around', async () => {
  await makeRule({ query: 'level:fatal release:shop@2.0.0', environment: 'production' });
  await store(api, [
    row('other level', { release: 'shop@2.0.0' }),
    row('other release', { level: 'fatal' }),
    row('elsewhere', { level: 'fatal', release: 'shop@2.0.0', environment: 'staging' }),
    row('meant', { level: 'fatal', release: 'shop@2.0.0' }),
  ]);
  await look();
  expect(await told()).toMatchObject([{ title: 'A new issue: TypeError: meant', severity: 'critical' }]);
});

test('an event that is stored after what it did to its issue is waited for', async () => {
  await makeRule({ query: 'level:error' });
  const { events, ...rest } = api;
  const holding: typeof events = { ...events, insert: () => Promise.resolve() };
  await store({ ...rest, events: holding }, [row('late')]);
  await evaluator.look();
  expect(await told()).toEqual([]);
  await events.insert('errors', [row('late')], `late:${Date.now()}`);
  await expect.poll(async () => (await evaluator.look(), (await told()).length), { timeout: 10_000 }).toBe(1);
});

test('frequencies count events and users, throttled for each issue', async () => {
  const rule = await makeRule({
    match: 'any',
    throttleMinutes: 30,
    conditions: [
      { type: 'event_frequency', count: 10, minutes: 60 },
      { type: 'user_frequency', count: 4, minutes: 60 },
    ],
  });
  const before = Date.now() - 30 * 60_000;
  await store(api, [
    ...rowsOf('often', 6),
    ...rowsOf('often', 4, { timestamp: before, user: '' }),
    ...rowsOf('seldom', 3),
    ...rowsOf('old', 20, { timestamp: Date.now() - 3 * 3_600_000 }),
  ]);
  await look();
  expect((await history(rule.id)).map((one) => one.why)).toEqual(['10 events in an hour']);
  await look();
  await waitMinutes(20);
  await store(api, [row('often')]);
  await look();
  expect(await told()).toHaveLength(1);
  await waitMinutes(20);
  await store(api, [row('often')]);
  await look();
  expect(await told()).toHaveLength(2);
});

test('a frequency within a filter, over hours too', async () => {
  const rule = await makeRule({
    query: 'level:fatal',
    conditions: [{ type: 'event_frequency', count: 5, minutes: 1440 }],
  });
  const plain = await makeRule({ conditions: [{ type: 'event_frequency', count: 8, minutes: 1440 }] });
  const hoursAgo = (hours: number) => ({ timestamp: Date.now() - hours * 3_600_000 });
  await store(api, [
    ...rowsOf('mixed', 3, { level: 'fatal', ...hoursAgo(20) }),
    ...rowsOf('mixed', 4, hoursAgo(2)),
    row('mixed'),
  ]);
  await look();
  expect(await history(rule.id)).toEqual([]);
  expect((await history(plain.id)).map((one) => one.why)).toEqual(['8 events in a day']);
  await store(api, rowsOf('mixed', 2, { level: 'fatal' }));
  await look();
  expect((await history(rule.id)).map((one) => one.why)).toEqual(['5 events in a day']);
});

test('all conditions together fire once', async () => {
  const rule = await makeRule({
    match: 'all',
    throttleMinutes: 0,
    conditions: [{ type: 'new_issue' }, { type: 'event_frequency', count: 3, minutes: 5 }],
  });
  await store(api, rowsOf('grows', 2));
  await look();
  expect(await history(rule.id)).toEqual([]);
  await store(api, rowsOf('grows', 1));
  await look();
  await waitMinutes(3);
  await store(api, rowsOf('grows', 1));
  await look();
  expect((await history(rule.id)).map((one) => one.why)).toEqual(['A new issue; 3 events in 5 minutes']);
});

test('a regression is told, but not of an issue that somebody has archived', async () => {
  await makeRule({ conditions: [{ type: 'regression' }] });
  await store(api, [row('back'), row('snoozed')]);
  const setAll = async (change: object): Promise<void> => {
    const issues = await api.get<{ id: string; title: string }[]>('/api/0/organizations/acme/issues/?query=');
    for (const { id, title } of issues) {
      if ('only' in change && !title.endsWith(String(change.only))) continue;
      const { statusCode, body } = await api.call({
        method: 'PUT',
        url: `/api/0/organizations/acme/issues/${id}/`,
        payload: { ...change, only: undefined },
      });
      expect([200, body]).toEqual([statusCode, body]);
    }
  };
  await setAll({ status: 'resolved' });
  await store(api, [row('back', { timestamp: Date.now() + 2_000 }), row('snoozed', { timestamp: Date.now() + 2_000 })]);
  await setAll({ status: 'ignored', only: 'snoozed' });
  await look();
  expect((await told()).map((one) => one.title)).toEqual(['It was resolved and came back: TypeError: back']);
});

test('digests: one that somebody waits for, one by name', async () => {
  await makeRule({ conditions: [{ type: 'watched_digest', digest: '4242' }], throttleMinutes: 30 });
  await store(api, [row('page', { digest: '4242' }), row('other', { digest: '17' })]);
  await look();
  await look();
  expect((await told()).map((one) => one.title)).toEqual(['Digest 4242 was seen: TypeError: page']);
  await makeRule({ conditions: [{ type: 'watched_digest', digest: null }] });
  const issue = await api.state.db
    .selectFrom('issue')
    .select('id')
    .where('title', 'like', '%other')
    .executeTakeFirstOrThrow();
  await api.state.db
    .insertInto('digest_watch')
    .values({
      organization_id: api.organizationId,
      user_id: api.userId,
      project_id: null,
      digest: '17',
      host: null,
      created_at: Date.now(),
      expires_at: Date.now() + 60_000,
      found_at: Date.now(),
      found_event_id: hash('x'),
      found_issue_id: issue.id,
      seen: 0,
    })
    .execute();
  await look();
  expect((await told()).map((one) => one.title)).toContain(
    'Digest 17, which somebody waits for, was seen: TypeError: other',
  );
  await api.state.db.deleteFrom('digest_watch').execute();
});

test('a muted rule says nothing, its history does; one without a channel is unheard', async () => {
  const muted = await makeRule({});
  const unheard = await makeRule({ channelIds: [] });
  await api.call({ method: 'POST', url: `${rules}${muted.id}/mute/`, payload: { minutes: 60 } });
  await store(api, [row('quiet')]);
  await look();
  expect(await told()).toEqual([]);
  expect((await history(muted.id)).map((one) => one.state)).toEqual(['muted']);
  expect((await history(unheard.id)).map((one) => one.state)).toEqual(['unheard']);
});

test('what the installation reports of itself concerns only rules that name it', async () => {
  const { project } = await createProject(api.state, {
    organizationId: api.organizationId,
    name: 'Itself',
    internal: true,
  });
  await makeRule({});
  const named = await makeRule({ projectIds: [String(project.id)] });
  await store(api, [row('own failure', { project_id: project.id })]);
  await look();
  expect(await told()).toHaveLength(1);
  expect(await history(named.id)).toHaveLength(1);
});

test('what happened before a rule was made is no news to it', async () => {
  await store(api, [row('before')]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await makeRule({});
  await look();
  expect(await told()).toEqual([]);
});

test('a metric rule warns, alarms, and says when it is over', async () => {
  const metric = {
    dataset: 'errors',
    aggregate: 'count()',
    minutes: 5,
    comparison: { type: 'static' },
    direction: 'above',
    warning: 5,
    critical: 10,
    resolve: null,
    noData: 'ok',
  };
  const rule = await makeRule({ kind: 'metric', name: 'Errors', conditions: undefined, metric });
  const state = async () => (await api.get<RuleAnswer>(`${rules}${rule.id}/`)).state;
  await look();
  expect([await state(), await told()]).toEqual(['ok', []]);
  const step = async (): Promise<void> => {
    await waitMinutes(2);
    await look();
  };
  await store(api, rowsOf('metric', 6));
  await step();
  expect(await state()).toBe('warning');
  await store(api, rowsOf('metric', 6));
  await step();
  await step();
  expect(await state()).toBe('critical');
  await api.events.command('TRUNCATE TABLE errors');
  await step();
  // One calm look is not enough.
  expect(await state()).toBe('critical');
  await step();
  expect(await state()).toBe('ok');
  expect((await told()).map((one) => [one.severity, one.title])).toEqual([
    ['warning', 'Warning: Errors'],
    ['critical', 'Critical: Errors'],
    ['resolved', 'Over: Errors'],
  ]);
  expect(await api.get<RuleAnswer>(`${rules}${rule.id}/`)).toMatchObject({ value: 0, firedLast7Days: 2 });
});

test('an anomaly against the same hours of earlier weeks', async () => {
  const metric = {
    dataset: 'errors',
    aggregate: 'count()',
    minutes: 60,
    comparison: { type: 'anomaly', sensitivity: 'medium' },
    direction: 'above',
    warning: null,
    critical: null,
    resolve: null,
    noData: 'ok',
  };
  const weekMs = 7 * 86_400_000;
  await api.state.db.updateTable('project').set({ first_event_at: Date.now() }).execute();
  const rule = await makeRule({ kind: 'metric', name: 'Unusual', conditions: undefined, metric });
  await look();
  expect(await api.get<RuleAnswer>(`${rules}${rule.id}/`)).toMatchObject({ state: 'learning' });
  await api.state.db
    .updateTable('project')
    .set({ first_event_at: Date.now() - 10 * weekMs })
    .execute();
  const usual = [1, 2, 3, 4].flatMap((week) =>
    [-60, 0, 60].flatMap((minutes) =>
      rowsOf('usual', 5, { timestamp: Date.now() - week * weekMs + minutes * 60_000 - 30 * 60_000 }),
    ),
  );
  await store(api, [...usual, ...rowsOf('usual', 60)]);
  await waitMinutes(2);
  await look();
  expect(await api.get<RuleAnswer>(`${rules}${rule.id}/`)).toMatchObject({ state: 'critical', value: 60 });
  expect((await told()).at(-1)).toMatchObject({
    title: 'Critical: Unusual',
    text: expect.stringContaining('usual at this hour of the week: 5 ± '),
  });
});

test('a rule that cannot be read any more says so and holds up no other', async () => {
  const broken = await makeRule({ query: 'level:error' });
  await makeRule({ name: 'Sound' });
  await api.state.db
    .updateTable('alert_rule')
    .set({ query: 'assigned:nobody@example.com' })
    .where('id', '=', Number(broken.id))
    .execute();
  await store(api, [row('still told')]);
  await look();
  expect(await told()).toHaveLength(1);
  expect(await api.get<RuleAnswer>(`${rules}${broken.id}/`)).toMatchObject({
    state: 'problem',
    problem: expect.stringContaining('nobody'),
  });
});
