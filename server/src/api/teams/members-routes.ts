/** Members, and those who are invited. */
import type { Identity, Membership, Role } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { enqueue } from '../../domains/notify/index.ts';
import * as teams from '../../domains/teams/index.ts';
import { things } from '../../base/texts/things.ts';
import { invitations as texts } from '../../base/texts/accounts.ts';
import { utcDay } from '../../base/texts/intl.ts';
import * as contract from './members-contract.ts';
import { type Api, implement, type Recorded } from '../shared/implement.ts';
import { takeOffIssues } from '../../domains/issues/index.ts';
import { checkMove, checkPerson, checkTeams } from './own-teams.ts';
import { toInvited, toMember } from './shapes.ts';

interface Caller {
  readonly membership: Membership;
  readonly identity: Identity;
}

/** As the audit log names them. */
const teamNames = ({ teams: all }: teams.People, ids: readonly number[]): string[] =>
  all.filter(({ id }) => ids.includes(id)).map(({ slug }) => slug);

const tellable = ({ role, userId }: teams.Person, { teams: all }: teams.People) => ({
  role,
  teams: all.filter(({ members }) => members.includes(userId)).map(({ slug }) => slug),
});

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
    if (!person) throw new CodedError('NOT_FOUND', [things.member(id)]);
    return person;
  };

  const invitationOf = async ({ membership }: Caller, id: string): Promise<teams.Invitation | undefined> => {
    const number = /^invite-(\d{1,9})$/.exec(id)?.[1];
    if (number === undefined) return undefined;
    const found = (await teams.listInvitations(state, membership.organizationId)).find(
      (one) => one.id === Number(number),
    );
    if (!found) throw new CodedError('NOT_FOUND', [things.invitation(id)]);
    return found;
  };

  const teamOf = (people: teams.People, name: string): teams.Team => {
    const team = teams.findTeam(people.teams, name);
    if (!team) throw new CodedError('NOT_FOUND', [things.team(name)]);
    return team;
  };

  const teamIds = (people: teams.People, named: readonly string[]): number[] =>
    named.map((name) => teamOf(people, name).id);

  const teamsOf = ({ userId }: teams.Person, people: teams.People): number[] =>
    people.teams.flatMap(({ id, members }) => (members.includes(userId) ? [id] : []));

  const mayManage = ({ membership }: Caller): boolean => membership.scopes.includes('member:write');

  /** Who may invite and no more has to do with their own invitations alone. */
  const checkInvitation = (caller: Caller, inviterId: string | null): void => {
    if (mayManage(caller) || inviterId === caller.identity.userId) return;
    if (caller.identity.kind === 'token') throw new CodedError('SCOPE_MISSING', ['member:write']);
    throw new CodedError('PERMISSION_DENIED');
  };

  /** Others are for who may change members, oneself for everybody; but not for a token that was made to read or to build. */
  const checkOwn = (caller: Caller, person: teams.Person): void => {
    if (mayManage(caller)) return;
    if (caller.identity.kind === 'token') throw new CodedError('SCOPE_MISSING', ['member:write']);
    if (person.userId !== caller.identity.userId) throw new CodedError('PERMISSION_DENIED');
  };

  implement(api, contract.listMembers, async ({ caller }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const mayInvite = caller.membership.scopes.includes('member:invite');
    const open = mayInvite ? await teams.listInvitations(state, organizationId) : [];
    const invited = open.filter(({ inviterId }) => mayManage(caller) || inviterId === caller.identity.userId);
    const now = Date.now();
    return [
      ...people.members.map((person) => toMember(person, people)),
      ...invited.map((one) => toInvited(one, people, now)),
    ];
  });

  implement(api, contract.getMember, async ({ caller, params }) => {
    const people = await teams.peopleOf(state, caller.membership.organizationId);
    const invitation = await invitationOf(caller, params.id);
    if (!invitation) return toMember(personOf(caller, people, params.id), people);
    // Who may not see it in the list does not learn here that it is there.
    if (!mayManage(caller) && invitation.inviterId !== caller.identity.userId) {
      throw new CodedError('NOT_FOUND', [things.invitation(params.id)]);
    }
    return toInvited(invitation, people, Date.now());
  });

  implement(api, contract.listProjectMembers, async ({ caller: { membership, project } }) => {
    const people = await teams.peopleOf(state, membership.organizationId);
    const ids = new Set(
      people.teams.flatMap((team) => (team.projectIds.includes(project.id) ? [...team.members] : [])),
    );
    return people.members.filter(({ userId }) => ids.has(userId)).map((person) => toMember(person, people));
  });

  const sendLink = async (
    { caller, recorded }: { readonly caller: Caller; readonly recorded: Recorded },
    wanted: Pick<teams.Invitation, 'email' | 'role' | 'teamIds'>,
    people: teams.People,
  ) => {
    const { members } = people;
    const { organizationId, name } = caller.membership;
    const now = Date.now();
    const { email, role, teamIds: ids } = wanted;
    const made = { organizationId, email, role, teamIds: ids, inviterId: caller.identity.userId };
    const mayReplace = (replaced: Role, inviterId: string | null): void => {
      checkInvitation(caller, inviterId);
      teams.checkTaking(askerOf(caller), replaced, members);
    };
    const { invitation, token } = await recorded(async (inside, note) => {
      const done = await teams.invite(inside, made, mayReplace, now);
      note({ id: `invite-${done.invitation.id}`, name: email }, { details: { role, teams: teamNames(people, ids) } });
      return done;
    });
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
          title: texts.title(caller.identity.user.name, name),
          text: texts.text(utcDay(invitation.expiresAt)),
          url: link,
          fields: [],
          groupKey: `invitation:${invitation.id}`,
        }),
      });
    }
    return { ...toInvited(invitation, people, now), inviteLink: link, mailed };
  };

  implement(api, contract.inviteMember, async ({ caller, body, recorded }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const role: Role = body.role ?? body.orgRole ?? 'member';
    teams.checkGiving(askerOf(caller), role, people.members);
    const email = body.email.toLowerCase();
    const ids = teamIds(people, body.teams ?? []);
    checkPerson(caller.membership, ids);
    return sendLink({ caller, recorded }, { email, role, teamIds: ids }, people);
  });

  implement(api, contract.renewInvitation, async ({ caller, params, recorded }) => {
    const invitation = await invitationOf(caller, params.id);
    if (!invitation) throw new CodedError('NOT_FOUND', [things.invitation(params.id)]);
    checkInvitation(caller, invitation.inviterId);
    const people = await teams.peopleOf(state, caller.membership.organizationId);
    teams.checkGiving(askerOf(caller), invitation.role, people.members);
    checkPerson(caller.membership, invitation.teamIds);
    return sendLink({ caller, recorded }, invitation, people);
  });

  implement(api, contract.updateMember, async ({ caller, params, body, recorded }) => {
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
      await recorded(async (inside, note) => {
        await teams.updateInvitation(inside, invitation.id, { role, teamIds: ids });
        const before = { role: invitation.role, teams: teamNames(people, invitation.teamIds) };
        const after = { role: role ?? before.role, teams: ids ? teamNames(people, ids) : before.teams };
        note({ id: params.id, name: invitation.email }, { action: 'invitation.update', before, after });
      });
      const now = await invitationOf(caller, params.id);
      return toInvited(now ?? invitation, people, Date.now());
    }
    const person = personOf(caller, people, params.id);
    const before = teamsOf(person, people);
    if (role !== undefined && role !== person.role) checkPerson(caller.membership, before);
    if (ids) checkMove(caller.membership, before, ids);
    const change = { asker: askerOf(caller), organizationId, memberId: person.id, role, teamIds: ids };
    const changed = await recorded(async (inside, note) => {
      await teams.updateMember(inside, change, Date.now());
      const now = await teams.peopleOf(inside, organizationId);
      const told = { before: tellable(person, people), after: tellable(personOf(caller, now, person.id), now) };
      note({ id: person.userId, name: person.email }, { action: 'member.update', ...told });
      return now;
    });
    live.publish({ type: 'access', userId: person.userId });
    return toMember(personOf(caller, changed, person.id), changed);
  });

  implement(api, contract.removeMember, async ({ caller, params, query, recorded }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    if (params.id.startsWith('invite-')) {
      if (!caller.membership.scopes.includes('member:invite')) throw new CodedError('PERMISSION_DENIED');
      const invitation = await invitationOf(caller, params.id);
      if (!invitation) return;
      checkInvitation(caller, invitation.inviterId);
      teams.checkTaking(askerOf(caller), invitation.role, people.members);
      checkPerson(caller.membership, invitation.teamIds);
      await recorded(async (inside, note) => {
        await teams.deleteInvitation(inside, invitation.id);
        const details = { role: invitation.role };
        note({ id: params.id, name: invitation.email }, { action: 'invitation.delete', details });
      });
      return;
    }
    const person = personOf(caller, people, params.id);
    checkOwn(caller, person);
    if (person.userId !== caller.identity.userId) checkPerson(caller.membership, teamsOf(person, people));
    const keepsBuildTokens = query.keepBuildTokens === 'true' && mayManage(caller);
    const removal = { asker: askerOf(caller), organizationId, memberId: person.id, keepsBuildTokens };
    await recorded(async (inside, note) => {
      await teams.removeMember(inside, removal);
      const details = { role: person.role, keepsBuildTokens };
      note({ id: person.userId, name: person.email }, { action: 'member.remove', details });
    });
    live.publish({ type: 'access', userId: person.userId });
    const byUserId = caller.identity.userId;
    await takeOffIssues(api.deps, { kind: 'user', id: person.userId }, { organizationId, byUserId });
  });

  implement(api, contract.joinTeam, async ({ caller, params, recorded }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const person = personOf(caller, people, params.id);
    checkOwn(caller, person);
    const team = teamOf(people, params.team);
    checkTeams(caller.membership, [team.id]);
    await recorded(async (inside, note) => {
      await teams.addToTeams(inside.db, person.userId, [team.id], Date.now());
      note(team, { details: { member: person.email } });
    });
    live.publish({ type: 'access', userId: person.userId });
    return toMember(person, await teams.peopleOf(state, organizationId));
  });

  implement(api, contract.leaveTeam, async ({ caller, params, recorded }) => {
    const { organizationId } = caller.membership;
    const people = await teams.peopleOf(state, organizationId);
    const person = personOf(caller, people, params.id);
    checkOwn(caller, person);
    const team = teamOf(people, params.team);
    if (person.userId !== caller.identity.userId) checkTeams(caller.membership, [team.id]);
    await recorded(async (inside, note) => {
      await teams.removeFromTeam(inside, person.userId, team.id);
      note(team, { details: { member: person.email } });
    });
    live.publish({ type: 'access', userId: person.userId });
    return toMember(person, await teams.peopleOf(state, organizationId));
  });
}
