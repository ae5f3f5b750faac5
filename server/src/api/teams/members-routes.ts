/** Members, and those who are invited. */
import type { Identity, Membership, Role } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { enqueue } from '../../domains/notify/index.ts';
import * as teams from '../../domains/teams/index.ts';
import * as contract from './members-contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';
import { takeOffIssues } from '../../domains/issues/index.ts';
import { checkMove, checkPerson, checkTeams } from './own-teams.ts';
import { toInvited, toMember } from './shapes.ts';

interface Caller {
  readonly membership: Membership;
  readonly identity: Identity;
}

export function memberRoutes(api: Api): void {
  const { state, config, live, vault, getUrl } = api.deps;

  const askerOf = ({ membership, identity }: Caller): teams.Asker => ({
    kind: identity.kind,
    role: membership.role,
    scopes: membership.scopes,
  });

  /** `me` is the caller. */
  const personOf = ({ identity }: Caller, { members }: teams.People, id: string): teams.Person => {
    const person = members.find((one) => (id === 'me' ? one.userId === identity.userId : one.id === id));
    if (!person) throw new CodedError('NOT_FOUND', [`member ${id}`]);
    return person;
  };

  const invitationOf = async ({ membership }: Caller, id: string): Promise<teams.Invitation | undefined> => {
    const number = /^invite-(\d{1,9})$/.exec(id)?.[1];
    if (number === undefined) return undefined;
    const found = (await teams.listInvitations(state, membership.organizationId)).find(
      (one) => one.id === Number(number),
    );
    if (!found) throw new CodedError('NOT_FOUND', [`invitation ${id}`]);
    return found;
  };

  const teamIds = (people: teams.People, named: readonly string[]): number[] =>
    named.map((name) => {
      const team = teams.findTeam(people.teams, name);
      if (!team) throw new CodedError('NOT_FOUND', [`team ${name}`]);
      return team.id;
    });

  const teamsOf = ({ userId }: teams.Person, people: teams.People): number[] =>
    people.teams.flatMap(({ id, members }) => (members.includes(userId) ? [id] : []));

  const mayManage = ({ membership }: Caller): boolean => membership.scopes.includes('member:write');

  /** Others are for who may change members, oneself for everybody; but not for a token that was made to read or to build. */
  const checkOwn = (caller: Caller, person: teams.Person): void => {
    if (mayManage(caller)) return;
    if (caller.identity.kind === 'token') throw new CodedError('SCOPE_MISSING', ['member:write']);
    if (person.userId !== caller.identity.userId) throw new CodedError('PERMISSION_DENIED');
  };

  implement(api, contract.listMembers, async ({ caller }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const invited = mayManage(caller) ? await teams.listInvitations(state, organizationId) : [];
    const now = Date.now();
    return [
      ...people.members.map((person) => toMember(person, people)),
      ...invited.map((one) => toInvited(one, people, now)),
    ];
  });

  const sendLink = async (
    caller: Caller,
    wanted: Pick<teams.Invitation, 'email' | 'role' | 'teamIds'>,
    { members }: teams.People,
  ) => {
    const { organizationId, name } = caller.membership;
    const now = Date.now();
    const { email, role, teamIds: ids } = wanted;
    const made = { organizationId, email, role, teamIds: ids, inviterId: caller.identity.userId };
    const mayReplace = (replaced: Role): void => teams.checkTaking(askerOf(caller), replaced, members);
    const { invitation, token } = await teams.invite(state, made, mayReplace, now);
    const link = `${getUrl()}/invite/${token}`;
    const mailed = config.smtpUrl !== '';
    if (mailed) {
      await enqueue(state.db, {
        key: `invitation:${invitation.id}:${invitation.createdAt}`,
        organizationId,
        to: { email },
        notification: vault.sealLink({
          kind: 'invitation',
          severity: 'info',
          title: `${caller.identity.user.name} invites you to ${name} on Culprit`,
          text: `You can join until ${iso(invitation.expiresAt).slice(0, 10)}. The link is valid once and for you only.`,
          url: link,
          fields: [],
          groupKey: `invitation:${invitation.id}`,
        }),
      });
    }
    const people = await teams.peopleOf(state, organizationId);
    return { ...toInvited(invitation, people, now), inviteLink: link, mailed };
  };

  implement(api, contract.inviteMember, async ({ caller, body }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const role: Role = body.role ?? body.orgRole ?? 'member';
    teams.checkGiving(askerOf(caller), role, people.members);
    const email = body.email.toLowerCase();
    const ids = teamIds(people, body.teams ?? []);
    checkPerson(caller.membership, ids);
    return sendLink(caller, { email, role, teamIds: ids }, people);
  });

  implement(api, contract.renewInvitation, async ({ caller, params }) => {
    const invitation = await invitationOf(caller, params.id);
    if (!invitation) throw new CodedError('NOT_FOUND', [`invitation ${params.id}`]);
    const people = await teams.peopleOf(state, caller.membership.organizationId);
    teams.checkGiving(askerOf(caller), invitation.role, people.members);
    checkPerson(caller.membership, invitation.teamIds);
    return sendLink(caller, invitation, people);
  });

  implement(api, contract.updateMember, async ({ caller, params, body }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const role = body.role ?? body.orgRole;
    const ids = body.teams && teamIds(people, body.teams);
    const invitation = await invitationOf(caller, params.id);
    if (invitation) {
      teams.checkTaking(askerOf(caller), invitation.role, people.members);
      teams.checkGiving(askerOf(caller), role ?? invitation.role, people.members);
      checkPerson(caller.membership, invitation.teamIds);
      checkPerson(caller.membership, ids ?? invitation.teamIds);
      await teams.updateInvitation(state, invitation.id, { role, teamIds: ids });
      const now = await invitationOf(caller, params.id);
      return toInvited(now ?? invitation, people, Date.now());
    }
    const person = personOf(caller, people, params.id);
    const before = teamsOf(person, people);
    if (role !== undefined && role !== person.role) checkPerson(caller.membership, before);
    if (ids) checkMove(caller.membership, before, ids);
    const change = { asker: askerOf(caller), organizationId, memberId: person.id, role, teamIds: ids };
    await teams.updateMember(state, change, Date.now());
    live.publish({ type: 'access', userId: person.userId });
    const changed = await teams.peopleOf(state, organizationId);
    return toMember(personOf(caller, changed, person.id), changed);
  });

  implement(api, contract.removeMember, async ({ caller, params, query }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    if (params.id.startsWith('invite-')) {
      if (!mayManage(caller)) throw new CodedError('PERMISSION_DENIED');
      const invitation = await invitationOf(caller, params.id);
      if (!invitation) return;
      teams.checkTaking(askerOf(caller), invitation.role, people.members);
      checkPerson(caller.membership, invitation.teamIds);
      await teams.deleteInvitation(state, invitation.id);
      return;
    }
    const person = personOf(caller, people, params.id);
    checkOwn(caller, person);
    if (person.userId !== caller.identity.userId) checkPerson(caller.membership, teamsOf(person, people));
    const keepsBuildTokens = query.keepBuildTokens === 'true' && mayManage(caller);
    await teams.removeMember(state, { asker: askerOf(caller), organizationId, memberId: person.id, keepsBuildTokens });
    live.publish({ type: 'access', userId: person.userId });
    const byUserId = caller.identity.userId;
    await takeOffIssues(api.deps, { kind: 'user', id: person.userId }, { organizationId, byUserId });
  });

  implement(api, contract.joinTeam, async ({ caller, params }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const person = personOf(caller, people, params.id);
    checkOwn(caller, person);
    const ids = teamIds(people, [params.team]);
    checkTeams(caller.membership, ids);
    await teams.addToTeams(state.db, person.userId, ids, Date.now());
    live.publish({ type: 'access', userId: person.userId });
    return toMember(person, await teams.peopleOf(state, organizationId));
  });

  implement(api, contract.leaveTeam, async ({ caller, params }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const person = personOf(caller, people, params.id);
    checkOwn(caller, person);
    const ids = teamIds(people, [params.team]);
    if (person.userId !== caller.identity.userId) checkTeams(caller.membership, ids);
    for (const id of ids) await teams.removeFromTeam(state, person.userId, id);
    live.publish({ type: 'access', userId: person.userId });
    return toMember(person, await teams.peopleOf(state, organizationId));
  });
}
