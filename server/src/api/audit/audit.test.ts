/** The audit log over the API: who may read it, its pages and files, what hostile text becomes, sign-ins, the webhook. */
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Entry, verifyLines } from '../../domains/audit/index.ts';
import { signature } from '../../base/outbound/index.ts';
import { openTeamApi, org, password, type TeamApi } from '../teams/testing.ts';
import { owner } from '../testing.ts';

let api: TeamApi;
const log = `${org}/audit-log/`;

beforeAll(async () => {
  api = await openTeamApi();
});
afterAll(() => api?.[Symbol.asyncDispose]());

const list = (query = ''): Promise<Entry[]> => api.get(`${log}${query}`);
const asPerson = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });

test('owners and admins read it; members, and tokens without its scope, do not', async () => {
  const status = async (headers: object): Promise<number> =>
    (await api.app.inject({ url: log, headers: headers as Record<string, string> })).statusCode;
  expect(await status(asPerson(api.admin.cookie))).toBe(200);
  expect(await status(asPerson(api.jane.cookie))).toBe(403);
  const reader = await api.makeToken('org:write', 'member:admin', 'project:admin', 'event:admin');
  expect(await status({ authorization: `Bearer ${reader}` })).toBe(403);
  const auditor = await api.makeToken('org:audit');
  expect(await status({ authorization: `Bearer ${auditor}` })).toBe(200);
  const payload = { retentionDays: 90 };
  for (const headers of [asPerson(api.admin.cookie), { authorization: `Bearer ${auditor}` }]) {
    const answer = await api.app.inject({ method: 'PUT', url: `${log}settings/`, headers, payload });
    expect(answer.statusCode).toBe(403);
  }
});

test('it is read in pages, by what was done, by whom, to what, from where and when', async () => {
  for (const name of ['Alpha', 'Beta', 'Gamma']) await api.send('POST', `${org}/teams/`, { name });
  const first = await api.call({ method: 'GET', url: `${log}?action=team.create&limit=2` });
  expect(first.json<Entry[]>().map(({ target }) => target.name)).toEqual(['Gamma', 'Beta']);
  const next = /<([^>]+)>; rel="next"; results="true"/.exec(String(first.headers['link']))?.[1] ?? '';
  const second = await api.call({ method: 'GET', url: next });
  expect(second.json<Entry[]>().map(({ target }) => target.name)).toEqual(['Alpha', 'Payments']);
  const previous = /<([^>]+)>; rel="previous"; results="true"/.exec(String(second.headers['link']))?.[1] ?? '';
  expect((await api.call({ method: 'GET', url: previous })).json()).toEqual(first.json());
  const [gamma] = first.json<Entry[]>();
  expect(await list(`?target=team:${gamma?.target.id}`)).toHaveLength(1);
  expect((await list(`?actor=user:${api.userId}&action=team&limit=1`))[0]?.actor.email).toBe(owner.email);
  expect(await list('?actor=host')).toEqual([]);
  expect(await list('?address=192.0.2.1')).toEqual([]);
  expect(await list('?end=2020-01-01&start=2019-01-01')).toEqual([]);
  for (const query of ['?cursor=x', '?statsPeriod=soon', '?limit=1000', `?actor=${'x'.repeat(300)}`]) {
    expect((await api.call({ method: 'GET', url: `${log}${query}` })).statusCode, query).toBe(400);
  }
});

test('who reads the same again within an hour is told of once; who exports, each time', async () => {
  const told = async (action: string): Promise<number> => (await list(`?action=${action}&limit=100`)).length;
  await list('?action=project&actor=host');
  const before = await told('audit_log.read');
  await list('?action=project&actor=host');
  expect(await told('audit_log.read')).toBe(before);
  const entries = await list('?action=audit_log.read');
  expect(entries.map(({ details }) => details?.['filters'])).toContain('action=project actor=host');
  await api.call({ method: 'GET', url: `${log}export/` });
  await api.call({ method: 'GET', url: `${log}export/` });
  expect(await told('audit_log.export')).toBe(2);
});

test('text that would move, hide or forge lines is written out, and secrets are not there', async () => {
  const name = 'a\u202Eb\u0007c';
  const agent = `evil\u200B${'\u001b'}[2J sntryu_${'ab'.repeat(32)} ${'x'.repeat(2_000)}`;
  const made = await api.call({
    method: 'POST',
    url: `${org}/teams/`,
    payload: { name, slug: 'hostile' },
    headers: { 'user-agent': Buffer.from(agent, 'utf8').toString('latin1') },
  });
  expect(made.statusCode).toBe(201);
  await api.send('PUT', '/api/0/teams/acme/hostile/', { name: '=cmd|"/c calc"!A1,\n"x"' });
  const text = (await api.call({ method: 'GET', url: `${log}export/?action=team&format=jsonl` })).body;
  expect(text).toContain(String.raw`a\\u{202e}b\\u{7}c`);
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u200b\u202a-\u202e\u2028\u2029]/u);
  expect(text).not.toContain('abababab');
  for (const line of text.trim().split('\n')) {
    expect(JSON.parse(line).source.agent.length).toBeLessThanOrEqual(300);
  }
  const csv = await api.call({ method: 'GET', url: `${log}export/?action=team&format=csv` });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  const lines = csv.body.split('\r\n');
  expect(lines[0]).toMatch(/^seq,at,action,actor_type,/);
  for (const line of lines.slice(1, -1)) expect(line).toMatch(/^\d+,20/);
  expect(csv.body).not.toMatch(/(?:^|,)"?[=+@]/m);
});

test('all of it as a file verifies, and a changed one does not', async () => {
  const { body, headers } = await api.call({ method: 'GET', url: `${log}export/` });
  expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-log-acme-\d{4}-\d\d-\d\d.jsonl"$/);
  const lines = body.split('\n');
  const [verified] = await verifyLines(lines);
  expect(verified).toMatchObject({ first: 1, breaks: [] });
  expect(verified?.entries).toBe(lines.length - 1);
  const changed = lines.map((line, index) => (index === 3 ? line.replace('"at":"20', '"at":"19') : line));
  expect((await verifyLines(changed))[0]?.breaks).toMatchObject([{ kind: 'changed', seq: 4 }]);
  expect((await verifyLines(lines.toSpliced(3, 2)))[0]?.breaks).toMatchObject([{ kind: 'missing', seq: 4, until: 5 }]);
  expect((await verifyLines([...lines.slice(0, 4), ...lines.slice(3)]))[0]?.breaks).toEqual([]);
  expect(await verifyLines(['not json', '{}'])).toEqual([]);
});

describe('sign-ins', () => {
  const signIn = (email: string, secret: string, address = '192.0.2.9') =>
    api.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      remoteAddress: address,
      headers: { host: 'culprit.test', origin: 'http://culprit.test', 'user-agent': 'a browser' },
      payload: { email, password: secret },
    });

  test('those that succeed, those that fail and signing out are told', async () => {
    const answer = await signIn('ada@example.com', password);
    expect(answer.statusCode).toBe(200);
    const [success] = await list('?action=sign_in.succeed&limit=1');
    expect(success).toMatchObject({
      actor: { type: 'user', email: 'ada@example.com', session: expect.any(String) },
      source: { address: '192.0.2.9', agent: 'a browser' },
    });
    const cookie = [answer.headers['set-cookie'] ?? '']
      .flat()
      .map((one) => one.split(';', 1)[0])
      .join('; ');
    const headers = { cookie, host: 'culprit.test', origin: 'http://culprit.test' };
    await api.app.inject({ method: 'POST', url: '/api/auth/sign-out', headers, payload: {} });
    const [out] = await list('?action=sign_out');
    expect(out?.actor).toMatchObject({ email: 'ada@example.com', session: success?.actor.session });
  });

  test('what was typed is not there, whoever it was meant for', async () => {
    for (let n = 0; n < 14; n += 1) await signIn('ada@example.com', `wrong password ${n}`);
    await signIn('my-password@in-the-wrong-field.example', 'x', '192.0.2.10');
    await api.accounts.flush();
    const failed = await list('?action=sign_in.fail&limit=100');
    const times = (name: string | undefined, reason: string): number =>
      failed
        .filter(({ target, details }) => target.name === name && details?.['reason'] === reason)
        .reduce((sum, { details }) => sum + Number(details?.['times']), 0);
    expect(times('ada@example.com', 'wrong')).toBe(10);
    expect(times('ada@example.com', 'limited')).toBe(4);
    expect(times(undefined, 'wrong')).toBe(1);
    expect(JSON.stringify(failed)).not.toMatch(/wrong password|my-password/);
  });
});

describe('the webhook', () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  const received: Entry[] = [];
  const failing = { times: 0 };

  test('gets each entry once and in order, again where it said no, and signed', async () => {
    const badlySigned: string[] = [];
    const receive = async (request: IncomingMessage): Promise<number> => {
      const body = await read(request);
      const id = String(request.headers['webhook-id']);
      const ought = signature(secret, id, Number(request.headers['webhook-timestamp']), body);
      if (request.headers['webhook-signature'] !== ought) badlySigned.push(id);
      if (failing.times > 0) {
        failing.times -= 1;
        return 503;
      }
      received.push(...(JSON.parse(body) as { entries: Entry[] }).entries);
      return 204;
    };
    const server = createServer(async (request, response) => {
      const status = await receive(request);
      response.writeHead(status).end(status === 503 ? 'busy' : undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/log?token=hidden`;
    const without = await api.send('PUT', `${log}settings/`, { stream: { url } });
    expect([without.status, without.body.detail]).toEqual([400, expect.stringContaining('secret')]);
    const { body } = await api.send<{ stream: { url: string } }>('PUT', `${log}settings/`, { stream: { url, secret } });
    expect(body.stream.url).toBe(`http://127.0.0.1:${port}/log?…`);
    for (let n = 0; n < 5; n += 1) await api.send('POST', `${org}/teams/`, { name: `Streamed ${n}` });
    await until(() => received.some(({ target }) => target.name === 'Streamed 4'));
    failing.times = 1;
    await api.send('POST', `${org}/teams/`, { name: 'Streamed 5' });
    await until(() => failing.times === 0);
    await until(async () => {
      const { stream } = await api.get<{ stream: { problem: string } }>(`${log}settings/`);
      return stream.problem.startsWith('503');
    });
    // The next attempt is due later; here it is at once.
    await api.state.db.updateTable('audit_stream').set({ due_at: 0 }).execute();
    await api.send('POST', `${org}/teams/`, { name: 'Streamed 6' });
    await until(() => received.some(({ target }) => target.name === 'Streamed 6'));
    expect(badlySigned).toEqual([]);
    const numbers = received.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    expect((await verifyLines(received.map((entry) => JSON.stringify(entry))))[0]?.breaks).toEqual([]);
    const [changed] = await list('?action=audit_log.update');
    expect(changed?.changes).toEqual([
      { field: 'streamUrl', before: null, after: `http://127.0.0.1:${port}/log?…` },
      { field: 'streamEnabled', before: false, after: true },
      { field: 'streamQuery' },
      { field: 'streamSecret' },
    ]);
    await api.send('PUT', `${log}settings/`, { stream: { url: `${url}too` } });
    expect((await list('?action=audit_log.update'))[0]?.changes).toEqual([{ field: 'streamQuery' }]);
    const stored = await api.state.db.selectFrom('audit_stream').select('secret').executeTakeFirstOrThrow();
    expect(stored.secret).not.toContain(secret.slice(6));
    await api.send('PUT', `${log}settings/`, { stream: null });
    expect(await api.get(`${log}settings/`)).toMatchObject({ stream: null, canChange: true });
    server.closeAllConnections();
    server.close();
  }, 60_000);
});

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

async function until(probe: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await probe())) {
    if (Date.now() > deadline) throw new Error('not within 30 s');
    await delay(50);
  }
}
