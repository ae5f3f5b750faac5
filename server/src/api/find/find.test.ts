import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { createProject } from '../../domains/projects/index.ts';
import type { FindAnswer, Watch } from './contract.ts';
import { openTestApi, type TestApi } from '../testing.ts';

type Answer = z.output<typeof FindAnswer>;
type WatchShape = z.output<typeof Watch>;

let api: TestApi;
const org = '/api/0/organizations/acme';
const digest = '1930860604';
const url = 'https://shop.example.com/product/7';

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api?.[Symbol.asyncDispose]());

const serverEvent = (overrides: Partial<Parameters<typeof errorRow>[0]> = {}) =>
  errorRow({
    project_id: api.projectId,
    group_hash: hash('server'),
    platform: 'node',
    digest,
    trace_id: hash('a trace'),
    span_id: '8efd84a8c32d4e7c',
    tags: { url, 'runtime.name': 'node' },
    ...overrides,
  });
const find = (text: string, more = ''): Promise<Answer> => api.get(`${org}/find/?q=${encodeURIComponent(text)}${more}`);
const watches = (): Promise<WatchShape[]> => api.get(`${org}/digest-watches/`);
const watch = (body: unknown, token?: string) =>
  api.call({ method: 'POST', url: `${org}/digest-watches/`, payload: body as object, token });

describe('find', () => {
  test('every kind of answer, as the contract has it', async () => {
    const cause = serverEvent();
    const twin = serverEvent({ platform: 'javascript', group_hash: hash('browser'), tags: { url }, digest: '' });
    const alone = serverEvent({
      platform: 'javascript',
      group_hash: hash('alone'),
      tags: { url },
      digest: '77',
      trace_id: hash('another'),
    });
    await store(api, [cause, twin, alone]);

    const found = await find(`while loading shop.example.com … Digest: ${digest}@E7`);
    expect(found).toMatchObject({
      kind: 'cause',
      query: `while loading shop.example.com … Digest: ${digest}@E7`,
      matchedBy: 'digest',
      host: 'shop.example.com',
      understood: [{ kind: 'host' }, { kind: 'digest', value: digest, start: 33, end: 54 }],
      visits: { count: 1, unit: 'traces' },
      shown: { count: 1, newest: [{ id: twin.event_id, side: 'browser' }] },
      causes: [
        { issue: { shortId: 'WEB-1', project: { slug: 'web' } }, event: { id: cause.event_id, side: 'server' } },
      ],
    });
    expect(found.kind === 'cause' && found.causes[0]?.permalink).toBe(
      `http://culprit.test/issues/WEB-1?event=${cause.event_id}`,
    );
    expect(await find('77')).toMatchObject({
      kind: 'browser_only',
      issue: { shortId: expect.stringMatching(/^WEB-/) },
      evidence: {
        framework: { name: 'nextjs' },
        lastServerEvent: { id: cause.event_id },
        waiting: { requests: 0, lagMs: 0 },
        watch: null,
      },
    });
    expect(await find('WEB-1')).toMatchObject({ kind: 'issue', issue: { shortId: 'WEB-1' } });
    expect(await find('http://culprit.test/issues/WEB-1')).toMatchObject({ kind: 'issue' });
    expect(await find(url)).toMatchObject({ kind: 'page', host: 'shop.example.com', path: '/product/7' });
    expect(await find('Digest: 5')).toMatchObject({
      kind: 'nothing',
      digest: '5',
      evidence: { projects: [{ slug: 'web' }] },
    });
    expect(await find('cannot read')).toMatchObject({ kind: 'search', search: 'cannot read' });
    expect(await find('')).toMatchObject({ kind: 'empty', understood: [] });
    expect(await find(digest, '&statsPeriod=24h&project=web')).toMatchObject({ kind: 'cause' });
    expect(await find(digest, '&start=2020-01-01&end=2020-01-02')).toMatchObject({ kind: 'nothing' });
  });

  test('a long paste goes into the body', async () => {
    const q = `${'x '.repeat(30_000)} Digest: ${digest}`;
    const answer = await api.call({ method: 'POST', url: `${org}/find/`, payload: { q } });
    expect(answer.json()).toMatchObject({ kind: 'cause', value: digest });
    const longer = await api.call({ method: 'POST', url: `${org}/find/`, payload: { q: 'x'.repeat(65_537) } });
    expect(longer.statusCode).toBe(400);
  });
});

describe('watches', () => {
  test('wait until the event of a server arrives, and tell its user once, on the stream and afterwards', async () => {
    const heard: unknown[] = [];
    const unsubscribe = api.live.subscribe((message) => message.type === 'digest' && heard.push(message));
    const made = await watch({ digest: '1276584232@E7', host: 'shop.example.com', project: 'web' });
    expect(made.statusCode).toBe(201);
    const mine = made.json<WatchShape>();
    expect(mine).toMatchObject({
      digest: '1276584232',
      host: 'shop.example.com',
      project: { slug: 'web' },
      status: 'waiting',
      seen: false,
      found: null,
    });
    expect(await find('1276584232')).toMatchObject({ kind: 'nothing', evidence: { watch: { id: mine.id } } });

    const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
    const stream = new AbortController();
    const response = await fetch(`${address}${org}/live/`, {
      headers: { authorization: `Bearer ${api.token}` },
      signal: stream.signal,
    });
    const arrived = (async () => {
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        const line = /data: (.*"digest".*)\n/.exec(text)?.[1];
        if (line !== undefined) return JSON.parse(line) as unknown;
      }
      return undefined;
    })();
    const browser = serverEvent({
      digest: '1276584232',
      platform: 'javascript',
      group_hash: hash('browser'),
      tags: { url },
    });
    const server = serverEvent({ digest: '1276584232' });
    await store(api, [browser, server]);
    const { projectId } = api;
    const message = { type: 'events', projectId, issueIds: [], newIssueIds: [], count: 2, first: false } as const;
    api.live.publish({ ...message, digests: ['9', '1276584232'] });
    expect(await arrived).toMatchObject({
      type: 'digest',
      watchId: mine.id,
      digest: '1276584232',
      eventId: server.event_id,
    });
    stream.abort();
    api.live.publish({ ...message, digests: ['1276584232'] });

    expect(await watches()).toMatchObject([
      {
        id: mine.id,
        status: 'found',
        seen: false,
        found: {
          eventId: server.event_id,
          shortId: 'WEB-1',
          permalink: `http://culprit.test/issues/WEB-1?event=${server.event_id}`,
        },
      },
    ]);
    const seen = await api.call({ method: 'PUT', url: `${org}/digest-watches/${mine.id}/`, payload: { seen: true } });
    expect(seen.json()).toMatchObject({ seen: true, status: 'found' });
    const removed = await api.call({ method: 'DELETE', url: `${org}/digest-watches/${mine.id}/` });
    expect(removed.statusCode).toBe(204);
    expect(await watches()).toEqual([]);
    expect(heard).toHaveLength(1);
    unsubscribe();
  });

  test('a digest that is there already is found at once; watching again begins anew', async () => {
    const first = (await watch({ digest })).json<WatchShape>();
    expect(first).toMatchObject({ status: 'found', project: null, host: null });
    const again = (await watch({ digest, host: 'b.example.com' })).json<WatchShape>();
    expect(again).toMatchObject({ id: first.id, host: 'b.example.com', status: 'found' });
    expect(await watches()).toHaveLength(1);
    await api.call({ method: 'DELETE', url: `${org}/digest-watches/${first.id}/` });
  });

  test('what is no digest, or of a project that is not there, is refused', async () => {
    for (const body of [{}, { digest: 'NEXT_REDIRECT;replace;/login' }, { digest: '' }, { digest: '1'.repeat(41) }]) {
      expect((await watch(body)).statusCode).toBe(400);
    }
    expect((await watch({ digest: '1', project: 'nobody' })).statusCode).toBe(404);
    for (const id of ['999999', '__proto__', '1e3', '-1']) {
      for (const request of [{ method: 'PUT', payload: { seen: true } }, { method: 'DELETE' }] as const) {
        expect((await api.call({ ...request, url: `${org}/digest-watches/${id}/` })).statusCode).toBe(404);
      }
    }
  });

  test('are their user’s own', async () => {
    const mine = (await watch({ digest: '31' })).json<WatchShape>();
    const other = await api.accounts.createUser({
      email: 'second@example.com',
      password: 'another password',
      organizationId: api.organizationId,
      role: 'member',
    });
    const { token } = await api.accounts.createToken({
      organizationId: api.organizationId,
      userId: other.id,
      name: 'test',
      scopes: ['event:read'],
    });
    const theirs = await api.call({ method: 'GET', url: `${org}/digest-watches/`, token });
    expect(theirs.json()).toEqual([]);
    for (const request of [{ method: 'PUT', payload: { seen: true } }, { method: 'DELETE' }] as const) {
      const answer = await api.call({ ...request, url: `${org}/digest-watches/${mine.id}/`, token });
      expect(answer.statusCode).toBe(404);
    }
    expect((await watch({ digest: '31' }, token)).statusCode).toBe(201);
    expect(await watches()).toMatchObject([{ id: mine.id }]);
    await api.call({ method: 'DELETE', url: `${org}/digest-watches/${mine.id}/` });
  });

  test('of another organisation are not met by an event of this one', async () => {
    await api.state.db
      .insertInto('organization')
      .values({
        id: 'rival',
        name: 'Rival',
        slug: 'rival',
        logo: null,
        metadata: null,
        createdAt: new Date().toISOString(),
      })
      .execute();
    await createProject(api.state, { organizationId: 'rival', name: 'Web' });
    const user = await api.accounts.createUser({
      email: 'rival@example.com',
      password: 'another password',
      organizationId: 'rival',
      role: 'owner',
    });
    const { token } = await api.accounts.createToken({
      organizationId: 'rival',
      userId: user.id,
      name: 'test',
      scopes: ['event:read'],
    });
    const rival = '/api/0/organizations/rival';
    const made = await api.call({ method: 'POST', url: `${rival}/digest-watches/`, payload: { digest }, token });
    expect(made.json()).toMatchObject({ status: 'waiting' });
    const answer = await api.call({ method: 'GET', url: `${rival}/find/?q=${digest}`, token });
    expect(answer.json()).toMatchObject({
      kind: 'nothing',
      evidence: { lastEvent: null, digestTagging: { seen: false } },
    });
    expect((await api.call({ method: 'GET', url: `${rival}/find/?q=${digest}` })).statusCode).toBe(404);
  });

  test('fifty at most, those that have expired not counted', async () => {
    for (let number = 0; number < 50; number++) expect((await watch({ digest: `7000${number}` })).statusCode).toBe(201);
    const full = await watch({ digest: '70050' });
    expect(full.json()).toMatchObject({ status: 409, code: 'WATCHES_FULL' });
    expect((await watch({ digest: '70000' })).statusCode).toBe(201);
    await api.state.db
      .updateTable('digest_watch')
      .set({ expires_at: Date.now() - 1 })
      .where('digest', '=', '70001')
      .execute();
    expect(await watches()).toHaveLength(49);
    expect((await watch({ digest: '70050' })).statusCode).toBe(201);
  });
});
