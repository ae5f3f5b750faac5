/** Issue rules as Sentry's clients send them: what is read of it, what comes back, and what is refused. */
import { describe, expect, test } from 'vitest';
import { type Json, openRuleClient, org, workflows } from './testing.ts';

const client = openRuleClient();
const { send, stored, workflow, made } = client;

describe('an issue rule', () => {
  test('is stored as it was sent, and read as that', async () => {
    const { id, ...shown } = await made(workflow());
    expect(await stored(id)).toMatchObject({
      kind: 'issue',
      name: 'New and frequent',
      enabled: true,
      projectIds: [client.api.projectId],
      environment: 'production',
      query: 'level:[error, fatal]',
      throttleMinutes: 45,
      channelIds: [Number(client.channels.hook)],
      owner: `user:${client.api.userId}`,
      createdBy: client.api.userId,
      trigger: {
        match: 'any',
        conditions: [{ type: 'new_issue' }, { type: 'event_frequency', count: 12, minutes: 60 }],
      },
    });
    expect(shown).toMatchObject({
      name: 'New and frequent',
      status: 'active',
      environment: 'production',
      frequency: 45,
      detectorIds: [String(client.api.projectId)],
      owner: { type: 'user', id: client.api.userId },
      triggers: {
        logicType: 'any-short',
        conditions: [
          { type: 'first_seen_event', comparison: true },
          { type: 'event_frequency_count', comparison: { value: 12, interval: '1hr' } },
        ],
      },
      actionFilters: [
        {
          conditions: [{ type: 'query', comparison: 'level:[error, fatal]' }],
          actions: [
            { type: 'webhook', config: { targetIdentifier: client.channels.hook, targetDisplay: 'Deploy bot' } },
          ],
        },
      ],
    });
  });

  test('that is sent back as it was read stays as it was, of each kind of condition', async () => {
    const conditions = [
      { type: 'new_issue' },
      { type: 'escalating' },
      { type: 'unarchived' },
      { type: 'regression' },
      { type: 'user_frequency', count: 5, minutes: 15 },
      { type: 'session_share', percent: 2.5, minutes: 1440 },
      { type: 'watched_digest', digest: '1930860604' },
      { type: 'watched_digest', digest: null },
    ];
    for (const match of ['any', 'all']) {
      const { body } = await send<{ id: string }>('POST', `${org}/alert-rules/`, {
        kind: 'issue',
        name: 'All kinds',
        match,
        conditions,
        query: 'a:1 OR b:2',
        channelIds: [client.channels.hook, client.channels.mail],
      });
      const before = await stored(body.id);
      const { body: read } = await send('GET', `${workflows}${body.id}/`);
      const answer = await send('PUT', `${workflows}${body.id}/`, read);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(await stored(body.id)).toEqual({ ...before, updatedAt: expect.any(Number) as unknown });
    }
  });

  test('of all projects keeps them, and one that names other detectors has those', async () => {
    const { id } = await made(workflow({ detectorIds: [] }));
    const { body } = await send('GET', `${workflows}${id}/`);
    await send('PUT', `${workflows}${id}/`, { ...body, name: 'Renamed' });
    expect(await stored(id)).toMatchObject({ name: 'Renamed', projectIds: [] });
    await send('PUT', `${workflows}${id}/`, { detectorIds: [] });
    expect((await stored(id)).projectIds).toEqual([]);
  });

  test('changes in what is sent, and in nothing else', async () => {
    const { id } = await made(workflow());
    const before = await stored(id);
    const put = async (body: Json) => {
      const answer = await send('PUT', `${workflows}${id}/`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return stored(id);
    };
    expect(await put({ enabled: false })).toMatchObject({
      ...before,
      enabled: false,
      updatedAt: expect.any(Number),
      version: 2,
    });
    expect(await put({ environment: null, owner: null })).toMatchObject({ environment: '', owner: null });
    expect(await put({ triggers: { logicType: 'all', conditions: [{ type: 'regression_event' }] } })).toMatchObject({
      query: before.query,
      trigger: { match: 'all', conditions: [{ type: 'regression' }] },
    });
    const mail = { type: 'email', config: { targetType: 'user', targetIdentifier: client.api.userId } };
    expect(await put({ actionFilters: [{ logicType: 'all', conditions: [], actions: [mail] }] })).toMatchObject({
      query: '',
      channelIds: [Number(client.channels.mail)],
      trigger: { match: 'all', conditions: [{ type: 'regression' }] },
    });
  });

  test.each<[name: string, conditions: Json[], logicType: string, query: string]>([
    ['level', [{ type: 'level', comparison: { level: 'warning', match: 'eq' } }], 'all', 'level:warning'],
    [
      'tags and attributes',
      [
        { type: 'tagged_event', comparison: { key: 'plan', match: 'eq', value: 'pro "x"' } },
        { type: 'tagged_event', comparison: { key: 'is', match: 'ne', value: '*' } },
        { type: 'event_attribute', comparison: { attribute: 'exception.type', match: 'co', value: 'Type' } },
        { type: 'latest_release', comparison: true },
      ],
      'all',
      'plan:"pro \\"x\\"" !tags[is]:\\* error.type:*Type* release:latest',
    ],
    [
      'any of them',
      [
        { type: 'tagged_event', comparison: { key: 'plan', match: 'in', value: 'pro, free' } },
        { type: 'query', comparison: 'level:fatal' },
      ],
      'any-short',
      '((plan:pro OR plan:free) OR level:fatal)',
    ],
    [
      'age and count',
      [
        { type: 'age_comparison', comparison: { comparison_type: 'newer', value: 3, time: 'day' } },
        { type: 'issue_occurrences', comparison: { value: 10 } },
      ],
      'all',
      'age:-3d timesSeen:>=10',
    ],
  ])('filters are a query: %s', async (_, conditions, logicType, query) => {
    const { id } = await made(workflow({ actionFilters: [{ logicType, conditions, actions: [] }] }));
    expect((await stored(id)).query).toBe(query);
  });

  test('a frequency among the filters is a condition that must hold as well', async () => {
    const often = { type: 'event_unique_user_frequency_count', comparison: { value: 5, interval: '15m' } };
    const filter = (logicType: string, ...conditions: Json[]) => ({
      actionFilters: [{ logicType, conditions: [often, ...conditions], actions: [] }],
      triggers: { logicType: 'any-short', conditions: [{ type: 'regression_event' }] },
    });
    const { id } = await made(workflow(filter('all', { type: 'query', comparison: 'a:1' })));
    expect(await stored(id)).toMatchObject({
      query: 'a:1',
      trigger: {
        match: 'all',
        conditions: [{ type: 'regression' }, { type: 'user_frequency', count: 5, minutes: 15 }],
      },
    });
    const high = { logicType: 'any-short', conditions: [{ type: 'new_high_priority_issue' }] };
    expect(await stored((await made(workflow({ triggers: high, actionFilters: [] }))).id)).toMatchObject({
      query: 'issue.priority:high',
      trigger: { conditions: [{ type: 'new_issue' }] },
    });
  });

  test.each<[says: RegExp, changes: () => Json]>([
    [/name: must not be empty/, () => ({ name: ' ' })],
    [/no condition every_event\. It has first_seen_event,/, () => trigger({ type: 'every_event' })],
    [/needs at least one condition/, () => trigger()],
    [/interval must be between 1min and 1d/, () => trigger(frequent('30d'))],
    [/interval must be between/, () => trigger(frequent('0m'))],
    [/value must be a number/, () => trigger({ type: 'event_frequency_count', comparison: null })],
    [/Create a rule for each/, () => ({ actionFilters: [filter(), filter()] })],
    [/any is enough cannot be combined/, () => ({ actionFilters: [filter(frequent('1h'))] })],
    [/none is not supported/, () => ({ triggers: { logicType: 'none', conditions: [{ type: 'first_seen_event' }] } })],
    [/must be the only trigger/, () => trigger({ type: 'new_high_priority_issue' }, { type: 'regression_event' })],
    [/detectorIds: 999 is not the ID of a project/, () => ({ detectorIds: [999] })],
    [/no actions of type jira\. Channels: \d+ \(Deploy bot, webhook\)/, () => action({ type: 'jira' })],
    [/no slack channel #web/, () => action({ type: 'slack', config: { targetDisplay: '#web' } })],
    [/no webhook channel 999/, () => action({ type: 'webhook', config: { targetIdentifier: 999 } })],
    [/is not the ID of a member or team/, () => action(mail('user', 'nobody'))],
    [/is not the ID of a member or team/, () => action(mail('team', '7'))],
    [/not the owners of an issue/, () => action(mail('issue_owners'))],
    [/owner: .*(?:member|team)/, () => ({ owner: 'user:nobody' })],
    [/comparison must be/, () => ({ actionFilters: [filter({ type: 'level', comparison: { level: 'loud' } })] })],
    [/comparison must be/, () => ({ actionFilters: [filter({ type: 'tagged_event', comparison: 'plan' })] })],
    [/./, () => ({ actionFilters: [filter({ type: 'query', comparison: 'timesSeen:many' })] })],
  ])('that cannot be is refused in a sentence: %s', async (says, changes) => {
    const { status, body } = await send<{ detail: string }>('POST', workflows, workflow(changes()));
    expect([status, body.detail]).toEqual([400, expect.stringMatching(says)]);
  });

  const trigger = (...conditions: Json[]) => ({ triggers: { logicType: 'any-short', conditions } });
  const frequent = (interval: string) => ({ type: 'event_frequency_count', comparison: { value: 1, interval } });
  const filter = (...conditions: Json[]) => ({ logicType: 'all', conditions, actions: [] });
  const action = (...actions: Json[]) => ({ actionFilters: [{ logicType: 'all', conditions: [], actions }] });
  const mail = (targetType: string, targetIdentifier = '') => ({
    type: 'email',
    config: { targetType, targetIdentifier },
  });
});
