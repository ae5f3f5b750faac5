/** Projects and their keys. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { addDefaultRule } from '../../domains/alerts/index.ts';
import { dsn } from '../../base/dsn.ts';
import { CodedError } from '../../base/errors.ts';
import { forgetProject } from '../../domains/issues/index.ts';
import * as projects from '../../domains/projects/index.ts';
import * as teams from '../../domains/teams/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { adoptIssues } from '../../domains/regroup/index.ts';
import { projectSettings, tellableKey, tellableProject } from '../shared/tellable.ts';
import type { State } from '../../ports/state/state.ts';
import { type Api, implement, type Recorded } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { toProject as shapeProject } from './shapes.ts';
import { iso } from '../shared/read.ts';

export function projectRoutes(api: Api): void {
  const { state, events, blobs, indexer, live, getUrl } = api.deps;

  const toProject = (
    project: projects.Project,
    membership: Membership,
    ofTeams?: z.output<typeof contract.Project>['teams'],
  ) => shapeProject(api.deps, project, membership, ofTeams);

  implement(api, contract.listProjects, async ({ caller, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const all = await projects.seenProjects(state, caller.membership);
    const page = pageOf(all.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return Promise.all(page.rows.map((project) => toProject(project, caller.membership)));
  });

  type NewProject = z.output<(typeof contract.createProject)['body']>;

  /** With what `more` adds to it. */
  const create = (
    recorded: Recorded,
    organizationId: string,
    { name, slug, platform }: NewProject,
    more: (inside: State, project: projects.Project) => Promise<unknown>,
  ): Promise<projects.Project> =>
    recorded(async (inside, note) => {
      const input = { organizationId, name, slug, platform: platform ?? '' };
      const { project } = await projects.createProject(inside, input);
      await more(inside, project);
      note({ id: project.id, name: project.slug, project: project.slug }, { details: { platform: project.platform } });
      return project;
    });

  implement(api, contract.createProject, async ({ caller, body, recorded }) => {
    const { within, organizationId } = caller.membership;
    // Who sees the projects of their teams only would lose it.
    if (within && !within.teamIds.size) throw new CodedError('TEAM_NOT_YOURS');
    const project = await create(recorded, organizationId, body, async (inside, made) => {
      for (const id of within?.teamIds ?? []) await teams.addToProject(inside, id, made.id, Date.now());
      await addDefaultRule(inside, made, caller.identity.userId, Date.now());
    });
    if (within) live.publish({ type: 'access' });
    return toProject(project, caller.membership);
  });

  implement(api, contract.listTeamProjects, async ({ caller, params, query, request, reply }) => {
    const team = teams.findTeam((await teams.peopleOf(state, caller.membership.organizationId)).teams, params.team);
    if (!team) throw new CodedError('NOT_FOUND', [things.team(params.team)]);
    const cursor = parseCursor(query.cursor);
    const all = (await projects.seenProjects(state, caller.membership)).filter(({ id }) =>
      team.projectIds.includes(id),
    );
    const page = pageOf(all.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return Promise.all(page.rows.map((project) => toProject(project, caller.membership)));
  });

  implement(api, contract.createTeamProject, async ({ caller, params, body, recorded }) => {
    const { organizationId } = caller.membership;
    const team = teams.findTeam((await teams.peopleOf(state, organizationId)).teams, params.team);
    if (!team) throw new CodedError('NOT_FOUND', [things.team(params.team)]);
    if (caller.membership.within && !caller.membership.within.teamIds.has(team.id))
      throw new CodedError('TEAM_NOT_YOURS');
    const now = Date.now();
    const project = await create(recorded, organizationId, body, async (inside, made) => {
      await teams.addToProject(inside, team.id, made.id, now);
      if (body.default_rules) await addDefaultRule(inside, made, caller.identity.userId, now);
    });
    live.publish({ type: 'access' });
    const { id, slug, name } = team;
    return toProject(project, caller.membership, [{ id: String(id), slug, name }]);
  });

  implement(api, contract.getProject, async ({ caller }) => toProject(caller.project, caller.membership));

  implement(api, contract.updateProject, async ({ caller, body, recorded }) => {
    const { platform, groupingConfig, fingerprintingRules, groupingEnhancements, ...patch } = body;
    await adoptIssues(api.deps.previews?.(), caller.project, body);
    const change = {
      ...patch,
      grouping: {
        version: groupingConfig,
        fingerprintRules: fingerprintingRules,
        stackTraceRules: groupingEnhancements,
      },
      ...(platform === undefined ? {} : { platform: platform ?? '' }),
    };
    const project = await recorded(async (inside, note) => {
      const changed = await projects.updateProject(inside, caller.project.id, change);
      if (!changed) throw new CodedError('NOT_FOUND', [things.project(caller.project.slug)]);
      note(tellableProject(caller.project), {
        before: projectSettings(caller.project),
        after: projectSettings(changed),
      });
      return changed;
    });
    live.publish({ type: 'settings' });
    return toProject(project, caller.membership);
  });

  implement(api, contract.deleteProject, async ({ caller, recorded }) => {
    await projects.refuseHeld(state, [caller.project.id]);
    // The events first: when they cannot be deleted now, the project still stands and deleting can be repeated.
    await forgetProject({ events, blobs }, caller.project.id);
    await recorded(async (inside, note) => {
      await projects.deleteProject(inside, caller.project.id);
      note(tellableProject(caller.project));
    });
    live.publish({ type: 'settings' });
    // Bundles that were uploaded for it alone, when no other is being worked on.
    void indexer?.sweep();
  });

  const toKey = (key: projects.ProjectKey, aliases: readonly string[]): z.output<typeof contract.ProjectKey> => ({
    id: String(key.id),
    name: key.label,
    label: key.label,
    public: key.publicKey,
    projectId: key.projectId,
    isActive: key.isActive,
    rateLimit: key.rateLimit && { count: key.rateLimit.count, window: key.rateLimit.windowSeconds },
    blobBytesPerDay: key.blobBytesPerDay,
    dsn: {
      public: dsn(getUrl(), key.publicKey, key.projectId),
      security: `${getUrl()}/api/${key.projectId}/security/?sentry_key=${key.publicKey}`,
      aliases: aliases.map((alias) => dsn(getUrl(), key.publicKey, alias)),
    },
    dateCreated: iso(key.createdAt),
  });

  const toLimit = (limit: { count: number; window: number } | null | undefined) =>
    limit && { count: limit.count, windowSeconds: limit.window };

  const keyOf = async (projectId: number, id: string): Promise<projects.ProjectKey> => {
    const key = await projects.getKey(state, projectId, id);
    if (!key) throw new CodedError('NOT_FOUND', [things.projectKey(id)]);
    return key;
  };

  const aliasesOf = (projectId: number): Promise<string[]> => projects.listAliases(state, projectId);

  implement(api, contract.listKeys, async ({ caller }) => {
    const aliases = await aliasesOf(caller.project.id);
    return (await projects.listKeys(state, caller.project.id)).map((key) => toKey(key, aliases));
  });

  implement(api, contract.getKey, async ({ caller: { project }, params }) =>
    toKey(await keyOf(project.id, params.id), await aliasesOf(project.id)),
  );

  implement(api, contract.listOrganizationKeys, async ({ caller: { membership }, query, request, reply }) => {
    const seen = await projects.seenProjects(state, membership);
    const people = query.team === undefined ? undefined : await teams.peopleOf(state, membership.organizationId);
    const team = people && teams.findTeam(people.teams, query.team ?? '');
    if (people && !team) throw new CodedError('NOT_FOUND', [things.team(query.team ?? '')]);
    const chosen = seen.filter(({ id }) => !team || team.projectIds.includes(id));
    const cursor = parseCursor(query.cursor);
    const keys = (
      await projects.listKeysOf(
        state,
        chosen.map(({ id }) => id),
      )
    ).filter(({ isActive }) => query.status === undefined || isActive === (query.status === 'active'));
    const page = pageOf(keys.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return Promise.all(page.rows.map(async (key) => toKey(key, await aliasesOf(key.projectId))));
  });

  implement(api, contract.createKey, async ({ caller, body, recorded }) => {
    const label = body.name || undefined;
    const { rateLimit, blobBytesPerDay } = body;
    const input = { label, rateLimit: toLimit(rateLimit), blobBytesPerDay };
    const key = await recorded(async (inside, note) => {
      const made = await projects.createKey(inside, caller.project.id, input);
      note(tellableKey(made, caller.project));
      return made;
    });
    return toKey(key, await aliasesOf(caller.project.id));
  });

  implement(api, contract.updateKey, async ({ caller, params, body, recorded }) => {
    const before = await keyOf(caller.project.id, params.id);
    const { name, isActive, rateLimit, blobBytesPerDay } = body;
    const patch = { label: name, isActive, rateLimit: toLimit(rateLimit), blobBytesPerDay };
    const key = await recorded(async (inside, note) => {
      const changed = await projects.updateKey(inside, caller.project.id, before.id, patch);
      if (!changed) throw new CodedError('NOT_FOUND', [things.projectKey(params.id)]);
      note(tellableKey(before, caller.project), { before: { ...before }, after: { ...changed } });
      return changed;
    });
    live.publish({ type: 'settings' });
    return toKey(key, await aliasesOf(caller.project.id));
  });

  implement(api, contract.deleteKey, async ({ caller, params, recorded }) => {
    const key = await keyOf(caller.project.id, params.id);
    await recorded(async (inside, note) => {
      await projects.deleteKey(inside, caller.project.id, key.id);
      note(tellableKey(key, caller.project));
    });
    live.publish({ type: 'settings' });
  });

  implement(api, contract.listProjectAliases, async ({ caller }) =>
    (await aliasesOf(caller.project.id)).map((alias) => ({ alias })),
  );

  /** Notes what the ids were before, and are after it. */
  const changeAliases = async (
    recorded: Recorded,
    project: projects.Project,
    change: (inside: State) => Promise<unknown>,
  ): Promise<void> => {
    await recorded(async (inside, note) => {
      const before = await projects.listAliases(inside, project.id);
      await change(inside);
      const after = await projects.listAliases(inside, project.id);
      note(tellableProject(project), { before: { aliases: before }, after: { aliases: after } });
    });
    live.publish({ type: 'settings' });
  };

  implement(api, contract.addProjectAlias, async ({ caller, body: { alias }, recorded }) => {
    await changeAliases(recorded, caller.project, (inside) => projects.addAlias(inside, caller.project.id, alias));
    return { alias };
  });

  implement(api, contract.deleteProjectAlias, async ({ caller, params: { alias }, recorded }) => {
    await changeAliases(recorded, caller.project, async (inside) => {
      const found = await projects.deleteAlias(inside, caller.project.id, alias);
      if (!found) throw new CodedError('NOT_FOUND', [things.alias(alias)]);
    });
  });
}
