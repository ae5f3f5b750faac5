/** Members of an organisation, and invitations to it. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';

const Role = z.enum(['owner', 'admin', 'member']);

export const Member = z
  .object({
    id: z.string().describe('Of the membership; of somebody invited, `invite-` and a number.'),
    email: z.string(),
    name: z.string(),
    handle: z.string().describe('What is written after @ in comments; empty for somebody invited.'),
    user: z
      .object({ id: z.string(), name: z.string(), email: z.string() })
      .nullable()
      .describe('Null for somebody invited who has not come yet.'),
    role: Role,
    roleName: z.string(),
    teams: z.array(z.string()).describe('Slugs.'),
    pending: z.boolean().describe('Invited, and not there yet.'),
    expired: z.boolean().describe('The invitation is too old; a new link can be made.'),
    expiresAt: dateTime('Of the invitation.').nullable(),
    inviterName: z.string().nullable(),
    dateCreated: dateTime('When they came, or were invited.'),
  })
  .meta({ id: 'Member' });

export const listMembers = endpoint({
  method: 'GET',
  url: '/organizations/:org/members/',
  id: 'listMembers',
  tag: 'Members',
  summary: 'Members of an organisation, and who is invited',
  description: 'Who is invited is shown to those who may invite.',
  access: ['member:read', 'event:read'],
  params: orgParams,
  response: z.array(Member).describe('By name; who is invited last.'),
});

const teams = z.array(z.string().max(64)).max(100).describe('Slugs or ids of teams.');

const Invited = Member.extend({
  inviteLink: z.string().describe('The only time that it is shown.'),
  mailed: z.boolean().describe('Whether the link was sent by mail, too.'),
}).meta({ id: 'Invited' });

export const inviteMember = endpoint({
  method: 'POST',
  url: '/organizations/:org/members/',
  id: 'inviteMember',
  tag: 'Members',
  summary: 'Invite somebody',
  description:
    'The answer has a link that is good for seven days, for the address alone. Only owners invite owners, and replace their invitations; a token invites to what it may do itself, with org:admin to every role.',
  access: 'member:write',
  params: orgParams,
  body: z
    .object({
      email: z.string().trim().max(254).pipe(z.email('must be an e-mail address')),
      role: Role.optional().describe('member when left out.'),
      orgRole: Role.optional().describe("The same, as Sentry's clients call it."),
      teams: teams.optional(),
    })
    .meta({ id: 'InviteRequest' }),
  status: 201,
  response: Invited,
});

const memberParams = orgParams.extend({
  id: z.string().max(64).describe('Id of the member, `me`, or `invite-` and a number.'),
});

export const updateMember = endpoint({
  method: 'PUT',
  url: '/organizations/:org/members/:id/',
  id: 'updateMember',
  tag: 'Members',
  summary: 'Change role and teams; what is left out stays',
  description:
    'Only owners make owners and change what owners are; a token gives and takes what it may do itself. The last owner stays one.',
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
  summary: 'Make a new link for somebody who is invited; the one before stops working',
  access: 'member:write',
  params: memberParams,
  response: Invited,
});

export const removeMember = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/members/:id/',
  id: 'removeMember',
  tag: 'Members',
  summary: 'Remove a member, leave (`me`), or take an invitation back',
  description:
    "Their issues become unassigned; their comments and activity keep their name. Their API tokens, the build tokens that they made and the invitations that they sent stop working. The last owner can't go.",
  access: ['member:write', 'org:read'],
  params: memberParams,
  query: z.object({
    keepBuildTokens: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: the build tokens that they made keep working. Needs member:write.'),
  }),
  status: 204,
});

const memberTeamParams = memberParams.extend({ team: z.string().max(64).describe('Slug or id of the team.') });

export const joinTeam = endpoint({
  method: 'POST',
  url: '/organizations/:org/members/:id/teams/:team/',
  id: 'joinTeam',
  tag: 'Members',
  summary: 'Put a member into a team; everybody may do so with themselves',
  access: ['member:write', 'org:read'],
  params: memberTeamParams,
  status: 201,
  response: Member,
});

export const leaveTeam = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/members/:id/teams/:team/',
  id: 'leaveTeam',
  tag: 'Members',
  summary: 'Take a member out of a team; everybody may do so with themselves',
  access: ['member:write', 'org:read'],
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
    hasAccount: z.boolean().describe('Whether somebody has an account with the address: then signing in comes first.'),
    signedInAs: z.string().nullable().describe('Address of the caller.'),
    isMember: z.boolean().describe('Whether the caller is a member already.'),
  })
  .meta({ id: 'Invitation' });

export const getInvitation = endpoint({
  method: 'GET',
  url: '/invitations/:token/',
  id: 'getInvitation',
  tag: 'Members',
  summary: 'What a link invites to',
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
    'Who is signed in joins as they are, if the invitation is for their address. Anybody else says a password, and perhaps a name, for a new account with the address of the invitation, and is signed in. A link is good once.',
  access: 'public',
  signsIn: true,
  params: invitationParams,
  body: z
    .object({
      name: z.string().trim().max(100).optional(),
      password: z
        .string()
        .min(8, 'must have at least 8 characters')
        .max(128, 'must have at most 128 characters')
        .optional(),
    })
    .meta({ id: 'InvitationAccept' }),
  response: z.object({ organization: z.object({ slug: z.string(), name: z.string() }) }).meta({ id: 'Joined' }),
});
