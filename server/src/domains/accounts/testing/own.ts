/** What somebody does to their own account, on any database. */
import { describe, expect, test } from 'vitest';
import * as accounts from '../index.ts';
import { isOver, shortest } from '../own/session-policy.ts';
import { cookieOf, owner, type Place } from './place.ts';

const now = Date.now();

export function ownSuite(place: Place): void {
  const signIn = async (password = owner.password): Promise<Headers> =>
    new Headers({ cookie: cookieOf((await place.accounts.signIn({ email: owner.email, password })) ?? []) });
  const identityOf = (headers: Headers) => place.accounts.identify(headers);

  describe('sessions of somebody', () => {
    test('say when they were last used, and end by themselves as their organisations want', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      const headers = await signIn();
      const identity = await identityOf(headers);
      const [listed] = await accounts.listSessions(place.state, user.id, Date.now());
      expect(listed?.id).toBe(identity?.sessionId);
      const ago = new Date(Date.now() - 3 * 3_600_000);
      await place.state.db.updateTable('session').set({ updatedAt: ago }).execute();
      await place.accounts.identify(headers, { keepsSession: false });
      const lastUsed = async () => (await accounts.listSessions(place.state, user.id, Date.now()))[0]?.lastUsedAt ?? 0;
      expect(await lastUsed()).toBe(ago.getTime());
      await identityOf(headers);
      expect(await lastUsed()).toBeGreaterThan(Date.now() - 5_000);
      await place.accounts.sessionPolicies.set(organization.id, { lifetimeHours: null, idleHours: 2 }, now);
      expect(await identityOf(headers)).toBeDefined();
      await place.state.db.updateTable('session').set({ updatedAt: ago }).execute();
      expect(await identityOf(headers)).toBeUndefined();
      expect(await accounts.listSessions(place.state, user.id, Date.now())).toEqual([]);
    });

    test('have the shortest limits of several organisations', () => {
      const policies = [
        { lifetimeHours: 24, idleHours: null },
        { lifetimeHours: 48, idleHours: 8 },
      ];
      expect(shortest(policies)).toEqual({ lifetimeHours: 24, idleHours: 8 });
      expect(shortest([])).toEqual({ lifetimeHours: null, idleHours: null });
      const hours = (count: number) => count * 3_600_000;
      const used = { createdAt: 0, lastUsedAt: hours(20) };
      expect(isOver(shortest(policies), used, hours(23.9))).toBe(false);
      expect(isOver(shortest(policies), used, hours(24))).toBe(true);
      expect(isOver(shortest(policies), { createdAt: hours(10), lastUsedAt: hours(10) }, hours(18))).toBe(true);
    });
  });

  describe('links of mails', () => {
    test('set a password once, whatever happens at once', async () => {
      await place.accounts.setUp(owner);
      const email = owner.email.toLowerCase();
      expect(await accounts.forgotPassword(place.state, 'nobody@example.com', now)).toBeUndefined();
      const first = await accounts.forgotPassword(place.state, email, now);
      const { token = '' } = (await accounts.forgotPassword(place.state, email, now)) ?? {};
      const set = (with_: string, at = now) =>
        accounts.setPasswordByLink(place.state, { token: with_, password: 'an entirely new phrase' }, at);
      await expect(set(first?.token ?? '')).rejects.toMatchObject({ code: 'LINK_GONE' });
      await expect(set(token, now + accounts.linkGoodForMs)).rejects.toMatchObject({ code: 'LINK_GONE' });
      const tries = await Promise.allSettled([set(token), set(token)]);
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await place.accounts.signIn({ email, password: 'an entirely new phrase' })).toBeDefined();
    });

    test('change the address, unless another account has it by then', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      const { token } = await accounts.askForEmail(place.state, user.id, 'new@example.com', now);
      expect(await accounts.pendingEmailOf(place.state, user.id, now)).toBe('new@example.com');
      await place.accounts.createUser({
        email: 'new@example.com',
        password: 'another battery',
        organizationId: organization.id,
      });
      await expect(accounts.confirmEmail(place.state, token, now)).rejects.toMatchObject({ code: 'ACCOUNT_EXISTS' });
      const other = await accounts.askForEmail(place.state, user.id, 'free@example.com', now);
      expect(other.isFree).toBe(true);
      expect(await accounts.confirmEmail(place.state, other.token, now)).toMatchObject({
        user: { email: 'free@example.com' },
        formerEmail: 'ada@example.com',
      });
    });
  });

  describe('an account', () => {
    test('has preferences of which each may be left out', async () => {
      const { user } = await place.accounts.setUp(owner);
      await accounts.changePreferences(place.state, user.id, { timeZone: 'Europe/Berlin' }, now);
      expect(await accounts.changePreferences(place.state, user.id, { theme: 'dark' }, now)).toEqual({
        timeZone: 'Europe/Berlin',
        theme: 'dark',
        stackOrder: null,
      });
    });

    test('is deleted but for what was written by it; the last owner stays', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      await expect(accounts.removeAccount(place.state, user.id)).rejects.toMatchObject({
        code: 'ACCOUNT_LAST_OWNER',
        message: expect.stringContaining('Acme Ltd'),
      });
      const other = { email: 'bob@example.com', password: 'another battery', role: 'owner' } as const;
      const bob = await place.accounts.createUser({ ...other, organizationId: organization.id });
      await place.accounts.createToken({
        organizationId: organization.id,
        userId: bob.id,
        name: 'x',
        scopes: ['org:read'],
      });
      const both = await Promise.allSettled([user, bob].map(({ id }) => accounts.removeAccount(place.state, id)));
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const names = await place.state.db.selectFrom('user').select('name').execute();
      expect(names.filter(({ name }) => name === 'Deleted user')).toHaveLength(1);
      expect(await place.state.db.selectFrom('member').select('role').execute()).toEqual([{ role: 'owner' }]);
    });
  });
}
