/** What organisations demand of sessions, on any database. */
import { describe, expect, test } from 'vitest';
import { providerSessionPath, wayIn } from '../factors/way.ts';
import { recoveryWay, unmetBy } from '../own/demands.ts';
import { cookieOf, owner, type Place } from './place.ts';

export function demandsSuite(place: Place): void {
  describe('demands', () => {
    test('close an organisation to a session that has not shown what it wants, and to no other', async () => {
      const { organization } = await place.accounts.setUp(owner);
      const headers = new Headers({ cookie: cookieOf((await place.accounts.signIn(owner)) ?? []) });
      const seen = async () => (await place.accounts.identify(headers))?.memberships[0];
      expect(await place.accounts.identify(headers)).toMatchObject({ shown: { way: 'password', secondFactor: false } });
      expect((await seen())?.unmet).toBeUndefined();

      await place.accounts.demands.set(organization.id, { secondFactor: true }, Date.now());
      expect(await seen()).toMatchObject({ unmet: { kind: 'second_factor' }, scopes: [] });
      const later = await place.state.db.selectFrom('session').select(['way', 'secondFactor']).execute();
      expect(later.map(({ way, secondFactor }) => [way, Boolean(secondFactor)])).toEqual([['password', false]]);
      await place.state.db.updateTable('session').set({ secondFactor: true }).execute();
      expect((await seen())?.unmet).toBeUndefined();
      expect((await seen())?.scopes).toContain('org:admin');

      await place.accounts.demands.set(organization.id, { providerId: 'acme' }, Date.now());
      expect(await place.accounts.demands.of(organization.id)).toEqual({ secondFactor: true, providerId: 'acme' });
      expect((await seen())?.unmet).toEqual({ kind: 'provider', providerId: 'acme' });
      await place.state.db.updateTable('session').set({ way: 'provider:acme', secondFactor: false }).execute();
      expect((await seen())?.unmet).toEqual({ kind: 'second_factor' });
      await place.accounts.demands.set(organization.id, { secondFactor: false }, Date.now());
      expect((await seen())?.unmet).toBeUndefined();
    });

    test('are met by sessions of an older version where there are none', async () => {
      const { organization } = await place.accounts.setUp(owner);
      const headers = new Headers({ cookie: cookieOf((await place.accounts.signIn(owner)) ?? []) });
      await place.state.db.updateTable('session').set({ way: null, secondFactor: null }).execute();
      expect((await place.accounts.identify(headers))?.memberships[0]?.unmet).toBeUndefined();
      await place.accounts.demands.set(organization.id, { secondFactor: true }, Date.now());
      expect((await place.accounts.identify(headers))?.memberships[0]?.unmet).toEqual({ kind: 'second_factor' });
    });

    test.each([
      [{ way: 'password', secondFactor: false }, { secondFactor: false, providerId: null }, undefined],
      [{ way: 'password', secondFactor: false }, { secondFactor: true, providerId: null }, 'second_factor'],
      [{ way: 'password', secondFactor: true }, { secondFactor: true, providerId: null }, undefined],
      [{ way: 'passkey', secondFactor: true }, { secondFactor: true, providerId: null }, undefined],
      [{ way: 'passkey', secondFactor: true }, { secondFactor: true, providerId: 'a' }, 'provider'],
      [{ way: 'provider:b', secondFactor: true }, { secondFactor: false, providerId: 'a' }, 'provider'],
      [{ way: 'provider:a', secondFactor: false }, { secondFactor: true, providerId: 'a' }, 'second_factor'],
      [{ way: 'provider:a', secondFactor: true }, { secondFactor: true, providerId: 'a' }, undefined],
      [{ way: recoveryWay, secondFactor: false }, { secondFactor: true, providerId: 'a' }, undefined],
    ] as const)('%j under %j', (shown, demand, kind) => {
      expect(unmetBy(shown, demand)?.kind).toBe(kind);
    });

    test.each([
      [{ path: '/sign-in/email' }, 'password', false],
      [{ path: '/two-factor/verify-totp' }, 'password', true],
      [{ path: '/two-factor/verify-backup-code' }, 'password', true],
      [{ path: '/passkey/verify-authentication' }, 'passkey', true],
      [{ path: providerSessionPath, params: { providerId: 'acme' } }, 'provider:acme', false],
      [{ path: providerSessionPath, params: { providerId: 'a' }, body: { secondFactor: true } }, 'provider:a', true],
      [null, 'password', false],
    ] as const)('%j makes a session by %s', (call, way, secondFactor) => {
      expect(wayIn(call)).toEqual({ way, secondFactor });
    });
  });
}
