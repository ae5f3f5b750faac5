/** What a directory writes, on each database. */
import { beforeEach, expect, test } from 'vitest';
import { chunksOf } from '../../base/chunks.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createOrganization, insertUser, removeAccount } from '../accounts/index.ts';
import { createAudit, listEntries, sealOf } from '../audit/index.ts';
import { createTeam, peopleOf } from '../teams/index.ts';
import * as provisioning from './index.ts';
import { readGroup, readUser } from './read.ts';

const now = Date.parse('2026-11-26T08:00:00Z');

onEachDatabase('a directory', (databases) => {
  let state: State;
  let organizationId: string;
  beforeEach(async () => {
    state = await databases.migrated();
    await state.transaction((trx) => insertUser(trx, { email: 'owner@acme.test', passwordHash: 'x' }));
    ({ id: organizationId } = await createOrganization(state, { name: 'Acme', owner: 'owner@acme.test' }));
  });

  const changing = <T>(work: (change: provisioning.Change) => Promise<T>): Promise<T> => {
    const actor = { type: 'token', name: 'SCIM', token: { id: 1, name: 'test' } } as const;
    return createAudit(state, sealOf(testSecrets)).recorded({ organizationId, actor, source: {} }, (inside, note) =>
      work({ inside, note, organizationId, now, touched: new Set(), gone: new Set() }),
    );
  };
  const user = (userName: string, more: object = {}): Promise<string> =>
    changing((change) => provisioning.createUser(change, readUser({ userName, ...more })));
  const group = (displayName: string, ids: readonly string[] = []): Promise<string> =>
    changing((change) =>
      provisioning.createGroup(change, readGroup({ displayName, members: ids.map((value) => ({ value })) })),
    );

  test('makes, changes, deactivates and removes people', async () => {
    const id = await user('Kim@acme.test', { externalId: 'x1', displayName: 'Kim' });
    const found = await provisioning.listUsers(state.db, organizationId, { userName: 'KIM@ACME.TEST' });
    expect(found).toMatchObject({ total: 1, users: [{ id, active: true, account: { name: 'Kim' } }] });
    await expect(user('kim@acme.test')).rejects.toMatchObject({ scimType: 'uniqueness' });
    await expect(user('other@acme.test', { externalId: 'x1' })).rejects.toMatchObject({ scimType: 'uniqueness' });
    const given = readUser({ userName: 'kim@acme.test', active: false });
    await changing((change) => provisioning.replaceUser(change, id, given));
    expect(await provisioning.findUser(state.db, organizationId, id)).toMatchObject({
      active: false,
      externalId: null,
    });
    expect((await peopleOf(state, organizationId)).members.map(({ email }) => email)).toEqual(['owner@acme.test']);
    await changing((change) => provisioning.removeUser(change, id));
    await expect(provisioning.findUser(state.db, organizationId, id)).rejects.toMatchObject({ status: 404 });
    // The account is there still: whoever comes again is the same.
    const again = await provisioning.findUser(state.db, organizationId, await user('kim@acme.test'));
    expect(again.id).not.toBe(id);
  });

  test('of many at once leaves one of each', async () => {
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => user('twin@acme.test')));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject({ scimType: 'uniqueness' });
    const groups = await Promise.allSettled(Array.from({ length: 5 }, () => group('Twins')));
    expect(groups.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('puts a thousand people into a group, and tells of them in one entry', async () => {
    // As if they had come before, one by one.
    const ids = Array.from({ length: 1_000 }, (_, n) => `person-${n}`);
    const at = new Date(now);
    for (const some of chunksOf(ids, 100)) {
      const times = { createdAt: at, updatedAt: at };
      const accounts = some.map((id) => ({ id, name: id, email: `${id}@acme.test`, image: null, ...times }));
      await state.db
        .insertInto('user')
        .values(accounts.map((one) => ({ ...one, emailVerified: true })))
        .execute();
      await state.db
        .insertInto('member')
        .values(some.map((id) => ({ id, organizationId, userId: id, role: 'member', createdAt: at })))
        .execute();
      await state.db
        .insertInto('scim_user')
        .values(
          some.map((id) => ({
            id,
            organization_id: organizationId,
            user_id: id,
            user_name_key: id,
            external_id: null,
            active: 1,
            made_account: 1,
            content: JSON.stringify(readUser({ userName: `${id}@acme.test` }).content),
            created_at: now,
            updated_at: now,
          })),
        )
        .execute();
    }
    const began = performance.now();
    const id = await group('All', ids);
    expect(performance.now() - began).toBeLessThan(10_000);
    const members = (await provisioning.membersOfGroups(state.db, [id])).get(id) ?? [];
    expect(members).toHaveLength(1_000);
    const { teams } = await peopleOf(state, organizationId);
    expect(teams[0]?.members).toHaveLength(1_000);
    const { entries } = await listEntries(state, organizationId, {}, { limit: 1 });
    expect(entries[0]).toMatchObject({ action: 'team.add_member' });
    expect(JSON.stringify(entries[0])).toContain('and 995 more');
  }, 60_000);

  test('keeps its groups where a team is deleted, and makes another with the next change', async () => {
    const one = await user('one@acme.test');
    const id = await group('Web', [one]);
    await state.db.deleteFrom('team').execute();
    expect(await provisioning.findGroup(state.db, organizationId, id)).toMatchObject({ teamId: null, name: 'Web' });
    const given = readGroup({ displayName: 'Web', members: [{ value: one }] });
    await changing((change) => provisioning.replaceGroup(change, id, given));
    const { teams } = await peopleOf(state, organizationId);
    expect(teams).toMatchObject([{ name: 'Web', members: [expect.any(String)] }]);
  });

  test('takes a team of the same name once', async () => {
    const teamId = await createTeam(state, organizationId, { name: 'Payments', projectIds: [], userIds: [] }, now);
    const first = await group('payments');
    expect(await provisioning.findGroup(state.db, organizationId, first)).toMatchObject({ teamId });
    await changing((change) => provisioning.replaceGroup(change, first, readGroup({ displayName: 'Billing' })));
    const second = await provisioning.findGroup(state.db, organizationId, await group('Payments'));
    expect(second.teamId).not.toBe(teamId);
  });

  test('does not know an account that its person has deleted', async () => {
    const id = await user('leaver@acme.test');
    const { userId } = await provisioning.findUser(state.db, organizationId, id);
    await removeAccount(state, userId);
    await expect(provisioning.findUser(state.db, organizationId, id)).rejects.toMatchObject({ status: 404 });
  });
});
