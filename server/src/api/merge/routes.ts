/** Merges of issues, taken back; hashes moved out; the rule that would do the same for good. */
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import { performanceIssueTypes } from '../../domains/detectors/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { sampleIssue, suggestRule } from '../../domains/regroup/index.ts';
import { suggestions } from '../../base/texts/grouping.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import type { IssuePlace } from '../issues/shapes.ts';
import { toIssueMerge, toIssueRef } from './shapes.ts';

export function mergeRoutes(api: Api): void {
  const { deps } = api;
  const { state, getUrl } = deps;
  const placeOf = (project: Project): IssuePlace => ({ project, baseUrl: getUrl() });

  const list = async (issue: issues.IssueRow, project: Project) => {
    const merges = await issues.listMerges(deps, issue);
    const counted = merges.map(({ issue: { id: key }, hashes, events: count }) => ({ key, hashes, count }));
    const estimates = await issues.estimatesOfHashes(state, project, counted);
    return merges.map((merge) => toIssueMerge(merge, estimates.get(merge.issue.id), placeOf(project)));
  };
  implement(api, contract.listIssueMerges, async ({ caller: { issue, project } }) => list(issue, project));
  implement(api, contract.listOrganizationIssueMerges, async ({ caller: { issue, project } }) => list(issue, project));

  const takeBack = async (issue: issues.IssueRow, project: Project, names: readonly string[], userId: string) => {
    const childIds: number[] = [];
    for (const name of names) {
      const child = await issues.findExactly(state.db, name, project);
      if (!child?.isMerged) throw new CodedError('NOT_FOUND', [things.merge(name, issue.id)]);
      childIds.push(child.id);
    }
    const ids = await issues.takeBack(deps, { parent: issue, childIds, userId, nowMs: Date.now() });
    const rows = await issues.issuesById(state, ids);
    return { issues: [...rows.values()].map((row) => toIssueRef(row, placeOf(project))) };
  };
  implement(api, contract.takeBackMerge, async ({ caller: { issue, project, identity }, params }) =>
    takeBack(issue, project, [params.child], identity.userId),
  );
  implement(api, contract.takeBackOrganizationMerge, async ({ caller: { issue, project, identity }, params }) =>
    takeBack(issue, project, [params.child], identity.userId),
  );
  implement(api, contract.takeBackMerges, async ({ caller: { issue, project, identity }, query }) =>
    takeBack(issue, project, query.id, identity.userId),
  );
  implement(api, contract.takeBackOrganizationMerges, async ({ caller: { issue, project, identity }, query }) =>
    takeBack(issue, project, query.id, identity.userId),
  );

  const suggest = async (issue: issues.IssueRow, project: Project) => {
    if (performanceIssueTypes.has(issue.type)) {
      return { rule: null, why: suggestions.performance };
    }
    return { ...suggestRule(await sampleIssue(deps, issue, Date.now()), project.settings.grouping) };
  };
  implement(api, contract.getSuggestedRule, async ({ caller: { issue, project } }) => suggest(issue, project));
  implement(api, contract.getOrganizationSuggestedRule, async ({ caller: { issue, project } }) =>
    suggest(issue, project),
  );

  const moveOut = async (issue: issues.IssueRow, project: Project, hashes: readonly string[], userId: string) => {
    const id = await issues.moveOut(deps, { issue, hashes, userId, nowMs: Date.now() });
    const created = (await issues.issuesById(state, [id])).get(id);
    if (!created) throw new CodedError('NOT_FOUND', [things.issue(id)]);
    return { issue: toIssueRef(created, placeOf(project)) };
  };
  implement(api, contract.moveOutHashes, async ({ caller: { issue, project, identity }, query }) =>
    moveOut(issue, project, query.id, identity.userId),
  );
  implement(api, contract.moveOutOrganizationHashes, async ({ caller: { issue, project, identity }, query }) =>
    moveOut(issue, project, query.id, identity.userId),
  );
}
