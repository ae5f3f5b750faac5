import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { countStatements } from '../../ports/events/testing/statements.ts';
import { ownText } from '../../process/items/event/own.ts';
import { run } from '../../process/items/testing.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const now = Date.now();
const rich = hash('rich');

/** A normalised event with every part that the API shows. */
const payload = {
  event_id: rich,
  type: 'error',
  logentry: { formatted: 'took 3 s', message: 'took %d s', params: [3] },
  exception: {
    values: [
      { type: 'Error', value: 'cause', mechanism: { type: 'chained', handled: true } },
      {
        type: 'TypeError',
        value: 'no price',
        thread_id: '7',
        mechanism: { type: 'onerror', handled: false },
        stacktrace: {
          frames: [
            { function: 'run', filename: 'node_modules/react/index.js', in_app: false, lineno: 1, colno: 9000 },
            {
              function: 'getPrice',
              filename: 'app/product/page.tsx',
              abs_path: 'webpack:///app/product/page.tsx',
              in_app: true,
              lineno: 42,
              colno: 11,
              pre_context: ['one', 'two'],
              context_line: 'three',
              post_context: ['four'],
              vars: { product: null },
              data: { sourcemap: 'page.js.map' },
            },
          ],
          frames_omitted: [2, 5],
        },
      },
    ],
  },
  threads: { values: [{ id: '7', name: 'main', crashed: true }] },
  breadcrumbs: {
    values: [{ timestamp: 1_700_000_000.5, type: 'default', level: 'info', category: 'fetch', data: { url: '/a' } }],
  },
  request: {
    method: 'GET',
    url: 'https://shop.example.com/p',
    query_string: [['id', '7']],
    headers: [['Host', 'shop.example.com']],
  },
  csp: { effective_directive: 'script-src' },
  contexts: { browser: { name: 'Chrome' } },
  extra: { cart: 3 },
  modules: { react: '19.0.0' },
  user: { id: '9', name: 'Ada', data: { plan: 'pro' } },
  errors: [{ type: 'invalid_data', name: 'tags' }],
  tags: [
    ['zone', 'a'],
    ['browser.name', 'Chrome'],
    ['gone', 'x'],
  ],
  _meta: {
    extra: { cart: { '': { rem: [['@password', 's']] } } },
    tags: { 1: { 1: { '': { rem: [['project:who', 'm']] } } }, 2: { 1: { '': { rem: [['project:who', 'm']] } } } },
  },
};

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  const base = { project_id: api.projectId, group_hash: hash('a') };
  await store(api, [
    ...Array.from({ length: 12 }, (_, index) =>
      errorRow({ ...base, event_id: hash(`e${index}`), timestamp: now - (index + 2) * 60_000 }),
    ),
    // Two of one millisecond.
    errorRow({ ...base, event_id: `0${hash('twin').slice(1)}`, timestamp: now - 60_000 }),
    errorRow({ ...base, event_id: `f${hash('twin').slice(1)}`, timestamp: now - 60_000 }),
    errorRow({
      ...base,
      event_id: rich,
      timestamp: now - 90_000,
      digest: '1930860604',
      trace_id: hash('trace'),
      span_id: '0123456789abcdef',
      user: 'id:9',
      user_id: '9',
      release: 'web@1.2.3',
      environment: 'staging',
      tags: { url: 'https://shop.example.com/p', 'browser.name': 'Chrome' },
      payload: JSON.stringify(payload),
    }),
    errorRow({
      ...base,
      group_hash: hash('b'),
      event_id: hash('other'),
      timestamp: now - 30_000,
      error_type: '',
      title: 'a message',
      message: 'a message',
    }),
  ]);
});
afterAll(() => api[Symbol.asyncDispose]());

const newest = `f${hash('twin').slice(1)}`;
const second = `0${hash('twin').slice(1)}`;

test("an event in Sentry's shape", async () => {
  const event = await api.get<Record<string, unknown>>(`/api/0/projects/acme/web/events/${rich}/`);
  expect(event).toMatchObject({
    id: rich,
    eventID: rich,
    groupID: '1',
    projectID: String(api.projectId),
    type: 'error',
    location: 'app/product/page.tsx',
    digest: '1930860604',
    traceId: hash('trace'),
    release: { version: 'web@1.2.3', shortVersion: '1.2.3' },
    user: { id: '9', name: 'Ada', data: { plan: 'pro' } },
    contexts: { browser: { name: 'Chrome' } },
    context: { cart: 3 },
    packages: { react: '19.0.0' },
    sdk: { name: 'sentry.javascript.nextjs', version: '10.78.0' },
    fingerprints: [hash('a')],
    errors: [{ type: 'invalid_data' }],
    size: JSON.stringify(payload).length,
    dateCreated: new Date(now - 90_000).toISOString(),
    nextEventID: second,
    previousEventID: hash('e0'),
    position: 13,
    total: 15,
  });
  const remark = { '': { rem: [['project:who', 'm']] } };
  const shownTags = (event['tags'] as { key: string }[]).map(({ key }) => key);
  // Tags by their place in the list that is shown, as Sentry has them.
  expect(event['_meta']).toEqual({
    ...payload['_meta'],
    tags: { [shownTags.indexOf('browser.name')]: { value: remark }, gone: { 1: remark } },
  });
  expect(event['tags']).toEqual(
    expect.arrayContaining([
      { key: 'browser.name', value: 'Chrome' },
      { key: 'environment', value: 'staging' },
      { key: 'handled', value: 'no' },
      { key: 'release', value: 'web@1.2.3' },
    ]),
  );
  expect((event['entries'] as { type: string }[]).map(({ type }) => type)).toEqual([
    'message',
    'exception',
    'threads',
    'request',
    'csp',
    'breadcrumbs',
  ]);
  const [message, exception, , request, , breadcrumbs] = event['entries'] as { data: unknown }[];
  expect(message?.data).toEqual({ formatted: 'took 3 s', message: 'took %d s', params: [3] });
  expect(exception?.data).toMatchObject({
    hasSystemFrames: true,
    values: [
      { type: 'Error', value: 'cause', stacktrace: null },
      {
        threadId: '7',
        mechanism: { type: 'onerror', handled: false },
        stacktrace: {
          framesOmitted: [2, 5],
          frames: [
            { inApp: false, lineNo: 1, colNo: 9000, context: [] },
            {
              filename: 'app/product/page.tsx',
              absPath: 'webpack:///app/product/page.tsx',
              function: 'getPrice',
              inApp: true,
              context: [
                [40, 'one'],
                [41, 'two'],
                [42, 'three'],
                [43, 'four'],
              ],
              vars: { product: null },
              data: { sourcemap: 'page.js.map' },
            },
          ],
        },
      },
    ],
  });
  expect(request?.data).toMatchObject({
    method: 'GET',
    query: [['id', '7']],
    headers: [['Host', 'shop.example.com']],
    cookies: [],
  });
  expect(breadcrumbs?.data).toMatchObject({
    values: [{ timestamp: '2023-11-14T22:13:20.500Z', category: 'fetch', data: { url: '/a' } }],
  });
});

test('by hyphenated id, raw, and the way from an id to its issue', async () => {
  const hyphenated = rich.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase();
  expect(await api.get(`/api/0/projects/acme/web/events/${hyphenated}/`)).toMatchObject({ id: rich });
  expect(await api.get(`/api/0/projects/acme/web/events/${rich}/json/`)).toEqual(payload);
  expect(await api.get(`/api/0/organizations/acme/eventids/${rich}/`)).toEqual({
    organizationSlug: 'acme',
    projectSlug: 'web',
    groupId: '1',
    shortId: 'WEB-1',
    eventId: rich,
  });
  for (const id of [hash('none'), 'latest', 'x', "' OR 1=1"]) {
    expect(
      (await api.call({ method: 'GET', url: `/api/0/projects/acme/web/events/${encodeURIComponent(id)}/` })).statusCode,
    ).toBe(404);
  }
});

describe('events of an issue', () => {
  const one = (which: string, query = '') =>
    api.get<{
      id: string;
      nextEventID: string | null;
      previousEventID: string | null;
      position: number | null;
      total: number;
    }>(`/api/0/issues/WEB-1/events/${which}/${query}`);

  test('newest, oldest, recommended, and the neighbours of each', async () => {
    expect(await one('latest')).toMatchObject({
      id: newest,
      nextEventID: null,
      previousEventID: second,
      position: 15,
      total: 15,
    });
    expect(await one('oldest')).toMatchObject({
      id: hash('e11'),
      nextEventID: hash('e10'),
      previousEventID: null,
      position: 1,
      total: 15,
    });
    expect(await one('recommended')).toMatchObject({ id: rich });
    expect(await one(second)).toMatchObject({ nextEventID: newest, previousEventID: rich, position: 14 });
    expect(await api.get(`/api/0/organizations/acme/issues/WEB-1/events/${rich}/`)).toMatchObject({ id: rich });
  });

  test('within a filter', async () => {
    expect(await one('latest', '?query=has:digest')).toMatchObject({
      id: rich,
      position: 1,
      total: 1,
      nextEventID: null,
    });
    expect(await one('latest', '?environment=staging')).toMatchObject({ id: rich, total: 1 });
    expect(await one(newest, '?environment=staging')).toMatchObject({
      id: newest,
      position: null,
      total: 1,
      previousEventID: rich,
    });
    expect(
      (await api.call({ method: 'GET', url: '/api/0/issues/1/events/latest/?query=release:none' })).statusCode,
    ).toBe(404);
  });

  test('an event of another issue is not among them', async () => {
    expect((await api.call({ method: 'GET', url: `/api/0/issues/1/events/${hash('other')}/` })).statusCode).toBe(404);
  });

  test('walking by next and previous meets every event once', async () => {
    const seen: string[] = [];
    for (let at: string | null = hash('e11'); at;) {
      const event: { id: string; nextEventID: string | null; position: number | null } = await one(at);
      seen.push(event.id);
      expect(event.position).toBe(seen.length);
      at = event.nextEventID;
    }
    expect(new Set(seen).size).toBe(15);
  });
});

test('lists page forwards and back', async () => {
  const read = async (url: string) => {
    const answer = await api.call({ method: 'GET', url });
    const link = (rel: string) =>
      new RegExp(`<([^>]+)>; rel="${rel}"; results="true"`)
        .exec(String(answer.headers.link))?.[1]
        ?.replace('http://culprit.test', '');
    return { ids: answer.json<{ id: string }[]>().map(({ id }) => id), next: link('next'), previous: link('previous') };
  };
  const all = await read('/api/0/issues/WEB-1/events/?limit=100');
  expect(all.ids.slice(0, 4)).toEqual([newest, second, rich, hash('e0')]);
  expect(all.ids).toHaveLength(15);
  const oldestFirst = all.ids.toReversed();
  expect((await read('/api/0/issues/WEB-1/events/?limit=100&sort=timestamp')).ids).toEqual(oldestFirst);
  // Pages of one split the two events of one millisecond.
  for (const [limit, sort, expected] of [
    [1, '-timestamp', all.ids],
    [4, '-timestamp', all.ids],
    [1, 'timestamp', oldestFirst],
    [4, 'timestamp', oldestFirst],
  ] as const) {
    const seen: string[] = [];
    let page = await read(`/api/0/organizations/acme/issues/WEB-1/events/?limit=${limit}&sort=${sort}`);
    expect(page.previous).toBeUndefined();
    for (;;) {
      seen.push(...page.ids);
      if (!page.next) break;
      page = await read(page.next);
    }
    expect(seen).toEqual(expected);
    const back = await read(page.previous ?? '');
    expect(back.ids).toEqual(expected.slice(-limit - page.ids.length, -page.ids.length));
  }
  expect((await read('/api/0/projects/acme/web/events/?limit=1&sort=timestamp')).ids).toEqual([hash('e11')]);
  expect((await read('/api/0/projects/acme/web/events/?limit=2')).ids).toEqual([hash('other'), newest]);
  expect((await read('/api/0/projects/acme/web/events/?query=a message')).ids).toEqual([hash('other')]);
  expect(await api.get('/api/0/projects/acme/web/events/?limit=1')).toMatchObject([
    { groupID: '2', message: 'a message', 'event.type': 'default' },
  ]);
});

/** Stored as processing stores it: its payload in a segment. */
async function storeApart(count: number): Promise<readonly string[]> {
  // Of the last seconds Find asks the engine.
  const earlier = now - 60_000;
  const payloads = api.events.payloads;
  if (!payloads) throw new Error('the engine has its payloads in the rows');
  await using writer = payloads.createWriter();
  using batch = writer.batch();
  const rows = Array.from({ length: count }, (_, index) => {
    const [made] =
      run(
        'event',
        {
          event_id: hash(`apart ${index}`),
          timestamp: earlier / 1000 - index,
          platform: 'node',
          level: 'warning',
          release: 'web@2.0.0',
          environment: 'canary',
          user: { id: '7', email: 'ada@example.com' },
          tags: { plan: 'pro' },
          contexts: { trace: { trace_id: hash(`trace ${index}`), span_id: '0123456789abcdef' } },
          exception: {
            values: [{ type: 'ApartError', value: 'far away', mechanism: { type: 'auto', handled: true } }],
          },
        },
        { receivedAt: earlier, sentAt: earlier },
      ).events ?? [];
    if (!made) throw new Error('the event was refused');
    const row = { ...made.row, project_id: api.projectId, payload: '' };
    const { segment, ordinal } = batch.add(made.row.payload, made.row.group_hash, ownText(row));
    return { ...row, payload_segment: segment, payload_ordinal: ordinal };
  });
  await writer.write(batch);
  await store(api, rows);
  return rows.map((row) => row.event_id);
}

describe('an event whose payload lies in a segment', () => {
  const none = { total: 0, inARow: 0 };
  let ids: readonly string[] = [];
  beforeAll(async () => {
    ids = await storeApart(3);
  });
  const pathOf = (which: string): string => `/api/0/organizations/acme/issues/WEB-3/events/${which}/`;

  test('says what its row says', async () => {
    const [newest = '', middle = '', oldest = ''] = ids;
    const [summary] = await api.get<object[]>('/api/0/organizations/acme/issues/WEB-3/events/?limit=1');
    const { release, ...rest } = summary as { release: string };
    expect(rest).toMatchObject({ id: newest, level: 'warning', environment: 'canary', user: { id: '7' } });
    const whole = await api.get<{ 'event.type': string }>(pathOf(newest));
    expect(whole).toMatchObject({
      ...rest,
      location: null,
      'event.type': 'error',
      release: { version: release },
      spanId: '0123456789abcdef',
    });
    expect(await api.get(`/api/0/projects/acme/web/events/${newest}/`)).toEqual(whole);
    expect(await api.get(pathOf('latest'))).toEqual(whole);
    expect(await api.get(pathOf(middle))).toMatchObject({ nextEventID: newest, previousEventID: oldest });
    expect(await api.get(pathOf('oldest'))).toMatchObject({ id: oldest, position: 1, total: 3 });
  });

  test.each([
    ['by its id alone', () => `/api/0/projects/acme/web/events/${ids[1]}/`, none],
    ['by its id and issue', () => pathOf(ids[1] ?? ''), none],
    ['the newest', () => pathOf('latest'), none],
    ['the oldest', () => pathOf('oldest'), none],
    ['the recommended', () => pathOf('recommended'), none],
    ['as it was sent', () => `/api/0/projects/acme/web/events/${ids[1]}/json/`, none],
    ['where its id leads', () => `/api/0/organizations/acme/eventids/${ids[1]}/`, none],
    ['found by its id', () => `/api/0/organizations/acme/find/?q=${ids[1]}`, { total: 1, inARow: 1 }],
    ['found by its trace', () => `/api/0/organizations/acme/find/?q=trace+${hash('trace 1')}`, none],
  ])('%s is few statements', async (_name, path, expected) => {
    expect(await countStatements(api.events, () => api.get(path()))).toEqual(expected);
  });

  test('is nowhere once it is erased, also where its row is left', async () => {
    const [, , last = ''] = ids;
    const [place] = await api.events.query<{ segment: number; ordinal: number }>(
      `SELECT payload_segment AS segment, payload_ordinal AS ordinal FROM errors WHERE event_id = {id:String}`,
      { id: last },
    );
    await api.events.payloads?.erase(place ? [place] : []);
    const urls = [
      pathOf(last),
      pathOf('oldest'),
      `/api/0/projects/acme/web/events/${last}/`,
      `/api/0/projects/acme/web/events/${last}/json/`,
      `/api/0/organizations/acme/eventids/${last}/`,
    ];
    for (const url of urls) expect((await api.call({ method: 'GET', url })).statusCode, url).toBe(404);
  });
});
