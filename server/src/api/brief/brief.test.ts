/** The brief over the API, on real stores: what stands around an event, how it reads, who may have it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Brief } from '../../domains/brief/index.ts';
import { sendEvents } from '../../domains/regroup/testing/send.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
const org = '/api/0/organizations/acme';

const thrown = (functions: readonly string[], value: string, release = 'web@2.0.0') => ({
  platform: 'node',
  release,
  environment: 'production',
  user: { id: '7', email: 'ada@example.com', ip_address: '203.0.113.9' },
  request: {
    method: 'POST',
    url: 'https://shop.example.com/pay',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer secret-token-of-ada' },
    data: { sku: 'A-1', password: 'hunter2' },
  },
  exception: {
    values: [
      {
        type: 'PayError',
        value,
        stacktrace: {
          frames: functions.map((name) => ({
            function: name,
            filename: `src/${name}.ts`,
            lineno: 12,
            colno: 3,
            in_app: true,
            pre_context: ['function charge(card) {'],
            context_line: '  return card.number;',
            post_context: ['}'],
            vars: { card: null, cvc: '123' },
          })),
        },
      },
    ],
  },
});

const call = async (method: 'POST' | 'PUT', url: string, payload: object) => {
  const answer = await api.call({ method, url, payload });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
};
const brief = (query = '') => api.get<Brief>(`${org}/issues/WEB-2/brief/?${query}`);

beforeAll(async () => {
  api = await openTestApi();
  for (const [version, message, path] of [
    ['web@1.0.0', 'first', 'src/other.ts'],
    ['web@2.0.0', 'pay with cards\n\nlong story', 'src/charge.ts'],
  ] as const) {
    const commits = [
      {
        id: `${message}0123456789`
          .replaceAll(/[^0-9a-f]/g, '0')
          .padEnd(40, '0')
          .slice(0, 40),
        repository: 'acme/shop',
        message,
        author_name: 'Ada Dev',
        author_email: 'ada@example.com',
        timestamp: '2026-01-03T10:00:00Z',
        patch_set: [{ path, type: 'M' }],
      },
    ];
    await call('POST', `${org}/releases/`, {
      version,
      projects: ['web'],
      commits,
      dateReleased: version.includes('1.') ? '2026-01-01T00:00:00Z' : '2026-01-04T00:00:00Z',
    });
  }
  const way = ['serve', 'route', 'handle', 'order', 'total', 'pay'];
  await sendEvents(api, api.projectId, [thrown([...way, 'refund'], 'no card', 'web@1.0.0')]);
  await call('POST', `/api/0/issues/1/comments/`, { text: 'The card was null. `refund` now asks first.' });
  await call('PUT', `${org}/issues/WEB-1/`, { status: 'resolved', statusDetails: { inRelease: 'web@1.0.0' } });
  await sendEvents(api, api.projectId, [thrown([...way, 'charge'], 'no card')]);
}, 60_000);
afterAll(() => api[Symbol.asyncDispose]());

test('an issue with all that stands around its event', async () => {
  expect(await brief()).toMatchObject({
    issue: { shortId: 'WEB-2', title: 'PayError: no card', project: 'web', status: 'unresolved', events: 1, users: 1 },
    event: { release: 'web@2.0.0', environment: 'production' },
    language: 'javascript',
    failure: {
      type: 'PayError',
      file: 'src/charge.ts',
      line: 12,
      function: 'charge',
      own: true,
      source: [
        [11, 'function charge(card) {'],
        [12, '  return card.number;'],
        [13, '}'],
      ],
    },
    releases: {
      first: 'web@2.0.0',
      since: 'web@1.0.0',
      commits: [{ message: 'pay with cards', author: 'Ada Dev', files: ['src/charge.ts'] }],
      suspects: [{ message: 'pay with cards', files: ['src/charge.ts'] }],
      problem: null,
    },
    similar: [{ shortId: 'WEB-1', release: 'web@1.0.0', comments: ['The card was null. `refund` now asks first.'] }],
  });
});

test('as Markdown it is one document, with nothing that was scrubbed and nobody in it', async () => {
  const answer = await api.call({ method: 'GET', url: `${org}/issues/WEB-2/brief/?format=markdown` });
  expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
  const text = answer.body;
  expect(text).toMatch(/^# WEB-2: `PayError: no card`\n/);
  expect(text).toContain('**`src/charge.ts:12:3` in `charge`**');
  expect(text).toContain("-H 'Content-Type: application/json'");
  expect(text).toContain('Commits between `web@1.0.0` and `web@2.0.0`:');
  for (const secret of ['secret-token', 'hunter2', 'ada@example.com', '203.0.113.9'])
    expect(text).not.toContain(secret);
  const again = await api.call({
    method: 'GET',
    url: `${org}/issues/WEB-2/brief/?format=markdown`,
    headers: { 'if-none-match': String(answer.headers.etag) },
  });
  expect(again.statusCode).toBe(304);
});

test('an event by its id, one that is not there, and who may not read', async () => {
  const [event] = await api.get<{ eventID: string }[]>(`${org}/issues/WEB-2/events/`);
  expect(await brief(`event=${event?.eventID}`)).toMatchObject({ event: { id: event?.eventID } });
  const url = `${org}/issues/WEB-2/brief/`;
  expect((await api.call({ method: 'GET', url: `${url}?event=${'0'.repeat(32)}` })).statusCode).toBe(404);
  expect((await api.call({ method: 'GET', url: `${org}/issues/WEB-99/brief/` })).statusCode).toBe(404);
  const token = await api.makeToken('project:releases');
  expect((await api.call({ method: 'GET', url, token })).json()).toMatchObject({ code: 'SCOPE_MISSING' });
});
