/** When rules about metrics fire, and that they end. */
import { expect, test } from 'vitest';
import { makeChannel } from '../notify/testing/channels.ts';
import { evaluatesRules, type RuleAnswer, rulesUrl } from './testing/evaluation.ts';
import { errorCount } from './testing/metric.ts';

const rules = evaluatesRules();
const { look, makeRule, rowsOf, store, notifications, waitAndLook } = rules;

test('a metric rule warns, alarms, and says when it is over', async () => {
  const metric = errorCount({ warning: 5 });
  const rule = await makeRule({ kind: 'metric', name: 'Errors', conditions: undefined, metric });
  const state = async () => (await rules.api.get<RuleAnswer>(`${rulesUrl}${rule.id}/`)).state;
  await look();
  expect([await state(), await notifications()]).toEqual(['ok', []]);
  await store(rowsOf('metric', 6));
  await waitAndLook(2);
  expect(await state()).toBe('warning');
  await store(rowsOf('metric', 6));
  await waitAndLook(2);
  await waitAndLook(2);
  expect(await state()).toBe('critical');
  await rules.api.events.command('TRUNCATE TABLE errors');
  await waitAndLook(2);
  // One calm look is not enough.
  expect(await state()).toBe('critical');
  await waitAndLook(2);
  expect(await state()).toBe('ok');
  expect((await notifications()).map((one) => [one.severity, one.title])).toEqual([
    ['warning', 'Warning: Errors'],
    ['critical', 'Critical: Errors'],
    ['resolved', 'Resolved: Errors'],
  ]);
  expect(await rules.api.get<RuleAnswer>(`${rulesUrl}${rule.id}/`)).toMatchObject({ value: 0, firedLast7Days: 2 });
});

test('a metric rule that is muted while critical says no "over"; what pages is closed, and what is still so is said', async () => {
  const pager = await makeChannel(rules.api.state, rules.api.organizationId, 'pagerduty', { key: 'a'.repeat(32) });
  const metric = errorCount();
  const rule = await makeRule({
    kind: 'metric',
    name: 'Errors',
    conditions: undefined,
    metric,
    channelIds: [rules.channel, String(pager)],
  });
  const mute = (minutes: number | null) =>
    rules.api.call({ method: 'POST', url: `${rulesUrl}${rule.id}/mute/`, payload: { minutes } });
  const said = async () => {
    const rows = await rules.api.state.db
      .selectFrom('delivery')
      .select(['channel_id', 'severity'])
      .orderBy('id')
      .execute();
    const of = (id: number) => rows.filter((one) => one.channel_id === id).map((one) => one.severity);
    return { people: of(Number(rules.channel)), pager: of(pager) };
  };
  await look();
  await store(rowsOf('muted metric', 12));
  await waitAndLook(2);
  await mute(60);
  await waitAndLook(2);
  expect(await said()).toEqual({ people: ['critical'], pager: ['critical'] });
  // Still so when the mute ends: said once.
  await mute(null);
  for (let times = 0; times < 3; times += 1) await waitAndLook(2);
  expect(await said()).toEqual({ people: ['critical', 'critical'], pager: ['critical', 'critical'] });
  await mute(60);
  await waitAndLook(2);
  await rules.api.events.command('TRUNCATE TABLE errors');
  for (let times = 0; times < 3; times += 1) await waitAndLook(2);
  await mute(null);
  for (let times = 0; times < 3; times += 1) await waitAndLook(2);
  expect(await said()).toEqual({ people: ['critical', 'critical'], pager: ['critical', 'critical', 'resolved'] });
  expect(await rules.api.get(`${rulesUrl}${rule.id}/`)).toMatchObject({ state: 'ok' });
  await rules.api.state.db.deleteFrom('channel').where('id', '=', pager).execute();
});

test('an anomaly against the same hours of earlier weeks', async () => {
  const metric = errorCount({ minutes: 60, comparison: { type: 'anomaly', sensitivity: 'medium' }, critical: null });
  const weekMs = 7 * 86_400_000;
  await rules.api.state.db.updateTable('project').set({ first_event_at: Date.now() }).execute();
  const rule = await makeRule({ kind: 'metric', name: 'Unusual', conditions: undefined, metric });
  await look();
  expect(await rules.api.get<RuleAnswer>(`${rulesUrl}${rule.id}/`)).toMatchObject({ state: 'learning' });
  await rules.api.state.db
    .updateTable('project')
    .set({ first_event_at: Date.now() - 10 * weekMs })
    .execute();
  const usual = [1, 2, 3, 4].flatMap((week) =>
    [-60, 0, 60].flatMap((minutes) =>
      rowsOf('usual', 5, { timestamp: Date.now() - week * weekMs + minutes * 60_000 - 30 * 60_000 }),
    ),
  );
  await store([...usual, ...rowsOf('usual', 60)]);
  await waitAndLook(2);
  expect(await rules.api.get<RuleAnswer>(`${rulesUrl}${rule.id}/`)).toMatchObject({ state: 'critical', value: 60 });
  expect((await notifications()).at(-1)).toMatchObject({
    title: 'Critical: Unusual',
    text: expect.stringContaining('usual at this hour of the week: 5 ± '),
  });
});

test('what a storm made an estimate is told with its interval', async () => {
  const metric = errorCount({ warning: 5 });
  const made = { kind: 'metric', name: 'Of a release', conditions: undefined, metric, query: 'release:shop@1' };
  const rule = await makeRule(made);
  const sampled = (release: string) => rowsOf(release, 40, { release }).map((row) => ({ ...row, stands_for: 9 }));
  await store([...sampled('shop@1'), ...sampled('shop@2')]);
  await look();
  await waitAndLook(2);
  const estimated = { low: 280, high: 520 };
  expect(await notifications()).toMatchObject([{ metric: { name: 'count()', value: 400, estimated } }]);
  expect((await rules.history(rule.id))[0]).toMatchObject({ value: 400, estimated });
});
