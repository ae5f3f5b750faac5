/**
 * Which roles and teams the groups of a directory give its users, many at once. Its groups are teams here; a role is given
 * by a group that the mapping of a provider names, and is never that of an owner. The last owner stays one.
 */
import { chunksOf } from '../../base/chunks.ts';
import type { Role } from '../accounts/index.ts';
import { mapped, mappingOf, type OrganizationMapping } from '../providers/index.ts';
import { takeBackInvitations } from '../teams/index.ts';
import { some } from '../../base/texts/provisioning.ts';
import type { Change } from './context.ts';

interface Group {
  readonly id: string;
  readonly team_id: number | null;
  readonly name: string;
  readonly external_id: string | null;
}

interface Rules extends OrganizationMapping {
  readonly groups: ReadonlyMap<string, Group>;
  readonly givesRoles: boolean;
}

const valuesOf = ({ id, name, external_id }: Group): string[] => [
  id,
  name,
  ...(external_id === null ? [] : [external_id]),
];

/** Nobody becomes an owner by what a directory writes. */
const bounded = (role: Role): Role => (role === 'owner' ? 'admin' : role);

async function rulesOf({ inside, organizationId }: Change): Promise<Rules> {
  const [groups, { mapping, defaultRole }] = await Promise.all([
    inside.db
      .selectFrom('scim_group')
      .select(['id', 'team_id', 'name', 'external_id'])
      .where('organization_id', '=', organizationId)
      .execute(),
    mappingOf(inside.db, organizationId),
  ]);
  const known = new Set(groups.flatMap(valuesOf));
  // Groups that only come with sign-ins are decided about there.
  const own = mapping.filter(({ value }) => known.has(value));
  return {
    groups: new Map(groups.map((group) => [group.id, group])),
    mapping: own,
    defaultRole,
    givesRoles: own.some(({ role }) => role !== null),
  };
}

const mostTold = 5;

/** Roles and teams of these users of the directory, as its groups say now. Who is no member is left out. */
export async function place(change: Change, scimUserIds: readonly string[]): Promise<void> {
  if (scimUserIds.length === 0) return;
  const rules = await rulesOf(change);
  for (const ids of chunksOf(scimUserIds, 500)) await placeSome(change, rules, ids);
}

/** Of a new member. */
export async function roleFor(change: Change, scimUserId: string): Promise<Role> {
  const rules = await rulesOf(change);
  const { db } = change.inside;
  const rows = await db
    .selectFrom('scim_group_member')
    .select('group_id')
    .where('scim_user_id', '=', scimUserId)
    .execute();
  const values = rows.flatMap(({ group_id }) => valuesIn(rules, group_id));
  return bounded((rules.givesRoles && mapped(rules, values).role) || rules.defaultRole);
}

const valuesIn = (rules: Rules, groupId: string): string[] => {
  const group = rules.groups.get(groupId);
  return group ? valuesOf(group) : [];
};

async function placeSome(change: Change, rules: Rules, ids: readonly string[]): Promise<void> {
  const { inside, organizationId, now, note, touched } = change;
  const { db } = inside;
  const people = await db
    .selectFrom('scim_user')
    .innerJoin('user', 'user.id', 'scim_user.user_id')
    .innerJoin('member', (join) =>
      join
        .onRef('member.userId', '=', 'scim_user.user_id')
        .onRef('member.organizationId', '=', 'scim_user.organization_id'),
    )
    .select(['scim_user.id', 'scim_user.user_id as userId', 'user.email', 'member.id as memberId', 'member.role'])
    .where('scim_user.organization_id', '=', organizationId)
    .where('scim_user.id', 'in', ids)
    .execute();
  if (people.length === 0) return;
  const userIds = people.map(({ userId }) => userId);
  const memberships = await db
    .selectFrom('scim_group_member')
    .select(['group_id', 'scim_user_id'])
    .where('scim_user_id', 'in', ids)
    .execute();
  const groupsOf = Map.groupBy(memberships, ({ scim_user_id }) => scim_user_id);
  const groupTeams = [...rules.groups.values()].flatMap(({ team_id }) => team_id ?? []);
  const named = [...new Set([...groupTeams, ...rules.mapping.flatMap(({ teamId }) => teamId ?? [])])];
  const inTeams = named.length
    ? await db
        .selectFrom('team_member')
        .select(['team_id', 'user_id'])
        .where('user_id', 'in', userIds)
        .where('team_id', 'in', named)
        .execute()
    : [];
  const teamsOf = Map.groupBy(inTeams, ({ user_id }) => user_id);
  const joined: { team_id: number; user_id: string; created_at: number }[] = [];
  for (const person of people) {
    const own = (groupsOf.get(person.id) ?? []).map(({ group_id }) => group_id);
    const given = mapped(
      rules,
      own.flatMap((id) => valuesIn(rules, id)),
    );
    const wanted = new Set([...own.flatMap((id) => rules.groups.get(id)?.team_id ?? []), ...given.teamIds]);
    const had = new Set((teamsOf.get(person.userId) ?? []).map(({ team_id }) => team_id));
    const left = [...had].filter((id) => !wanted.has(id));
    if (left.length) {
      await db.deleteFrom('team_member').where('user_id', '=', person.userId).where('team_id', 'in', left).execute();
    }
    const added = [...wanted].filter((id) => !had.has(id));
    joined.push(...added.map((id) => ({ team_id: id, user_id: person.userId, created_at: now })));
    const role = rules.givesRoles && given.role !== undefined ? bounded(given.role) : undefined;
    const changesRole = role !== undefined && role !== person.role && !(await isLastOwner(change, person.role));
    if (changesRole) {
      await db.updateTable('member').set({ role }).where('id', '=', person.memberId).execute();
      await inside.transaction((trx) => takeBackInvitations(trx, { organizationId, userId: person.userId, role }));
      const told = { before: { role: person.role }, after: { role } };
      note({ id: person.userId, name: person.email }, { action: 'member.update', ...told });
    }
    if (changesRole || left.length || added.length) touched.add(person.userId);
  }
  for (const rows of chunksOf(joined, 200)) {
    await db
      .insertInto('team_member')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doNothing())
      .execute();
  }
}

async function isLastOwner({ inside, organizationId }: Change, role: string): Promise<boolean> {
  if (role !== 'owner') return false;
  return (await countOwners(inside.db, organizationId)) <= 1;
}

export async function countOwners(db: Change['inside']['db'], organizationId: string): Promise<number> {
  const { n } = await db
    .selectFrom('member')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Some of them by name: thousands may come at once. */
export const peopleTold = (emails: readonly string[]): string => some(emails.slice(0, mostTold), emails.length);
