/** What is looked at, and that nothing is told twice. */
import { expect, test } from 'vitest';
import { recordIssues } from '../issues/testing/stores.ts';
import { createProject } from '../projects/index.ts';
import { evaluatesRules, type RuleAnswer, rulesUrl } from './testing/evaluation.ts';

const rules = evaluatesRules();
const { history, look, makeRule, row, store, notifications, openAnother } = rules;

test('a new issue is told once, however often and by whom it is looked at', async () => {
  const rule = await makeRule({});
  await store([row('first')]);
  await look();
  await look();
  await using other = openAnother();
  await Promise.all([other.look(), rules.evaluator.look()]);
  expect(await notifications()).toMatchObject([{ title: 'New issue: TypeError: first', severity: 'warning' }]);
  expect(await history(rule.id)).toMatchObject([
    { state: 'told', why: 'New issue', issue: { shortId: expect.stringMatching(/^WEB-\d+$/) } },
  ]);
  // What comes again is not new.
  await store([row('first')]);
  await look();
  expect(await notifications()).toHaveLength(1);
});

test('an event that is stored after what it did to its issue is waited for', async () => {
  await makeRule({ query: 'level:error' });
  await recordIssues(rules.api, [row('late')]);
  await rules.evaluator.look();
  expect(await notifications()).toEqual([]);
  await rules.api.events.insert('errors', [row('late')], `late:${Date.now()}`);
  await expect
    .poll(async () => (await rules.evaluator.look(), (await notifications()).length), { timeout: 10_000 })
    .toBe(1);
});

test('what the installation reports of itself concerns only rules that name it', async () => {
  const { project } = await createProject(rules.api.state, {
    organizationId: rules.api.organizationId,
    name: 'Itself',
    internal: true,
  });
  await makeRule({});
  const named = await makeRule({ projectIds: [String(project.id)] });
  await store([row('own failure', { project_id: project.id })]);
  await look();
  expect(await notifications()).toHaveLength(1);
  expect(await history(named.id)).toHaveLength(1);
});

test('what happened before a rule was made is no news to it', async () => {
  await store([row('before')]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await makeRule({});
  await look();
  expect(await notifications()).toEqual([]);
});

test('a rule that cannot be read any more says so and holds up no other', async () => {
  const broken = await makeRule({ query: 'level:error' });
  await makeRule({ name: 'Sound' });
  await rules.api.state.db
    .updateTable('alert_rule')
    .set({ query: 'assigned:nobody@example.com' })
    .where('id', '=', Number(broken.id))
    .execute();
  await store([row('still told')]);
  await look();
  expect(await notifications()).toHaveLength(1);
  expect(await rules.api.get<RuleAnswer>(`${rulesUrl}${broken.id}/`)).toMatchObject({
    state: 'problem',
    problem: expect.stringContaining('nobody'),
  });
});
