/** The set-up, people, their sessions and their tokens, on each database. */
import { describe, expect, test } from 'vitest';
import { getProject, listKeys } from '../projects/index.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createAccounts } from './index.ts';
import { cookieOf, openPlace, owner } from './testing/place.ts';
import { demandsSuite } from './testing/demands.ts';
import { ownSuite } from './testing/own.ts';
import { sessionsSuite } from './testing/sessions.ts';
import { tokensSuite } from './testing/tokens.ts';

onEachDatabase('accounts', (databases) => {
  const place = openPlace(databases);

  describe('set-up', () => {
    test('makes owner, organisation, project and key, once', async () => {
      expect(await place.accounts.isSetUp()).toBe(false);
      const made = await place.accounts.setUp(owner);
      expect(made).toMatchObject({
        user: { email: 'ada@example.com', name: 'ada' },
        organization: { slug: 'acme-ltd', name: 'Acme Ltd' },
        project: { slug: 'web-shop', name: 'Web Shop', platform: 'javascript-nextjs' },
        dsn: `http://${made.key.publicKey}@localhost:7420/${made.project.id}`,
      });
      expect(await place.accounts.isSetUp()).toBe(true);
      expect(await getProject(place.state, made.organization.id, 'web-shop')).toEqual(made.project);
      expect(await listKeys(place.state, made.project.id)).toEqual([made.key]);
      await expect(place.accounts.setUp(owner)).rejects.toMatchObject({ code: 'SETUP_DONE' });
      const later = await createAccounts({ state: place.state, getUrl: () => place.url });
      expect(await later.isSetUp()).toBe(true);
    });

    test('of several at once one wins', async () => {
      const attempts = [1, 2, 3].map((index) => place.accounts.setUp({ ...owner, email: `user${index}@example.com` }));
      const settled = await Promise.allSettled(attempts);
      expect(settled.filter(({ status }) => status === 'fulfilled').length).toBe(1);
      for (const result of settled)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'SETUP_DONE' });
      for (const table of ['user', 'account', 'organization', 'member', 'project', 'project_key'] as const) {
        expect((await place.state.db.selectFrom(table).select('id').execute()).length, table).toBe(1);
      }
    });

    test.each([
      [{ email: 'ada' }, /Email must be an email address/],
      [{ password: '1234567' }, /Password must have at least 8 characters/],
      [{ password: 'password1' }, /too easy to guess: it contains a common word/, 'PASSWORD_COMMON'],
      [{ password: 'Ada-2026!' }, /a well-known name/, 'PASSWORD_COMMON'],
      [{ password: 'acme ltd 1' }, /a well-known name/, 'PASSWORD_COMMON'],
      [{ password: 'x'.repeat(129) }, /Password must have at most 128/],
      [{ organization: ' ' }, /Organization must not be empty/],
      [{ project: '' }, /Project must not be empty/],
      [{ platform: 'no such thing' }, /Platform must be a name/],
    ])('says what to correct in %j, and leaves nothing behind', async (wrong, reason, code = 'INPUT_INVALID') => {
      const refused = place.accounts.setUp({ ...owner, ...wrong });
      await expect(refused).rejects.toMatchObject({ code, message: expect.stringMatching(reason) });
      expect(await place.accounts.isSetUp()).toBe(false);
      expect(await place.state.db.selectFrom('organization').select('id').execute()).toEqual([]);
    });
  });

  ownSuite(place);
  demandsSuite(place);
  sessionsSuite(place);

  test('nobody signs up or makes organisations by themselves', async () => {
    await place.accounts.setUp(owner);
    const cookie = cookieOf((await place.accounts.signIn(owner)) ?? []);
    expect(
      (await place.post('/sign-up/email', { email: 'eve@example.com', password: 'password1', name: 'Eve' })).ok,
    ).toBe(false);
    expect((await place.post('/organization/create', { name: 'Eve', slug: 'eve' }, { cookie })).ok).toBe(false);
    expect(
      (await place.post('/organization/invite-member', { email: 'eve@example.com', role: 'owner' }, { cookie })).status,
    ).toBe(404);
    // It would tell scripts of the page the token that its cookie hides from them.
    expect((await place.post('/list-sessions', {}, { cookie })).status).toBe(404);
    expect(await place.state.db.selectFrom('user').select('email').execute()).toEqual([{ email: 'ada@example.com' }]);
  });

  tokensSuite(place);

  describe('users', () => {
    test('are added to an organisation and can sign in', async () => {
      const { organization } = await place.accounts.setUp(owner);
      const bob = {
        email: 'Bob@example.com',
        password: 'another battery',
        name: 'Bob',
        organizationId: organization.id,
        role: 'admin' as const,
      };
      const user = await place.accounts.createUser(bob);
      expect(user).toMatchObject({ email: 'bob@example.com', name: 'Bob' });
      const cookie = cookieOf((await place.accounts.signIn(bob)) ?? []);
      expect(await place.accounts.identify(new Headers({ cookie }))).toMatchObject({
        user,
        memberships: [{ role: 'admin' }],
      });
      await expect(place.accounts.createUser(bob)).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
      await expect(
        place.accounts.createUser({ ...bob, email: 'c@example.com', organizationId: 'none' }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(place.accounts.createUser({ ...bob, email: 'c' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    });

    test('with a password of years ago sign in as ever; a session that nobody used has an end', async () => {
      await place.accounts.setUp(owner);
      const longAgo = new Date('2020-01-01T00:00:00Z');
      await place.state.db.updateTable('account').set({ createdAt: longAgo, updatedAt: longAgo }).execute();
      const headers = new Headers({ cookie: cookieOf((await place.accounts.signIn(owner)) ?? []) });
      expect(await place.accounts.identify(headers)).toBeDefined();
      const { expiresAt } = await place.state.db.selectFrom('session').select('expiresAt').executeTakeFirstOrThrow();
      const days = (new Date(expiresAt).getTime() - Date.now()) / 86_400_000;
      expect(Math.round(days)).toBe(30);
      await place.state.db
        .updateTable('session')
        .set({ expiresAt: new Date(Date.now() - 1_000) })
        .execute();
      expect(await place.accounts.identify(headers)).toBeUndefined();
    });

    test('with a new password are signed out everywhere', async () => {
      await place.accounts.setUp(owner);
      const cookie = cookieOf((await place.accounts.signIn(owner)) ?? []);
      await place.accounts.resetPassword({ email: owner.email, password: 'a new password' });
      expect(await place.accounts.identify(new Headers({ cookie }))).toBeUndefined();
      expect(await place.accounts.signIn(owner)).toBeUndefined();
      expect(await place.accounts.signIn({ ...owner, password: 'a new password' })).toBeDefined();
      await expect(
        place.accounts.resetPassword({ email: 'nobody@example.com', password: 'a new password' }),
      ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });
});
