/** Who there is in an organisation: its members and teams, as rules, comments and lists need them. */
import { isRole, type Role } from '../accounts/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { handlesOf } from './handles.ts';

export interface Person {
  /** Of the membership. */
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  /** Written after @. */
  readonly handle: string;
  readonly role: Role;
  /** ms since the epoch. */
  readonly since: number;
}

export interface Team {
  readonly id: number;
  /** Written after #. */
  readonly slug: string;
  readonly name: string;
  readonly createdAt: number;
  /** Ids of users. */
  readonly members: readonly string[];
  readonly projectIds: readonly number[];
}

export interface People {
  /** By name. */
  readonly members: readonly Person[];
  /** By name. */
  readonly teams: readonly Team[];
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name);

export async function peopleOf(
  { db }: { db: State['db'] | StateTransaction },
  organizationId: string,
): Promise<People> {
  const [users, teams, inTeams, onProjects] = await Promise.all([
    db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select(['member.id', 'member.role', 'member.createdAt', 'user.id as userId', 'user.name', 'user.email'])
      .where('member.organizationId', '=', organizationId)
      .execute(),
    db.selectFrom('team').selectAll().where('organization_id', '=', organizationId).execute(),
    db
      .selectFrom('team_member')
      .innerJoin('team', 'team.id', 'team_member.team_id')
      .select(['team_member.team_id', 'team_member.user_id'])
      .where('team.organization_id', '=', organizationId)
      .execute(),
    db
      .selectFrom('team_project')
      .innerJoin('team', 'team.id', 'team_project.team_id')
      .select(['team_project.team_id', 'team_project.project_id'])
      .where('team.organization_id', '=', organizationId)
      .execute(),
  ]);
  const handles = handlesOf(users);
  const membersOf = Map.groupBy(inTeams, (row) => row.team_id);
  const projectsOf = Map.groupBy(onProjects, (row) => row.team_id);
  return {
    members: users
      .map(({ id, userId, name, email, role, createdAt }) => ({
        id,
        userId,
        name,
        email,
        handle: handles.get(userId) ?? '',
        role: toRole(role),
        since: new Date(createdAt).getTime(),
      }))
      .toSorted(byName),
    teams: teams
      .map(({ id, slug, name, created_at }) => ({
        id,
        slug,
        name,
        createdAt: Number(created_at),
        members: (membersOf.get(id) ?? []).map((row) => row.user_id),
        projectIds: (projectsOf.get(id) ?? []).map((row) => row.project_id),
      }))
      .toSorted(byName),
  };
}

/** What is not known may do nothing, and is shown as what may do least. */
const toRole = (role: string): Role => (isRole(role) ? role : 'viewer');

/** By slug or id. */
export const findTeam = (teams: readonly Team[], slugOrId: string): Team | undefined =>
  teams.find(({ slug, id }) => slug === slugOrId || String(id) === slugOrId);
