/** Rules of ownership, and whom issues could be assigned to. */
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import * as ownership from '../../domains/ownership/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { getRepository, listCodeMappings } from '../../domains/repositories/index.ts';
import { peopleOf } from '../../domains/teams/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { tellableProject } from '../shared/tellable.ts';
import { shortIdOf } from '../issues/shapes.ts';
import { autoAssignmentOf, toCodeowners, toOwner, toOwnership } from './shapes.ts';

/** As the audit log names what changed. */
const tellable = ({ raw, autoAssignment }: ownership.Ownership) => ({ ownershipRules: raw, autoAssignment });

const tellableFile = ({ raw, names, repositoryId }: ownership.Codeowners) => ({
  raw,
  names: Object.fromEntries(names),
  repositoryId,
});

/** Events read at once for a preview. */
const atOnce = 4;

export function ownershipRoutes(api: Api): void {
  const { state, events } = api.deps;
  const stores = { state, events };

  const ownersOf = async ({ organizationId }: Pick<Project, 'organizationId'>): Promise<ownership.Owners> =>
    ownership.ownersAmong(await peopleOf(state, organizationId));

  const shown = async (project: Project) =>
    toOwnership(await ownership.getOwnership(state, project.id), await ownersOf(project));

  implement(api, contract.getOwnership, async ({ caller }) => shown(caller.project));

  implement(api, contract.updateOwnership, async ({ caller: { project }, body: { raw, autoAssignment }, recorded }) => {
    const change = { raw, autoAssignment: autoAssignment && autoAssignmentOf(autoAssignment) };
    const owners = await ownersOf(project);
    await recorded(async (inside, note) => {
      const before = await ownership.getOwnership(inside, project.id);
      await ownership.saveOwnership(inside, project.id, change, owners, Date.now());
      const after = await ownership.getOwnership(inside, project.id);
      note(tellableProject(project), { before: tellable(before), after: tellable(after) });
    });
    return shown(project);
  });

  /** The rules that are kept, or those that are to be tried. */
  const contextOf = async (project: Project, raw: string | undefined) => {
    const kept = await ownership.getOwnership(state, project.id);
    const tried = raw ?? kept.raw;
    const owners = await ownersOf(project);
    return {
      raw: tried,
      ruleSet: ownership.ruleSetOf({ ...kept, raw: tried }),
      owners,
      mappings: await listCodeMappings(state, project.organizationId, [project.id]),
    };
  };

  implement(api, contract.testOwnership, async ({ caller: { project }, body }) => {
    const issue = await issues.findIssue(state, body.issue, [project]);
    if (!issue) throw new CodedError('NOT_FOUND', [things.issue(body.issue)]);
    const { ruleSet, owners, mappings } = await contextOf(project, body.raw);
    const facts = await ownership.factsOfIssue(stores, issue, mappings);
    const matches = facts ? ownership.matchesOf(ruleSet, facts, owners) : [];
    const decided = ownership.decide(matches);
    return {
      issue: { id: String(issue.id), shortId: shortIdOf(issue, project), title: issue.title },
      rules: matches.map((match) => ({
        source: match.source,
        line: match.line,
        text: match.text,
        owners: match.owners.map(toOwner),
        unknown: [...match.unknown],
        why: match.why,
        decides: match === decided?.match,
      })),
      assignee: decided ? toOwner(decided.owner) : null,
      paths: facts ? facts.frames.map(({ spellings }) => spellings[0] ?? '') : [],
      url: facts?.url || null,
    };
  });

  implement(api, contract.previewOwnership, async ({ caller: { project }, body }) => {
    const { raw, ruleSet, owners, mappings } = await contextOf(project, body.raw);
    const recent = body.limit
      ? (await issues.recentIssues(state, [project], body.limit))
          .toSorted((a, b) => b.lastSeen - a.lastSeen)
          .slice(0, body.limit)
      : [];
    const rows = await issues.issuesById(
      state,
      recent.map(({ id }) => id),
    );
    const found = await inTurns([...rows.values()], async (issue) => {
      const facts = await ownership.factsOfIssue(stores, issue, mappings);
      const decided = facts && ownership.decide(ownership.matchesOf(ruleSet, facts, owners));
      return {
        id: String(issue.id),
        shortId: shortIdOf(issue, project),
        title: issue.title,
        culprit: issue.culprit,
        owner: decided ? toOwner(decided.owner) : null,
        source: decided?.match.source ?? null,
        line: decided?.match.line ?? null,
        text: decided?.match.text ?? null,
        why: decided?.match.why ?? null,
      };
    });
    return {
      problems: ownership.problemsOf(raw, owners),
      issues: found,
      unowned: found.filter(({ owner }) => owner === null).length,
    };
  });

  const fileOf = async (project: Project, id: string): Promise<ownership.Codeowners> => {
    const { codeowners } = await ownership.getOwnership(state, project.id);
    const file = codeowners.find((one) => String(one.id) === id);
    if (!file) throw new CodedError('NOT_FOUND', [things.codeowners(id)]);
    return file;
  };

  const repositoryIdOf = async (
    { organizationId }: Project,
    id: string | null | undefined,
  ): Promise<number | null | undefined> => {
    if (id === null || id === undefined) return id;
    const repository = await getRepository(state, organizationId, id);
    if (!repository) throw new CodedError('NOT_FOUND', [things.repository(id)]);
    return repository.id;
  };

  implement(api, contract.listCodeowners, async ({ caller: { project } }) => (await shown(project)).codeowners);

  implement(api, contract.createCodeowners, async ({ caller: { project }, body, recorded }) => {
    const input = { ...body, repositoryId: await repositoryIdOf(project, body.repositoryId) };
    const id = await recorded(async (inside, note) => {
      const made = await ownership.addCodeowners(inside, project.id, input, Date.now());
      note({ id: made, name: project.slug, project: project.slug });
      return made;
    });
    return toCodeowners(await fileOf(project, String(id)), await ownersOf(project));
  });

  implement(api, contract.updateCodeowners, async ({ caller: { project }, params, body, recorded }) => {
    const before = await fileOf(project, params.id);
    const input = { ...body, repositoryId: await repositoryIdOf(project, body.repositoryId) };
    await recorded(async (inside, note) => {
      await ownership.updateCodeowners(inside, before.id, input, Date.now());
      const { codeowners } = await ownership.getOwnership(inside, project.id);
      const after = codeowners.find((one) => one.id === before.id) ?? before;
      const told = { before: tellableFile(before), after: tellableFile(after) };
      note({ id: before.id, name: project.slug, project: project.slug }, told);
    });
    return toCodeowners(await fileOf(project, params.id), await ownersOf(project));
  });

  implement(api, contract.deleteCodeowners, async ({ caller: { project }, params, recorded }) => {
    const { id } = await fileOf(project, params.id);
    await recorded(async (inside, note) => {
      await ownership.deleteCodeowners(inside, id);
      note({ id, name: project.slug, project: project.slug });
    });
  });

  implement(api, contract.listOwners, async ({ caller: { issue, project } }) => {
    const found = await ownership.suggestOwners(stores, project, issue);
    return {
      owners: found.map(({ owner, reasons }) => ({ ...toOwner(owner), reasons: reasons.map((one) => ({ ...one })) })),
    };
  });
}

/** A few at once, in the order given. */
async function inTurns<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < values.length; start += atOnce) {
    results.push(...(await Promise.all(values.slice(start, start + atOnce).map(work))));
  }
  return results;
}
