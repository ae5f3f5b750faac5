/** What members can do to each other: streams that outlive them, other people's alerts, links that run. */
import { join as path } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from '../harness.ts';
import { act, type Actor, join, signIn, tokenOf } from './people.ts';

let server: Server;
let owner: Actor;

beforeAll(async () => {
  server = await Server.create();
  owner = await signIn(server);
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** What another node, or an older version, did to the state store. */
function inState(statement: string, ...values: readonly (string | number)[]): void {
  using database = new DatabaseSync(path(server.dataDir, 'state.db'));
  database.exec('PRAGMA busy_timeout = 5000');
  database.prepare(statement).run(...values);
}

interface Stream {
  /** All that has come. */
  text(): string;
  isOpen(): boolean;
  close(): void;
}

async function listen(actor: Actor): Promise<Stream> {
  const abort = new AbortController();
  const { headers } = actor;
  const response = await fetch(`${server.url}/api/0/organizations/acme/live/`, { headers, signal: abort.signal });
  expect(response.status).toBe(200);
  let text = '';
  let isOpen = true;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
  };
  void read()
    .catch(() => {})
    .finally(() => (isOpen = false));
  return { text: () => text, isOpen: () => isOpen, close: () => abort.abort() };
}

const ended = (stream: Stream, limitMs: number) => expect.poll(stream.isOpen, { timeout: limitMs }).toBe(false);

describe('live streams', () => {
  test('end at once with the membership, the session and the token that opened them', async () => {
    const [leaver, outgoer] = [await join(server, 'leaver', 'member'), await join(server, 'outgoer', 'member')];
    const token = await tokenOf(server, owner, 'event:read', 'org:read');
    const own = await listen(owner);
    const streams = [await listen(leaver), await listen(outgoer), await listen(token)];
    expect(streams.every((stream) => stream.isOpen())).toBe(true);
    await act(server, owner, 'DELETE', `/organizations/acme/members/${leaver.memberId}/`);
    const { headers } = outgoer;
    await fetch(`${server.url}/api/auth/sign-out`, { method: 'POST', headers, body: '{}' });
    await act(server, owner, 'DELETE', `/organizations/acme/api-tokens/${token.id}/`);
    for (const stream of streams) await ended(stream, 1_500);
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
    await expect.poll(own.text).toContain('"type":"events"');
    for (const stream of streams) expect(stream.text()).not.toContain('"type":"events"');
    own.close();
  });

  test('end within seconds when it was another node that ended the membership', async () => {
    const elsewhere = await join(server, 'elsewhere', 'member');
    const [stream, own] = [await listen(elsewhere), await listen(owner)];
    inState('DELETE FROM member WHERE id = ?', elsewhere.memberId);
    await ended(stream, 8_000);
    expect(own.isOpen()).toBe(true);
    own.close();
  });

  test('end within seconds when their token expires', async () => {
    const token = await tokenOf(server, owner, 'event:read', 'org:read');
    const [stream, own] = [await listen(token), await listen(owner)];
    inState('UPDATE api_token SET expires_at = ? WHERE id = ?', Date.now() + 1_000, Number(token.id));
    await ended(stream, 8_000);
    expect((await act(server, token, 'GET', '/organizations/acme/')).status).toBe(401);
    expect(own.isOpen()).toBe(true);
    own.close();
  });

  test('of one person are ten, of which the oldest makes way; they shut out nobody', async () => {
    const many = await join(server, 'many', 'member');
    const own = await listen(owner);
    const streams: Stream[] = [];
    for (let opened = 0; opened < 12; opened += 1) streams.push(await listen(many));
    for (const stream of streams.slice(0, 2)) await ended(stream, 3_000);
    expect(streams.slice(2).every((stream) => stream.isOpen())).toBe(true);
    // It does not take its place back at once.
    expect(streams[0]?.text()).toContain('retry: 300000');
    expect(own.isOpen()).toBe(true);
    for (const stream of [own, ...streams]) stream.close();
  });
});

describe('alert rules', () => {
  const rules = '/organizations/acme/alert-rules/';
  const rule = { kind: 'issue', name: 'New issues', conditions: [{ type: 'new_issue' }] };
  const make = async (by: Actor): Promise<string> => {
    const { status, body } = await act<{ id: string }>(server, by, 'POST', rules, rule);
    expect(status).toBe(201);
    return `${rules}${body.id}/`;
  };

  test('a member silences, changes and deletes nobody else’s, neither by session nor by token', async () => {
    const own = await make(owner);
    const mallory = await join(server, 'mallory', 'member');
    for (const actor of [mallory, await tokenOf(server, mallory, 'event:write')]) {
      const refused = { status: 403, body: { code: 'RULE_NOT_YOURS' } };
      expect(await act(server, actor, 'PUT', own, { enabled: false, channelIds: [] })).toMatchObject(refused);
      expect(await act(server, actor, 'DELETE', own)).toMatchObject(refused);
      const forEveryone = { minutes: 43_200, for: 'everyone' };
      expect(await act(server, actor, 'POST', `${own}mute/`, forEveryone)).toMatchObject(refused);
      const muted = await act(server, actor, 'POST', `${own}mute/`, { minutes: 43_200 });
      expect(muted).toMatchObject({
        status: 200,
        body: { mutedUntil: null, mutedForMeUntil: expect.any(String), mayChange: false },
      });
    }
    const seen = await act(server, owner, 'GET', own);
    expect(seen.body).toMatchObject({ enabled: true, mutedUntil: null, mutedForMeUntil: null, mayChange: true });
    expect(await act(server, mallory, 'POST', `${own}mute/`, { minutes: null })).toMatchObject({
      body: { mutedForMeUntil: null },
    });
  });

  test('a rule is its maker’s, the admins’ and the owners’; once the maker has left, theirs alone', async () => {
    const maker = await join(server, 'maker', 'member');
    const other = await join(server, 'other', 'member');
    const admin = await join(server, 'admin', 'admin');
    const own = await make(maker);
    for (const actor of [maker, admin, owner]) {
      expect((await act(server, actor, 'PUT', own, { throttleMinutes: 5 })).status).toBe(200);
    }
    expect((await act(server, other, 'PUT', own, { throttleMinutes: 6 })).body).toMatchObject({
      detail: expect.stringContaining('Only maker, a manager, an admin or an owner can'),
    });
    await act(server, owner, 'DELETE', `/organizations/acme/members/${maker.memberId}/`);
    expect((await act(server, other, 'DELETE', own)).body).toMatchObject({
      detail: expect.stringContaining('Only a manager, admin or owner can'),
    });
    expect((await act(server, admin, 'POST', `${own}mute/`, { minutes: 5 })).body).toMatchObject({
      mutedUntil: expect.any(String),
    });
    expect((await act(server, admin, 'DELETE', own)).status).toBe(204);
  });
});

describe('links that run', () => {
  const scripts = [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    '//evil.example',
  ];
  const org = '/organizations/acme';

  test.each(scripts)('%s is no address of a release, a deploy or a repository', async (url) => {
    const version = { version: 'linked@1.0.0', projects: ['web'] };
    expect((await act(server, owner, 'POST', `${org}/releases/`, version)).status).toBeLessThan(300);
    const release = `${org}/releases/linked@1.0.0/`;
    const answers = [
      await act(server, owner, 'POST', `${org}/releases/`, { ...version, url }),
      await act(server, owner, 'POST', '/projects/acme/web/releases/', { version: 'linked@1.0.0', url }),
      await act(server, owner, 'PUT', release, { url }),
      await act(server, owner, 'PUT', '/projects/acme/web/releases/linked@1.0.0/', { url }),
      await act(server, owner, 'POST', `${release}deploys/`, { environment: 'production', url }),
      await act(server, owner, 'POST', `${org}/repos/`, { url, name: 'acme/shop' }),
      await act(server, owner, 'POST', `${org}/repos/`, { url: 'https://x.example/a', linkTemplate: `${url}{path}` }),
    ];
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual(
      answers.map(() => [400, 'INPUT_INVALID']),
    );
  });

  test('what is stored already is given out as no link', async () => {
    const url = 'https://ci.example/build/7';
    const made = { version: 'old@1.0.0', projects: ['web'], url };
    expect((await act(server, owner, 'POST', `${org}/releases/`, made)).body).toMatchObject({ url });
    const release = `${org}/releases/old@1.0.0/`;
    const deploy = { environment: 'production', url };
    expect((await act(server, owner, 'POST', `${release}deploys/`, deploy)).body).toMatchObject({ url });
    inState(`UPDATE release SET url = 'javascript:alert(1)' WHERE version = ?`, 'old@1.0.0');
    inState(`UPDATE deploy SET url = 'javascript:alert(2)'`);
    expect((await act(server, owner, 'GET', release)).body).toMatchObject({ url: null, lastDeploy: { url: null } });
    expect((await act(server, owner, 'GET', `${release}deploys/`)).body).toMatchObject([{ url: null }]);
  });

  test('feedback leads to no script', async () => {
    const item = {
      type: 'feedback',
      contexts: { feedback: { message: 'broken', url: 'javascript:alert(1)' } },
    };
    const body = `${JSON.stringify({ event_id: newEventId() })}\n{"type":"feedback"}\n${JSON.stringify(item)}\n`;
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    const found = await server.until('the feedback is there', async () => {
      const list = await server.api<{ feedback: { url: string | null }[] }>(`${org}/feedback/`);
      return list.feedback[0];
    });
    expect(found.url).toBeNull();
  });
});
