/** What rules tell of what they found, and to whom. */
import { expect, test } from 'vitest';
import { makeChannel } from '../notify/testing/channels.ts';
import { findRule } from './rules.ts';
import { evaluatesRules, type RuleAnswer, rulesUrl } from './testing/evaluation.ts';
import { writeOutcome } from './write.ts';

const rules = evaluatesRules();
const { history, look, makeRule, row, store, notifications, waitAndLook, waitMinutes } = rules;

test('many at once are one message, what follows is gathered', async () => {
  const rule = await makeRule({ digestMinutes: 5 });
  await store(Array.from({ length: 12 }, (_, index) => row(`storm ${index}`)));
  await look();
  await store(Array.from({ length: 3 }, (_, index) => row(`later ${index}`)));
  await look();
  expect((await notifications()).map((one) => one.title)).toEqual(['12 new issues']);
  expect((await history(rule.id)).map((one) => one.state)).toEqual([
    ...Array(3).fill('waiting'),
    ...Array(12).fill('told'),
  ]);
  await waitAndLook(6);
  expect((await notifications()).map((one) => one.title)).toEqual(['12 new issues', '3 new issues']);
  const messages = (await history(rule.id)).map(({ deliveries }) => deliveries.map((one) => one.id).join());
  expect(new Set(messages.slice(0, 3)).size).toBe(1);
  expect(new Set(messages.slice(3)).size).toBe(1);
  expect(messages[0]).not.toBe(messages[3]);
  expect(Number(messages[3])).toBeGreaterThan(0);
  const [listed] = await rules.api.get<RuleAnswer[]>(rulesUrl);
  expect(listed).toMatchObject({ firedLast7Days: 15, firedByDay: [0, 0, 0, 0, 0, 0, 15] });
});

test('what was gathered waits for who can tell it, whatever else the rule has to tell', async () => {
  const made = await makeRule({ digestMinutes: 5 });
  await store([row('told at once')]);
  await look();
  await store([row('gathered')]);
  await look();
  await waitMinutes(6);
  // A pass that counts found something, and knows nothing of what was gathered.
  const rule = await findRule(rules.api.state, rules.api.organizationId, Number(made.id));
  if (rule?.kind !== 'issue') throw new Error('no rule');
  const { claimed_by: node } = await rules.api.state.db
    .selectFrom('alert_lease')
    .select('claimed_by')
    .executeTakeFirstOrThrow();
  const [known] = await rules.api.state.db.selectFrom('issue').select('id').orderBy('id').execute();
  const issueId = known?.id ?? 0;
  const cause = { cause: 'holds:1:0', why: '10 events', value: 10, threshold: 5, at: undefined, isHappening: true };
  await writeOutcome(rules.api.state, {
    organizationId: rules.api.organizationId,
    claimer: { node, leaseMs: 20_000 },
    readUntil: undefined,
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
  await waitAndLook(6);
  expect((await notifications()).map((one) => one.title)).toEqual([
    'New issue: TypeError: told at once',
    'New issue: TypeError: gathered',
  ]);
});

test('a pager is told that it is over once the issue is resolved', async () => {
  const pager = String(await makeChannel(rules.api.state, rules.api.organizationId, 'pagerduty', { key: 'k' }));
  await makeRule({ channelIds: [rules.channel, pager], digestMinutes: 0, throttleMinutes: 0 });
  await makeRule({ name: 'Of nobody', channelIds: [pager], query: 'level:fatal' });
  await store([row('paged')]);
  await look();
  const resolve = async (status: string) => {
    const issues = await rules.api.state.db.selectFrom('issue').select('id').execute();
    const url = `/api/0/organizations/acme/issues/?${issues.map(({ id }) => `id=${id}`).join('&')}`;
    return rules.api.call({ method: 'PUT', url, payload: { status } });
  };
  expect((await resolve('resolved')).statusCode).toBe(200);
  await look();
  await look();
  const sent = () =>
    rules.api.state.db.selectFrom('delivery').select(['channel_id', 'severity', 'group_key']).orderBy('id').execute();
  const [hooked, opened, closed, ...others] = await sent();
  expect([hooked?.severity, opened?.severity, closed?.severity]).toEqual(['warning', 'warning', 'resolved']);
  expect([closed?.channel_id, closed?.group_key]).toEqual([Number(pager), opened?.group_key]);
  expect(others).toEqual([]);
  // It comes back, which is another incident; several at once are one that nobody closes, and none of theirs is closed.
  await resolve('unresolved');
  await store([row('second'), row('third')]);
  await look();
  await resolve('resolved');
  await look();
  expect((await sent()).slice(3).map((one) => [one.severity, one.group_key.replace(/\d+/g, 'N')])).toEqual([
    ['warning', 'rule:N:digest:N'],
    ['warning', 'rule:N:digest:N'],
  ]);
});

test('a muted rule says nothing, its history does; one without a channel is unheard', async () => {
  const muted = await makeRule({});
  const unheard = await makeRule({ channelIds: [] });
  await rules.api.call({ method: 'POST', url: `${rulesUrl}${muted.id}/mute/`, payload: { minutes: 60 } });
  await store([row('quiet')]);
  await look();
  expect(await notifications()).toEqual([]);
  expect((await history(muted.id)).map((one) => one.state)).toEqual(['muted']);
  expect((await history(unheard.id)).map((one) => one.state)).toEqual(['unheard']);
});
