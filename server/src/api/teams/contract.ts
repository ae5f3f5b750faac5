/** Teams: who works together, and on which projects. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Member } from './members-contract.ts';
import { dateTime, orgParams, projectParams, teamParams } from '../shared/schemas.ts';

const slug = z
  .string()
  .trim()
  .regex(
    /^(?!\d+$)[a-z0-9][a-z0-9_-]{0,49}$/,
    'must have at most 50 lower-case letters, digits, - and _, begin with a letter or digit and not be a number',
  );
const name = z.string().trim().min(1, 'must not be empty').max(64, 'must have at most 64 characters');

export const Team = z
  .object({
    id: z.string(),
    slug: z.string().describe('What is written after # in rules, comments and searches.'),
    name: z.string(),
    dateCreated: dateTime(),
    memberCount: z.int(),
    isMember: z.boolean().describe('Whether the caller is in it.'),
    projects: z.array(z.object({ id: z.string(), slug: z.string(), name: z.string() })),
  })
  .meta({ id: 'Team' });

export const listTeams = endpoint({
  method: 'GET',
  url: '/organizations/:org/teams/',
  id: 'listTeams',
  tag: 'Teams',
  summary: 'Teams of an organisation',
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
  description: 'Of name and slug one is enough. Who makes it is in it.',
  access: 'member:write',
  params: orgParams,
  body: z
    .object({
      name: name.optional(),
      slug: slug.optional(),
      projects: z.array(z.string().max(200)).max(200).optional().describe('Ids or slugs.'),
      members: z.array(z.string().max(64)).max(200).optional().describe('Ids of members; the caller when left out.'),
    })
    .refine(({ name: long, slug: short }) => long !== undefined || short !== undefined, {
      path: ['name'],
      message: 'must be given',
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
  summary: 'One team',
  access: ['org:read', 'member:read', 'event:read'],
  params: teamParams,
  response: Team,
});

export const updateTeam = endpoint({
  method: 'PUT',
  url: '/teams/:org/:team/',
  id: 'updateTeam',
  tag: 'Teams',
  summary: 'Rename a team, or say what it works on; what is left out stays',
  access: 'member:write',
  params: teamParams,
  body: z
    .object({ name, slug, projects: z.array(z.string().max(200)).max(200).describe('Ids or slugs.') })
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
  summary: 'Members of a team',
  access: ['org:read', 'member:read', 'event:read'],
  params: teamParams,
  response: z.array(Member),
});

const projectTeamParams = projectParams.extend({ team: z.string().max(64).describe('Slug or id of the team.') });

export const addProjectTeam = endpoint({
  method: 'POST',
  url: '/projects/:org/:project/teams/:team/',
  id: 'addProjectTeam',
  tag: 'Teams',
  summary: 'Say that a team works on a project',
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
  summary: 'Say that a team no longer works on a project',
  access: 'project:write',
  params: projectTeamParams,
  response: Team,
});
