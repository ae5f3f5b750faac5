import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { getProject, listKeys } from '../projects/index.ts';
import { columnSpelling } from '../state/capabilities.ts';
import { sessionHashes } from '../state/migrations/0024-session-hashes.ts';
import type { State } from '../state/state.ts';
import { onEachDatabase } from '../state/testing/databases.ts';
import { secretsOf } from '../secrets/index.ts';
import { testSecrets } from '../secrets/testing.ts';
import { authSecret, createAccounts } from './index.ts';
import type { Accounts } from './index.ts';

const owner = {
  email: 'Ada@Example.com',
  password: 'correct horse',
  organization: 'Acme Ltd',
  project: 'Web Shop',
  platform: 'javascript-nextjs',
};

let databaseCount = 0;

onEachDatabase('accounts', (databases) => {
  const network = ++databaseCount;
  let state: State;
  let accounts: Accounts;
  let url: string;
  let warnings: string[];
  // Attempts to sign in are counted by address, in the memory of this process.
  let addresses = 0;
  const nextAddress = (): string => `198.51.${network}.${++addresses}`;
  beforeEach(async () => {
    url = 'http://localhost:7420';
    warnings = [];
    state = await databases.migrated();
    accounts = await createAccounts({
      state,
      getUrl: () => url,
      secret: await authSecret(state, testSecrets),
      warn: (message) => warnings.push(message),
    });
  });

  const post = (
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    address: string = nextAddress(),
  ): Promise<Response> =>
    accounts.handler(
      new Request(`${url}/api/auth${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', host: new URL(url).host, origin: url, ...headers },
      }),
      address,
    );
  const cookieOf = (setCookies: readonly string[]): string =>
    setCookies.map((cookie) => cookie.split(';')[0]).join('; ');
  const signIn = (password = owner.password) => post('/sign-in/email', { email: owner.email, password });

  describe('set-up', () => {
    test('makes owner, organisation, project and key, once', async () => {
      expect(await accounts.isSetUp()).toBe(false);
      const made = await accounts.setUp(owner);
      expect(made).toMatchObject({
        user: { email: 'ada@example.com', name: 'ada' },
        organization: { slug: 'acme-ltd', name: 'Acme Ltd' },
        project: { slug: 'web-shop', name: 'Web Shop', platform: 'javascript-nextjs' },
        dsn: `http://${made.key.publicKey}@localhost:7420/${made.project.id}`,
      });
      expect(await accounts.isSetUp()).toBe(true);
      expect(await getProject(state, made.organization.id, 'web-shop')).toEqual(made.project);
      expect(await listKeys(state, made.project.id)).toEqual([made.key]);
      await expect(accounts.setUp(owner)).rejects.toMatchObject({ code: 'SETUP_DONE' });
      const later = await createAccounts({ state, getUrl: () => url });
      expect(await later.isSetUp()).toBe(true);
    });

    test('of several at once one wins', async () => {
      const attempts = [1, 2, 3].map((index) => accounts.setUp({ ...owner, email: `user${index}@example.com` }));
      const settled = await Promise.allSettled(attempts);
      expect(settled.filter(({ status }) => status === 'fulfilled').length).toBe(1);
      for (const result of settled)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'SETUP_DONE' });
      for (const table of ['user', 'account', 'organization', 'member', 'project', 'project_key'] as const) {
        expect((await state.db.selectFrom(table).select('id').execute()).length, table).toBe(1);
      }
    });

    test.each([
      [{ email: 'ada' }, /email must be an e-mail address/],
      [{ password: '1234567' }, /password must have at least 8 characters/],
      [
        { password: 'password1' },
        /one of the first that an attacker tries: it is made of a common word/,
        'PASSWORD_COMMON',
      ],
      [{ password: 'Ada-2026!' }, /a name that others know/, 'PASSWORD_COMMON'],
      [{ password: 'acme ltd 1' }, /a name that others know/, 'PASSWORD_COMMON'],
      [{ password: 'x'.repeat(129) }, /password must have at most 128/],
      [{ organization: ' ' }, /organization must not be empty/],
      [{ project: '' }, /project must not be empty/],
      [{ platform: 'no such thing' }, /platform must be a name/],
    ])('says what to correct in %j, and leaves nothing behind', async (wrong, reason, code = 'INPUT_INVALID') => {
      const refused = accounts.setUp({ ...owner, ...wrong });
      await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(reason) });
      expect(await accounts.isSetUp()).toBe(false);
      expect(await state.db.selectFrom('organization').select('id').execute()).toEqual([]);
    });
  });

  describe('sessions', () => {
    test('begin with address and password, tell who it is, and end', async () => {
      const { user, organization } = await accounts.setUp(owner);
      const answer = await signIn();
      expect(answer.status).toBe(200);
      const [session] = answer.headers.getSetCookie();
      expect(session).toMatch(/^culprit\.session_token=/);
      expect(session).toMatch(/HttpOnly/i);
      expect(session).toMatch(/SameSite=Lax/i);
      expect(session).not.toMatch(/Secure/i);

      const cookie = cookieOf(answer.headers.getSetCookie());
      const identity = await accounts.identify(new Headers({ cookie }));
      expect(identity).toMatchObject({
        kind: 'session',
        userId: user.id,
        user,
        memberships: [{ organizationId: organization.id, slug: 'acme-ltd', name: 'Acme Ltd', role: 'owner' }],
      });
      expect(identity?.scopes).toContain('org:admin');
      expect(Math.abs(Date.now() - (identity?.memberships[0]?.createdAt.getTime() ?? 0))).toBeLessThan(60_000);

      expect((await post('/sign-out', {}, { cookie })).status).toBe(200);
      expect(await accounts.identify(new Headers({ cookie }))).toBeUndefined();
    });

    test('are nobody without, or with made-up, cookies', async () => {
      await accounts.setUp(owner);
      for (const cookie of [
        '',
        'culprit.session_token=abc',
        'culprit.session_token=abc.def%3D',
        'other=1',
        'culprit.session_token=%',
      ]) {
        expect(await accounts.identify(new Headers({ cookie }))).toBeUndefined();
      }
      expect(await accounts.identify(new Headers())).toBeUndefined();
    });

    test('have secure cookies where the address is https, also when it becomes so', async () => {
      await accounts.setUp(owner);
      await signIn();
      url = 'https://errors.example.com';
      const [session] = (await signIn()).headers.getSetCookie();
      expect(session).toMatch(/^__Secure-culprit\.session_token=.*Secure/);
    });

    test('do not begin with a wrong password; the answer is the same for an address that is not known', async () => {
      await accounts.setUp(owner);
      const wrong = await signIn('wrong password');
      const unknown = await post('/sign-in/email', { email: 'nobody@example.com', password: owner.password });
      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      expect(await wrong.text()).toBe(await unknown.text());
      expect(await accounts.signIn({ email: owner.email, password: 'wrong password' })).toBeUndefined();
    });

    test('can be begun by the program itself, after set-up', async () => {
      const { user } = await accounts.setUp(owner);
      const cookies = await accounts.signIn(owner);
      expect(await accounts.identify(new Headers({ cookie: cookieOf(cookies ?? []) }))).toMatchObject({
        userId: user.id,
      });
    });

    test('outlive the process: the secret is kept', async () => {
      await accounts.setUp(owner);
      const cookie = cookieOf((await accounts.signIn(owner)) ?? []);
      const later = await createAccounts({ state, getUrl: () => url, secret: await authSecret(state, testSecrets) });
      expect(await later.identify(new Headers({ cookie }))).toMatchObject({ kind: 'session' });
      const other = await createAccounts({
        state,
        getUrl: () => url,
        secret: 'another secret of a fair length, for signing',
      });
      expect(await other.identify(new Headers({ cookie }))).toBeUndefined();
    });

    test('are stored as hashes: what the state store holds signs nobody in', async () => {
      await accounts.setUp(owner);
      const cookies = (await accounts.signIn(owner)) ?? [];
      const cookie = cookieOf(cookies);
      const raw = decodeURIComponent(/session_token=([^;]*)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
      expect(raw).toMatch(/^[A-Za-z0-9]{32}$/);
      const stored = await state.db.selectFrom('session').select('token').execute();
      expect(stored).toHaveLength(1);
      expect(stored[0]?.token).toMatch(/^sha256:/);
      expect(JSON.stringify(stored)).not.toContain(raw);
      // Signed as the server would: even the secret makes no session of a hash.
      const secret = await authSecret(state, testSecrets);
      for (const token of [stored[0]!.token, raw]) {
        const signature = createHmac('sha256', secret).update(token).digest('base64');
        const made = `culprit.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
        const identity = await accounts.identify(new Headers({ cookie: made }));
        expect(identity?.kind).toBe(token === raw ? 'session' : undefined);
      }
      const signedOut = await post('/sign-out', {}, { cookie });
      expect(signedOut.status).toBe(200);
      expect(await state.db.selectFrom('session').select('token').execute()).toEqual([]);
      expect(await accounts.identify(new Headers({ cookie }))).toBeUndefined();
    });

    test('of an earlier version go on: its signing secret is sealed, its tokens are hashed', async () => {
      const earlier = 'ab'.repeat(32);
      await state.db
        .insertInto('setting')
        .values({ name: 'auth_secret', value: JSON.stringify(earlier) })
        .execute();
      expect(await authSecret(state, testSecrets)).toBe(earlier);
      const { value } = await state.db
        .selectFrom('setting')
        .select('value')
        .where('name', '=', 'auth_secret')
        .executeTakeFirstOrThrow();
      expect(value).not.toContain(earlier);
      expect(await authSecret(state, testSecrets)).toBe(earlier);
      await accounts.setUp(owner);
      const upgraded = await createAccounts({ state, getUrl: () => url, secret: earlier });
      const cookie = cookieOf((await upgraded.signIn(owner)) ?? []);
      const token = decodeURIComponent(/session_token=([^;.]*)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
      await state.db.updateTable('session').set({ token }).execute();
      await state.transaction((trx) => sessionHashes.up(trx, columnSpelling(state.capabilities)));
      expect(await upgraded.identify(new Headers({ cookie }))).toMatchObject({ kind: 'session' });
      // With another key it does not open, and everybody signs in again.
      const other = secretsOf('another secret of thirty-two letters', 'a test');
      expect(await authSecret(state, other)).not.toBe(earlier);
    });

    test('are limited in their attempts, by an address that cannot be made up', async () => {
      await accounts.setUp(owner);
      const attempt = (index: number, address: string) =>
        post(
          '/sign-in/email',
          { email: owner.email, password: 'wrong password' },
          { 'x-forwarded-for': `10.0.0.${index}`, 'x-culprit-client-address': `10.0.1.${index}` },
          address,
        );
      const limited = nextAddress();
      for (let index = 0; index < 10; index++) expect((await attempt(index, limited)).status).toBe(401);
      await expect(attempt(10, limited)).rejects.toMatchObject({
        code: 'SIGN_IN_LIMITED',
        status: 429,
        retryAfter: 60,
      });
    });

    test('are limited in their attempts by account, but for browsers that signed in before and after a new password', async () => {
      await accounts.setUp(owner);
      const device = cookieOf((await signIn()).headers.getSetCookie().filter((one) => one.includes('.device-')));
      expect(device).toMatch(/^culprit\.device-[\w-]{12}=/);
      for (let index = 0; index < 10; index++) expect((await signIn('wrong password')).status).toBe(401);
      await expect(signIn()).rejects.toMatchObject({ code: 'SIGN_IN_LIMITED' });
      const { email, password } = owner;
      const known = await post('/sign-in/email', { email, password }, { cookie: device });
      expect(known.status).toBe(200);
      const madeUp = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      for (const cookie of [madeUp, device.replace('.device-', '.device-x')]) {
        await expect(post('/sign-in/email', { email, password }, { cookie })).rejects.toMatchObject({ status: 429 });
      }
      await accounts.resetPassword({ email, password: 'a new password' });
      expect((await signIn('a new password')).status).toBe(200);
    });

    test('are begun with what was understood, and nothing else', async () => {
      await accounts.setUp(owner);
      const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
      await expect(post('/sign-in/email', owner, asForm)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(post('/sign-in/email', { email: owner.email })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      const { email, password } = owner;
      const led = await post('/sign-in/email', { email, password, callbackURL: 'https://evil.example' });
      expect([led.status, led.headers.get('location')]).toEqual([200, null]);
    });

    test('accept no change from another site, and any name of this one', async () => {
      await accounts.setUp(owner);
      const cookie = cookieOf((await accounts.signIn(owner)) ?? []);
      expect((await post('/sign-out', {}, { cookie, origin: 'https://evil.example' })).status).toBe(403);
      expect(warnings.join()).toContain('https://evil.example');
      expect(await accounts.identify(new Headers({ cookie }))).toBeDefined();
      expect(
        (await post('/sign-out', {}, { cookie, origin: 'http://192.0.2.1:7420', host: '192.0.2.1:7420' })).status,
      ).toBe(200);
    });
  });

  test('nobody signs up or makes organisations by themselves', async () => {
    await accounts.setUp(owner);
    const cookie = cookieOf((await accounts.signIn(owner)) ?? []);
    expect((await post('/sign-up/email', { email: 'eve@example.com', password: 'password1', name: 'Eve' })).ok).toBe(
      false,
    );
    expect((await post('/organization/create', { name: 'Eve', slug: 'eve' }, { cookie })).ok).toBe(false);
    expect(
      (await post('/organization/invite-member', { email: 'eve@example.com', role: 'owner' }, { cookie })).status,
    ).toBe(404);
    // It would tell scripts of the page the token that its cookie hides from them.
    expect((await post('/list-sessions', {}, { cookie })).status).toBe(404);
    expect(await state.db.selectFrom('user').select('email').execute()).toEqual([{ email: 'ada@example.com' }]);
  });

  describe('API tokens', () => {
    const bearer = (token: string) => accounts.identify(new Headers({ authorization: `Bearer ${token}` }));

    test('are shown once, tell whose they are, and stop working when deleted', async () => {
      const { user, organization } = await accounts.setUp(owner);
      const made = await accounts.createToken({
        organizationId: organization.id,
        userId: user.id,
        name: 'ci',
        scopes: ['project:releases', 'event:write'],
      });
      expect(made.token).toMatch(/^sntryu_[0-9a-f]{64}$/);
      const { token, ...rest } = made;
      expect(await accounts.listTokens({ organizationId: organization.id })).toEqual([rest]);
      expect(rest).toMatchObject({
        name: 'ci',
        scopes: ['project:releases', 'event:write'],
        hint: token.slice(-4),
        lastUsedAt: null,
      });
      expect(JSON.stringify(await state.db.selectFrom('api_token').selectAll().execute())).not.toContain(
        token.slice(7),
      );

      const identity = await bearer(token);
      expect(identity).toMatchObject({
        kind: 'token',
        userId: user.id,
        scopes: ['project:releases', 'event:read', 'event:write'],
      });
      expect(identity?.memberships).toMatchObject([{ organizationId: organization.id, role: 'owner' }]);
      expect(await accounts.deleteToken({ organizationId: 'other', id: made.id })).toBe(false);
      expect(await accounts.deleteToken({ organizationId: organization.id, userId: 'other', id: made.id })).toBe(false);
      expect(await accounts.deleteToken({ organizationId: organization.id, userId: user.id, id: made.id })).toBe(true);
      await expect(bearer(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    });

    test('note when they were last used, once a minute', async () => {
      const { user, organization } = await accounts.setUp(owner);
      const { token, id } = await accounts.createToken({
        organizationId: organization.id,
        userId: user.id,
        name: 'ci',
        scopes: ['org:read'],
      });
      const lastUsedAt = async () => (await accounts.listTokens({ organizationId: organization.id }))[0]?.lastUsedAt;
      await bearer(token);
      const first = await lastUsedAt();
      expect(Math.abs(Date.now() - (first ?? 0))).toBeLessThan(60_000);
      await bearer(token);
      expect(await lastUsedAt()).toBe(first);
      await state.db.updateTable('api_token').set({ last_used_at: 1 }).where('id', '=', id).execute();
      await bearer(token);
      expect(await lastUsedAt()).toBeGreaterThanOrEqual(first ?? Infinity);
    });

    test.each([
      'x',
      'sntryu_',
      `sntryu_${'0'.repeat(64)}`,
      `sntryu_${'0'.repeat(63)}g`,
      `SNTRYU_${'0'.repeat(64)}`,
      'sntrys_eyJ9_abc',
      'a'.repeat(10_000),
    ])('that are none are refused: %s', async (token) => {
      await accounts.setUp(owner);
      await expect(bearer(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID', status: 401 });
    });

    test('allow no more than their owner may, then and later', async () => {
      const { organization } = await accounts.setUp(owner);
      const member = await accounts.createUser({
        email: 'bob@example.com',
        password: 'another battery',
        organizationId: organization.id,
      });
      const given = { organizationId: organization.id, userId: member.id, name: 'x' };
      await expect(accounts.createToken({ ...given, scopes: ['project:admin'] })).rejects.toMatchObject({
        code: 'SCOPE_MISSING',
      });
      await expect(accounts.createToken({ ...given, userId: 'nobody', scopes: ['org:read'] })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await expect(accounts.createToken({ ...given, scopes: [] })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(accounts.createToken({ ...given, scopes: ['root' as 'org:read'] })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });

      await state.db.updateTable('member').set({ role: 'owner' }).where('userId', '=', member.id).execute();
      const { token } = await accounts.createToken({ ...given, scopes: ['project:admin', 'event:read'] });
      await state.db.updateTable('member').set({ role: 'member' }).where('userId', '=', member.id).execute();
      expect((await bearer(token))?.scopes).toEqual(['project:read', 'event:read']);
      await state.db.deleteFrom('member').where('userId', '=', member.id).execute();
      await expect(bearer(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    });
  });

  describe('the end of a token', () => {
    const bearer = (token: string) => accounts.identify(new Headers({ authorization: `Bearer ${token}` }));

    test('is said, those made before have none, and children go with it', async () => {
      const { user, organization } = await accounts.setUp(owner);
      const given = { organizationId: organization.id, userId: user.id, name: 'x', scopes: ['org:read' as const] };
      const made = await accounts.createToken(given);
      expect(Math.round(((made.expiresAt ?? 0) - Date.now()) / 86_400_000)).toBe(365);
      expect(made.maker).toEqual({ name: 'ada', email: 'ada@example.com', isMember: true });
      const child = await accounts.createToken({ ...given, kind: 'organization', parent: made });
      expect(child.expiresAt).toBe(made.expiresAt);
      const set = (expiresAt: number | null) =>
        state.db.updateTable('api_token').set({ expires_at: expiresAt }).where('id', '=', made.id).execute();
      await set(null);
      expect((await bearer(made.token))?.token).toEqual({ id: made.id, expiresAt: null });
      await set(Date.parse('2020-02-02'));
      await expect(bearer(made.token)).rejects.toMatchObject({
        code: 'TOKEN_EXPIRED',
        status: 401,
        message: expect.stringMatching(/expired on 2020-02-02; make a new one/),
      });
      expect(await accounts.countTokens('Ada@example.com')).toEqual({ user: 0, organization: 1 });
      await accounts.revokeTokens(owner.email);
      await expect(bearer(child.token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
      await expect(accounts.countTokens('nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('tokens of an organisation', () => {
    const bearer = (token: string) => accounts.identify(new Headers({ authorization: `Bearer ${token}` }));

    test('have address and organisation in them, upload, and outlast whoever made them', async () => {
      const { user, organization } = await accounts.setUp(owner);
      const made = await accounts.createToken({
        organizationId: organization.id,
        userId: user.id,
        name: 'builds',
        kind: 'organization',
        scopes: ['org:admin'],
      });
      const [, facts = '', secret = ''] = /^sntrys_([^_]+)_([A-Za-z0-9+/]{43})$/.exec(made.token) ?? [];
      expect(Buffer.from(secret, 'base64')).toHaveLength(32);
      expect(facts.length % 4).toBe(0);
      expect(JSON.parse(Buffer.from(facts, 'base64').toString())).toEqual({
        iat: expect.any(Number) as number,
        url: expect.stringMatching(/^https?:/) as string,
        region_url: expect.stringMatching(/^https?:/) as string,
        org: organization.slug,
      });
      expect(made).toMatchObject({ kind: 'organization', scopes: ['org:ci'] });

      await state.db.deleteFrom('member').where('userId', '=', user.id).execute();
      const identity = await bearer(made.token);
      expect(identity).toMatchObject({
        kind: 'token',
        scopes: ['org:read', 'org:ci', 'project:read', 'project:releases'],
        memberships: [{ organizationId: organization.id, slug: organization.slug, role: '' }],
      });
      const altered = made.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      await expect(bearer(altered)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    });

    test('are made, seen and deleted by whoever may upload for all', async () => {
      const { user, organization } = await accounts.setUp(owner);
      const bob = await accounts.createUser({
        email: 'bob@example.com',
        password: 'another battery',
        organizationId: organization.id,
      });
      const given = { organizationId: organization.id, name: 'builds', kind: 'organization' } as const;
      await expect(accounts.createToken({ ...given, userId: bob.id })).rejects.toMatchObject({ code: 'SCOPE_MISSING' });
      const { id } = await accounts.createToken({ ...given, userId: user.id });
      const asBob = { organizationId: organization.id, userId: bob.id };
      expect(await accounts.listTokens(asBob)).toEqual([]);
      expect(await accounts.deleteToken({ ...asBob, id })).toBe(false);
      expect(await accounts.listTokens({ ...asBob, shared: true })).toMatchObject([{ id, kind: 'organization' }]);
      expect(await accounts.deleteToken({ ...asBob, shared: true, id })).toBe(true);
    });
  });

  describe('users', () => {
    test('are added to an organisation and can sign in', async () => {
      const { organization } = await accounts.setUp(owner);
      const bob = {
        email: 'Bob@example.com',
        password: 'another battery',
        name: 'Bob',
        organizationId: organization.id,
        role: 'admin' as const,
      };
      const user = await accounts.createUser(bob);
      expect(user).toMatchObject({ email: 'bob@example.com', name: 'Bob' });
      const cookie = cookieOf((await accounts.signIn(bob)) ?? []);
      expect(await accounts.identify(new Headers({ cookie }))).toMatchObject({
        user,
        memberships: [{ role: 'admin' }],
      });
      await expect(accounts.createUser(bob)).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
      await expect(
        accounts.createUser({ ...bob, email: 'c@example.com', organizationId: 'none' }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(accounts.createUser({ ...bob, email: 'c' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    });

    test('with a new password are signed out everywhere', async () => {
      await accounts.setUp(owner);
      const cookie = cookieOf((await accounts.signIn(owner)) ?? []);
      await accounts.resetPassword({ email: owner.email, password: 'a new password' });
      expect(await accounts.identify(new Headers({ cookie }))).toBeUndefined();
      expect(await accounts.signIn(owner)).toBeUndefined();
      expect(await accounts.signIn({ ...owner, password: 'a new password' })).toBeDefined();
      await expect(
        accounts.resetPassword({ email: 'nobody@example.com', password: 'a new password' }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });
});
