/** What sessions must do, on any database. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { secretsOf } from '../../../base/secrets/index.ts';
import { testSecrets } from '../../../base/secrets/testing.ts';
import { columnSpelling } from '../../../ports/state/capabilities.ts';
import { sessionHashes } from '../../../ports/state/migrations/0024-session-hashes.ts';
import { authSecret, createAccounts } from '../index.ts';
import { passwordSetAt } from '../users.ts';
import { cookieOf, owner, type Place } from './place.ts';

export function sessionsSuite(place: Place): void {
  describe('sessions', () => {
    test('begin with address and password, tell who it is, and end', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      const answer = await place.signIn();
      expect(answer.status).toBe(200);
      const [session] = answer.headers.getSetCookie();
      expect(session).toMatch(/^culprit\.session_token=/);
      expect(session).toMatch(/HttpOnly/i);
      expect(session).toMatch(/SameSite=Lax/i);
      expect(session).not.toMatch(/Secure/i);

      const cookie = cookieOf(answer.headers.getSetCookie());
      const identity = await place.accounts.identify(new Headers({ cookie }));
      expect(identity).toMatchObject({
        kind: 'session',
        userId: user.id,
        user,
        memberships: [{ organizationId: organization.id, slug: 'acme-ltd', name: 'Acme Ltd', role: 'owner' }],
      });
      expect(identity?.scopes).toContain('org:admin');
      expect(Math.abs(Date.now() - (identity?.memberships[0]?.createdAt.getTime() ?? 0))).toBeLessThan(60_000);

      expect((await place.post('/sign-out', {}, { cookie })).status).toBe(200);
      expect(await place.accounts.identify(new Headers({ cookie }))).toBeUndefined();
    });

    test('are nobody without, or with made-up, cookies', async () => {
      await place.accounts.setUp(owner);
      for (const cookie of [
        '',
        'culprit.session_token=abc',
        'culprit.session_token=abc.def%3D',
        'other=1',
        'culprit.session_token=%',
      ]) {
        expect(await place.accounts.identify(new Headers({ cookie }))).toBeUndefined();
      }
      expect(await place.accounts.identify(new Headers())).toBeUndefined();
    });

    test('have secure cookies where the address is https, also when it becomes so', async () => {
      await place.accounts.setUp(owner);
      await place.signIn();
      place.url = 'https://errors.example.com';
      const cookies = (await place.signIn()).headers.getSetCookie();
      expect(cookies.map((cookie) => /^[^=.]+\.[a-z]+/.exec(cookie)?.[0])).toEqual([
        '__Host-culprit.session',
        '__Host-culprit.device',
      ]);
      for (const cookie of cookies) {
        expect(cookie).toMatch(/; Path=\/(?:;|$)/);
        expect(cookie).toMatch(/; Secure/);
        expect(cookie).not.toMatch(/; Domain/i);
      }
      expect(await place.accounts.identify(new Headers({ cookie: cookieOf(cookies) }))).toMatchObject({
        kind: 'session',
      });
    });

    test('end where another begins in the same browser, and their token is in no answer', async () => {
      await place.accounts.setUp(owner);
      const { email, password } = owner;
      const first = await place.signIn();
      const cookie = cookieOf(first.headers.getSetCookie());
      const text = await first.text();
      expect(text).toContain(email.toLowerCase());
      const token = decodeURIComponent(/session_token=([^;]*)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
      expect(token).toHaveLength(32);
      expect(text).not.toContain(token);
      const elsewhere = cookieOf((await place.signIn()).headers.getSetCookie());
      const again = await place.post('/sign-in/email', { email, password }, { cookie });
      const now = cookieOf(again.headers.getSetCookie());
      const kindOf = async (shown: string) => (await place.accounts.identify(new Headers({ cookie: shown })))?.kind;
      expect([await kindOf(cookie), await kindOf(now), await kindOf(elsewhere)]).toEqual([
        undefined,
        'session',
        'session',
      ]);
      // Not with a wrong password, nor by a cookie that the server did not sign.
      await place.post('/sign-in/email', { email, password: 'wrong password' }, { cookie: now });
      const forged = now.replace(/(session_token=[^.]+)\.[^;]+/, '$1.AAAA');
      await place.post('/sign-in/email', { email, password }, { cookie: forged });
      expect(await kindOf(now)).toBe('session');
    });

    test('renew a password hash of an earlier version', async () => {
      const { user } = await place.accounts.setUp(owner);
      const storedHash = async () =>
        (await place.state.db.selectFrom('account').select('password').executeTakeFirst())?.password ?? '';
      const [current, setAt] = [await storedHash(), await passwordSetAt(place.state, owner.email.toLowerCase())];
      // Hashes cost nothing in this suite, so that a former one differs by its name alone.
      const former = current.split(':').slice(2).join(':');
      await place.state.db.updateTable('account').set({ password: former }).where('userId', '=', user.id).execute();
      expect((await place.signIn('wrong password')).status).toBe(401);
      expect(await storedHash()).toBe(former);
      expect((await place.signIn()).status).toBe(200);
      const renewed = await storedHash();
      expect(renewed.split(':').slice(0, 2)).toEqual(current.split(':').slice(0, 2));
      expect(renewed).not.toBe(current);
      expect((await place.signIn()).status).toBe(200);
      expect(await storedHash()).toBe(renewed);
      // It is the same password: who was kept out is not let in by it.
      expect(await passwordSetAt(place.state, owner.email.toLowerCase())).toBe(setAt);
    });

    test('do not begin with a wrong password; the answer is the same for an address that is not known', async () => {
      await place.accounts.setUp(owner);
      const wrong = await place.signIn('wrong password');
      const unknown = await place.post('/sign-in/email', { email: 'nobody@example.com', password: owner.password });
      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      expect(await wrong.text()).toBe(await unknown.text());
      expect(await place.accounts.signIn({ email: owner.email, password: 'wrong password' })).toBeUndefined();
    });

    test('can be begun by the program itself, after set-up', async () => {
      const { user } = await place.accounts.setUp(owner);
      const cookies = await place.accounts.signIn(owner);
      expect(await place.accounts.identify(new Headers({ cookie: cookieOf(cookies ?? []) }))).toMatchObject({
        userId: user.id,
      });
    });

    test('outlive the process: the secret is kept', async () => {
      await place.accounts.setUp(owner);
      const cookie = cookieOf((await place.accounts.signIn(owner)) ?? []);
      const later = await createAccounts({
        state: place.state,
        getUrl: () => place.url,
        secret: await authSecret(place.state, testSecrets),
      });
      expect(await later.identify(new Headers({ cookie }))).toMatchObject({ kind: 'session' });
      const other = await createAccounts({
        state: place.state,
        getUrl: () => place.url,
        secret: 'another secret of a fair length, for signing',
      });
      expect(await other.identify(new Headers({ cookie }))).toBeUndefined();
    });

    test('are stored as hashes: what the state store holds signs nobody in', async () => {
      await place.accounts.setUp(owner);
      const cookies = (await place.accounts.signIn(owner)) ?? [];
      const cookie = cookieOf(cookies);
      const raw = decodeURIComponent(/session_token=([^;]*)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
      expect(raw).toMatch(/^[A-Za-z0-9]{32}$/);
      const stored = await place.state.db.selectFrom('session').select('token').execute();
      expect(stored).toHaveLength(1);
      expect(stored[0]?.token).toMatch(/^sha256:/);
      expect(JSON.stringify(stored)).not.toContain(raw);
      // Signed as the server would: even the secret makes no session of a hash.
      const secret = await authSecret(place.state, testSecrets);
      for (const token of [stored[0]!.token, raw]) {
        const signature = createHmac('sha256', secret).update(token).digest('base64');
        const made = `culprit.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
        const identity = await place.accounts.identify(new Headers({ cookie: made }));
        expect(identity?.kind).toBe(token === raw ? 'session' : undefined);
      }
      const signedOut = await place.post('/sign-out', {}, { cookie });
      expect(signedOut.status).toBe(200);
      expect(await place.state.db.selectFrom('session').select('token').execute()).toEqual([]);
      expect(await place.accounts.identify(new Headers({ cookie }))).toBeUndefined();
    });

    test('of an earlier version go on: its signing secret is sealed, its tokens are hashed', async () => {
      const earlier = 'ab'.repeat(32);
      await place.state.db
        .insertInto('setting')
        .values({ name: 'auth_secret', value: JSON.stringify(earlier) })
        .execute();
      expect(await authSecret(place.state, testSecrets)).toBe(earlier);
      const { value } = await place.state.db
        .selectFrom('setting')
        .select('value')
        .where('name', '=', 'auth_secret')
        .executeTakeFirstOrThrow();
      expect(value).not.toContain(earlier);
      expect(await authSecret(place.state, testSecrets)).toBe(earlier);
      await place.accounts.setUp(owner);
      const upgraded = await createAccounts({ state: place.state, getUrl: () => place.url, secret: earlier });
      const cookie = cookieOf((await upgraded.signIn(owner)) ?? []);
      const token = decodeURIComponent(/session_token=([^;.]*)/.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
      await place.state.db.updateTable('session').set({ token }).execute();
      await place.state.transaction((trx) => sessionHashes.up(trx, columnSpelling(place.state.capabilities)));
      expect(await upgraded.identify(new Headers({ cookie }))).toMatchObject({ kind: 'session' });
      // With another key it does not open, and everybody signs in again.
      const other = secretsOf('another secret of thirty-two letters', 'a test');
      expect(await authSecret(place.state, other)).not.toBe(earlier);
    });

    test('are limited in their attempts, by an address that cannot be made up', async () => {
      await place.accounts.setUp(owner);
      const attempt = (index: number, address: string) =>
        place.post(
          '/sign-in/email',
          { email: owner.email, password: 'wrong password' },
          { 'x-forwarded-for': `10.0.0.${index}`, 'x-culprit-client-address': `10.0.1.${index}` },
          address,
        );
      const limited = place.nextAddress();
      for (let index = 0; index < 10; index++) expect((await attempt(index, limited)).status).toBe(401);
      await expect(attempt(10, limited)).rejects.toMatchObject({
        code: 'SIGN_IN_LIMITED',
        status: 429,
        retryAfter: 60,
      });
    });

    test('are limited in their attempts by account, but for browsers that signed in before and after a new password', async () => {
      await place.accounts.setUp(owner);
      const device = cookieOf((await place.signIn()).headers.getSetCookie().filter((one) => one.includes('.device-')));
      expect(device).toMatch(/^culprit\.device-[\w-]{12}=/);
      for (let index = 0; index < 10; index++) expect((await place.signIn('wrong password')).status).toBe(401);
      await expect(place.signIn()).rejects.toMatchObject({ code: 'SIGN_IN_LIMITED' });
      const { email, password } = owner;
      const known = await place.post('/sign-in/email', { email, password }, { cookie: device });
      expect(known.status).toBe(200);
      const madeUp = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
      for (const cookie of [madeUp, device.replace('.device-', '.device-x')]) {
        await expect(place.post('/sign-in/email', { email, password }, { cookie })).rejects.toMatchObject({
          status: 429,
        });
      }
      await place.accounts.resetPassword({ email, password: 'a new password' });
      expect((await place.signIn('a new password')).status).toBe(200);
    });

    test('are begun with what was understood, and nothing else', async () => {
      await place.accounts.setUp(owner);
      const asForm = { 'content-type': 'application/x-www-form-urlencoded' };
      await expect(place.post('/sign-in/email', owner, asForm)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(place.post('/sign-in/email', { email: owner.email })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
      const { email, password } = owner;
      const led = await place.post('/sign-in/email', { email, password, callbackURL: 'https://evil.example' });
      expect([led.status, led.headers.get('location')]).toEqual([200, null]);
    });

    test('accept no change from another site, and any name of this one', async () => {
      await place.accounts.setUp(owner);
      const cookie = cookieOf((await place.accounts.signIn(owner)) ?? []);
      expect((await place.post('/sign-out', {}, { cookie, origin: 'https://evil.example' })).status).toBe(403);
      expect(place.warnings.join()).toContain('https://evil.example');
      expect(await place.accounts.identify(new Headers({ cookie }))).toBeDefined();
      expect(
        (await place.post('/sign-out', {}, { cookie, origin: 'http://192.0.2.1:7420', host: '192.0.2.1:7420' })).status,
      ).toBe(200);
    });
  });
}
