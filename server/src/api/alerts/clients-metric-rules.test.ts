/** Metric rules as Sentry's clients send them: what is read of it, what comes back, and what is refused. */
import { describe, expect, test } from 'vitest';
import { detectors, type Json, openRuleClient, org } from './testing.ts';

const client = openRuleClient();
const { send, stored, workflow, made, metric, newMetric } = client;

describe('a metric rule', () => {
  test('is stored as it was sent, and read as that', async () => {
    const { status, body } = await newMetric(metric({ owner: `user:${client.api.userId}` }));
    expect(status, JSON.stringify(body)).toBe(201);
    expect(await stored(body.id)).toMatchObject({
      kind: 'metric',
      name: 'Slow checkouts',
      projectIds: [client.api.projectId],
      environment: 'production',
      query: 'is_transaction:true',
      channelIds: [Number(client.channels.hook)],
      owner: `user:${client.api.userId}`,
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
      channelIds: [client.channels.hook],
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
    expect((await stored(body.id)).channelIds).toEqual([Number(client.channels.hook)]);
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
