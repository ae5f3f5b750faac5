/**
 * Groups of a directory. Each has a team here: one of the same name that no other group has, or a new one. The directory
 * decides about its own users alone: whoever else is in the team stays in it. A deleted group leaves its team behind, for
 * issues and rules name it.
 */
import { chunksOf } from '../../base/chunks.ts';
import { scim as texts } from '../../base/texts/provisioning.ts';
import { newId } from '../accounts/index.ts';
import { firstFree, slugFrom } from '../projects/index.ts';
import { createTeam, updateTeam } from '../teams/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { alone, type Change } from './context.ts';
import { peopleTold, place } from './placement.ts';
import { notFound, ScimError } from './protocol/error.ts';
import type { JsonObject } from './protocol/json.ts';
import type { GivenGroup } from './read.ts';
import { groupSchema } from './schemas.ts';

const mostGroups = 1_000;

type Db = State['db'] | StateTransaction;

export interface ScimGroup {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
  readonly teamId: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const toGroup = (row: {
  id: string;
  name: string;
  external_id: string | null;
  team_id: number | null;
  created_at: number;
  updated_at: number;
}): ScimGroup => ({
  id: row.id,
  name: row.name,
  externalId: row.external_id,
  teamId: row.team_id,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
});

/** In the order in which they came. */
export async function listGroups(db: Db, organizationId: string): Promise<ScimGroup[]> {
  const rows = await db
    .selectFrom('scim_group')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(toGroup);
}

/** Throws `ScimError` for one that is not there, or another organisation's. */
export async function findGroup(db: Db, organizationId: string, id: string): Promise<ScimGroup> {
  const row = await db
    .selectFrom('scim_group')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound(id);
  return toGroup(row);
}

export interface MemberOfGroup {
  readonly id: string;
  readonly userName: string;
  readonly email: string;
}

/** Of several groups, by their ids. */
export async function membersOfGroups(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly MemberOfGroup[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('scim_group_member')
    .innerJoin('scim_user', 'scim_user.id', 'scim_group_member.scim_user_id')
    .innerJoin('user', 'user.id', 'scim_user.user_id')
    .select([
      'scim_group_member.group_id as groupId',
      'scim_user.id',
      'scim_user.user_name_key as userName',
      'user.email',
    ])
    .where('scim_group_member.group_id', 'in', ids)
    .orderBy('scim_user.created_at')
    .orderBy('scim_user.id')
    .execute();
  return Map.groupBy(rows, ({ groupId }) => groupId);
}

export const groupResource = (group: ScimGroup, members: readonly MemberOfGroup[], base: string): JsonObject => ({
  schemas: [groupSchema],
  id: group.id,
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.name,
  members: members.map(({ id, userName }) => ({ value: id, display: userName, $ref: `${base}/Users/${id}` })),
  meta: {
    resourceType: 'Group',
    created: new Date(group.createdAt).toISOString(),
    lastModified: new Date(group.updatedAt).toISOString(),
    location: `${base}/Groups/${group.id}`,
  },
});

async function refuseTaken({ inside, organizationId }: Change, { name }: GivenGroup, ownId?: string): Promise<void> {
  const same = await inside.db
    .selectFrom('scim_group')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name_key', '=', name.toLowerCase())
    .executeTakeFirst();
  if (same && same.id !== ownId) throw new ScimError(409, texts.groupExists(name), 'uniqueness');
}

/** The team of a group: one of its name that is free for it, or a new one. */
async function teamFor({ inside, organizationId, note, now }: Change, name: string): Promise<number> {
  const [teams, groups] = await Promise.all([
    inside.db.selectFrom('team').select(['id', 'name', 'slug']).where('organization_id', '=', organizationId).execute(),
    listGroups(inside.db, organizationId),
  ]);
  const taken = new Set(groups.map(({ teamId }) => teamId));
  const wanted = name.toLowerCase();
  const found = teams.find(
    (team) => !taken.has(team.id) && [team.name, team.slug].some((one) => one.toLowerCase() === wanted),
  );
  if (found) return found.id;
  const slug = firstFree(slugFrom(name, 'team'), new Set(teams.map((team) => team.slug)));
  const input = { name: name.slice(0, 64), slug, projectIds: [], userIds: [] };
  const id = await createTeam(inside, organizationId, input, now);
  note({ id, name: slug }, { action: 'team.create', details: { projects: [], members: [] } });
  return id;
}

/** Returns its id. */
export async function createGroup(change: Change, given: GivenGroup): Promise<string> {
  const { inside, organizationId, now } = change;
  await alone(change);
  const groups = await listGroups(inside.db, organizationId);
  if (groups.length >= mostGroups) throw new ScimError(409, texts.full(mostGroups, 'groups'), 'tooMany');
  await refuseTaken(change, given);
  const id = newId();
  await inside.db
    .insertInto('scim_group')
    .values({
      id,
      organization_id: organizationId,
      team_id: await teamFor(change, given.name),
      name: given.name,
      name_key: given.name.toLowerCase(),
      external_id: given.externalId,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await setMembers(change, id, given.memberIds);
  return id;
}

/** All that is given, and nothing else stays. */
export async function replaceGroup(change: Change, id: string, given: GivenGroup): Promise<void> {
  const { inside, organizationId, note, now } = change;
  await alone(change);
  const before = await findGroup(inside.db, organizationId, id);
  await refuseTaken(change, given, id);
  const teamId = before.teamId ?? (await teamFor(change, given.name));
  if (given.name !== before.name && before.teamId !== null) {
    const name = given.name.slice(0, 64);
    const team = await inside.db
      .selectFrom('team')
      .select(['name', 'slug'])
      .where('id', '=', teamId)
      .executeTakeFirst();
    await updateTeam(inside, organizationId, teamId, { name }, now);
    if (team) {
      note({ id: teamId, name: team.slug }, { action: 'team.update', before: { name: team.name }, after: { name } });
    }
  }
  await inside.db
    .updateTable('scim_group')
    .set({
      team_id: teamId,
      name: given.name,
      name_key: given.name.toLowerCase(),
      external_id: given.externalId,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
  const isOther = given.name !== before.name || given.externalId !== before.externalId || before.teamId === null;
  await setMembers(change, id, given.memberIds, { isOther });
}

export async function removeGroup(change: Change, id: string): Promise<void> {
  const { inside, organizationId } = change;
  await alone(change);
  await findGroup(inside.db, organizationId, id);
  await setMembers(change, id, []);
  await inside.db.deleteFrom('scim_group').where('id', '=', id).execute();
}

/** Who comes, who goes, and what that makes of them. A group that is called otherwise may give another role. */
async function setMembers(
  change: Change,
  groupId: string,
  wanted: readonly string[],
  { isOther = false }: { readonly isOther?: boolean } = {},
): Promise<void> {
  const { inside, organizationId, note } = change;
  const { db } = inside;
  const before = (await membersOfGroups(db, [groupId])).get(groupId) ?? [];
  const had = new Set(before.map(({ id }) => id));
  const keeps = new Set(wanted);
  const left = before.filter(({ id }) => !keeps.has(id));
  const added = await usersOf(
    db,
    organizationId,
    wanted.filter((id) => !had.has(id)),
  );
  for (const some of chunksOf(left, 500)) {
    await db
      .deleteFrom('scim_group_member')
      .where('group_id', '=', groupId)
      .where(
        'scim_user_id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
  }
  for (const some of chunksOf(added, 200)) {
    await db
      .insertInto('scim_group_member')
      .values(some.map(({ id }) => ({ group_id: groupId, scim_user_id: id })))
      .execute();
  }
  const { teamId } = await findGroup(db, organizationId, groupId);
  const team =
    teamId === null
      ? undefined
      : await db.selectFrom('team').select('slug').where('id', '=', teamId).executeTakeFirst();
  const tell = (
    action: 'team.add_member' | 'team.remove_member',
    people: readonly { readonly email: string }[],
  ): void => {
    if (!people.length || !team || teamId === null) return;
    const member = peopleTold(people.map(({ email }) => email));
    note({ id: teamId, name: team.slug }, { action, details: { member } });
  };
  tell('team.add_member', added);
  tell('team.remove_member', left);
  await place(change, isOther ? [...new Set([...had, ...wanted])] : [...left, ...added].map(({ id }) => id));
}

/** Throws `ScimError` for ids that are none of this directory's users. */
async function usersOf(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly email: string }[]> {
  const found: { id: string; email: string }[] = [];
  for (const some of chunksOf(ids, 500)) {
    found.push(
      ...(await db
        .selectFrom('scim_user')
        .innerJoin('user', 'user.id', 'scim_user.user_id')
        .select(['scim_user.id', 'user.email'])
        .where('scim_user.organization_id', '=', organizationId)
        .where('scim_user.id', 'in', some)
        .execute()),
    );
  }
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw new ScimError(400, texts.unknownMember(unknown.slice(0, 64)), 'invalidValue');
  return found;
}

/** As the settings show it. */
export async function directorySize(
  db: Db,
  organizationId: string,
): Promise<{ readonly users: number; readonly groups: number }> {
  const count = async (table: 'scim_user' | 'scim_group'): Promise<number> => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  return { users: await count('scim_user'), groups: await count('scim_group') };
}
