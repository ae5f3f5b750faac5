/** Scrubbing rules over the API: who may, what is refused and where, what applies, and what a preview shows. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEntries } from '../../domains/audit/index.ts';
import { createProjectSettings } from '../../domains/projects/index.ts';
import { sendEvents } from '../../domains/regroup/testing/send.ts';
import { hasOwnRules } from '../../process/steps/scrub/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const org = '/api/0/organizations/acme/scrubbing/';
const project = '/api/0/projects/acme/web/scrubbing/';
const rulesOf = (applications: object, rules: object = {}) => JSON.stringify({ rules, applications }, null, 2);

async function call(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) {
  const answer = await api.call({ method, url, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json<Record<string, never>>() };
}

/** As processing has them, read anew. */
const settings = async () =>
  (await createProjectSettings({ state: api.state, pseudonymKey: '0a' }).lookup(api.projectId)) ?? expect.fail();

describe('rules', () => {
  test('are none at first, and cost nothing', async () => {
    expect((await call('GET', project)).body).toEqual({
      rules: '',
      organization: { rules: '', removeIpAddresses: false, pseudonymizeUsers: false },
    });
    expect(hasOwnRules(await settings())).toBe(false);
  });

  test('that cannot be read are refused by line and column', async () => {
    const rules = '{\n  "applications": {"$strin": ["@ip"]}\n}';
    for (const url of [project, org]) {
      expect(await call('PUT', url, { rules })).toMatchObject({
        status: 400,
        body: { code: 'RULES_INVALID', ruleProblems: [{ field: 'rules', line: 2, column: 21, endColumn: 27 }] },
      });
    }
  });

  test('of the organisation and the project apply together, and are told without what they say', async () => {
    const ours = rulesOf({ $string: ['@email:hash'] });
    const theirs = rulesOf({ $string: ['secret'] }, { secret: { type: 'pattern', pattern: 's3cr3t' } });
    expect((await call('PUT', org, { rules: theirs, removeIpAddresses: true })).status).toBe(200);
    expect(await call('PUT', project, { rules: ours })).toMatchObject({
      status: 200,
      body: { rules: ours, organization: { rules: theirs, removeIpAddresses: true, pseudonymizeUsers: false } },
    });
    expect(await settings()).toMatchObject({
      scrubRules: ours,
      organizationRules: theirs,
      storeIpAddresses: false,
      pseudonymKey: expect.stringMatching(/^[\da-f]{64}$/),
    });
    const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 2 });
    expect(entries.map(({ action }) => action)).toEqual(['project.update', 'organization.update']);
    expect(JSON.stringify(entries)).toContain('scrubRules');
    expect(JSON.stringify(entries)).not.toContain('s3cr3t');
    // Who only reads a project is not told the keys of hashes.
    expect(JSON.stringify((await call('GET', '/api/0/projects/acme/web/')).body)).not.toContain('@email:hash');
  });

  test('are the same object while nothing changes', async () => {
    const known = createProjectSettings({ state: api.state, pseudonymKey: '0a' });
    const first = await known.lookup(api.projectId);
    known.invalidate();
    expect(await known.lookup(api.projectId)).toBe(first);
  });
});

describe('a preview', () => {
  beforeAll(async () => {
    await call('PUT', org, { rules: '', removeIpAddresses: false });
    await call('PUT', project, { rules: '' });
    const event = (message: string) => ({ message, extra: { customer: 'Ann', note: 'x' }, user: { id: '7' } });
    await sendEvents(api, api.projectId, [event('order 1 of ann'), event('order 2 of joe')], {
      settings: await settings(),
    });
  });
  const preview = (rules: string, more = {}) => call('POST', `${project}preview/`, { rules, ...more });

  test('shows before and after of what would change, and changes nothing', async () => {
    const rules = rulesOf(
      { 'extra.customer': ['@anything:mask'], $message: ['who'] },
      {
        who: { type: 'pattern', pattern: 'of (\\w+)', replaceGroups: [1], redaction: { method: 'replace', text: '?' } },
      },
    );
    const { status, body } = await preview(rules);
    expect(status).toBe(200);
    expect(body).toMatchObject({ problems: [], examined: 2, loosened: [] });
    expect(body).toMatchObject({
      events: expect.arrayContaining([
        expect.objectContaining({
          changes: expect.arrayContaining([
            { path: 'extra.customer', rules: ['@anything:mask'], before: 'Ann', after: '***' },
            { path: 'logentry.formatted', rules: ['project:who'], before: 'order 1 of ann', after: 'order 1 of ?' },
          ]),
        }),
      ]),
    });
    expect((await preview(rules)).body).toMatchObject({ events: body['events'] });
  });

  test('shows what rules would change in spans and logs', async () => {
    const seconds = Date.now() / 1000;
    const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'http.server' };
    const transaction = {
      transaction: 'GET /cart',
      platform: 'node',
      start_timestamp: seconds - 1,
      timestamp: seconds,
      contexts: { trace: { ...trace, data: { 'cart.owner': 'Ann', 'cart.size': 3 } } },
    };
    const attributes = { owner: { value: 'Bob', type: 'string' } };
    const log = { timestamp: seconds, level: 'info', body: 'cart of Bob', trace_id: trace.trace_id, attributes };
    await sendEvents(api, api.projectId, [transaction], { type: 'transaction' });
    await sendEvents(api, api.projectId, [{ items: [log] }], { type: 'log' });
    const rules = rulesOf({ "$span.data.'cart.owner'": ['@anything:mask'], '$log.attributes.owner': ['@anything'] });
    const { body } = await preview(rules);
    expect(body).toMatchObject({
      problems: [],
      examinedSpans: 1,
      spans: [
        {
          spanId: trace.span_id,
          traceId: trace.trace_id,
          changes: [{ path: 'data.cart.owner', rules: ['@anything:mask'], before: 'Ann', after: '***' }],
        },
      ],
      examinedLogs: 1,
      logs: [{ title: 'cart of Bob', changes: [{ path: 'attributes.owner', before: 'Bob' }] }],
    });
  });

  test('says where rules cannot be read', async () => {
    expect((await preview('{"applications": {"**": ["@nothing"]}}')).body).toMatchObject({
      problems: [{ line: 1, column: 26 }],
      examined: 0,
    });
  });

  test('does not show what is gone, and says that looser rules hold for new events', async () => {
    const strict = rulesOf({ 'extra.customer': ['@anything:remove'] });
    await call('PUT', project, { rules: strict });
    await sendEvents(api, api.projectId, [{ message: 'third', extra: { customer: 'Zoe' } }], {
      settings: await settings(),
    });
    expect(JSON.stringify((await preview(strict)).body)).not.toContain('third');
    const looser = await preview(rulesOf({ 'extra.note': ['@anything:remove'] }));
    expect(looser.body).toMatchObject({ loosened: ['extra.customer: @anything:remove'], examined: 3 });
    expect(JSON.stringify(looser.body)).not.toContain('Zoe');
  });

  test('of pseudonyms shows users as they would be', async () => {
    const { body } = await preview('', { pseudonymizeUsers: true, limit: 3 });
    expect(JSON.stringify(body)).toMatch(
      /"path":"user.id","rules":\["@user:hash"\],"before":"7","after":"[\dA-F]{40}"/,
    );
  });
});
