/** Providers, and who gets in through them, on each database. */
import { beforeEach, describe, expect, test } from 'vitest';
import { textBox } from '../../base/secrets/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createOrganization, insertMember, insertUser } from '../accounts/index.ts';
import { createAudit, sealOf } from '../audit/index.ts';
import { createTeam, invite, listInvitations, peopleOf } from '../teams/index.ts';
import * as providers from './index.ts';

const box = textBox(testSecrets.box('stored secret'));

const now = Date.parse('2026-11-26T08:00:00Z');

const oidc = {
  kind: 'oidc',
  name: 'Acme SSO',
  domains: ['acme.test'],
  settings: { issuer: 'https://sso.acme.test', clientId: 'culprit', clientSecret: 'the-secret' },
  enabled: true,
  joins: true,
  defaultRole: 'member',
  mapping: [],
} as const satisfies providers.NewProvider;

onEachDatabase('providers', (databases) => {
  let state: State;
  let organizationId: string;
  let ownerId: string;
  beforeEach(async () => {
    state = await databases.migrated();
    ({ id: ownerId } = await state.transaction((trx) =>
      insertUser(trx, { email: 'owner@acme.test', passwordHash: 'x' }),
    ));
    ({ id: organizationId } = await createOrganization(state, { name: 'Acme', owner: 'owner@acme.test' }));
  });

  const vouched = { now, vouched: true };
  const make = async (change: Partial<providers.NewProvider> = {}, moment = vouched): Promise<providers.Provider> => {
    const id = await providers.createProvider({ state, box }, organizationId, { ...oidc, ...change }, moment);
    return find(id);
  };
  const find = async (id: string): Promise<providers.Provider> => {
    const found = await providers.findProvider({ db: state.db, box }, id);
    if (!found) throw new Error('no such provider');
    return found;
  };
  const admit = ({ id }: { readonly id: string }, asserted: Partial<providers.Asserted> = {}) =>
    providers.admit(
      { state, box, audit: createAudit(state, sealOf(testSecrets)) },
      {
        providerId: id,
        asserted: {
          subject: 'sub-1',
          email: 'kim@acme.test',
          emailVerified: true,
          name: 'Kim',
          groups: [],
          secondFactor: false,
          ...asserted,
        },
        source: { address: '192.0.2.1' },
        now,
      },
    );
  const refusal = (reason: providers.Refusal) => expect.objectContaining({ reason });
  const addUser = (email: string, organization: string | undefined, role: 'owner' | 'member' = 'member') =>
    state.transaction(async (trx) => {
      const user = await insertUser(trx, { email, passwordHash: 'x' });
      if (organization !== undefined) {
        await insertMember(trx, { organizationId: organization, userId: user.id, role });
      }
      return user;
    });
  const member = async (email: string) =>
    (await peopleOf(state, organizationId)).members.find((one) => one.email === email);
  const actionsOf = async () =>
    (await state.db.selectFrom('audit_entry').select('action').orderBy('seq').execute()).map(({ action }) => action);

  test('are stored with their secrets sealed, and change', async () => {
    const made = await make();
    expect(made).toMatchObject({ settings: { ...oidc.settings, groupsClaim: 'groups' }, enabled: true, problem: '' });
    const { settings } = await state.db.selectFrom('sign_in_provider').select('settings').executeTakeFirstOrThrow();
    expect(settings).not.toContain('the-secret');
    await providers.changeProvider({ state, box }, made, { name: 'SSO', settings: { clientSecret: '' } }, vouched);
    expect(await find(made.id)).toMatchObject({ name: 'SSO', settings: { clientSecret: 'the-secret' } });
    const elsewhere = { settings: { issuer: 'https://evil.test' } };
    await expect(providers.changeProvider({ state, box }, made, elsewhere, vouched)).rejects.toThrow(
      'must be entered again',
    );
    await providers.deleteProvider({ state, box }, made);
    expect(await providers.listProviders({ state, box }, organizationId)).toEqual([]);
  });

  test.each([
    [{ settings: { ...oidc.settings, issuer: 'ftp://sso.acme.test' } }, 'issuer'],
    [{ settings: { ...oidc.settings, issuer: 'https://u:p@sso.acme.test' } }, 'issuer'],
    [{ settings: { clientId: 'x' } }, 'issuer is required'],
    [{ settings: { ...oidc.settings, other: '1' } }, 'settings'],
    [{ settings: { ...oidc.settings, scopes: 'email' } }, 'openid'],
    [{ domains: ['gmail.com'] }, 'domains'],
    [{ domains: ['acme'] }, 'domains'],
    [{ name: ' ' }, 'name'],
    [{ defaultRole: 'owner' as never }, 'defaultRole'],
    [{ mapping: [{ value: 'g', role: null, teamId: null }] }, 'a role or a team'],
    [{ mapping: [{ value: 'g', role: null, teamId: 4711 }] }, 'team 4711'],
  ])('are refused as %j', async (change, words) => {
    await expect(make(change as Partial<providers.NewProvider>)).rejects.toThrow(new RegExp(words, 'i'));
  });

  describe('domains', () => {
    test('that nobody vouches for let nobody in until a record says so', async () => {
      const made = await make({}, { now, vouched: false });
      expect(await providers.providerForDomain(state, 'acme.test')).toBeUndefined();
      await expect(admit(made)).rejects.toEqual(refusal('domain_foreign'));
      const [domain] = made.domains;
      if (!domain) throw new Error('no domain');
      const { name, value } = providers.recordOf(domain);
      expect(await providers.findVerified(made, async () => ['culprit-domain=other'])).toEqual([]);
      const found = await providers.findVerified(made, async (asked) => (asked === name ? ['x', value] : []));
      await providers.verifyDomains(state, made, found, now);
      expect(await providers.providerForDomain(state, 'acme.test')).toEqual({
        id: made.id,
        kind: 'oidc',
        name: 'Acme SSO',
      });
      await admit(made);
    });

    test('are verified for one provider of the installation; who only claims one keeps nobody out', async () => {
      const claimed = await make({ name: 'Claimed' }, { now, vouched: false });
      const made = await make();
      await expect(providers.verifyDomains(state, claimed, ['acme.test'], now)).rejects.toThrow('acme.test');
      await expect(make()).rejects.toThrow('acme.test');
      await providers.changeProvider({ state, box }, made, { domains: ['acme.test', 'b.test'] }, vouched);
      expect((await find(made.id)).domains.map(({ domain }) => domain)).toEqual(['acme.test', 'b.test']);
      await providers.changeProvider({ state, box }, made, { domains: ['b.test'] }, vouched);
      await providers.verifyDomains(state, claimed, ['acme.test'], now);
    });

    test('are vouched for by owners of the installation, and by anybody while there is one organisation', async () => {
      await state.db.insertInto('installation_owner').values({ user_id: ownerId }).execute();
      const other = await addUser('other@acme.test', organizationId, 'owner');
      expect(await providers.isVouched(state, other.id)).toBe(true);
      await createOrganization(state, { name: 'Second', owner: 'owner@acme.test' });
      expect(await providers.isVouched(state, other.id)).toBe(false);
      expect(await providers.isVouched(state, ownerId)).toBe(true);
    });
  });

  describe('somebody new', () => {
    test('becomes a member with the default role, once', async () => {
      const made = await make();
      const first = await admit(made);
      expect(await member('kim@acme.test')).toMatchObject({ name: 'Kim', role: 'member', userId: first.user.id });
      expect((await admit(made, { email: undefined, name: 'Other' })).user.id).toBe(first.user.id);
      expect(await actionsOf()).toEqual(['member.join', 'user.link_provider']);
      const accounts = await state.db.selectFrom('account').select('id').where('userId', '=', first.user.id).execute();
      expect(accounts).toEqual([]);
    });

    test.each([
      [{}, { joins: false }, 'not_member'],
      [{}, { enabled: false }, 'provider_gone'],
      [{ email: undefined }, {}, 'address_missing'],
      [{ email: 'no address' }, {}, 'address_missing'],
      [{ emailVerified: false }, {}, 'address_unverified'],
      [{ email: 'kim@other.test' }, {}, 'domain_foreign'],
      [{ email: 'kim@sub.acme.test' }, {}, 'domain_foreign'],
      [{ email: 'kim@other.test@acme.test' }, {}, 'address_missing'],
      [{ email: '\u212aim@acme.test' }, {}, 'address_missing'],
      [{ subject: '' }, {}, 'failed'],
      [{ subject: 'x'.repeat(300) }, {}, 'failed'],
    ] as const)('is refused with %j at %j: %s', async (asserted, change, reason) => {
      const made = await make(change);
      await expect(admit(made, asserted)).rejects.toEqual(refusal(reason));
      expect((await peopleOf(state, organizationId)).members).toHaveLength(1);
    });
  });

  test('somebody who is invited comes as the invitation says, once', async () => {
    const made = await make({ joins: false });
    const team = await createTeam(state, organizationId, { name: 'Web', projectIds: [], userIds: [] }, now);
    const invitation = { organizationId, role: 'manager', inviterId: ownerId } as const;
    const [open, old] = ['kim@acme.test', 'lee@acme.test'];
    await invite(state, { ...invitation, email: open, teamIds: [team, 4711] }, () => {}, now);
    await invite(state, { ...invitation, email: old, teamIds: [] }, () => {}, now - 8 * 86_400_000);
    await expect(admit(made, { emailVerified: false })).rejects.toEqual(refusal('address_unverified'));
    const { user } = await admit(made);
    expect(await member(open)).toMatchObject({ role: 'manager' });
    const { teams } = await peopleOf(state, organizationId);
    expect(teams[0]?.members).toEqual([user.id]);
    expect((await listInvitations(state, organizationId)).map(({ email }) => email)).toEqual([old]);
    await expect(admit(made, { subject: 'lee', email: old })).rejects.toEqual(refusal('not_member'));
  });

  describe('somebody who has an account', () => {
    test('is known by a verified address, and by their subject from then on', async () => {
      const user = await addUser('kim@acme.test', organizationId);
      const made = await make({ joins: false });
      await expect(admit(made, { emailVerified: false })).rejects.toEqual(refusal('address_unverified'));
      expect((await admit(made, { email: 'KIM@Acme.test' })).user.id).toBe(user.id);
      expect((await admit(made, { email: 'renamed@acme.test' })).user.id).toBe(user.id);
      await expect(admit(made, { subject: 'sub-2', email: 'renamed@acme.test' })).rejects.toEqual(
        refusal('not_member'),
      );
    });

    test('of another organisation is refused', async () => {
      const made = await make();
      const elsewhere = await createOrganization(state, { name: 'Other', owner: 'owner@acme.test' });
      await addUser('kim@acme.test', elsewhere.id);
      await addUser('lee@acme.test', undefined);
      await expect(admit(made)).rejects.toEqual(refusal('account_elsewhere'));
      await expect(admit(made, { email: 'lee@acme.test' })).rejects.toEqual(refusal('account_elsewhere'));
    });

    test('and left the organisation, or moved to an address elsewhere, is not let in by their subject', async () => {
      const user = await addUser('kim@acme.test', organizationId);
      const made = await make();
      await admit(made);
      await state.db.updateTable('user').set({ email: 'kim@home.test' }).where('id', '=', user.id).execute();
      // A new account, for the address is free.
      expect((await admit(made)).user.id).not.toBe(user.id);
      const lee = await addUser('lee@acme.test', organizationId);
      await admit(made, { subject: 'lee', email: 'lee@acme.test' });
      await state.db.deleteFrom('member').where('userId', '=', lee.id).execute();
      await expect(admit(made, { subject: 'lee', email: 'lee@acme.test' })).rejects.toEqual(
        refusal('account_elsewhere'),
      );
    });
  });

  describe('groups', () => {
    const teams = async () =>
      Promise.all(
        ['Web', 'Api', 'Own'].map((name) =>
          createTeam(state, organizationId, { name, projectIds: [], userIds: [] }, now),
        ),
      );

    test('give roles and teams with each sign-in, and leave other teams alone', async () => {
      const [web = 0, backend = 0, own = 0] = await teams();
      const made = await make({
        mapping: [
          { value: 'admins', role: 'admin', teamId: null },
          { value: 'web', role: 'manager', teamId: web },
          { value: 'api', role: null, teamId: backend },
        ],
      });
      const { user } = await admit(made, { groups: ['web', 'admins', 'unknown'] });
      await state.db.insertInto('team_member').values({ team_id: own, user_id: user.id, created_at: now }).execute();
      expect(await member('kim@acme.test')).toMatchObject({ role: 'admin' });
      await admit(made, { groups: ['api', 'ADMINS'] });
      expect(await member('kim@acme.test')).toMatchObject({ role: 'member' });
      const { teams: after } = await peopleOf(state, organizationId);
      expect(after.filter((team) => team.members.includes(user.id)).map(({ slug }) => slug)).toEqual(['api', 'own']);
      expect(await actionsOf()).toEqual(['member.join', 'user.link_provider', 'member.update']);
    });

    test('that give no role leave roles as they are', async () => {
      const [web = 0] = await teams();
      const made = await make({ mapping: [{ value: 'web', role: null, teamId: web }] });
      const { user } = await admit(made);
      await state.db.updateTable('member').set({ role: 'manager' }).where('userId', '=', user.id).execute();
      await admit(made, { groups: ['web'] });
      expect(await member('kim@acme.test')).toMatchObject({ role: 'manager' });
    });

    test('do not take the role of the only owner', async () => {
      const made = await make({ mapping: [{ value: 'owners', role: 'owner', teamId: null }] });
      await admit(made, { subject: 'o', email: 'owner@acme.test' });
      expect(await member('owner@acme.test')).toMatchObject({ role: 'owner' });
      await admit(made, { groups: ['owners'] });
      await admit(made, { subject: 'o', email: 'owner@acme.test' });
      expect(await member('owner@acme.test')).toMatchObject({ role: 'member' });
      await admit(made, { groups: [] });
      expect(await member('kim@acme.test')).toMatchObject({ role: 'owner' });
    });
  });

  describe('a sign-in under way', () => {
    const flow = (providerId: string) => ({ providerId, returnTo: '/issues', kept: { nonce: 'n' } });

    test('is answered once, by its browser, for its provider, in time', async () => {
      const [a, b] = [await make(), await make({ domains: [] })];
      const begin = () => {
        const { kept, ...rest } = flow(a.id);
        return providers.beginFlow({ state, box }, rest, now, async (result) => ({ kept, result }));
      };
      const end = (begun: { state: string; browser?: string }, providerId = a.id, at = now) =>
        providers.endFlow({ state, box }, { browser: undefined, ...begun, providerId }, at);
      const begun = await begin();
      expect(await end(begun)).toEqual(flow(a.id));
      expect(await end(begun)).toBeUndefined();
      const other = await begin();
      expect(await end({ ...other, browser: begun.browser })).toBeUndefined();
      expect(await end(other), 'after a wrong answer').toBeUndefined();
      expect(await end({ state: (await begin()).state })).toBeUndefined();
      expect(await end(await begin(), b.id)).toBeUndefined();
      expect(await end(await begin(), a.id, now + providers.flowLastsMs)).toBeUndefined();
      expect(await end({ state: '', browser: '' })).toBeUndefined();
      const late = await begin();
      await providers.changeProvider({ state, box }, a, { enabled: false }, vouched);
      expect(await end(late)).toBeUndefined();
    });
  });
});

test.each([
  ['/issues?query=is%3Aunresolved#top', '/issues?query=is%3Aunresolved#top'],
  [undefined, '/'],
  ['', '/'],
  ['//evil.test', '/'],
  ['/\\evil.test', '/'],
  ['/%5cevil.test', '/%5cevil.test'],
  ['/./%2fevil.test', '/%2fevil.test'],
  ['/.//evil.test', '/'],
  ['https://evil.test/', '/'],
  ['javascript:alert(1)', '/'],
  ['/a\n//evil.test', '/'],
  ['/a\t', '/'],
  ['/api/auth/sign-out', '/'],
  ['/sign-in?x=1', '/'],
  [`/${'x'.repeat(3000)}`, '/'],
])('the way back %j is %s', (text, path) => {
  expect(providers.ownPath(text)).toBe(path);
});
