/** Members, teams and invitations. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { staticStaleTimeMs } from '../freshness.ts';
import { membersQuery, teamsQuery } from '../triage/queries.ts';

export { membersQuery, teamsQuery };

export type Member = Schemas['Member'];
export type Invited = Schemas['Invited'];
export type Invitation = Schemas['Invitation'];
export type Team = Schemas['Team'];
export type Role = Member['role'];

export const inviteMember = (
  org: string,
  body: { readonly email: string; readonly role: Role; readonly teams: readonly string[] },
): Promise<Invited> =>
  api.post('/api/0/organizations/{org}/members/', {
    params: { path: { org } },
    body: { ...body, teams: [...body.teams] },
  });

export const renewInvitation = (org: string, id: string): Promise<Invited> =>
  api.post('/api/0/organizations/{org}/members/{id}/renew/', { params: { path: { org, id } } });

export const updateMember = (org: string, id: string, body: Schemas['MemberUpdate']): Promise<Member> =>
  api.put('/api/0/organizations/{org}/members/{id}/', { params: { path: { org, id } }, body });

/** `me` is oneself. */
export const removeMember = (org: string, id: string, keepBuildTokens = false): Promise<unknown> =>
  api.delete('/api/0/organizations/{org}/members/{id}/', {
    params: { path: { org, id }, query: keepBuildTokens ? { keepBuildTokens: 'true' } : {} },
  });

export const joinTeam = (org: string, id: string, team: string): Promise<Member> =>
  api.post('/api/0/organizations/{org}/members/{id}/teams/{team}/', { params: { path: { org, id, team } } });

export const leaveTeam = (org: string, id: string, team: string): Promise<Member> =>
  api.delete('/api/0/organizations/{org}/members/{id}/teams/{team}/', { params: { path: { org, id, team } } });

export const createTeam = (org: string, body: Schemas['TeamRequest']): Promise<Team> =>
  api.post('/api/0/organizations/{org}/teams/', { params: { path: { org } }, body });

export const updateTeam = (org: string, team: string, body: Schemas['TeamUpdate']): Promise<Team> =>
  api.put('/api/0/teams/{org}/{team}/', { params: { path: { org, team } }, body });

export const deleteTeam = (org: string, team: string): Promise<unknown> =>
  api.delete('/api/0/teams/{org}/{team}/', { params: { path: { org, team } } });

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.get('/api/0/invitations/{token}/', { params: { path: { token } }, signal }),
    staleTime: staticStaleTimeMs,
    retry: false,
  });

export const acceptInvitation = (token: string, body: Schemas['InvitationAccept']): Promise<Schemas['Joined']> =>
  api.post('/api/0/invitations/{token}/', { params: { path: { token } }, body });
