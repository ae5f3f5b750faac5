/** Alert rules as Sentry's clients send them: which there are, whose they are, and many at once. */
import { expect, test } from 'vitest';
import { detectors, type Json, openRuleClient, org, workflows } from './testing.ts';

const client = openRuleClient();
const { send, stored, workflow, made, metric, newMetric } = client;

test('what can be sent is listed, and each listed condition is taken', async () => {
  const list = async (path: string) => (await send<Json[]>('GET', `${org}/${path}`)).body;
  const triggers = await list('data-conditions/?group=workflow_trigger');
  const comparisons: Json = {
    event_frequency_count: 1,
    event_unique_user_frequency_count: 1,
    percent_sessions_count: 1,
  };
  for (const { type } of triggers) {
    const comparison = comparisons[type as string] ? { value: 5, interval: '1hr' } : true;
    const { id } = await made(workflow({ triggers: { logicType: 'any-short', conditions: [{ type, comparison }] } }));
    expect((await stored(id)).kind).toBe('issue');
  }
  expect((await list('data-conditions/')).length).toBeGreaterThan(triggers.length);
  expect(await list('available-actions/?type=webhook')).toMatchObject([
    { type: 'webhook', handlerGroup: 'notification', integrations: [{ id: client.channels.hook, name: 'Deploy bot' }] },
  ]);
  const { id } = await made(workflow());
  expect((await send('GET', `${workflows}${id}/project-scope/`)).body).toEqual({
    projectIds: [String(client.api.projectId)],
    includesAllProjects: false,
  });
  const { body: measured } = await newMetric(metric());
  const found = await send('GET', `${org}/alert-rule-detector/?alert_rule_id=${measured.id}`);
  expect(found.body).toMatchObject({ detectorId: measured.id });
  expect((await send('GET', `${org}/alert-rule-detector/?alert_rule_id=${id}`)).status).toBe(404);
});

test('the kinds are not taken for one another, and who has no right to a rule leaves it alone', async () => {
  const { id } = await made(workflow());
  expect((await send('PUT', `${detectors}${id}/`, { name: 'x' })).status).toBe(404);
  expect((await send('DELETE', `${detectors}${id}/`)).status).toBe(404);
  expect((await send('DELETE', `${workflows}x/`)).status).toBe(404);
  const person = {
    email: 'member@example.com',
    password: 'a long enough phrase',
    organizationId: client.api.organizationId,
  };
  await client.api.accounts.createUser(person);
  const cookie = (await client.api.accounts.signIn(person))?.map((one) => one.split(';', 1)[0]).join('; ') ?? '';
  const asMember = async (method: 'PUT' | 'DELETE', url: string, payload?: object) => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    return (await client.api.call({ method, url, token: '', headers, ...(payload && { payload }) })).json<Json>();
  };
  expect(await asMember('PUT', `${workflows}${id}/`, { name: 'x' })).toMatchObject({ code: 'RULE_NOT_YOURS' });
  expect(await asMember('DELETE', `${workflows}${id}/`)).toMatchObject({ code: 'RULE_NOT_YOURS' });
  expect(await asMember('DELETE', `${workflows}?id=${id}`)).toMatchObject({ code: 'RULE_NOT_YOURS' });
  const token = await client.api.makeToken('event:read', 'project:write');
  const refused = await client.api.call({ method: 'DELETE', url: `${workflows}${id}/`, token });
  expect(refused.statusCode).toBe(403);
  expect((await stored(id)).name).toBe('New and frequent');
});

test('several are turned off or deleted by a selection, and by none nothing is', async () => {
  const named = async (name: string) => (await made(workflow({ name }))).id;
  const [one, two] = [await named('Batch one'), await named('Batch two')];
  expect((await send('PUT', workflows, { enabled: false })).status).toBe(400);
  expect((await send('DELETE', workflows)).status).toBe(400);
  const off = await send<{ id: string; status: string }[]>('PUT', `${workflows}?query=Batch`, { enabled: false });
  expect(off.body.map(({ id, status }) => [id, status])).toEqual([
    [one, 'disabled'],
    [two, 'disabled'],
  ]);
  expect((await send('DELETE', `${workflows}?id=${one}`)).status).toBe(204);
  expect((await send('GET', `${workflows}${one}/`)).status).toBe(404);
  expect((await send('GET', `${workflows}${two}/`)).status).toBe(200);
  expect(client.api.errors).toEqual([]);
});
