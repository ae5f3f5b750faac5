/** Teams. */
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { listProjects, seenProjects, type Viewer } from '../../domains/projects/index.ts';
import * as teams from '../../domains/teams/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
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
    if (!team) throw new CodedError('NOT_FOUND', [things.team(slugOrId)]);
    return team;
  };

  const shown = async (caller: Caller, slugOrId: string) =>
    toTeam(await teamOf(caller, slugOrId), caller.identity.userId, await seenProjects(state, caller.membership));

  const projectIds = async (viewer: Viewer, named: readonly string[]): Promise<number[]> => {
    if (!named.length) return [];
    const projects = await seenProjects(state, viewer);
    return named.map((name) => {
      const project = projects.find(({ id, slug }) => slug === name || String(id) === name);
      if (!project) throw new CodedError('NOT_FOUND', [things.project(name)]);
      return project.id;
    });
  };

  const projectSlugs = async (organizationId: string): Promise<ReadonlyMap<number, string>> =>
    new Map((await listProjects(state, organizationId)).map(({ id, slug }) => [id, slug]));

  const userIds = async (organizationId: string, memberIds: readonly string[]): Promise<string[]> => {
    const { members } = await teams.peopleOf(state, organizationId);
    return memberIds.map((id) => {
      const member = members.find((one) => one.id === id);
      if (!member) throw new CodedError('NOT_FOUND', [things.member(id)]);
      return member.userId;
    });
  };

  const listTeams = async ({
    membership,
    identity,
  }: Pick<Call<typeof contract.listTeams>['caller'], 'membership' | 'identity'>) => {
    const [people, projects] = await Promise.all([
      teams.peopleOf(state, membership.organizationId),
      seenProjects(state, membership),
    ]);
    return people.teams.map((team) => toTeam(team, identity.userId, projects));
  };
  implement(api, contract.listTeams, async ({ caller }) => listTeams(caller));
  implement(api, contract.listUserTeams, async ({ caller }) =>
    (await listTeams(caller)).filter(({ isMember }) => isMember),
  );

  implement(api, contract.createTeam, async ({ caller, body, recorded }) => {
    const { organizationId } = caller.membership;
    const input = {
      name: body.name,
      slug: body.slug,
      projectIds: await projectIds(caller.membership, body.projects ?? []),
      userIds: body.members ? await userIds(organizationId, body.members) : [caller.identity.userId],
    };
    const id = await recorded(async (inside, note) => {
      const made = await teams.createTeam(inside, organizationId, input, Date.now());
      const details = { projects: body.projects, members: body.members };
      note({ id: made, name: body.name ?? body.slug ?? '' }, { details });
      return made;
    });
    accessChanged();
    return shown(caller, String(id));
  });

  implement(api, contract.getTeam, async ({ caller, params }) => shown(caller, params.team));

  implement(api, contract.updateTeam, async ({ caller, params, body: { name, slug, projects }, recorded }) => {
    const { organizationId } = caller.membership;
    const before = await teamOf(caller, params.team);
    const { id } = before;
    checkTeams(caller.membership, [id]);
    const change = { name, slug, projectIds: projects && (await projectIds(caller.membership, projects)) };
    const slugs = await projectSlugs(organizationId);
    await recorded(async (inside, note) => {
      await teams.updateTeam(inside, organizationId, id, change, Date.now());
      const after = teams.findTeam((await teams.peopleOf(inside, organizationId)).teams, String(id));
      const told = (team: teams.Team) => ({ ...team, projects: team.projectIds.map((one) => slugs.get(one) ?? one) });
      note({ id, name: before.name }, { before: told(before), after: told(after ?? before) });
    });
    accessChanged();
    return shown(caller, String(id));
  });

  implement(api, contract.deleteTeam, async ({ caller, params, recorded }) => {
    const { id, name } = await teamOf(caller, params.team);
    checkTeams(caller.membership, [id]);
    const { organizationId } = caller.membership;
    const takeOff = () =>
      takeOffIssues(api.deps, { kind: 'team', id }, { organizationId, byUserId: caller.identity.userId });
    await takeOff();
    await recorded(async (inside, note) => {
      await teams.deleteTeam(inside, id);
      note({ id, name });
    });
    accessChanged();
    // Those that it was given while the others were taken from it.
    await takeOff();
  });

  implement(api, contract.listTeamMembers, async ({ caller, params }) => {
    const people = await teams.peopleOf(state, caller.membership.organizationId);
    const team = teams.findTeam(people.teams, params.team);
    if (!team) throw new CodedError('NOT_FOUND', [things.team(params.team)]);
    return people.members.filter(({ userId }) => team.members.includes(userId)).map((one) => toMember(one, people));
  });

  implement(api, contract.listProjectTeams, async ({ caller: { membership, identity, project } }) => {
    const [people, projects] = await Promise.all([
      teams.peopleOf(state, membership.organizationId),
      seenProjects(state, membership),
    ]);
    return people.teams
      .filter(({ projectIds: ids }) => ids.includes(project.id))
      .map((team) => toTeam(team, identity.userId, projects));
  });

  implement(api, contract.addProjectTeam, async ({ caller, params, recorded }) => {
    const { id, name } = await teamOf(caller, params.team);
    await recorded(async (inside, note) => {
      await teams.addToProject(inside, id, caller.project.id, Date.now());
      note({ id, name, project: caller.project.slug });
    });
    accessChanged();
    return shown(caller, params.team);
  });

  implement(api, contract.removeProjectTeam, async ({ caller, params, recorded }) => {
    const { id, name } = await teamOf(caller, params.team);
    await recorded(async (inside, note) => {
      await teams.removeFromProject(inside, id, caller.project.id);
      note({ id, name, project: caller.project.slug });
    });
    accessChanged();
    return shown(caller, params.team);
  });
}
