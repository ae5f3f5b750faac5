/** What Sentry's clients ask for under names of their own: what they are told, and what nobody else is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { readQuery } from './alerts/clients-access.ts';
import { openTestApi, owner, type TestApi } from './testing.ts';

let api: TestApi;
const org = '/organizations/acme';
const eventId = hash('the event');

beforeAll(async () => {
  api = await openTestApi();
  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('ours'), event_id: eventId })]);
});
afterAll(() => api?.[Symbol.asyncDispose]());

interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
}

async function ask<T = Record<string, unknown>>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  token?: string,
): Promise<Answer<T>> {
  const answer = await api.call({
    method,
    url: `/api/0${path}`,
    ...(payload && { payload }),
    ...(token !== undefined && { token }),
  });
  return { status: answer.statusCode, body: (answer.body === '' ? undefined : answer.json()) as T };
}

test('strangers hear nothing of any of them, and a token without the scope is refused', async () => {
  const paths = [
    '/users/me/regions/',
    '/projects/acme/web/teams/',
    '/projects/acme/web/stacktrace-link/?file=a.ts',
    `/projects/acme/web/trace-items/${'a'.repeat(16)}/`,
    ...['activities', 'notes', 'user-reports', 'external-issues'].flatMap((name) => [
      `/issues/1/${name}/`,
      `${org}/issues/1/${name}/`,
    ]),
    ...['workflows', 'detectors', 'combined-rules', 'events/validate'].map((name) => `${org}/${name}/`),
  ];
  const releases = await api.makeToken('project:releases');
  for (const path of paths) {
    expect([path, (await ask('GET', path, undefined, '')).status]).toEqual([path, 401]);
    const { status } = await ask('GET', path, undefined, releases);
    const isOpen = path.startsWith('/users/me') || path.includes('stacktrace-link');
    expect([path, status]).toEqual([path, isOpen ? 200 : 403]);
    expect([path, (await ask('GET', path)).status]).toEqual([path, path.includes('trace-items') ? 400 : 200]);
  }
  expect((await ask('GET', '/organizations/rival/workflows/')).status).toBe(404);
  expect((await ask('GET', `${org}/workflows/?project=rival`)).status).toBe(404);
});

test('there is one region, and clients are sent to it only where it is https', async () => {
  expect((await ask('GET', '/users/me/regions/')).body).toEqual({
    regions: [{ name: 'default', url: 'http://culprit.test' }],
  });
  expect((await ask<{ links: object }>('GET', `${org}/`)).body.links).toEqual({
    organizationUrl: 'http://culprit.test',
  });
});

test('notes are the comments of an issue', async () => {
  const path = `${org}/issues/WEB-1/notes/`;
  const added = await ask<{ id: string }>('POST', path, { text: 'first' });
  expect(added).toMatchObject({
    status: 201,
    body: { type: 'note', data: { text: 'first' }, user: { email: owner.email } },
  });
  await ask('POST', '/issues/1/notes/', { text: 'second' });
  expect((await ask('PUT', `${path}${added.body.id}/`, { text: 'first, edited' })).status).toBe(200);
  expect((await ask('GET', '/issues/1/comments/')).body).toMatchObject([{ text: 'second' }, { text: 'first, edited' }]);
  const page = await api.call({ method: 'GET', url: `/api/0${path}?per_page=1` });
  expect(page.json()).toMatchObject([{ text: 'second' }]);
  const cursor = /cursor="([^"]+)"$/.exec(String(page.headers['link']))?.[1] ?? '';
  expect((await ask('GET', `${path}?per_page=1&cursor=${cursor}`)).body).toMatchObject([{ text: 'first, edited' }]);
  const { body } = await ask<{ activity: { type: string }[] }>('GET', `${org}/issues/WEB-1/activities/`);
  expect(body.activity.filter(({ type }) => type === 'note')).toHaveLength(2);
  expect((await ask('DELETE', `${path}${added.body.id}/`)).status).toBe(204);
  expect((await ask('GET', path)).body).toHaveLength(1);
  expect((await ask('POST', path, { text: ' ' })).status).toBe(400);
  expect((await ask('PUT', `${path}999999/`, { text: 'x' })).status).toBe(404);
  expect((await ask('POST', path, { text: 'x' }, await api.makeToken('event:read'))).status).toBe(403);
});

test('the id of an event finds its issue in a list, and no other id does', async () => {
  const list = (query: string) => ask<{ shortId: string }[]>('GET', `${org}/issues/?query=${query}`);
  expect((await list(eventId)).body).toMatchObject([{ shortId: 'WEB-1' }]);
  expect((await list(eventId.toUpperCase())).body).toMatchObject([{ shortId: 'WEB-1' }]);
  expect((await list('f'.repeat(32))).body).toEqual([]);
});

describe('events/validate/', () => {
  interface Verdict {
    readonly valid: boolean;
    readonly dataset: { valid: boolean; error: string | null }[];
    readonly field: { name: string; valid: boolean; attrType: string | null; error: string | null }[];
    readonly query: { valid: boolean; error: string | null };
    readonly orderby: { name: string; valid: boolean; error: string | null }[];
  }
  const validate = async (query: string): Promise<Verdict> =>
    (await ask<Verdict>('GET', `${org}/events/validate/?${query}`)).body;

  test('says of each part whether it can be asked', async () => {
    const all = await validate('dataset=spans&field=span.op&field=count()&query=span.op:db&orderby=-count()');
    expect(all).toMatchObject({
      valid: true,
      dataset: [{ name: 'spans', valid: true }],
      field: [
        { name: 'span.op', valid: true, attrType: 'string' },
        { name: 'count()', valid: true, attrType: 'number' },
      ],
      query: { valid: true, error: null },
      orderby: [{ name: 'count()', valid: true }],
    });
  });

  test.each([
    ['dataset=tracemetrics', 'dataset'],
    ['field=p95(level)', 'field'],
    ['query=timestamp:someday', 'query'],
    ['field=title&field=count()&orderby=-timestamp', 'orderby'],
    ['dataset=logs&orderby=message', 'orderby'],
    ['dataset=logs&field=nothing', 'field'],
  ])('%s: %s is wrong, and why', async (query, part) => {
    const found = await validate(query);
    expect(found.valid).toBe(false);
    const wrong = (['dataset', 'field', 'query', 'orderby'] as const).filter((name) =>
      [found[name]].flat().some(({ valid }) => !valid),
    );
    expect(wrong).toEqual([part]);
    const said = [found[part as 'field']].flat().find(({ valid }) => !valid)?.error;
    expect(said).toMatch(/^[A-Z“].{10,}\.$/s);
  });

  test('reads hostile texts and answers', async () => {
    for (const text of ['%00', "'%20OR%201=1--", '('.repeat(500), 'a'.repeat(8000), '%F0%9F%92%A9:%22']) {
      expect((await ask('GET', `${org}/events/validate/?query=${text}&field=${text.slice(0, 400)}`)).status).toBe(200);
    }
    expect(api.errors).toEqual([]);
  });
});

describe('frames and repositories', () => {
  const bulk = `${org}/code-mappings/bulk/`;
  const link = (query: string) => ask('GET', `/projects/acme/web/stacktrace-link/?${query}`);

  test('mappings are created once and then updated, with a token for builds as well', async () => {
    expect((await link('file=/app/src/pay.ts')).body).toMatchObject({ sourceUrl: null, error: 'no_code_mappings' });
    await ask('POST', `${org}/repos/`, { url: 'https://github.com/acme/shop' });
    const mappings = [{ stackRoot: '/app/', sourceRoot: '' }];
    const body = { project: 'web', repository: 'acme/shop', provider: 'github', defaultBranch: 'main', mappings };
    expect((await ask('POST', bulk, body)).body).toMatchObject({ created: 1, updated: 0, errors: 0 });
    const { organizationId, userId } = api;
    const build = await api.accounts.createToken({ organizationId, userId, name: 'build', kind: 'organization' });
    const again = { ...body, mappings: [...mappings, { stackRoot: '/srv/', sourceRoot: 'server/' }] };
    expect((await ask('POST', bulk, again, build.token)).body).toMatchObject({
      created: 1,
      updated: 1,
      mappings: [
        { stackRoot: '/app/', status: 'updated' },
        { stackRoot: '/srv/', status: 'created' },
      ],
    });
    const snake = { default_branch: 'trunk', mappings: [{ stack_root: '/opt/', source_root: 'opt/' }] };
    expect((await ask('POST', bulk, { project: 'web', repository: 'acme/shop', ...snake })).body).toMatchObject({
      created: 1,
      mappings: [{ stackRoot: '/opt/', sourceRoot: 'opt/', status: 'created' }],
    });
    const all = (await ask<object[]>('GET', `${org}/code-mappings/`)).body;
    expect(all).toHaveLength(3);
    expect(all).toContainEqual(expect.objectContaining({ stackRoot: '/opt/', defaultBranch: 'trunk' }));
  });

  test('a frame leads to its line', async () => {
    expect((await link('file=/app/src/pay.ts&lineNo=42')).body).toMatchObject({
      sourcePath: 'src/pay.ts',
      sourceUrl: 'https://github.com/acme/shop/blob/main/src/pay.ts#L42',
      config: { repoName: 'acme/shop', stackRoot: '/app/' },
      error: null,
    });
    const at = await link('file=/srv/a.ts&lineNo=1&commitId=c0ffee');
    expect(at.body).toMatchObject({ sourceUrl: 'https://github.com/acme/shop/blob/c0ffee/server/a.ts#L1' });
    expect((await link('file=/elsewhere/a.ts')).body).toMatchObject({ sourceUrl: null, error: 'stack_root_mismatch' });
    for (const file of ['/app/../../etc/passwd', '/app/%00', 'javascript:alert(1)']) {
      expect((await link(`file=${file}`)).status).toBe(200);
    }
    expect((await link('')).status).toBe(400);
  });

  test('what is not there, or nonsense, is refused', async () => {
    const body = { project: 'web', repository: 'acme/shop', mappings: [{ stackRoot: 'a', sourceRoot: '' }] };
    expect((await ask('POST', bulk, { ...body, repository: 'acme/none' })).status).toBe(404);
    expect((await ask('POST', bulk, { ...body, project: 'none' })).status).toBe(404);
    expect((await ask('POST', bulk, { ...body, mappings: [] })).status).toBe(400);
    expect((await ask('POST', bulk, body, await api.makeToken('project:read'))).status).toBe(403);
  });
});

test('rules are found by what clients write', () => {
  expect(readQuery('type:metric_issue name:"*slow \\"one\\"*"')).toEqual({ type: 'metric_issue', words: 'slow "one"' });
  expect(readQuery('type:error')).toEqual({ type: 'error', words: '' });
  expect(readQuery('slow checkout')).toEqual({ type: '', words: 'slow checkout' });
  expect(readQuery('name:slow')).toEqual({ type: '', words: 'slow' });
  expect(readQuery(`${'name:"'.repeat(200)}`).type).toBe('');
});

test('each project has an error detector, which its issue rules are attached to', async () => {
  const { body } = await ask<{ id: string; projectSlug: string }[]>(
    'GET',
    `${org}/detectors/?query=type:error&project=web`,
  );
  expect(body).toMatchObject([{ id: String(api.projectId), type: 'error', projectSlug: 'web' }]);
  await ask('POST', `${org}/alert-rules/`, { kind: 'issue', name: 'New ones', conditions: [{ type: 'new_issue' }] });
  const rules = await ask<{ detectorIds: string[] }[]>('GET', `${org}/workflows/?projectSlug=web&query=name:"*new*"`);
  expect(rules.body).toMatchObject([{ name: 'New ones', detectorIds: [String(api.projectId)] }]);
  expect((await ask('GET', `${org}/workflows/?projectSlug=web&id=999`)).body).toEqual([]);
  expect((await ask('GET', `${org}/detectors/999/`)).status).toBe(404);
  expect((await ask('GET', `${org}/workflows/x/`)).status).toBe(404);
});

test('stats are outcomes, added up by what is asked', async () => {
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  const row = (category: string, outcome: string, reason: string, quantity: number) => ({
    project_id: api.projectId,
    minute,
    category,
    outcome,
    reason,
    quantity,
  });
  const rows = [
    row('error', 'accepted', '', 5),
    row('error', 'rate_limited', 'key', 3),
    row('transaction', 'accepted', '', 2),
  ];
  await api.events.insert('outcomes', rows as never, 'stats');
  interface Stats {
    readonly intervals: string[];
    readonly groups: { by: object; totals: Record<string, number>; series: Record<string, number[]> }[];
  }
  const stats = async (query: string) => (await ask<Stats>('GET', `${org}/stats_v2/?statsPeriod=6h&${query}`)).body;
  expect((await stats('')).groups).toMatchObject([{ by: {}, totals: { 'sum(quantity)': 10 } }]);
  const byOutcome = await stats('category=error&groupBy=outcome&field=sum(quantity)&field=sum(times_seen)&interval=1h');
  expect(byOutcome.groups.map(({ by, totals }) => [by, totals])).toEqual([
    [{ outcome: 'accepted' }, { 'sum(quantity)': 5, 'sum(times_seen)': 5 }],
    [{ outcome: 'rate_limited' }, { 'sum(quantity)': 3, 'sum(times_seen)': 3 }],
  ]);
  for (const { series } of byOutcome.groups) expect(series['sum(quantity)']).toHaveLength(byOutcome.intervals.length);
  expect((await stats('outcome=filtered')).groups).toEqual([]);
  expect((await stats('interval=1s')).intervals.length).toBeLessThanOrEqual(300);
  expect((await ask('GET', `${org}/stats_v2/?groupBy=password`)).status).toBe(400);
});

test('a list of issues gives 100 to who asks for more', async () => {
  expect((await ask('GET', `${org}/issues/?limit=10000`)).status).toBe(200);
  expect((await ask('GET', `${org}/issues/?limit=0`)).status).toBe(400);
});
