/** What API tokens must do, on any database: those of people, and those of an organisation. */
import { describe, expect, test } from 'vitest';
import { owner, type Place } from './place.ts';

export function tokensSuite(place: Place): void {
  describe('API tokens', () => {
    const bearer = (token: string) => place.accounts.identify(new Headers({ authorization: `Bearer ${token}` }));

    test('are shown once, tell whose they are, and stop working when deleted', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      const made = await place.accounts.createToken({
        organizationId: organization.id,
        userId: user.id,
        name: 'ci',
        scopes: ['project:releases', 'event:write'],
      });
      expect(made.token).toMatch(/^sntryu_[0-9a-f]{64}$/);
      const { token, ...rest } = made;
      expect(await place.accounts.listTokens({ organizationId: organization.id })).toEqual([rest]);
      expect(rest).toMatchObject({
        name: 'ci',
        scopes: ['project:releases', 'event:write'],
        hint: token.slice(-4),
        lastUsedAt: null,
      });
      expect(JSON.stringify(await place.state.db.selectFrom('api_token').selectAll().execute())).not.toContain(
        token.slice(7),
      );

      const identity = await bearer(token);
      expect(identity).toMatchObject({
        kind: 'token',
        userId: user.id,
        scopes: ['project:releases', 'event:read', 'event:write'],
      });
      expect(identity?.memberships).toMatchObject([{ organizationId: organization.id, role: 'owner' }]);
      expect(await place.accounts.deleteToken({ organizationId: 'other', id: made.id })).toBe(undefined);
      expect(await place.accounts.deleteToken({ organizationId: organization.id, userId: 'other', id: made.id })).toBe(
        undefined,
      );
      expect(
        await place.accounts.deleteToken({ organizationId: organization.id, userId: user.id, id: made.id }),
      ).toMatchObject({ id: made.id });
      await expect(bearer(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    });

    test('note when they were last used, once a minute', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      const { token, id } = await place.accounts.createToken({
        organizationId: organization.id,
        userId: user.id,
        name: 'ci',
        scopes: ['org:read'],
      });
      const lastUsedAt = async () =>
        (await place.accounts.listTokens({ organizationId: organization.id }))[0]?.lastUsedAt;
      await bearer(token);
      const first = await lastUsedAt();
      expect(Math.abs(Date.now() - (first ?? 0))).toBeLessThan(60_000);
      await bearer(token);
      expect(await lastUsedAt()).toBe(first);
      await place.state.db.updateTable('api_token').set({ last_used_at: 1 }).where('id', '=', id).execute();
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
      await place.accounts.setUp(owner);
      await expect(bearer(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID', status: 401 });
    });

    test('allow no more than their owner may, then and later', async () => {
      const { organization } = await place.accounts.setUp(owner);
      const member = await place.accounts.createUser({
        email: 'bob@example.com',
        password: 'another battery',
        organizationId: organization.id,
      });
      const input = { organizationId: organization.id, userId: member.id, name: 'x' };
      await expect(place.accounts.createToken({ ...input, scopes: ['project:admin'] })).rejects.toMatchObject({
        code: 'SCOPE_MISSING',
      });
      await expect(
        place.accounts.createToken({ ...input, userId: 'nobody', scopes: ['org:read'] }),
      ).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await expect(place.accounts.createToken({ ...input, scopes: [] })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
      await expect(place.accounts.createToken({ ...input, scopes: ['root' as 'org:read'] })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });

      await place.state.db.updateTable('member').set({ role: 'owner' }).where('userId', '=', member.id).execute();
      const { token } = await place.accounts.createToken({ ...input, scopes: ['project:admin', 'event:read'] });
      await place.state.db.updateTable('member').set({ role: 'member' }).where('userId', '=', member.id).execute();
      expect((await bearer(token))?.scopes).toEqual(['project:read', 'event:read']);
      await place.state.db.deleteFrom('member').where('userId', '=', member.id).execute();
      await expect(bearer(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    });
  });

  describe('the end of a token', () => {
    const bearer = (token: string) => place.accounts.identify(new Headers({ authorization: `Bearer ${token}` }));

    test('is said, those made before have none, and children go with it', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      const input = { organizationId: organization.id, userId: user.id, name: 'x', scopes: ['org:read' as const] };
      const made = await place.accounts.createToken(input);
      expect(Math.round(((made.expiresAt ?? 0) - Date.now()) / 86_400_000)).toBe(365);
      expect(made.maker).toEqual({ name: 'ada', email: 'ada@example.com', isMember: true });
      const child = await place.accounts.createToken({ ...input, kind: 'organization', parent: made });
      expect(child.expiresAt).toBe(made.expiresAt);
      const set = (expiresAt: number | null) =>
        place.state.db.updateTable('api_token').set({ expires_at: expiresAt }).where('id', '=', made.id).execute();
      await set(null);
      expect((await bearer(made.token))?.token).toMatchObject({ id: made.id, expiresAt: null });
      await set(Date.parse('2020-02-02'));
      await expect(bearer(made.token)).rejects.toMatchObject({
        code: 'TOKEN_EXPIRED',
        status: 401,
        message: expect.stringMatching(/expired on 2020-02-02\. Create a new one/),
      });
      expect(await place.accounts.countTokens('Ada@example.com')).toEqual({ user: 0, organization: 1 });
      await place.accounts.revokeTokens(owner.email);
      await expect(bearer(child.token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
      await expect(place.accounts.countTokens('nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('tokens of an organisation', () => {
    const bearer = (token: string) => place.accounts.identify(new Headers({ authorization: `Bearer ${token}` }));

    test('have address and organisation in them, upload, and outlast whoever made them', async () => {
      const { user, organization } = await place.accounts.setUp(owner);
      const made = await place.accounts.createToken({
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

      await place.state.db.deleteFrom('member').where('userId', '=', user.id).execute();
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
      const { user, organization } = await place.accounts.setUp(owner);
      const bob = await place.accounts.createUser({
        email: 'bob@example.com',
        password: 'another battery',
        organizationId: organization.id,
      });
      const input = { organizationId: organization.id, name: 'builds', kind: 'organization' } as const;
      await expect(place.accounts.createToken({ ...input, userId: bob.id })).rejects.toMatchObject({
        code: 'SCOPE_MISSING',
      });
      const { id } = await place.accounts.createToken({ ...input, userId: user.id });
      const asBob = { organizationId: organization.id, userId: bob.id };
      expect(await place.accounts.listTokens(asBob)).toEqual([]);
      expect(await place.accounts.deleteToken({ ...asBob, id })).toBe(undefined);
      expect(await place.accounts.listTokens({ ...asBob, shared: true })).toMatchObject([{ id, kind: 'organization' }]);
      expect(await place.accounts.deleteToken({ ...asBob, shared: true, id })).toMatchObject({ id });
    });
  });
}
