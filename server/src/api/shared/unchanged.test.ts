/** Answers that did not change are not sent again, and never to who may not see them any more. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { openTeamApi, org, type Person, type TeamApi } from '../teams/testing.ts';
import { hasTag, tagOf } from './unchanged.ts';

let api: TeamApi;
const list = `${org}/issues/?query=&groupStatsPeriod=auto`;

beforeAll(async () => {
  api = await openTeamApi();
  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('one'), event_id: hash('an event') })]);
});
afterAll(() => api[Symbol.asyncDispose]());

/** As somebody in a browser; as the owner's token unless somebody is named. */
const ask = (url: string, { as, token, tag }: { as?: Person; token?: string; tag?: unknown } = {}) => {
  const condition = tag === undefined ? {} : { 'if-none-match': String(tag) };
  return as
    ? api.app.inject({ url, headers: { cookie: as.cookie, 'sec-fetch-site': 'same-origin', ...condition } })
    : api.call({ method: 'GET', url, headers: condition, ...(token !== undefined && { token }) });
};

test('what is known is not sent again, until it changed', async () => {
  const first = await ask(list);
  expect(first.headers).toMatchObject({ 'cache-control': 'no-store', etag: tagOf(first.body) });
  const { etag } = first.headers;
  const again = await ask(list, { tag: etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  expect(again.headers).toMatchObject({ 'cache-control': 'no-store', etag, link: first.headers['link'] });

  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('two'), event_id: hash('another') })]);
  const changed = await ask(list, { tag: etag });
  expect([changed.statusCode, changed.json<unknown[]>().length]).toEqual([200, 2]);
  expect(changed.headers['etag']).not.toBe(etag);
});

test.each([`${org}/issues/1/`, `${org}/issues/1/events/latest/`, `${org}/issues/1/tags/`])(
  '%s is the same a moment later',
  async (url) => {
    const { etag } = (await ask(url)).headers;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await ask(url, { tag: etag })).statusCode).toBe(304);
  },
);

test('who may not see it any more is refused, whatever they have', async () => {
  const leaver = await api.join('lea@example.com');
  const leaversToken = (
    await api.accounts.createToken({
      organizationId: api.organizationId,
      userId: leaver.userId,
      name: 'of a leaver',
      scopes: ['event:read'],
    })
  ).token;
  const revoked = await api.send<{ id: string; token: string }>('POST', `${org}/api-tokens/`, {
    name: 'to be revoked',
    scopes: ['event:read'],
  });
  const token = revoked.body.token;
  const guest = await api.join('guest@example.com');
  const etag = (await ask(list, { as: leaver })).headers['etag'];
  for (const who of [{ as: leaver }, { token: leaversToken }, { token }, { as: guest }]) {
    expect((await ask(list, { ...who, tag: etag })).statusCode).toBe(304);
  }

  await api.send('DELETE', `${org}/members/${leaver.id}/`);
  await api.send('DELETE', `${org}/api-tokens/${revoked.body.id}/`);
  const left = await api.app.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { cookie: guest.cookie, origin: 'http://culprit.test', host: 'culprit.test' },
    payload: {},
  });
  expect(left.statusCode).toBe(200);
  for (const tag of [etag, '*']) {
    expect((await ask(list, { token: leaversToken, tag })).statusCode).toBe(401);
    expect((await ask(list, { token, tag })).statusCode).toBe(401);
    expect((await ask(list, { as: guest, tag })).statusCode).toBe(401);
    // Signed in, in no organisation that would be theirs.
    expect((await ask(list, { as: leaver, tag })).statusCode).toBe(404);
  }
});

test('two people who may see different things have different answers under one address', async () => {
  const [ada, jane] = await Promise.all([
    ask(`${org}/members/`, { as: api.admin }),
    ask('/api/0/auth/', { as: api.jane }),
  ]);
  expect(ada.statusCode).toBe(200);
  const theirs = await ask('/api/0/auth/', { as: api.admin, tag: jane.headers['etag'] });
  expect(theirs.statusCode).toBe(200);
});

test('what is public and what changes something is not kept', async () => {
  for (const answer of [
    await ask('/api/0/setup/'),
    await api.call({ method: 'PUT', url: `${org}/issues/1/`, payload: {} }),
  ]) {
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['etag']).toBeUndefined();
  }
});

test('tags are compared weakly, one or several', () => {
  const tag = tagOf('[]');
  expect(hasTag(undefined, tag)).toBe(false);
  expect(hasTag(tag, tag)).toBe(true);
  expect(hasTag(tag.slice(2), tag)).toBe(true);
  expect(hasTag(`"a", ${tag}`, tag)).toBe(true);
  expect(hasTag('W/"a"', tag)).toBe(false);
});
