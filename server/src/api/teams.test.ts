/** Teams, members, invitations, ownership and comments over HTTP, on real stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../issues/testing/stores.ts';
import { openAssigner } from '../ownership/index.ts';
import { createFailures } from '../self/index.ts';
import { baseUrl, openTestApi, owner, type TestApi } from './testing.ts';

let api: TestApi;
const org = '/api/0/organizations/acme';
const password = 'correct horse battery';

interface Member {
  id: string;
  email: string;
  handle: string;
  role: string;
  teams: string[];
  pending: boolean;
  user: { id: string } | null;
}
interface Invited extends Member {
  inviteLink: string;
}

/** Somebody with a session of their own. */
interface Person {
  readonly cookie: string;
  readonly id: string;
  readonly userId: string;
}

const headers = (cookie: string) => ({ cookie, 'sec-fetch-site': 'same-origin' });

async function send<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  as?: Person,
): Promise<{ status: number; body: T & { code?: string; detail?: string } }> {
  const answer = as
    ? await api.app.inject({ method, url, headers: headers(as.cookie), ...(payload && { payload }) })
    : await api.call({ method, url, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? ({} as T & { code?: string }) : answer.json() };
}

const members = () => api.get<Member[]>(`${org}/members/`);
const tokenIn = ({ inviteLink }: Invited): string => inviteLink.slice(inviteLink.lastIndexOf('/') + 1);

async function invite(email: string, more: object = {}, as?: Person): Promise<Invited> {
  const { status, body } = await send<Invited>('POST', `${org}/members/`, { email, ...more }, as);
  expect(status).toBe(201);
  return body;
}

async function join(email: string, more: object = {}): Promise<Person> {
  const token = tokenIn(await invite(email, more));
  const answer = await api.app.inject({
    method: 'POST',
    url: `/api/0/invitations/${token}/`,
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { password },
  });
  expect(answer.statusCode).toBe(200);
  const cookie = [answer.headers['set-cookie']]
    .flat()
    .map((one) => String(one).split(';', 1)[0])
    .join('; ');
  const member = (await members()).find((one) => one.email === email);
  return { cookie, id: member?.id ?? '', userId: member?.user?.id ?? '' };
}

let admin: Person;
let jane: Person;

beforeAll(async () => {
  api = await openTestApi();
  await send('POST', `${org}/teams/`, { name: 'Payments', projects: ['web'] });
  admin = await join('ada@example.com', { role: 'admin' });
  jane = await join('jane@example.com', { teams: ['payments'] });
});
afterAll(() => api?.[Symbol.asyncDispose]());

describe('invitations', () => {
  test('make a member with role and teams, once', async () => {
    const invited = await invite('kim@example.com', { teams: ['payments'] });
    expect(invited).toMatchObject({ id: expect.stringMatching(/^invite-\d+$/), pending: true, teams: ['payments'] });
    expect(invited.inviteLink).toMatch(new RegExp(`^${baseUrl}/invite/[\\w-]{43}$`));
    const url = `/api/0/invitations/${tokenIn(invited)}/`;
    const asked = await api.app.inject({ method: 'GET', url });
    expect(asked.json()).toMatchObject({ email: 'kim@example.com', hasAccount: false, signedInAs: null });
    const accept = () => api.app.inject({ method: 'POST', url, payload: { name: 'Kim', password } });
    const answers = await Promise.all([accept(), accept()]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, expect.toBeOneOf([409, 410])]);
    expect((await members()).find(({ email }) => email === 'kim@example.com')).toMatchObject({
      role: 'member',
      teams: ['payments'],
      pending: false,
    });
    expect((await api.app.inject({ method: 'GET', url })).json()).toMatchObject({ code: 'INVITATION_GONE' });
  });

  test('are not listed with their link, and for who may invite alone', async () => {
    await invite('later@example.com');
    const listed = (await members()).find(({ email }) => email === 'later@example.com');
    expect(listed).toMatchObject({ pending: true, expired: false });
    expect(JSON.stringify(listed)).not.toContain('/invite/');
    const seen = await send<Member[]>('GET', `${org}/members/`, undefined, jane);
    expect(seen.body.some(({ pending }) => pending)).toBe(false);
  });

  test('a new one replaces the one before; they end after seven days, and can be taken back', async () => {
    const first = await invite('twice@example.com');
    const second = await invite('twice@example.com');
    expect(second.id).toBe(first.id);
    const open = (one: Invited) => api.app.inject({ method: 'GET', url: `/api/0/invitations/${tokenIn(one)}/` });
    expect([(await open(first)).statusCode, (await open(second)).statusCode]).toEqual([410, 200]);
    await api.state.db
      .updateTable('invite')
      .set({ expires_at: Date.now() - 1 })
      .where('email', '=', 'twice@example.com')
      .execute();
    expect((await open(second)).json()).toMatchObject({ code: 'INVITATION_GONE', detail: /seven days/ });
    const { body: renewed } = await send<Invited>('POST', `${org}/members/${second.id}/renew/`);
    expect((await open(renewed)).statusCode).toBe(200);
    expect((await send('DELETE', `${org}/members/${second.id}/`)).status).toBe(204);
    expect((await open(renewed)).statusCode).toBe(410);
  });

  test('who has an account signs in first; who is signed in joins as they are', async () => {
    const { body: refused } = await send('POST', `${org}/members/`, { email: 'jane@example.com' });
    expect(refused).toMatchObject({ code: 'MEMBER_EXISTS' });
    await send('DELETE', `${org}/members/${jane.id}/`);
    const token = tokenIn(await invite('jane@example.com', { teams: ['payments'] }));
    const url = `/api/0/invitations/${token}/`;
    const anonymous = await api.app.inject({ method: 'POST', url, payload: { password } });
    expect(anonymous.json()).toMatchObject({ code: 'ACCOUNT_EXISTS' });
    expect((await send('POST', url, {}, jane)).status).toBe(200);
    const member = (await members()).find(({ email }) => email === 'jane@example.com');
    expect(member).toMatchObject({ teams: ['payments'], user: { id: jane.userId } });
    jane = { ...jane, id: member?.id ?? '' };
  });

  test('no token that was made up opens one', async () => {
    for (const token of ['x', '%00', '__proto__', 'A'.repeat(43), "' or 1=1 --".padEnd(43, '-')]) {
      const answer = await api.app.inject({ method: 'GET', url: `/api/0/invitations/${encodeURIComponent(token)}/` });
      expect(answer.statusCode).toBe(410);
    }
  });
});

describe('roles', () => {
  const own = async () => (await members()).find(({ email }) => email === owner.email)?.id ?? '';

  test('members change nobody; admins neither make nor change owners; each is told who can', async () => {
    const put = (id: string, role: string, as: Person) => send('PUT', `${org}/members/${id}/`, { role }, as);
    expect((await put(admin.id, 'member', jane)).body).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect((await put(jane.id, 'owner', admin)).body).toMatchObject({
      code: 'ROLE_TOO_HIGH',
      detail: expect.stringContaining(owner.email),
    });
    expect((await put(await own(), 'member', admin)).body).toMatchObject({ code: 'ROLE_TOO_HIGH' });
    expect((await send('DELETE', `${org}/members/${await own()}/`, undefined, admin)).status).toBe(403);
    expect((await send('POST', `${org}/members/`, { email: 'o@example.com', role: 'owner' }, admin)).status).toBe(403);
    expect((await put(jane.id, 'admin', admin)).status).toBe(200);
    expect((await put(jane.id, 'member', admin)).status).toBe(200);
  });

  test('the last owner neither leaves nor takes another role', async () => {
    const id = await own();
    expect((await send('PUT', `${org}/members/${id}/`, { role: 'admin' })).body).toMatchObject({ code: 'LAST_OWNER' });
    expect((await send('DELETE', `${org}/members/me/`)).body).toMatchObject({ code: 'LAST_OWNER' });
  });

  test('a token that was made to read or to build takes its owner out of nothing', async () => {
    const { organizationId, userId } = api;
    const made = { organizationId, userId, name: 'build', kind: 'organization' } as const;
    const tokens = [await api.makeToken('org:read'), (await api.accounts.createToken(made)).token];
    for (const token of tokens) {
      for (const [method, path] of [
        ['DELETE', 'me/'],
        ['POST', 'me/teams/payments/'],
        ['DELETE', 'me/teams/payments/'],
      ] as const) {
        const answer = await api.call({ method, url: `${org}/members/${path}`, token });
        expect(answer.json()).toMatchObject({ code: 'SCOPE_MISSING', detail: /member:write/ });
      }
    }
  });

  test('who leaves takes no issue with them, and keeps their name in what they did', async () => {
    const leaver = await join('leaver@example.com');
    await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('left') })]);
    const [issue] = await api.get<{ id: string }[]>(`${org}/issues/?query=`);
    const id = Number(issue?.id);
    await api.state.db.updateTable('issue').set({ assignee_user_id: leaver.userId }).where('id', '=', id).execute();
    await send('POST', `/api/0/issues/${id}/comments/`, { text: 'I was here' }, leaver);
    expect((await send('DELETE', `${org}/members/me/`, undefined, leaver)).status).toBe(204);
    expect((await send('GET', `${org}/`, undefined, leaver)).status).toBe(404);
    const row = await api.state.db.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.assignee_user_id).toBeNull();
    const [comment] = await api.get<{ user: { email: string } }[]>(`/api/0/issues/${id}/comments/`);
    expect(comment?.user.email).toBe('leaver@example.com');
  });
});

describe('teams', () => {
  test('are made, renamed, given projects and members, and deleted', async () => {
    const made = await send<{ slug: string; isMember: boolean }>('POST', `${org}/teams/`, { name: 'Büro Zürich' });
    expect(made.body).toMatchObject({ slug: 'buro-zurich', memberCount: 1, isMember: true, projects: [] });
    const url = '/api/0/teams/acme/buro-zurich/';
    expect((await send('POST', `${org}/teams/`, { slug: 'buro-zurich' })).body).toMatchObject({
      code: 'SLUG_TAKEN',
    });
    expect((await send('PUT', url, { slug: 'things', projects: ['web'] })).body).toMatchObject({
      slug: 'things',
      projects: [{ slug: 'web' }],
    });
    const joined = await send('POST', `${org}/members/me/teams/things/`, undefined, jane);
    expect(joined.body).toMatchObject({ teams: ['things', 'payments'] });
    const other = await send('POST', `${org}/members/${admin.id}/teams/things/`, undefined, jane);
    expect(other.body).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await api.get<unknown[]>('/api/0/teams/acme/things/members/')).toHaveLength(2);
    await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('things') })]);
    const { id } = await api.state.db
      .selectFrom('team')
      .select('id')
      .where('slug', '=', 'things')
      .executeTakeFirstOrThrow();
    await api.state.db.updateTable('issue').set({ assignee_team_id: id }).execute();
    expect((await send('DELETE', '/api/0/teams/acme/things/')).status).toBe(204);
    const left = await api.state.db.selectFrom('issue').select('id').where('assignee_team_id', '=', id).execute();
    expect(left).toEqual([]);
    expect((await send('POST', `${org}/teams/`, { name: 'x' }, jane)).body).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });
});

describe('comments', () => {
  let issue: string;
  beforeAll(async () => {
    await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('talk') })]);
    const rows = await api.get<{ id: string }[]>(`${org}/issues/?query=&sort=new`);
    issue = `/api/0/issues/${rows[0]?.id}/comments/`;
  });

  const told = async (kind: string) =>
    (await api.state.db.selectFrom('delivery').select(['user_id', 'key']).where('kind', '=', kind).execute()).map(
      (row) => row.user_id,
    );

  test('name people and teams, who are told once and subscribed', async () => {
    const text = 'Look @jane, #payments: `@ada` is **not** named';
    const { status, body } = await send<{ id: string }>('POST', issue, { text });
    expect(status).toBe(201);
    expect(body).toMatchObject({ text, canChange: true, mentions: [{ handle: 'jane' }, { handle: 'payments' }] });
    const all = await told('mentioned');
    expect(all).toContain(jane.userId);
    expect(all).not.toContain(admin.userId);
    expect(new Set(all).size).toBe(all.length);
    await send('PUT', `${issue}${body.id}/`, { text: `${text} @ada` });
    expect((await told('mentioned')).toSorted()).toEqual([...all, admin.userId].toSorted());
    const reasons = await api.state.db
      .selectFrom('issue_subscription')
      .select(['user_id', 'reason'])
      .where('user_id', 'in', [api.userId, jane.userId])
      .orderBy('reason')
      .execute();
    expect(reasons.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['commented', 'mentioned']));
  });

  test('are edited by who wrote them, deleted by them and by administrators, and restored', async () => {
    const { body } = await send<{ id: string }>('POST', issue, { text: 'mine' }, jane);
    const url = `${issue}${body.id}/`;
    expect((await send('PUT', url, { text: 'yours' }, admin)).status).toBe(403);
    expect((await send('PUT', url, { text: 'still mine' }, jane)).body).toMatchObject({
      text: 'still mine',
      dateEdited: expect.any(String),
    });
    const count = async () => (await api.get<unknown[]>(issue)).length;
    const before = await count();
    expect((await send('DELETE', url, undefined, admin)).status).toBe(204);
    expect(await count()).toBe(before - 1);
    expect((await send('PUT', url, { text: 'gone' }, jane)).status).toBe(404);
    expect((await send('POST', `${url}restore/`, undefined, jane)).body).toMatchObject({ text: 'still mine' });
    expect(await count()).toBe(before);
  });

  test('take what people paste', async () => {
    const text = `</script><img src=x onerror=alert(1)> \u0000 \ud800 ${'@a'.repeat(4_000)}`;
    const { status } = await send('POST', issue, { text });
    expect(status).toBe(201);
    expect((await send('POST', issue, { text: ' ' })).status).toBe(400);
    expect((await send('POST', issue, { text: 'x'.repeat(20_000) })).status).toBe(400);
    expect((await send('GET', issue, undefined, jane)).status).toBe(200);
  });
});

describe('ownership', () => {
  const project = '/api/0/projects/acme/web';
  const payload = JSON.stringify({
    exception: { values: [{ stacktrace: { frames: [{ filename: 'src/payments/pay.ts', in_app: true, lineno: 3 }] } }] },
    request: { url: 'https://shop.example/pay' },
  });
  const issueOf = async (title: string) => {
    const row = await api.state.db
      .selectFrom('issue')
      .selectAll()
      .where('title', 'like', `%${title}%`)
      .executeTakeFirstOrThrow();
    return row;
  };

  test('rules that cannot be read or name nobody are refused with their places', async () => {
    const { status, body } = await send<{ ruleProblems: unknown[] }>('PUT', `${project}/ownership/`, {
      raw: 'path:src/* #payments\npath:lib/* #nobody who@example.com\nsrc',
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'RULES_INVALID',
      ruleProblems: [
        { field: 'raw', line: 2, column: 12, endColumn: 19, message: expect.stringContaining('no team #nobody') },
        { field: 'raw', line: 2, column: 20, message: expect.stringContaining('no member') },
        { field: 'raw', line: 3 },
      ],
    });
    expect((await send('PUT', `${project}/ownership/`, { raw: '' }, jane)).status).toBe(403);
  });

  test('a file with names that nobody has says so until somebody says who they are', async () => {
    const { body } = await send<{ id: string }>('POST', `${project}/codeowners/`, {
      raw: '*.ts @octocat @acme/payments',
    });
    expect(body).toMatchObject({ rules: 1, unknown: ['@octocat'], problems: [] });
    const url = `${project}/codeowners/${body.id}/`;
    expect((await send('PUT', url, { names: { '@octocat': `user:${jane.userId}` } })).body).toMatchObject({
      unknown: [],
    });
    expect((await send('DELETE', url)).status).toBe(204);
  });

  test('tried rules say which one matches and why; nothing is saved', async () => {
    await store(api, [
      errorRow({
        project_id: api.projectId,
        group_hash: hash('tried'),
        error_value: 'tried',
        payload,
        tags: { area: 'x' },
      }),
    ]);
    const { id } = await issueOf('tried');
    const raw = 'path:src/* jane@example.com\npath:src/payments/* #payments\npath:lib/* #payments';
    const { body } = await send('POST', `${project}/ownership/test/`, { issue: String(id), raw });
    expect(body).toMatchObject({
      assignee: { type: 'team', slug: 'payments' },
      paths: ['src/payments/pay.ts'],
      url: 'https://shop.example/pay',
      rules: [
        { line: 2, decides: true, why: 'src/payments/pay.ts' },
        { line: 1, decides: false },
      ],
    });
    const preview = await send<{ issues: { id: string; owner: unknown }[]; unowned: number }>(
      'POST',
      `${project}/ownership/preview/`,
      { raw },
    );
    expect(preview.body.issues.find((one) => one.id === String(id))?.owner).toMatchObject({ slug: 'payments' });
    expect(preview.body.unowned).toBe(preview.body.issues.length - 1);
    expect(await api.get(`${project}/ownership/`)).toMatchObject({ raw: '', lastUpdated: null });
  });

  test('new issues go to their owners by themselves; what a person decided stays', async () => {
    await send('PUT', `${project}/ownership/`, { raw: 'path:src/payments/* #payments' });
    const { state, events, live } = api;
    const failures = createFailures({
      logger: { error: (fields, message) => void api.errors.push({ message, fields: { ...fields } }) },
    });
    await using assigner = openAssigner({ state, events, live, failures, everyMs: 20 });
    expect(assigner).toBeDefined();
    // What was there before it first ran is left alone.
    await expect
      .poll(() => state.db.selectFrom('setting').selectAll().where('name', '=', 'ownership_read_to').execute())
      .toHaveLength(1);
    const event = (value: string) =>
      errorRow({ project_id: api.projectId, group_hash: hash(value), error_value: value, payload });
    await store(api, [event('auto one'), event('auto two')]);
    await expect.poll(async () => (await issueOf('auto two')).assignee_team_id, { timeout: 20_000 }).not.toBeNull();
    await expect.poll(async () => (await issueOf('auto one')).assignee_team_id, { timeout: 20_000 }).not.toBeNull();
    expect((await issueOf('tried')).assignee_team_id).toBeNull();
    const issue = await issueOf('auto one');
    const noted = await state.db
      .selectFrom('issue_activity')
      .selectAll()
      .where('issue_id', '=', issue.id)
      .where('type', '=', 'assigned')
      .execute();
    expect(noted.map(({ data, user_id }) => [JSON.parse(data), user_id])).toMatchObject([[{ why: 'ownership' }, null]]);
    // Somebody takes it off the team; then it comes back.
    const at = Date.now();
    await state.db.updateTable('issue').set({ assignee_team_id: null }).where('id', '=', issue.id).execute();
    const other = await issueOf('auto two');
    await state.db.updateTable('issue').set({ assignee_team_id: null }).where('id', '=', other.id).execute();
    const entry = { issue_id: issue.id, data: '{}', created_at: at };
    await state.db
      .insertInto('issue_activity')
      .values([
        { ...entry, type: 'unassigned', user_id: api.userId },
        { ...entry, type: 'set_regression', user_id: null },
        { ...entry, issue_id: other.id, type: 'set_regression', user_id: null },
      ])
      .execute();
    await expect.poll(async () => (await issueOf('auto two')).assignee_team_id, { timeout: 20_000 }).not.toBeNull();
    expect((await issueOf('auto one')).assignee_team_id).toBeNull();
    expect(api.errors).toEqual([]);
  });

  test('what a stopping server did not come to is given by the next', async () => {
    const { state, events, live } = api;
    const failures = createFailures({
      logger: { error: (fields, message) => void api.errors.push({ message, fields: { ...fields } }) },
    });
    const names = Array.from({ length: 30 }, (_, index) => `stopped ${index}`);
    await store(
      api,
      names.map((value) =>
        errorRow({ project_id: api.projectId, group_hash: hash(value), error_value: value, payload }),
      ),
    );
    const rows = await Promise.all(names.map((name) => issueOf(name)));
    const ids = rows.map(({ id }) => id);
    const free = async (): Promise<number> => {
      const left = state.db
        .selectFrom('issue')
        .select('id')
        .where('id', 'in', ids)
        .where('assignee_team_id', 'is', null);
      return (await left.execute()).length;
    };
    // Longer ago than what is read again anyway.
    const before = Date.now() - 120_000;
    await state.db.updateTable('issue_activity').set({ created_at: before }).where('issue_id', 'in', ids).execute();
    const assigners = new AsyncDisposableStack();
    // Stops once the first of them is given.
    const given = new Promise<void>((resolve) => {
      const stop = live.subscribe((message) => {
        if (message.type !== 'issues' || !message.issueIds.some((id) => ids.includes(id))) return;
        stop();
        void assigners.disposeAsync().then(resolve);
      });
    });
    assigners.use(openAssigner({ state, events, live, failures, everyMs: 20 }));
    await given;
    expect(await free()).toBeGreaterThan(20);
    await using next = openAssigner({ state, events, live, failures, everyMs: 20 });
    expect(next).toBeDefined();
    await expect.poll(free, { timeout: 20_000 }).toBe(0);
    expect(api.errors).toEqual([]);
  });

  test('where so chosen, they go to the author of the suspect commit instead', async () => {
    const commit = {
      id: 'a'.repeat(40),
      repository: 'acme/shop',
      message: 'Pay twice\n\nmore',
      author_name: 'Jane',
      author_email: 'jane@example.com',
      timestamp: new Date().toISOString(),
      patch_set: [{ path: 'src/payments/pay.ts', type: 'M' }],
    };
    const release = { version: 'shop@9.9.9', projects: ['web'], commits: [commit] };
    expect((await send('POST', `${org}/releases/`, release)).status).toBeLessThan(300);
    await send('PUT', `${project}/ownership/`, { autoAssignment: 'Auto Assign to Suspect Commits' });
    const { state, events, live } = api;
    const failures = createFailures({
      logger: { error: (fields, message) => void api.errors.push({ message, fields: { ...fields } }) },
    });
    await using assigner = openAssigner({ state, events, live, failures, everyMs: 20 });
    expect(assigner).toBeDefined();
    const value = 'by commit';
    const given = { project_id: api.projectId, group_hash: hash(value), error_value: value, payload };
    await store(api, [errorRow({ ...given, release: 'shop@9.9.9' })]);
    await expect.poll(async () => (await issueOf(value)).assignee_user_id, { timeout: 20_000 }).toBe(jane.userId);
    const { id } = await issueOf(value);
    const { owners } = await api.get<{ owners: { id: string; reasons: unknown[] }[] }>(`/api/0/issues/${id}/owners/`);
    expect(owners.find((one) => one.id === jane.userId)?.reasons).toEqual([
      { kind: 'commit', text: 'Pay twice', line: null, why: 'src/payments/pay.ts', commit: commit.id },
    ]);
  });

  test('owners are suggested with their reasons', async () => {
    const { id } = await issueOf('auto one');
    expect(await api.get(`/api/0/issues/${id}/owners/`)).toEqual({
      owners: [
        expect.objectContaining({
          type: 'team',
          slug: 'payments',
          reasons: [
            { kind: 'rule', text: 'path:src/payments/* #payments', line: 1, why: 'src/payments/pay.ts', commit: null },
          ],
        }),
      ],
    });
  });
});
