/** Teams: who works together, and on which projects. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Member } from './members-contract.ts';
import { dateTime, orgParams, projectParams, teamParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const slug = z
  .string()
  .trim()
  .regex(/^(?!\d+$)[a-z0-9][a-z0-9_-]{0,49}$/, invalid.slug);
const name = z.string().trim().min(1, invalid.empty).max(64, invalid.atMost(64));

export const Team = z
  .object({
    id: z.string(),
    slug: z.string().describe('Name after # in rules, comments and searches.'),
    name: z.string(),
    dateCreated: dateTime(),
    memberCount: z.int(),
    isMember: z.boolean().describe('Whether the caller is a member.'),
    projects: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
  })
  .meta({ id: 'Team' });

export const listTeams = endpoint({
  method: 'GET',
  url: '/organizations/:org/teams/',
  id: 'listTeams',
  tag: 'Teams',
  summary: 'List teams of an organisation',
  access: ['org:read', 'member:read', 'event:read'],
  params: orgParams,
  response: z.array(Team).describe('By name.'),
});

export const listUserTeams = endpoint({
  method: 'GET',
  url: '/organizations/:org/user-teams/',
  id: 'listUserTeams',
  tag: 'Teams',
  summary: 'List teams of the caller',
  access: ['org:read', 'member:read', 'event:read'],
  params: orgParams,
  response: z.array(Team).describe('By name.'),
});

export const createTeam = endpoint({
  method: 'POST',
  url: '/organizations/:org/teams/',
  id: 'createTeam',
  tag: 'Teams',
  summary: 'Make a team',
  description: 'Name or slug is required. The creator becomes a member.',
  access: 'member:write',
  params: orgParams,
  body: z
    .object({
      name: name.optional(),
      slug: slug.optional(),
      projects: z.array(z.string().max(200)).max(200).optional().describe('IDs or slugs.'),
      members: z.array(z.string().max(64)).max(200).optional().describe('IDs of members; default: the caller.'),
    })
    .refine(({ name: long, slug: short }) => long !== undefined || short !== undefined, {
      path: ['name'],
      message: invalid.required,
    })
    .meta({ id: 'TeamRequest' }),
  status: 201,
  response: Team,
});

export const getTeam = endpoint({
  method: 'GET',
  url: '/teams/:org/:team/',
  id: 'getTeam',
  tag: 'Teams',
  summary: 'Get a team',
  access: ['org:read', 'member:read', 'event:read'],
  params: teamParams,
  response: Team,
});

export const updateTeam = endpoint({
  method: 'PUT',
  url: '/teams/:org/:team/',
  id: 'updateTeam',
  tag: 'Teams',
  summary: 'Rename a team or change its projects; omitted fields stay',
  access: 'member:write',
  params: teamParams,
  body: z
    .object({ name, slug, projects: z.array(z.string().max(200)).max(200).describe('IDs or slugs.') })
    .partial()
    .meta({ id: 'TeamUpdate' }),
  response: Team,
});

export const deleteTeam = endpoint({
  method: 'DELETE',
  url: '/teams/:org/:team/',
  id: 'deleteTeam',
  tag: 'Teams',
  summary: 'Delete a team; its issues become unassigned',
  access: 'member:write',
  params: teamParams,
  status: 204,
});

export const listTeamMembers = endpoint({
  method: 'GET',
  url: '/teams/:org/:team/members/',
  id: 'listTeamMembers',
  tag: 'Teams',
  summary: 'List members of a team',
  access: ['org:read', 'member:read', 'event:read'],
  params: teamParams,
  response: z.array(Member),
});

export const listProjectTeams = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/teams/',
  id: 'listProjectTeams',
  tag: 'Teams',
  summary: 'List teams of a project',
  access: ['project:read', 'org:read', 'member:read', 'event:read'],
  params: projectParams,
  response: z.array(Team).describe('By name.'),
});

const projectTeamParams = projectParams.extend({ team: z.string().max(64).describe('Slug or ID of the team.') });

export const addProjectTeam = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/teams/:team/',
  id: 'addProjectTeam',
  tag: 'Teams',
  summary: 'Add a project to a team',
  access: 'project:write',
  params: projectTeamParams,
  status: 201,
  response: Team,
});

export const removeProjectTeam = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/teams/:team/',
  id: 'removeProjectTeam',
  tag: 'Teams',
  summary: 'Remove a project from a team',
  access: 'project:write',
  params: projectTeamParams,
  response: Team,
});
