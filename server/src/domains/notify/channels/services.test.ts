/**
 * Teams, Discord, PagerDuty and Opsgenie over HTTP: the test's own receivers check and answer as the documents say, also
 * with each refusal.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { parseAllowList } from '../../../base/outbound/index.ts';
import type { Channel } from '../channel-store.ts';
import { sendJob } from '../send.ts';
import { notification } from '../testing/people.ts';
import { type HttpAnswer, type HttpReceiver, openHttpReceiver } from '../testing/receiver.ts';
import { answerAsDiscord, answerAsTeams, opsgenieAccount, pagerdutyService } from '../testing/services.ts';
import { testVault } from '../testing/vault.ts';
import type { ChannelType, Notification } from '../types.ts';

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await openHttpReceiver();
});
afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]();
});
afterEach(() => {
  receiver.calls.length = 0;
});

const tools = {
  mailer: undefined,
  allow: parseAllowList('127.0.0.1'),
  vault: testVault,
  consoleUrl: 'https://culprit.test',
};

function send(type: ChannelType, config: Channel['config'], one: Notification) {
  const channel: Channel = {
    id: 1,
    organizationId: 'acme',
    type,
    name: type,
    enabled: true,
    config,
    quietHours: null,
    createdAt: 0,
    failingSince: null,
    problem: '',
    lastSentAt: null,
    health: 'unused',
  };
  const job = { key: 'alert:1', to: { kind: 'channel', channel } as const, notifications: [one] as const };
  return sendJob(job, tools, async () => {});
}

const url = 'https://culprit.test/issues/WEB-1';
const alarm = (more: Partial<Notification> = {}) => notification({ url, ...more });
/** Of three bytes a letter, of two units a letter, and with what has no letter at all. */
const long = ['漢'.repeat(5_000), '🛒'.repeat(3_000), `a\0\ud800${'"\\'.repeat(4_000)}`].map((text) =>
  alarm({
    title: text,
    text,
    groupKey: `g${text}`,
    issue: { ...notification().issue!, title: text, culprit: text, release: text, environment: text },
    fields: Array.from({ length: 40 }, (_, n) => ({ name: `${n} ${text}`, value: text })),
    sections: Array.from({ length: 20 }, () => ({
      heading: text,
      lines: Array.from({ length: 40 }, () => ({ title: text, url, text })),
    })),
    rule: { id: 1, name: text, url },
  }),
);

const key = 'k'.repeat(32);
const kinds: readonly (readonly [ChannelType, () => Channel['config'], () => (typeof receiver)['answer']])[] = [
  ['teams', () => ({ url: `${receiver.url}/workflows/1/invoke?sig=signature` }), () => answerAsTeams],
  ['discord', () => ({ url: `${receiver.url}/api/webhooks/1/token?thread_id=7` }), () => answerAsDiscord],
  ['pagerduty', () => ({ key, apiUrl: receiver.url }), () => pagerdutyService(key).answer],
  ['opsgenie', () => ({ key: 'genie', apiUrl: receiver.url }), () => opsgenieAccount('genie').answer],
];

describe.each(kinds)('%s', (type, config, service) => {
  test('takes what is sent, however long and in whatever letters', async () => {
    receiver.answer = service();
    const all = [alarm(), alarm({ text: '', fields: [] }), alarm({ severity: 'resolved' }), ...long];
    for (const one of all) expect(await send(type, config(), one)).toMatchObject({ outcome: 'sent' });
    for (const { body } of receiver.calls) expect(body.isWellFormed()).toBe(true);
  });

  test.each([
    [400, 'failed'],
    [401, 'failed'],
    [403, 'failed'],
    [404, 'failed'],
    [413, 'failed'],
    [429, 'retry'],
    [500, 'retry'],
    [502, 'retry'],
    [503, 'retry'],
  ])('%i: %s', async (status, outcome) => {
    receiver.answer = (): HttpAnswer => ({ status, body: '<html>', headers: { 'retry-after': '90' } });
    const result = await send(type, config(), alarm());
    expect(result).toMatchObject({ outcome, status, why: `the receiver responded with ${status}` });
    expect(result.afterMs).toBe(outcome === 'retry' ? 90_000 : undefined);
  });
});

describe('what a service says of a refusal is shown', () => {
  test.each([
    ['teams', '/gone', 404, 'The workflow could not be found.'],
    ['teams', '/workflows/1', 401, 'The request must be authenticated only by Shared Access scheme.'],
    ['discord', '/api/webhooks/2/token', 404, 'Unknown Webhook'],
  ] as const)('%s%s', async (type, path, status, words) => {
    receiver.answer = type === 'teams' ? answerAsTeams : answerAsDiscord;
    const result = await send(type, { url: receiver.url + path }, alarm());
    expect(result).toMatchObject({ outcome: 'failed', status });
    expect(result.why).toContain(`the receiver responded with ${status}: ${words}`);
  });

  test('PagerDuty', async () => {
    receiver.answer = pagerdutyService(key).answer;
    expect((await send('pagerduty', { key: 'short', apiUrl: receiver.url }, alarm())).why).toBe(
      'the receiver responded with 400: Event object is invalid: ' +
        "Length of 'routing_key' is incorrect (should be 32 characters)",
    );
  });

  test('Opsgenie, without the key', async () => {
    receiver.answer = opsgenieAccount('another').answer;
    expect((await send('opsgenie', { key: 'genie', apiUrl: receiver.url }, alarm())).why).toBe(
      'the receiver responded with 401: Could not authenticate',
    );
    receiver.answer = () => ({
      status: 422,
      body: JSON.stringify({ message: 'no genie here', errors: { a: 'genie' } }),
    });
    const { why, answer } = await send('opsgenie', { key: 'genie', apiUrl: receiver.url }, alarm());
    expect(why + answer).not.toContain('genie');
  });
});

describe('how long to wait is said in other ways than Retry-After', () => {
  const wait = async (type: ChannelType, answer: HttpAnswer): Promise<number | undefined> => {
    receiver.answer = () => answer;
    const config = kinds.find(([one]) => one === type)?.[1]() ?? {};
    const result = await send(type, config, alarm());
    expect(result.outcome).toBe('retry');
    return result.afterMs;
  };

  test('Discord: in the body, in parts of a second', async () => {
    const body = JSON.stringify({ message: 'You are being rate limited.', retry_after: 64.57, global: false });
    expect(await wait('discord', { status: 429, body })).toBe(64_570);
  });

  test('PagerDuty: some minutes, by the documents alone', async () => {
    expect(await wait('pagerduty', { status: 429 })).toBe(120_000);
  });

  test('Opsgenie: the period of the limit', async () => {
    const headers = { 'x-ratelimit-state': 'THROTTLED', 'x-ratelimit-period-in-sec': '60' };
    expect(await wait('opsgenie', { status: 429, headers })).toBe(60_000);
    expect(await wait('opsgenie', { status: 429 })).toBeUndefined();
  });
});

describe.each([
  ['pagerduty', pagerdutyService, key],
  ['opsgenie', opsgenieAccount, 'genie'],
] as const)('%s keeps an alert open', (type, open, secret) => {
  test('until the matter is over: repeats are the same one, others stay, and what nobody opened closes nothing', async () => {
    const service = open(secret);
    receiver.answer = service.answer;
    const config = { key: secret, apiUrl: receiver.url };
    const say = (groupKey: string, severity: Notification['severity'], title = 'New issue') =>
      send(type, config, alarm({ groupKey, severity, title }));
    const matter = `rule:3:issue:12/ä ${'x'.repeat(600)}`;
    await say(matter, 'resolved');
    expect(service.open.size).toBe(0);
    await say(matter, 'critical');
    await say(matter, 'warning', 'Again');
    await say('quota:7', 'warning');
    expect(service.open.size).toBe(2);
    await say(matter, 'resolved');
    expect([...service.open.keys()]).toEqual(['culprit:quota:7']);
    await say('quota:7', 'resolved');
    expect(service.open.size).toBe(0);
  });
});

test('Opsgenie in Europe and Jira Service Management have addresses of their own', async () => {
  receiver.answer = (call) =>
    opsgenieAccount('genie').answer({ ...call, path: call.path.replace('/jsm/ops/integration', '') });
  const config = { key: 'genie', apiUrl: `${receiver.url}/jsm/ops/integration/` };
  expect(await send('opsgenie', config, alarm())).toMatchObject({ outcome: 'sent' });
  expect(await send('opsgenie', config, alarm({ severity: 'resolved' }))).toMatchObject({ outcome: 'sent' });
  expect(receiver.calls.map(({ path }) => path)).toEqual([
    '/jsm/ops/integration/v2/alerts',
    '/jsm/ops/integration/v2/alerts/culprit%3Aissue%3A1/close?identifierType=alias',
  ]);
});
