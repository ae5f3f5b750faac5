/** Alert rules as Sentry's clients send them: what is read of it, what comes back, and what is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRule, type Rule } from '../../domains/alerts/index.ts';
import { openTestApi, owner, type TestApi } from '../testing.ts';

type Json = Record<string, unknown>;

let api: TestApi;
let channels: { readonly hook: string; readonly mail: string };
const org = '/api/0/organizations/acme';
const workflows = `${org}/workflows/`;
const detectors = `${org}/detectors/`;

beforeAll(async () => {
  api = await openTestApi();
  const made = async (body: object) => (await send<{ id: string }>('POST', `${org}/channels/`, body)).body.id;
  const config = { url: 'http://127.0.0.1:9/hook', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` };
  channels = {
    hook: await made({ type: 'webhook', name: 'Deploy bot', config, enabled: false }),
    mail: await made({ type: 'email', name: 'Owner', config: { to: [owner.email] }, enabled: false }),
  };
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

async function send<T = Json>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const answer = await api.call({ method, url, ...(payload && { payload }) });
  return { status: answer.statusCode, body: (answer.body === '' ? {} : answer.json()) as T };
}

const stored = async (id: string): Promise<Rule> => {
  const rule = await findRule(api.state, api.organizationId, Number(id));
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
};

const hook = () => ({ type: 'webhook', data: {}, config: { targetIdentifier: channels.hook } });

/** As the CLI `sentry` sends it. */
const workflow = (changes: Json = {}): Json => ({
  name: 'New and frequent',
  detectorIds: [api.projectId],
  config: { frequency: 45 },
  environment: 'production',
  owner: `user:${api.userId}`,
  triggers: {
    logicType: 'any-short',
    conditions: [
      { type: 'first_seen_event', comparison: true, conditionResult: true },
      { type: 'event_frequency_count', comparison: { value: 12, interval: '1hr' }, conditionResult: true },
    ],
  },
  actionFilters: [
    {
      logicType: 'all',
      conditions: [{ type: 'level', comparison: { level: 40, match: 'gte' }, conditionResult: true }],
      actions: [hook()],
    },
  ],
  ...changes,
});

const made = async (body: Json): Promise<Json & { id: string }> => {
  const answer = await send<Json & { id: string }>('POST', workflows, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};

describe('an issue rule', () => {
  test('is stored as it was sent, and read as that', async () => {
    const { id, ...shown } = await made(workflow());
    expect(await stored(id)).toMatchObject({
      kind: 'issue',
      name: 'New and frequent',
      enabled: true,
      projectIds: [api.projectId],
      environment: 'production',
      query: 'level:[error, fatal]',
      throttleMinutes: 45,
      channelIds: [Number(channels.hook)],
      owner: `user:${api.userId}`,
      createdBy: api.userId,
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
      detectorIds: [String(api.projectId)],
      owner: { type: 'user', id: api.userId },
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
          actions: [{ type: 'webhook', config: { targetIdentifier: channels.hook, targetDisplay: 'Deploy bot' } }],
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
        channelIds: [channels.hook, channels.mail],
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
    const mail = { type: 'email', config: { targetType: 'user', targetIdentifier: api.userId } };
    expect(await put({ actionFilters: [{ logicType: 'all', conditions: [], actions: [mail] }] })).toMatchObject({
      query: '',
      channelIds: [Number(channels.mail)],
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

/** As the CLI sends it: thresholds with actions of an older kind. */
const metric = (changes: Json = {}): Json => ({
  name: 'Slow checkouts',
  type: 'metric_issue',
  dataSources: [
    {
      aggregate: 'p95(span.duration)',
      dataset: 'spans',
      query: 'is_transaction:true',
      queryType: 1,
      eventTypes: ['trace_item_span'],
      timeWindow: 300,
      environment: 'production',
    },
  ],
  config: { detectionType: 'static' },
  conditionGroup: { logicType: 'any', conditions: [{ alertThreshold: 500, actions: [hook()] }] },
  ...changes,
});

const newMetric = (body: Json) => send<Json & { id: string }>('POST', `${org}/projects/web/detectors/`, body);

describe('a metric rule', () => {
  test('is stored as it was sent, and read as that', async () => {
    const { status, body } = await newMetric(metric({ owner: `user:${api.userId}` }));
    expect(status, JSON.stringify(body)).toBe(201);
    expect(await stored(body.id)).toMatchObject({
      kind: 'metric',
      name: 'Slow checkouts',
      projectIds: [api.projectId],
      environment: 'production',
      query: 'is_transaction:true',
      channelIds: [Number(channels.hook)],
      owner: `user:${api.userId}`,
      metric: {
        dataset: 'spans',
        aggregate: 'p95(span.duration)',
        minutes: 5,
        comparison: { type: 'static' },
        direction: 'above',
        critical: 500,
        warning: null,
        resolve: null,
      },
    });
    expect(body).toMatchObject({
      type: 'metric_issue',
      enabled: true,
      projectSlug: 'web',
      dataSources: [{ queryObj: { snubaQuery: { dataset: 'spans', timeWindow: 300, environment: 'production' } } }],
      conditionGroup: {
        conditions: [{ type: 'gt', comparison: 500, conditionResult: 75, actions: [{ type: 'webhook' }] }],
      },
      config: { detectionType: 'static', comparisonDelta: null },
    });
  });

  test.each<[kind: string, metric: Json]>([
    ['static', { comparison: { type: 'static' }, direction: 'below', warning: 8, critical: 5, resolve: 9 }],
    [
      'change',
      { comparison: { type: 'change', against: 'week' }, direction: 'above', warning: 50, critical: 90, resolve: 20 },
    ],
    [
      'anomaly',
      {
        comparison: { type: 'anomaly', sensitivity: 'high' },
        direction: 'both',
        warning: null,
        critical: null,
        resolve: null,
      },
    ],
  ])('that is sent back as it was read stays as it was: %s', async (_, settings) => {
    const { body } = await send<{ id: string }>('POST', `${org}/alert-rules/`, {
      kind: 'metric',
      name: 'Errors',
      environment: 'staging',
      query: 'level:error',
      channelIds: [channels.hook],
      metric: { dataset: 'errors', aggregate: 'count()', minutes: 30, noData: 'keep', ...settings },
    });
    const before = await stored(body.id);
    const { body: read } = await send('GET', `${detectors}${body.id}/`);
    const answer = await send('PUT', `${detectors}${body.id}/`, read);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await stored(body.id)).toEqual({ ...before, updatedAt: expect.any(Number) as unknown });
  });

  test('keeps its thresholds and what they compare where only the rest is sent', async () => {
    const { body } = await send<{ id: string }>('POST', `${org}/alert-rules/`, {
      kind: 'metric',
      name: 'Unusual',
      metric: {
        dataset: 'errors',
        aggregate: 'count()',
        minutes: 60,
        comparison: { type: 'anomaly', sensitivity: 'low' },
        direction: 'above',
        warning: null,
        critical: null,
        resolve: null,
        noData: 'ok',
      },
    });
    // What the CLI sends for a new name.
    const sent = { name: 'Unusual count', type: 'metric_issue', config: { detectionType: 'static' }, enabled: false };
    const sources = [{ aggregate: 'count()', dataset: 'errors', query: '', queryType: 0, timeWindow: 3600 }];
    const answer = await send('PUT', `${detectors}${body.id}/`, { ...sent, dataSources: sources, owner: null });
    expect(answer).toMatchObject({ status: 200, body: { name: 'Unusual count', enabled: false, status: 1 } });
    expect(await stored(body.id)).toMatchObject({ metric: { comparison: { type: 'anomaly', sensitivity: 'low' } } });
  });

  test('of shares of sessions, as older clients write them', async () => {
    const sources = (aggregate: string) => [{ aggregate, dataset: 'metrics', query: '', timeWindow: 3600 }];
    const below = { conditions: [{ type: 'lt', comparison: 99, conditionResult: 75 }] };
    const { body } = await newMetric(
      metric({
        dataSources: sources('percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate'),
        conditionGroup: below,
      }),
    );
    expect(await stored(body.id)).toMatchObject({
      metric: { dataset: 'sessions', aggregate: 'crash_free_rate(session)', direction: 'below', critical: 99 },
    });
  });

  test.each<[says: RegExp, changes: () => Json]>([
    [/needs one data source/, () => ({ dataSources: [] })],
    [/timeWindow must be between/, () => source({ timeWindow: 86_401 })],
    [/no dataset replays/, () => source({ dataset: 'replays' })],
    [/no dataset constructor/, () => source({ dataset: 'constructor' })],
    [/./, () => source({ aggregate: 'p95(' })],
    [/./, () => source({ query: 'span.duration:long' })],
    [/all thresholds must be above, or all below/, () => thresholds(['gt', 5, 75], ['lt', 1, 50])],
    [/conditionResult must be 75/, () => thresholds(['gt', 5, 10])],
    [/warning or critical is required/, () => thresholds()],
    [/needs a threshold/, () => ({ conditionGroup: { conditions: [{ type: 'gt' }] } })],
    [/comparisonDelta must be/, () => ({ config: { detectionType: 'percent', comparisonDelta: 7 } })],
    [/cannot be created or changed/, () => ({ type: 'uptime_domain_failure' })],
    [/workflowIds: 999 is not the ID of an issue rule/, () => ({ workflowIds: [999], conditionGroup: noActions })],
  ])('that cannot be is refused in a sentence: %s', async (says, changes) => {
    const { status, body } = await newMetric(metric(changes()));
    expect([status, body['detail']]).toEqual([400, expect.stringMatching(says)]);
  });

  const noActions = { conditions: [{ alertThreshold: 500 }] };

  test('tells through issue rules, as newer clients connect them', async () => {
    const { id: workflowId } = await made(workflow({ name: 'Told through' }));
    const { body } = await newMetric(metric({ workflowIds: [Number(workflowId)], conditionGroup: noActions }));
    expect(body['workflowIds']).toContain(workflowId);
    expect((await stored(body.id)).channelIds).toEqual([Number(channels.hook)]);
    await send('PUT', `${detectors}${body.id}/`, { workflowIds: [] });
    expect((await stored(body.id)).channelIds).toEqual([]);
  });

  test('with a warning, it resolves below that where the client means the critical threshold', async () => {
    const conditions = [
      { type: 'gt', comparison: 500, conditionResult: 75 },
      { type: 'gt', comparison: 200, conditionResult: 50 },
      { type: 'lte', comparison: 500, conditionResult: 0 },
    ];
    const { status, body } = await newMetric(metric({ conditionGroup: { conditions } }));
    expect(status, JSON.stringify(body)).toBe(201);
    expect(await stored(body.id)).toMatchObject({ metric: { critical: 500, warning: 200, resolve: 200 } });
  });

  const source = (changes: Json) => {
    const [first = {}] = metric()['dataSources'] as Json[];
    return { dataSources: [{ ...first, ...changes }] };
  };
  const thresholds = (...all: [type: string, comparison: number, conditionResult: number][]) => ({
    conditionGroup: {
      conditions: all.map(([type, comparison, conditionResult]) => ({ type, comparison, conditionResult })),
    },
  });
});

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
    { type: 'webhook', handlerGroup: 'notification', integrations: [{ id: channels.hook, name: 'Deploy bot' }] },
  ]);
  const { id } = await made(workflow());
  expect((await send('GET', `${workflows}${id}/project-scope/`)).body).toEqual({
    projectIds: [String(api.projectId)],
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
  const person = { email: 'member@example.com', password: 'a long enough phrase', organizationId: api.organizationId };
  await api.accounts.createUser(person);
  const cookie = (await api.accounts.signIn(person))?.map((one) => one.split(';', 1)[0]).join('; ') ?? '';
  const asMember = async (method: 'PUT' | 'DELETE', url: string, payload?: object) => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    return (await api.call({ method, url, token: '', headers, ...(payload && { payload }) })).json<Json>();
  };
  expect(await asMember('PUT', `${workflows}${id}/`, { name: 'x' })).toMatchObject({ code: 'RULE_NOT_YOURS' });
  expect(await asMember('DELETE', `${workflows}${id}/`)).toMatchObject({ code: 'RULE_NOT_YOURS' });
  expect(await asMember('DELETE', `${workflows}?id=${id}`)).toMatchObject({ code: 'RULE_NOT_YOURS' });
  const token = await api.makeToken('event:read', 'project:write');
  const refused = await api.call({ method: 'DELETE', url: `${workflows}${id}/`, token });
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
  expect(api.errors).toEqual([]);
});
