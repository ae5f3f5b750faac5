/** Teams. */
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { seenProjects, type Viewer } from '../../domains/projects/index.ts';
import * as teams from '../../domains/teams/index.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { takeOffIssues } from '../../domains/issues/index.ts';
import { checkTeams } from './own-teams.ts';
import { toMember, toTeam } from './shapes.ts';

interface Caller {
  readonly membership: Membership;
  readonly identity: { readonly userId: string };
}

export function teamRoutes(api: Api): void {
  const { state, live } = api.deps;

  /** Who is in a team, and what it works on, is who sees what. */
  const accessChanged = (): void => live.publish({ type: 'access' });

  const teamOf = async ({ membership }: Caller, slugOrId: string): Promise<teams.Team> => {
    const people = await teams.peopleOf(state, membership.organizationId);
    const team = teams.findTeam(people.teams, slugOrId);
    if (!team) throw new CodedError('NOT_FOUND', [`team ${slugOrId}`]);
    return team;
  };

  const shown = async (caller: Caller, slugOrId: string) =>
    toTeam(await teamOf(caller, slugOrId), caller.identity.userId, await seenProjects(state, caller.membership));

  const projectIds = async (viewer: Viewer, named: readonly string[]): Promise<number[]> => {
    if (!named.length) return [];
    const projects = await seenProjects(state, viewer);
    return named.map((name) => {
      const project = projects.find(({ id, slug }) => slug === name || String(id) === name);
      if (!project) throw new CodedError('NOT_FOUND', [`project ${name}`]);
      return project.id;
    });
  };

  const userIds = async (organizationId: string, memberIds: readonly string[]): Promise<string[]> => {
    const { members } = await teams.peopleOf(state, organizationId);
    return memberIds.map((id) => {
      const member = members.find((one) => one.id === id);
      if (!member) throw new CodedError('NOT_FOUND', [`member ${id}`]);
      return member.userId;
    });
  };

  implement(api, contract.listTeams, async ({ caller: { membership, identity } }) => {
    const { organizationId } = membership;
    const [people, projects] = await Promise.all([
      teams.peopleOf(state, organizationId),
      seenProjects(state, membership),
    ]);
    return people.teams.map((team) => toTeam(team, identity.userId, projects));
  });

  implement(api, contract.createTeam, async ({ caller, body }) => {
    const { organizationId } = caller.membership;
    const id = await teams.createTeam(
      state,
      organizationId,
      {
        name: body.name,
        slug: body.slug,
        projectIds: await projectIds(caller.membership, body.projects ?? []),
        userIds: body.members ? await userIds(organizationId, body.members) : [caller.identity.userId],
      },
      Date.now(),
    );
    accessChanged();
    return shown(caller, String(id));
  });

  implement(api, contract.getTeam, async ({ caller, params }) => shown(caller, params.team));

  implement(api, contract.updateTeam, async ({ caller, params, body: { name, slug, projects } }) => {
    const { organizationId } = caller.membership;
    const { id } = await teamOf(caller, params.team);
    checkTeams(caller.membership, [id]);
    const change = { name, slug, projectIds: projects && (await projectIds(caller.membership, projects)) };
    await teams.updateTeam(state, organizationId, id, change, Date.now());
    accessChanged();
    return shown(caller, String(id));
  });

  implement(api, contract.deleteTeam, async ({ caller, params }) => {
    const { id } = await teamOf(caller, params.team);
    checkTeams(caller.membership, [id]);
    const { organizationId } = caller.membership;
    const takeOff = () =>
      takeOffIssues(api.deps, { kind: 'team', id }, { organizationId, byUserId: caller.identity.userId });
    await takeOff();
    await teams.deleteTeam(state, id);
    accessChanged();
    // Those that it was given while the others were taken from it.
    await takeOff();
  });

  implement(api, contract.listTeamMembers, async ({ caller, params }) => {
    const people = await teams.peopleOf(state, caller.membership.organizationId);
    const team = teams.findTeam(people.teams, params.team);
    if (!team) throw new CodedError('NOT_FOUND', [`team ${params.team}`]);
    return people.members.filter(({ userId }) => team.members.includes(userId)).map((one) => toMember(one, people));
  });

  implement(api, contract.addProjectTeam, async ({ caller, params }) => {
    await teams.addToProject(state, (await teamOf(caller, params.team)).id, caller.project.id, Date.now());
    accessChanged();
    return shown(caller, params.team);
  });

  implement(api, contract.removeProjectTeam, async ({ caller, params }) => {
    await teams.removeFromProject(state, (await teamOf(caller, params.team)).id, caller.project.id);
    accessChanged();
    return shown(caller, params.team);
  });
}
