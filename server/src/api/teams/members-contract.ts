/** Members of an organisation, and invitations to it. */
import { z } from 'zod';
import { roles } from '../../domains/accounts/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, projectParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const Role = z.enum(roles);

export const Member = z
  .object({
    id: z.string().describe('ID of the membership; for invitations `invite-` and a number.'),
    email: z.string(),
    name: z.string(),
    handle: z.string().describe('Handle after @ in comments; empty for invitations.'),
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .nullable()
      .describe('null for open invitations.'),
    role: Role,
    roleName: z.string(),
    teams: z.array(z.string()).describe('Slugs.'),
    pending: z.boolean().describe('The invitation is open.'),
    expired: z.boolean().describe('The invitation expired; create a new link.'),
    expiresAt: dateTime('Expiry of the invitation.').nullable(),
    inviterName: z.string().nullable(),
    dateCreated: dateTime('Time of joining or of the invitation.'),
  })
  .meta({ id: 'Member' });

export const listMembers = endpoint({
  method: 'GET',
  url: '/organizations/:org/members/',
  id: 'listMembers',
  tag: 'Members',
  summary: 'List members and invitations of an organisation',
  description: 'Invitations are visible to people who can change members; a member who can invite sees their own.',
  access: ['member:read', 'event:read'],
  params: orgParams,
  response: z.array(Member).describe('By name; invitations last.'),
});

export const listProjectMembers = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/members/',
  id: 'listProjectMembers',
  tag: 'Members',
  summary: 'List members of the teams of a project',
  access: ['member:read', 'event:read'],
  params: projectParams,
  response: z.array(Member).describe('By name.'),
});

const teams = z.array(z.string().max(64)).max(100).describe('Slugs or IDs of teams.');

const Invited = Member.extend({
  inviteLink: z.string().describe('Shown once.'),
  mailed: z.boolean().describe('Whether the link was also sent by mail.'),
}).meta({ id: 'Invited' });

export const inviteMember = endpoint({
  method: 'POST',
  url: '/organizations/:org/members/',
  id: 'inviteMember',
  tag: 'Members',
  summary: 'Invite a member',
  description:
    'The response has a link, valid for seven days and for this address only. Only owners can invite owners and replace their invitations. A token can grant roles within its own scopes, or any role with org:admin. Members can invite members and viewers if the organisation allows it.',
  access: 'member:invite',
  params: orgParams,
  body: z
    .object({
      email: z.string().trim().max(254).pipe(z.email(invalid.email)),
      role: Role.optional().describe('Default: member.'),
      orgRole: Role.optional().describe("Same as above, for Sentry's clients."),
      teams: teams.optional(),
    })
    .meta({ id: 'InviteRequest' }),
  status: 201,
  response: Invited,
});

const memberParams = orgParams.extend({
  id: z.string().max(64).describe('ID of the member, `me`, or `invite-` and a number.'),
});

export const getMember = endpoint({
  method: 'GET',
  url: '/organizations/:org/members/:id/',
  id: 'getMember',
  tag: 'Members',
  summary: 'Get a member or an invitation',
  description: 'Invitations: as in the list.',
  access: ['member:read', 'event:read'],
  params: memberParams,
  response: Member,
});

export const updateMember = endpoint({
  method: 'PUT',
  url: '/organizations/:org/members/:id/',
  id: 'updateMember',
  tag: 'Members',
  summary: 'Change role and teams; omitted fields stay',
  description:
    'Only owners can create or change owners. A token can grant and revoke roles within its own scopes. The last owner stays owner.',
  access: 'member:write',
  params: memberParams,
  body: z
    .object({ role: Role.optional(), orgRole: Role.optional(), teams: teams.optional() })
    .meta({ id: 'MemberUpdate' }),
  response: Member,
});

export const renewInvitation = endpoint({
  method: 'POST',
  url: '/organizations/:org/members/:id/renew/',
  id: 'renewInvitation',
  tag: 'Members',
  summary: 'Create a new invitation link; the previous one stops working',
  access: 'member:invite',
  params: memberParams,
  response: Invited,
});

export const removeMember = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/members/:id/',
  id: 'removeMember',
  tag: 'Members',
  summary: 'Remove a member, leave (`me`), or revoke an invitation',
  description:
    'Their issues become unassigned; comments and activity keep their name. Their API tokens, build tokens and invitations stop working. The last owner cannot leave.',
  access: ['member:write', 'org:read'],
  tokenAccess: 'member:write',
  params: memberParams,
  query: z.object({
    keepBuildTokens: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: their build tokens keep working. Needs member:write.'),
  }),
  status: 204,
});

const memberTeamParams = memberParams.extend({ team: z.string().max(64).describe('Slug or ID of the team.') });

export const joinTeam = endpoint({
  method: 'POST',
  url: '/organizations/:org/members/:id/teams/:team/',
  id: 'joinTeam',
  tag: 'Members',
  summary: 'Add a member to a team; members can add themselves',
  description: 'If members see only the projects of their teams, managers of the team, admins and owners add them.',
  access: ['member:write', 'event:write'],
  tokenAccess: 'member:write',
  params: memberTeamParams,
  status: 201,
  response: Member,
});

export const leaveTeam = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/members/:id/teams/:team/',
  id: 'leaveTeam',
  tag: 'Members',
  summary: 'Remove a member from a team; members can remove themselves',
  access: ['member:write', 'event:write'],
  tokenAccess: 'member:write',
  params: memberTeamParams,
  response: Member,
});

const invitationParams = z.object({ token: z.string().max(200) });

const Invitation = z
  .object({
    organization: z.object({ slug: z.string(), name: z.string() }),
    email: z.string(),
    role: Role,
    inviterName: z.string().nullable(),
    expiresAt: dateTime(),
    hasAccount: z.boolean().describe('Whether an account with the address exists; it must sign in first.'),
    signedInAs: z.string().nullable().describe('Address of the caller.'),
    isMember: z.boolean().describe('Whether the caller is already a member.'),
  })
  .meta({ id: 'Invitation' });

export const getInvitation = endpoint({
  method: 'GET',
  url: '/invitations/:token/',
  id: 'getInvitation',
  tag: 'Members',
  summary: 'Get an invitation by its link',
  access: 'public',
  params: invitationParams,
  response: Invitation,
});

export const acceptInvitation = endpoint({
  method: 'POST',
  url: '/invitations/:token/',
  id: 'acceptInvitation',
  tag: 'Members',
  summary: 'Become a member',
  description:
    'If you are signed in with the invited address, you join. Otherwise send a password and optionally a name for a new account. A link is valid once.',
  access: 'public',
  signsIn: true,
  params: invitationParams,
  body: z
    .object({
      name: z.string().trim().max(100).optional(),
      password: z.string().min(8, invalid.atLeast(8)).max(128, invalid.atMost(128)).optional(),
    })
    .meta({ id: 'InvitationAccept' }),
  response: z.object({ organization: z.object({ slug: z.string(), name: z.string() }) }).meta({ id: 'Joined' }),
});
