/** The set-up of the Slack app, with a workspace of the tests' own that answers as Slack's documents say. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listEntries } from '../../domains/audit/index.ts';
import { botToken, openWorkspace, signingSecret, type Workspace } from '../../domains/slack/testing/workspace.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
let workspace: Workspace;
beforeAll(async () => {
  [api, workspace] = await Promise.all([openTestApi(), openWorkspace()]);
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await workspace?.[Symbol.asyncDispose]();
});
afterEach(() => {
  workspace.instead = () => undefined;
});

const url = '/api/0/organizations/acme/slack/';
const call = async (method: 'GET' | 'PUT' | 'DELETE', payload?: object, path = '') => {
  const answer = await api.call({ method, url: `${url}${path}`, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body ? answer.json<Record<string, unknown>>() : {} };
};
const secrets = () => ({ token: botToken, signingSecret, apiUrl: workspace.apiUrl });

test('before it is connected there is a manifest to create it from', async () => {
  const { body } = await call('GET');
  expect(body).toMatchObject({ app: null, reachable: false, channels: 0 });
  const requestUrl = `http://culprit.test/slack/${api.organizationId}/actions`;
  expect(body['requestUrl']).toBe(requestUrl);
  const manifest = JSON.parse(String(body['manifest'])) as Record<string, Record<string, unknown>>;
  expect(manifest['settings']?.['interactivity']).toEqual({ is_enabled: true, request_url: requestUrl });
  expect(await call('GET', undefined, 'channels/')).toMatchObject({
    status: 409,
    body: { code: 'SLACK_NOT_CONNECTED' },
  });
  expect(await call('DELETE')).toMatchObject({ status: 409 });
});

test.each([
  [{}, 'enter the bot token and the signing secret'],
  [{ token: botToken }, 'enter the bot token and the signing secret'],
  [{ token: 'xoxp-1', signingSecret }, 'xoxb-'],
  [{ token: 'xoxe.xoxb-1', signingSecret }, 'token rotation'],
  [{ token: 'xoxb-1 2', signingSecret }, 'spaces'],
  [{ token: botToken, signingSecret: 'short' }, '32 letters and digits'],
  [{ token: botToken, signingSecret, apiUrl: 'ftp://slack.com' }, 'expected http: or https:'],
  [{ token: botToken, signingSecret, apiUrl: 'http://10.0.0.1/api' }, 'not a public address'],
])('what cannot be used is refused: %#', async (fields, why) => {
  const { status, body } = await call('PUT', fields);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(String(body['detail']).toLowerCase()).toContain(why.toLowerCase());
  expect((await call('GET')).body['app']).toBeNull();
});

test('what Slack says of the token is said in a sentence', async () => {
  const refused = async (fields: object = {}): Promise<unknown> =>
    (await call('PUT', { ...secrets(), ...fields })).body;
  expect(await refused({ token: 'xoxb-wrong' })).toMatchObject({
    code: 'SLACK_REFUSED',
    detail: 'Slack: the token is not valid. Copy the Bot User OAuth Token again.',
  });
  workspace.scopes = 'chat:write,channels:read';
  expect(await refused()).toMatchObject({
    detail: expect.stringContaining('chat:write.public, groups:read, users:read, users:read.email') as string,
  });
  workspace.scopes = 'chat:write,chat:write.public,channels:read,groups:read,users:read,users:read.email';
  workspace.instead = () => ({
    status: 429,
    headers: { 'retry-after': '7' },
    body: '{"ok":false,"error":"ratelimited"}',
  });
  expect(await refused()).toMatchObject({ status: 429, detail: expect.stringContaining('7 seconds') as string });
  workspace.instead = () => ({ status: 200, body: '<html>' });
  expect(await refused()).toMatchObject({ status: 502, code: 'SLACK_UNREACHABLE' });
  workspace.instead = () => ({ status: 503, body: '' });
  expect(await refused()).toMatchObject({ detail: expect.stringContaining('responded with 503') as string });
  workspace.instead = () => ({
    status: 200,
    body: '{"ok":true,"team_id":"T1","team":"A","user_id":"U1","user":"ada"}',
  });
  expect(await refused()).toMatchObject({ detail: expect.stringContaining('not the token of a bot') as string });
});

test('it is connected; its secrets are sealed and never shown', async () => {
  const connected = await call('PUT', secrets());
  expect(connected.body).toMatchObject({ team: { id: 'T0001', name: 'Acme HQ' }, bot: 'culprit', lastPressed: null });
  const [row] = await api.state.db.selectFrom('slack_app').selectAll().execute();
  expect([row?.token, row?.signing_secret]).toEqual([
    expect.stringMatching(/^sealed:/),
    expect.stringMatching(/^sealed:/),
  ]);
  const shown = JSON.stringify([connected.body, (await call('GET')).body]);
  for (const secret of [botToken, signingSecret]) expect(shown).not.toContain(secret);
});

test('a secret may stay as it is, but goes to no other address by itself', async () => {
  expect((await call('PUT', { token: botToken })).status).toBe(200);
  expect((await call('PUT', { signingSecret: 'a'.repeat(32) })).status).toBe(200);
  const elsewhere = 'http://127.0.0.1:9/api';
  expect(await call('PUT', { apiUrl: elsewhere })).toMatchObject({ status: 400 });
  expect(await call('PUT', { apiUrl: elsewhere, token: botToken })).toMatchObject({ status: 400 });
  const entries = (await listEntries(api.state, api.organizationId, {}, { limit: 10 })).entries;
  const own = entries.filter(({ action }) => action.startsWith('slack_app.'));
  expect(own.map(({ action }) => action)).toEqual(['slack_app.update', 'slack_app.update', 'slack_app.connect']);
  expect(own[0]?.changes).toEqual([{ field: 'signingSecret' }]);
  expect(JSON.stringify(own)).not.toContain(botToken);
});

test('channels of the workspace are listed a page at a time', async () => {
  workspace.channels.push(...Array.from({ length: 450 }, (_, n) => ({ id: `C${n}`, name: `c-${n}` })));
  workspace.channels.push({ id: 'G1', name: 'secret', is_private: true });
  const names: string[] = [];
  let cursor = '';
  do {
    const { body } = await call('GET', undefined, `channels/?cursor=${cursor}`);
    names.push(...(body['channels'] as { name: string }[]).map(({ name }) => name));
    cursor = String(body['nextCursor']);
  } while (cursor !== '');
  expect(new Set(names).size).toBe(451);
  const form = new URLSearchParams(workspace.calls.at(-1)?.body);
  expect([form.get('types'), form.get('exclude_archived')]).toEqual(['public_channel,private_channel', 'true']);
});

test('members and viewers set nothing up', async () => {
  const token = await api.makeToken('org:read', 'event:admin');
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', 'channels/'],
  ] as const) {
    const payload = method === 'PUT' ? { payload: secrets() } : {};
    expect((await api.call({ method, url: `${url}${path}`, token, ...payload })).statusCode).toBe(403);
  }
});

test('a channel goes through the app, and another way leaves it', async () => {
  const channels = '/api/0/organizations/acme/channels/';
  const config = { via: 'app', channel: 'C1', channelName: 'c-1' };
  const made = await api.call({ method: 'POST', url: channels, payload: { type: 'slack', name: 'Ops', config } });
  expect([made.statusCode, made.json()]).toMatchObject([201, { config }]);
  expect((await call('GET')).body['channels']).toBe(1);
  const one = `${channels}${made.json<{ id: string }>().id}/`;
  const change = async (changed: object) =>
    (await api.call({ method: 'PUT', url: one, payload: { config: changed } })).json<{ config: object }>().config;
  expect(await change({ channel: '#typed' })).not.toHaveProperty('channelName');
  expect(await change({ url: 'https://hooks.slack.com/services/T0/B0/x' })).not.toHaveProperty('via');
  expect(await change({ via: 'app', channel: 'C2' })).not.toHaveProperty('url');
  const neither = { type: 'slack', name: 'Ops', config: { via: 'app' } };
  expect((await api.call({ method: 'POST', url: channels, payload: neither })).statusCode).toBe(400);
});

test('it is disconnected, and its secrets are gone', async () => {
  expect((await call('DELETE')).status).toBe(204);
  expect(await api.state.db.selectFrom('slack_app').selectAll().execute()).toEqual([]);
  expect((await call('GET')).body).toMatchObject({ app: null, channels: 1 });
});
