/** Webhooks over the API, to a receiver of the test that checks what Sentry's and Standard Webhooks' receivers check. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { signature } from '../../base/outbound/index.ts';
import { listEntries } from '../../domains/audit/index.ts';
import { type HttpReceiver, openHttpReceiver, type ReceivedCall } from '../../domains/notify/testing/receiver.ts';
import { createDeploy, saveRelease } from '../../domains/releases/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
let receiver: HttpReceiver;
let issueId: number;
beforeAll(async () => {
  [api, receiver] = await Promise.all([openTestApi(), openHttpReceiver()]);
  issueId = await newIssue(api.projectId);
}, 60_000);
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});
afterEach(() => {
  receiver.answer = () => ({ status: 200, body: 'ok' });
});

const url = '/api/0/organizations/acme/webhooks/';

const waitFor = (holds: () => boolean | Promise<boolean>) => vi.waitUntil(holds, { timeout: 60_000, interval: 50 });

interface Hook {
  readonly id: string;
  readonly uuid: string;
  readonly secret: string;
  readonly enabled: boolean;
  readonly problem: string;
  readonly events: string[];
}
interface Sent {
  readonly id: string;
  readonly uuid: string;
  readonly state: string;
  readonly event: string;
  readonly detail: string;
  readonly attempts: { status: number | null; answer: string }[];
}

async function call<T = Record<string, unknown>>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  at = '',
  payload?: object,
  token?: string,
): Promise<{ status: number; body: T }> {
  const answer = await api.call({ method, url: url + at, ...(payload && { payload }), ...(token && { token }) });
  return { status: answer.statusCode, body: (answer.payload ? answer.json() : undefined) as T };
}

let number = 0;
async function newIssue(projectId: number, title = 'TypeError: no cart'): Promise<number> {
  number += 1;
  const now = Date.now();
  const { id } = await api.state.db
    .insertInto('issue')
    .values({
      project_id: projectId,
      number: 1_000 + number,
      status: 'unresolved',
      substatus: 'new',
      level: 'error',
      title,
      culprit: 'total',
      platform: 'node',
      type: 'error',
      metadata: JSON.stringify({ type: 'TypeError', value: 'no cart' }),
      first_seen: now,
      last_seen: now,
      first_release: null,
      last_release: 'shop@1',
      status_changed_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const note = (type: string, issue = issueId, data: object = {}, userId: string | null = null) =>
  api.state.db
    .insertInto('issue_activity')
    .values({ issue_id: issue, type, user_id: userId, data: JSON.stringify(data), created_at: Date.now() })
    .execute();

async function addFeedback(feedbackId: string, now = Date.now()): Promise<number> {
  const { id } = await api.state.db
    .insertInto('feedback')
    .values({
      project_id: api.projectId,
      feedback_id: feedbackId,
      kind: 'feedback',
      status: 'open',
      message: 'The cart is empty',
      name: 'Kim',
      email: '',
      url: '',
      source: 'widget',
      event_id: '',
      group_hash: '',
      replay_id: '',
      trace_id: '',
      release: '',
      environment: '',
      details: '{}',
      created_at: now,
      received_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function make(events: string[], more: object = {}): Promise<Hook> {
  const { status, body } = await call<Hook>('POST', '', { name: 'hook', url: receiver.url, events, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

/** As `verifySignature` in Sentry's documentation: HMAC of the whole body, in hex. */
function isSentrys({ headers, body }: ReceivedCall, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body, 'utf8').digest('hex');
  const given = Buffer.from(String(headers['sentry-hook-signature']));
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}

/** As Standard Webhooks say, five minutes either way. */
function isStandard({ headers, body }: ReceivedCall, secret: string): boolean {
  const [id, at] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])];
  if (Math.abs(Date.now() / 1000 - at) > 300) return false;
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(signature(secret, id, at, body));
}

const callsOf = (hook: Hook): ReceivedCall[] => receiver.calls.filter(({ body }) => body.includes(hook.uuid));
const bodies = (hook: Hook) => callsOf(hook).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const deliveries = async (hook: Hook, query = ''): Promise<Sent[]> =>
  (await call<Sent[]>('GET', `${hook.id}/deliveries/${query}`)).body;

describe('webhooks', { timeout: 120_000 }, () => {
  test('what happened arrives once, signed in both ways, in the shape of the integration platform', async () => {
    const hook = await make(['issue.created', 'issue.regressed', 'comment.created']);
    expect(hook.secret).toMatch(/^whsec_/);
    await note('first_seen');
    await note('set_resolved');
    await note('set_regression');
    await api.state.db.updateTable('webhook').set({ heard_from: 0 }).execute();
    // As a project brings it that is restored.
    const longAgo = Date.now() - 2 * 86_400_000;
    const restored = {
      issue_id: issueId,
      type: 'note',
      user_id: null,
      data: '{"text":"Restored"}',
      created_at: longAgo,
    };
    await api.state.db.insertInto('issue_activity').values(restored).execute();
    await note('note', issueId, { text: 'I look into it' }, api.userId);
    await waitFor(() => callsOf(hook).length === 3);
    for (const one of callsOf(hook)) {
      expect(isSentrys(one, hook.secret)).toBe(true);
      expect(isStandard(one, hook.secret)).toBe(true);
      expect(isStandard({ ...one, body: `${one.body} ` }, hook.secret)).toBe(false);
      expect(one.headers['request-id']).toMatch(/^[0-9a-f]{32}$/);
      expect(one.headers['sentry-hook-timestamp']).toBe(one.headers['webhook-timestamp']);
    }
    expect(bodies(hook)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'created',
          installation: { uuid: hook.uuid },
          actor: { type: 'application', id: 'culprit', name: 'Culprit' },
          data: {
            issue: expect.objectContaining({
              id: String(issueId),
              title: 'TypeError: no cart',
              status: 'unresolved',
              count: '1',
              metadata: { type: 'TypeError', value: 'no cart' },
              project: expect.objectContaining({ slug: 'web', id: String(api.projectId) }),
            }),
          },
        }),
        expect.objectContaining({ action: 'unresolved', event: 'issue.regressed' }),
        expect.objectContaining({
          action: 'created',
          actor: expect.objectContaining({ type: 'user', id: api.userId }),
          data: expect.objectContaining({ comment: 'I look into it', issue_id: issueId, project_slug: 'web' }),
        }),
      ]),
    );
    const resources = callsOf(hook).map(({ headers }) => headers['sentry-hook-resource']);
    expect(resources.toSorted()).toEqual(['comment', 'issue', 'issue']);
    await waitFor(async () => (await deliveries(hook)).every(({ state }) => state === 'sent'));
    expect((await deliveries(hook))[0]?.attempts).toMatchObject([{ status: 200, answer: 'ok' }]);
    await call('DELETE', `${hook.id}/`);
  });

  test('releases, deploys, feedback and alerts', async () => {
    const hook = await make([
      'release.created',
      'release.deployed',
      'feedback.created',
      'alert.triggered',
      'alert.resolved',
    ]);
    const now = Date.now();
    const place = { organizationId: api.organizationId, version: `shop@${now}` };
    const { release } = await saveRelease(api.state, place, { projectIds: [api.projectId] }, now);
    const deploy = { environment: 'production', name: '', url: '', dateStarted: null, dateFinished: now };
    await createDeploy(api.state, release.id, deploy, now);
    await addFeedback('a'.repeat(32), now);
    const rule = async (kind: 'issue' | 'metric') =>
      api.state.db
        .insertInto('alert_rule')
        .values({
          organization_id: api.organizationId,
          kind,
          name: `rule of ${kind}`,
          enabled: 1,
          project_ids: '[]',
          environment: '',
          query: '',
          definition: '{}',
          throttle_minutes: 0,
          digest_minutes: 0,
          channel_ids: '[]',
          owner: null,
          muted_until: null,
          version: 1,
          created_by: null,
          created_at: now,
          updated_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
    const [ofIssues, ofMetric] = [await rule('issue'), await rule('metric')];
    const firing = (rule_id: number, severity: 'critical' | 'resolved', issue_id: number | null) =>
      api.state.db
        .insertInto('alert_firing')
        .values({
          organization_id: api.organizationId,
          rule_id,
          cause: `${rule_id}:${severity}`,
          issue_id,
          state: 'told',
          severity,
          at: Date.now(),
          data: JSON.stringify({ why: 'many', value: 12, threshold: 10 }),
        })
        .execute();
    await firing(ofIssues.id, 'critical', issueId);
    await firing(ofMetric.id, 'critical', null);
    await firing(ofMetric.id, 'resolved', null);
    await waitFor(() => callsOf(hook).length === 6);
    const told = callsOf(hook).map(({ headers, body }) => {
      const { action } = JSON.parse(body) as { action: string };
      return `${String(headers['sentry-hook-resource'])} ${action}`;
    });
    expect(told.toSorted()).toEqual([
      'event_alert triggered',
      'feedback created',
      'metric_alert critical',
      'metric_alert resolved',
      'release created',
      'release deployed',
    ]);
    await call('DELETE', `${hook.id}/`);
  });

  test('comments that are edited, deleted, restored; the status of feedback; releases that are archived', async () => {
    const hook = await make([
      'comment.created',
      'comment.updated',
      'comment.deleted',
      'feedback.updated',
      'release.archived',
      'release.reopened',
    ]);
    const ask = async (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object): Promise<string> => {
      const answer = await api.call({ method, url: `/api/0${path}`, ...(payload && { payload }) });
      expect(answer.statusCode, answer.payload).toBeLessThan(300);
      return answer.payload ? String(answer.json<{ id?: string }>().id) : '';
    };
    const comments = `/issues/${issueId}/comments/`;
    const id = await ask('POST', comments, { text: 'I look into it' });
    // Told as it was, before it is another one.
    await waitFor(() => callsOf(hook).length === 1);
    await ask('PUT', `${comments}${id}/`, { text: 'It is the cache' });
    await waitFor(() => callsOf(hook).length === 2);
    await ask('DELETE', `${comments}${id}/`);
    await waitFor(() => callsOf(hook).length === 3);
    await ask('POST', `${comments}${id}/restore/`);
    const feedback = String(await addFeedback('b'.repeat(32)));
    for (const status of ['resolved', 'spam', 'spam']) {
      await ask('PUT', '/organizations/acme/feedback/', { ids: [feedback], status });
    }
    const version = `shop@${Date.now()}.archived`;
    await ask('POST', '/organizations/acme/releases/', { version, projects: ['web'] });
    for (const status of ['archived', 'archived', 'open']) {
      await ask('PUT', `/organizations/acme/releases/${version}/`, { status });
    }
    await waitFor(() => callsOf(hook).length >= 8);
    const told = callsOf(hook).map(({ headers, body }) => {
      const { action, event, data, actor } = JSON.parse(body) as {
        action: string;
        event: string;
        actor: { type: string; id: string };
        data: { comment?: string; comment_id?: number; feedback?: { status: string }; release?: { version: string } };
      };
      expect(actor).toMatchObject({ type: 'user', id: api.userId });
      const what = data.comment ?? data.feedback?.status ?? data.release?.version;
      if (data.comment !== undefined) expect(String(data.comment_id)).toBe(id);
      return `${String(headers['sentry-hook-resource'])} ${event} ${action} ${what}`;
    });
    expect(told.slice(0, 3)).toEqual([
      'comment comment.created created I look into it',
      'comment comment.updated updated It is the cache',
      'comment comment.deleted deleted It is the cache',
    ]);
    expect(told.slice(3).toSorted()).toEqual([
      'comment comment.created created It is the cache',
      'feedback feedback.updated updated resolved',
      'feedback feedback.updated updated spam',
      `release release.archived archived ${version}`,
      `release release.reopened reopened ${version}`,
    ]);
    await call('DELETE', `${hook.id}/`);
  });

  test('one that is of some projects hears of no other, and none hears of other organisations', async () => {
    const other = await api.state.db
      .selectFrom('project')
      .select('id')
      .where('id', '!=', api.projectId)
      .executeTakeFirst();
    const hook = await make(['issue.resolved'], { projects: ['web'] });
    if (other) await note('set_resolved', await newIssue(other.id));
    await note('set_resolved');
    await waitFor(() => callsOf(hook).length > 0);
    expect(bodies(hook)).toHaveLength(1);
    await call('DELETE', `${hook.id}/`);
  });

  test('what was not taken comes again under its id; both replays; gone disables', async () => {
    receiver.answer = () => ({ status: 301, headers: { location: 'http://127.0.0.1:1/' } });
    const hook = await make(['issue.assigned']);
    await note('assigned');
    await note('assigned');
    await waitFor(async () => (await deliveries(hook, '?state=failed')).length === 2);
    const [last, first] = await deliveries(hook);
    expect(last?.detail).toContain('redirect');
    receiver.answer = () => ({ status: 200 });
    expect((await call('POST', `${hook.id}/deliveries/${last?.id}/replay/`)).status).toBe(202);
    await waitFor(async () => (await deliveries(hook, '?state=sent')).length === 1);
    const ids = callsOf(hook).map(({ headers }) => headers['webhook-id']);
    expect(ids.filter((id) => id === last?.uuid)).toHaveLength(2);
    expect(await call('POST', `${hook.id}/replay/`)).toMatchObject({ status: 202, body: { count: 1 } });
    await waitFor(async () => (await deliveries(hook, '?state=sent')).length === 2);
    receiver.answer = () => ({ status: 410 });
    await call('POST', `${hook.id}/deliveries/${first?.id}/replay/`);
    const find = async () => (await call<Hook[]>('GET')).body.find(({ id }) => id === hook.id);
    await waitFor(async () => (await find())?.enabled === false);
    const mails = await api.state.db
      .selectFrom('delivery')
      .select('notification')
      .where('kind', '=', 'webhook')
      .execute();
    expect(mails.length).toBeGreaterThan(0);
    expect(mails[0]?.notification).toContain('Webhook hook was disabled');
    await call('DELETE', `${hook.id}/`);
  });

  test('a new secret signs, the former beside it; a test is sent at once', async () => {
    const hook = await make(['issue.archived']);
    const { secret } = (await call<{ secret: string }>('POST', `${hook.id}/secret/`)).body;
    expect(secret).not.toBe(hook.secret);
    expect((await call('POST', `${hook.id}/test/`)).body).toMatchObject({ status: 200, problem: '' });
    const [one] = callsOf(hook);
    if (!one) throw new Error('no call');
    expect([isSentrys(one, secret), isSentrys(one, hook.secret)]).toEqual([true, false]);
    expect([isStandard(one, secret), isStandard(one, hook.secret)]).toEqual([true, true]);
    const listed = JSON.stringify((await call('GET')).body);
    expect(listed).not.toContain(secret);
    const rows = await api.state.db.selectFrom('webhook').select(['secret', 'former_secret']).execute();
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 20));
    await call('DELETE', `${hook.id}/`);
  });

  test.each([
    ['ftp://127.0.0.1/', 400],
    ['http://user:word@127.0.0.1/', 400],
    ['', 400],
    ['javascript:alert(1)', 400],
  ])('%s is refused', async (address, status) => {
    expect((await call('POST', '', { name: 'x', url: address, events: ['issue.created'] })).status).toBe(status);
  });

  test('an address inside is not called', async () => {
    const hook = await make(['issue.merged'], { url: 'http://169.254.169.254/latest/meta-data' });
    const { body } = await call('POST', `${hook.id}/test/`);
    expect(body).toMatchObject({ status: null, problem: expect.stringContaining('169.254.169.254') });
    await call('DELETE', `${hook.id}/`);
  });

  test('without org:write nobody reads or changes them, and the audit log tells without the address', async () => {
    const reader = await api.makeToken('org:read');
    expect((await call('GET', '', undefined, reader)).status).toBe(403);
    const hook = await make(['issue.created'], { url: `${receiver.url}/?token=hidden-word` });
    expect((await call('DELETE', `${hook.id}/`, undefined, reader)).status).toBe(403);
    expect((await call('PUT', `${hook.id}/`, { name: 'other', enabled: false })).status).toBe(200);
    expect((await call('DELETE', `${hook.id}/`)).status).toBe(204);
    expect((await call('DELETE', `${hook.id}/`)).status).toBe(404);
    expect((await call('POST', '', { name: 'x', url: receiver.url, events: ['issue.x'] })).status).toBe(400);
    expect((await call('POST', '', { name: 'x', url: receiver.url, events: [] })).status).toBe(400);
    const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 5 });
    const told = JSON.stringify(entries);
    expect(told).toContain('webhook.update');
    expect(told).not.toContain('hidden-word');
  });
});
