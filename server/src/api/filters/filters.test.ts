/** Inbound filters over the API: what is on at first, who may change what, what is refused, dropped and previewed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEntries } from '../../domains/audit/index.ts';
import { createProjectSettings, updateProject } from '../../domains/projects/index.ts';
import { sendEvents } from '../../domains/regroup/testing/send.ts';
import { defaultProjectSettings } from '../../process/types.ts';
import { type Credentials, serviceAccounts } from '../access-testing.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const url = '/api/0/projects/acme/web/filters/';

interface Filter {
  readonly id: string;
  readonly active: boolean;
  readonly patterns: string[] | null;
  readonly dropped: { readonly category: string; readonly quantity: number }[];
}

async function call(method: 'GET' | 'PUT' | 'POST', at = '', payload?: object) {
  const answer = await api.call({ method, url: url + at, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json<object>() };
}
const list = async (): Promise<Filter[]> => (await call('GET')).body as Filter[];
const activeOnes = async () => (await list()).filter(({ active }) => active).map(({ id }) => id);
const settings = async () =>
  (await createProjectSettings({ state: api.state, pseudonymKey: '0a' }).lookup(api.projectId)) ?? expect.fail();

const ofExtension = {
  platform: 'javascript',
  exception: {
    values: [
      { type: 'Error', value: 'of an extension', stacktrace: { frames: [{ abs_path: 'moz-extension://a/b.js' }] } },
    ],
  },
};

describe('settings', () => {
  test('new projects drop extensions, crawlers and health checks; those from before drop nothing', async () => {
    expect(await activeOnes()).toEqual(['filtered-transaction', 'browser-extensions', 'web-crawlers']);
    await api.state.db.updateTable('project').set({ settings: '{}' }).where('id', '=', api.projectId).execute();
    expect(await activeOnes()).toEqual([]);
    expect((await list()).map(({ id }) => id)).toHaveLength(11);
  });

  test('one is turned on and off, and its patterns stay meanwhile', async () => {
    const on = await call('PUT', 'environment/', { active: true, patterns: [' dev* ', 'qa', 'qa', ''] });
    expect(on).toEqual({ status: 200, body: { id: 'environment', active: true, patterns: ['dev*', 'qa'] } });
    expect((await settings()).filters).toEqual({ active: ['environment'], patterns: { environment: ['dev*', 'qa'] } });
    expect((await call('PUT', 'environment/', { active: false })).body).toMatchObject({
      active: false,
      patterns: ['dev*', 'qa'],
    });
    expect((await settings()).filters.active).toEqual([]);
    expect((await call('PUT', 'localhost/', { active: true })).body).toEqual({
      id: 'localhost',
      active: true,
      patterns: null,
    });
    const { entries } = await listEntries(api.state, api.organizationId, {}, { limit: 3 });
    expect(entries.map(({ action }) => action)).toEqual(['project.update', 'project.update', 'project.update']);
    expect(JSON.stringify(entries)).toContain('"filters"');
  });

  test('addresses are kept in one way of writing', async () => {
    const patterns = ['203.0.113.7/32', '2001:DB8:0::/32', '::ffff:198.51.100.7'];
    expect((await call('PUT', 'ip-address/', { patterns })).body).toMatchObject({
      active: false,
      patterns: ['203.0.113.7', '2001:db8::/32', '198.51.100.7'],
    });
  });

  test('changes of several at once are all kept', async () => {
    await Promise.all(
      ['web-crawlers', 'chunk-load-error', 'legacy-browsers'].map((id) => call('PUT', `${id}/`, { active: true })),
    );
    expect(await activeOnes()).toEqual(['web-crawlers', 'legacy-browsers', 'localhost', 'chunk-load-error']);
  });

  test.each<[string, object, string]>([
    ['ip-address', { patterns: ['300.1.1.1'] }, 'no IP address'],
    ['ip-address', { patterns: ['203.0.113.0/33'] }, 'no IP address'],
    ['error-message', { patterns: ['**'] }, 'drops everything'],
    ['error-message', { patterns: ['{a,b}'.repeat(8)] }, 'too many alternatives'],
    [
      'error-message',
      { patterns: Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(190)}`) },
      'together',
    ],
    ['error-message', { patterns: ['x'.repeat(201)] }, 'patterns'],
    ['release-version', { patterns: Array.from({ length: 101 }, String) }, 'patterns'],
    ['release-version', { patterns: 'dev' }, 'patterns'],
    ['localhost', { patterns: ['x'] }, 'has none'],
    ['web-crawlers', { active: 'yes' }, 'active'],
  ])('%s %o is refused with the reason', async (id, body, reason) => {
    const answer = await call('PUT', `${id}/`, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(reason);
  });

  test('an unknown filter is refused', async () => {
    expect((await call('PUT', 'no-such-filter/', { active: true })).status).toBe(400);
  });

  test('are read by all who see the project, and changed by managers', async () => {
    const { member, manager } = await serviceAccounts(api);
    const as = async (headers: Credentials, method: 'GET' | 'PUT' | 'POST', at = '', payload?: object) =>
      (await api.app.inject({ method, url: url + at, headers, ...(payload && { payload }) })).statusCode;
    expect(await as(member, 'GET')).toBe(200);
    expect(await as(member, 'PUT', 'localhost/', { active: false })).toBe(403);
    expect(await as(member, 'POST', 'preview/', {})).toBe(403);
    expect(await as(manager, 'PUT', 'localhost/', { active: false })).toBe(200);
    expect(await as(manager, 'POST', 'preview/', {})).toBe(200);
  });
});

describe('what they drop', () => {
  beforeAll(async () => {
    const none = { ...defaultProjectSettings };
    const crawler = { message: 'seen by a crawler', request: { headers: { 'User-Agent': 'Googlebot/2.1' } } };
    const chunk = {
      platform: 'javascript',
      exception: { values: [{ type: 'ChunkLoadError', value: 'Loading chunk 7 failed' }] },
    };
    const events = [
      ofExtension,
      crawler,
      chunk,
      { message: 'plain', environment: 'dev', user: { ip_address: '203.0.113.9' } },
    ];
    await sendEvents(api, api.projectId, events, { settings: none });
    await updateProject(api.state, api.projectId, { filter: { id: 'browser-extensions', active: true } });
    await sendEvents(api, api.projectId, [ofExtension, ofExtension, { message: 'plain' }], {
      settings: await settings(),
    });
  });

  test('is counted by outcome', async () => {
    const filters = await list();
    expect(filters.find(({ id }) => id === 'browser-extensions')?.dropped).toEqual([
      { category: 'error', quantity: 2 },
    ]);
    expect(filters.find(({ id }) => id === 'web-crawlers')?.dropped).toEqual([]);
    expect((await call('GET', '?days=91')).status).toBe(400);
  });

  test('is shown before they are on, of what is stored', async () => {
    const patterns = { environment: ['d?v'], 'ip-address': ['203.0.113.0/24'], 'error-message': ['Loading*', 'plain'] };
    const { status, body } = await call('POST', 'preview/', { patterns });
    expect(status).toBe(200);
    expect(body).toMatchObject({ days: 7, examined: { errors: 5, transactions: 0, logs: 0 } });
    const { filters } = body as { filters: { id: string; errors: number }[] };
    const counts = filters.map(({ id, errors }) => [id, errors]);
    expect(Object.fromEntries(counts)).toEqual({
      'ip-address': 1,
      'release-version': 0,
      environment: 1,
      'filtered-transaction': 0,
      'browser-extensions': 1,
      'web-crawlers': 1,
      'legacy-browsers': 0,
      localhost: 0,
      'chunk-load-error': 1,
      'error-type': 0,
      'error-message': 3,
    });
    expect(filters).toContainEqual(
      expect.objectContaining({
        id: 'browser-extensions',
        examples: [
          {
            title: 'Error: of an extension',
            eventID: expect.stringMatching(/^[\da-f]{32}$/),
            dateCreated: expect.any(String),
          },
        ],
      }),
    );
    expect((await settings()).filters.patterns['error-message']).toBeUndefined();
  });

  test('is shown of transactions by their names, or by their paths where these are methods alone', async () => {
    const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'http.server' };
    const seconds = Date.now() / 1000;
    const times = { start_timestamp: seconds - 1, timestamp: seconds, platform: 'node' };
    const transactions = ['GET /healthz', 'GET /healthz', 'GET /cart'].map((transaction) => ({
      ...times,
      transaction,
      contexts: { trace },
    }));
    const bare = { ...times, transaction: 'GET', contexts: { trace: { ...trace, data: { 'url.path': '/ping' } } } };
    await sendEvents(api, api.projectId, [...transactions, bare], { type: 'transaction' });
    const { body } = await call('POST', 'preview/', {});
    expect(body).toMatchObject({
      examined: { transactions: 4 },
      filters: expect.arrayContaining([
        {
          id: 'filtered-transaction',
          errors: 0,
          transactions: 3,
          logs: 0,
          examples: [
            { title: 'GET /healthz', count: 2 },
            { title: 'GET /ping', count: 1 },
          ],
        },
      ]),
    });
  });

  test('is shown of logs by their release and environment', async () => {
    const log = (environment: string) => ({
      timestamp: Date.now() / 1000,
      level: 'info',
      body: 'ready',
      trace_id: 'c'.repeat(32),
      attributes: { 'sentry.environment': { value: environment, type: 'string' } },
    });
    const items = [log('dev'), log('dev'), log('production')];
    await sendEvents(api, api.projectId, [{ items }], { type: 'log' });
    const { body } = await call('POST', 'preview/', { patterns: { environment: ['d?v'] } });
    expect(body).toMatchObject({
      examined: { logs: 3 },
      filters: expect.arrayContaining([
        expect.objectContaining({ id: 'environment', logs: 2 }),
        expect.objectContaining({ id: 'filtered-transaction', logs: 0 }),
      ]),
    });
  });

  test('patterns that cannot be read are refused there, too', async () => {
    expect((await call('POST', 'preview/', { patterns: { 'ip-address': ['nowhere'] } })).status).toBe(400);
    expect((await call('POST', 'preview/', { patterns: { localhost: ['x'] } })).status).toBe(400);
  });
});
