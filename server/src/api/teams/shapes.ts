/** Members, teams and invitations as the API gives them. */
import type { z } from 'zod';
import type { Project } from '../../domains/projects/index.ts';
import { type Invitation, type People, type Person, roleNames, type Team } from '../../domains/teams/index.ts';
import type { Member } from './members-contract.ts';
import type { Team as TeamSchema } from './contract.ts';
import { iso } from '../shared/read.ts';

export function toTeam(team: Team, userId: string, projects: readonly Project[]): z.output<typeof TeamSchema> {
  const ids = new Set(team.projectIds);
  return {
    id: String(team.id),
    slug: team.slug,
    name: team.name,
    dateCreated: iso(team.createdAt),
    memberCount: team.members.length,
    isMember: team.members.includes(userId),
    projects: projects.filter(({ id }) => ids.has(id)).map(({ id, slug, name }) => ({ id: String(id), slug, name })),
  };
}

export function toMember(person: Person, { teams }: Pick<People, 'teams'>): z.output<typeof Member> {
  const { id, userId, name, email, handle, role, since } = person;
  return {
    id,
    email,
    name,
    handle,
    user: { id: userId, name, email },
    role,
    roleName: roleNames[role],
    teams: teams.filter(({ members }) => members.includes(userId)).map(({ slug }) => slug),
    pending: false,
    expired: false,
    expiresAt: null,
    inviterName: null,
    dateCreated: iso(since),
  };
}

export function toInvited(
  invitation: Invitation,
  { teams }: Pick<People, 'teams'>,
  nowMs: number,
): z.output<typeof Member> {
  const { id, email, role, teamIds, expiresAt, inviterName, createdAt } = invitation;
  return {
    id: `invite-${id}`,
    email,
    name: email,
    handle: '',
    user: null,
    role,
    roleName: roleNames[role],
    teams: teams.filter((team) => teamIds.includes(team.id)).map(({ slug }) => slug),
    pending: true,
    expired: expiresAt <= nowMs,
    expiresAt: iso(expiresAt),
    inviterName,
    dateCreated: iso(createdAt),
  };
}
