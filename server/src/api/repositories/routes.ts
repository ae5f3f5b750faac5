/** Repositories, code mappings, and what follows from them. */
import type { Target } from '../../domains/audit/index.ts';
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import { seenProject, seenProjects, type Viewer } from '../../domains/projects/index.ts';
import * as repositories from '../../domains/repositories/index.ts';
import type { Repository } from '../../domains/repositories/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { toEntries } from '../events/entries.ts';
import { parsePayload } from '../events/shapes.ts';
import { toCodeMapping, toRepository, toSuggestion } from './shapes.ts';
import { webLink } from '../shared/web-address.ts';
import { framesOf } from '../events/frames.ts';

/** Mappings of all projects may lead to a repository: it is for who sees them all. */
function checkWhole({ within }: Viewer): void {
  if (within) throw new CodedError('PERMISSION_DENIED');
}

const eventsForSuggestions = 20;

/** Why a frame has no link. */
const noAddress = 'no_repository_address' as const;
const noMatch = 'stack_root_mismatch' as const;
const noMappings = 'no_code_mappings' as const;

/** As the audit log names it. */
const target = ({ id, stackRoot }: repositories.CodeMapping, project: string): Target => ({
  id,
  name: stackRoot,
  project,
});

const tellable = ({ repository, stackRoot, sourceRoot, branch }: repositories.CodeMapping) => ({
  repository: repository.name,
  stackRoot,
  sourceRoot,
  branch,
});

export function repositoryRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;

  implement(api, contract.listRepositories, async ({ caller: { membership }, query, request, reply }) => {
    const all = await repositories.listRepositories(state, membership.organizationId);
    const text = query.query?.trim().toLowerCase() ?? '';
    const shown = all.filter((one) => (query.all === '1' || one.isConfigured) && one.name.toLowerCase().includes(text));
    const cursor = parseCursor(query.cursor);
    const page = pageOf(shown.slice(cursor?.offset ?? 0), cursor, query.per_page ?? query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toRepository);
  });

  implement(api, contract.createRepository, async ({ caller: { membership }, body, recorded }) => {
    const made = await recorded(async (inside, note) => {
      const repository = await repositories.createRepository(inside, membership.organizationId, body, Date.now());
      note({ id: repository.id, name: repository.name });
      return repository;
    });
    return toRepository(made);
  });

  const repositoryOf = async (organizationId: string, id: string): Promise<Repository> => {
    const found = await repositories.getRepository(state, organizationId, id);
    if (!found) throw new CodedError('NOT_FOUND', [things.repository(id)]);
    return found;
  };

  implement(api, contract.updateRepository, async ({ caller: { membership }, params, body, recorded }) => {
    const { organizationId } = membership;
    checkWhole(membership);
    const repository = await repositoryOf(organizationId, params.id);
    const changed = await recorded(async (inside, note) => {
      const after = await repositories.updateRepository(inside, organizationId, repository, body);
      note({ id: repository.id, name: repository.name }, { before: { ...repository }, after: { ...after } });
      return after;
    });
    return toRepository(changed);
  });

  implement(api, contract.deleteRepository, async ({ caller: { membership }, params, recorded }) => {
    checkWhole(membership);
    const { id, name } = await repositoryOf(membership.organizationId, params.id);
    await recorded(async (inside, note) => {
      await repositories.deleteRepository(inside, id);
      note({ id, name });
    });
  });

  implement(api, contract.listCodeMappings, async ({ caller: { membership }, query, request, reply }) => {
    const projects = await chooseProjects(state, membership, query.project);
    const slugs = new Map(projects.map((project) => [project.id, project.slug]));
    const all = await repositories.listCodeMappings(state, membership.organizationId, [...slugs.keys()]);
    const cursor = parseCursor(query.cursor);
    const page = pageOf(all.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map((mapping) => toCodeMapping(mapping, slugs.get(mapping.projectId) ?? ''));
  });

  implement(api, contract.createCodeMapping, async ({ caller: { membership }, body, recorded }) => {
    const { organizationId } = membership;
    const project = await seenProject(state, membership, body.project);
    if (!project) throw new CodedError('NOT_FOUND', [things.project(body.project)]);
    const repository = await repositoryOf(organizationId, body.repoId);
    const { stackRoot, sourceRoot, defaultBranch } = body;
    const input = { repository, stackRoot, sourceRoot, branch: defaultBranch ?? '' };
    const made = await recorded(async (inside, note) => {
      const mapping = await repositories.createCodeMapping(inside, project.id, input, Date.now());
      note(target(mapping, project.slug), { after: tellable(mapping) });
      return mapping;
    });
    return toCodeMapping(made, project.slug);
  });

  const mappingOf = async (viewer: Viewer, id: string) => {
    const projects = await seenProjects(state, viewer);
    const projectIds = projects.map((project) => project.id);
    const all = await repositories.listCodeMappings(state, viewer.organizationId, projectIds);
    const mapping = all.find((one) => String(one.id) === id);
    if (!mapping) throw new CodedError('NOT_FOUND', [things.codeMapping(id)]);
    return { mapping, slug: projects.find((project) => project.id === mapping.projectId)?.slug ?? '' };
  };

  implement(api, contract.updateCodeMapping, async ({ caller: { membership }, params, body, recorded }) => {
    const { organizationId } = membership;
    const { mapping, slug } = await mappingOf(membership, params.id);
    const change = {
      repository: body.repoId === undefined ? mapping.repository : await repositoryOf(organizationId, body.repoId),
      stackRoot: body.stackRoot ?? mapping.stackRoot,
      sourceRoot: body.sourceRoot ?? mapping.sourceRoot,
      branch: body.defaultBranch === undefined ? mapping.branch : (body.defaultBranch ?? ''),
    };
    const changed = await recorded(async (inside, note) => {
      const after = await repositories.updateCodeMapping(inside, mapping.id, change);
      note(target(mapping, slug), { before: tellable(mapping), after: tellable(after) });
      return after;
    });
    return toCodeMapping(changed, slug);
  });

  implement(api, contract.deleteCodeMapping, async ({ caller: { membership }, params, recorded }) => {
    const { mapping, slug } = await mappingOf(membership, params.id);
    await recorded(async (inside, note) => {
      await repositories.deleteCodeMapping(inside, mapping.id);
      note(target(mapping, slug));
    });
  });

  /** By name, and by provider where several have it. */
  const repositoryNamed = async (organizationId: string, name: string, provider: string): Promise<Repository> => {
    const named = (await repositories.listRepositories(state, organizationId)).filter((one) => one.name === name);
    const found = named.find((one) => one.provider === provider.replace(/^integrations:/, '')) ?? named[0];
    if (!found) throw new CodedError('NOT_FOUND', [things.repository(name)]);
    return found;
  };

  implement(api, contract.setCodeMappings, async ({ caller: { membership }, body, recorded }) => {
    const { organizationId } = membership;
    const project = await seenProject(state, membership, body.project);
    if (!project) throw new CodedError('NOT_FOUND', [things.project(body.project)]);
    const repository = await repositoryNamed(organizationId, body.repository, body.provider ?? '');
    const changed = await recorded(async (inside, note) => {
      const before = await repositories.listCodeMappings(inside, organizationId, [project.id]);
      const known = new Map(before.map((one) => [one.stackRoot, one]));
      const done: { stackRoot: string; sourceRoot: string; status: 'created' | 'updated' }[] = [];
      for (const { stackRoot, sourceRoot } of body.mappings) {
        const own = known.get(stackRoot);
        const branch = body.defaultBranch ?? body.default_branch ?? own?.branch ?? '';
        const input = { repository, stackRoot, sourceRoot, branch };
        const after = own
          ? await repositories.updateCodeMapping(inside, own.id, input)
          : await repositories.createCodeMapping(inside, project.id, input, Date.now());
        known.set(stackRoot, after);
        if (own) {
          const told = { before: tellable(own), after: tellable(after) };
          note(target(after, project.slug), { action: 'code_mapping.update', ...told });
        } else {
          note(target(after, project.slug), { action: 'code_mapping.create', after: tellable(after) });
        }
        done.push({ stackRoot, sourceRoot, status: own ? 'updated' : 'created' });
      }
      return done;
    });
    const count = (status: string): number => changed.filter((one) => one.status === status).length;
    return { created: count('created'), updated: count('updated'), errors: 0, mappings: changed };
  });

  implement(api, contract.getStacktraceLink, async ({ caller: { membership, project }, query }) => {
    const mappings = await repositories.listCodeMappings(state, membership.organizationId, [project.id]);
    const frame = { filename: query.file, absPath: query.absPath, module: query.module, lineNo: query.lineNo };
    const file = repositories.mapFrame(frame, mappings);
    const commits = new Map(
      file && query.commitId !== undefined ? [[file.mapping.repository.id, query.commitId] as const] : [],
    );
    const link = repositories.linkOf(frame, { mappings, commits });
    const sourceUrl = webLink(link ?? '');
    return {
      config: file ? toCodeMapping(file.mapping, project.slug) : null,
      sourcePath: file?.path ?? null,
      sourceUrl,
      error: sourceUrl ? null : file ? noAddress : mappings.length ? noMatch : noMappings,
      integrations: [],
    };
  });

  implement(api, contract.suggestCodeMappings, async ({ caller: { membership, project } }) => {
    const { organizationId } = membership;
    const scope: issues.EventScope = { projectId: project.id, nowMs: Date.now() };
    const { rows } = await issues.listEvents({ events }, scope, { limit: eventsForSuggestions });
    const latest = await Promise.all(
      rows.map((row) => issues.findEvent({ events }, [project.id], row.event_id, [row.group_hash], row.timestamp)),
    );
    const frames = latest.flatMap((event) => (event ? framesOf(toEntries(parsePayload(event.payload))) : []));
    const mappings = await repositories.listCodeMappings(state, organizationId, [project.id]);
    const found = await repositories.suggestMappings(
      state,
      organizationId,
      frames.filter((frame) => frame.inApp),
      mappings,
    );
    return found.map(toSuggestion);
  });
}
