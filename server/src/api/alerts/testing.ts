/** Alert rules in an organisation that has two channels, as Sentry's clients send them. For tests. */
import { afterAll, beforeAll, expect } from 'vitest';
import { findRule, type Rule } from '../../domains/alerts/index.ts';
import { openTestApi, owner, type TestApi } from '../testing.ts';

export type Json = Record<string, unknown>;

export const org = '/api/0/organizations/acme';
export const workflows = `${org}/workflows/`;
export const detectors = `${org}/detectors/`;

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

type Sent = Json & { id: string };

export interface RuleClient {
  readonly api: TestApi;
  readonly channels: { readonly hook: string; readonly mail: string };
  send<T = Json>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object): Promise<Answer<T>>;
  stored(id: string): Promise<Rule>;
  /** An issue rule as the CLI `sentry` sends it. */
  workflow(changes?: Json): Json;
  made(body: Json): Promise<Sent>;
  /** A metric rule as the CLI sends it: thresholds with actions of an older kind. */
  metric(changes?: Json): Json;
  newMetric(body: Json): Promise<Answer<Sent>>;
}

/** For the file that calls it. */
export function openRuleClient(): RuleClient {
  let api: TestApi;
  let channels: RuleClient['channels'];

  beforeAll(async () => {
    api = await openTestApi();
    const add = async (body: object) => (await send<{ id: string }>('POST', `${org}/channels/`, body)).body.id;
    const config = { url: 'http://127.0.0.1:9/hook', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` };
    channels = {
      hook: await add({ type: 'webhook', name: 'Deploy bot', config, enabled: false }),
      mail: await add({ type: 'email', name: 'Owner', config: { to: [owner.email] }, enabled: false }),
    };
  }, 60_000);
  afterAll(() => api?.[Symbol.asyncDispose]());

  const send: RuleClient['send'] = async <T>(...[method, url, payload]: Parameters<RuleClient['send']>) => {
    const answer = await api.call({ method, url, ...(payload && { payload }) });
    return { status: answer.statusCode, body: (answer.body === '' ? {} : answer.json()) as T };
  };
  const stored = async (id: string): Promise<Rule> => {
    const rule = await findRule(api.state, api.organizationId, Number(id));
    if (!rule) throw new Error(`no rule ${id}`);
    return rule;
  };
  const hook = () => ({ type: 'webhook', data: {}, config: { targetIdentifier: channels.hook } });
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
  const made = async (body: Json): Promise<Sent> => {
    const answer = await send<Sent>('POST', workflows, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };
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
  const newMetric = (body: Json) => send<Sent>('POST', `${org}/projects/web/detectors/`, body);
  return {
    get api() {
      return api;
    },
    get channels() {
      return channels;
    },
    send,
    stored,
    workflow,
    made,
    metric,
    newMetric,
  };
}
