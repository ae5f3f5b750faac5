/** Issues that look alike, and which of them are not the same. */
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './similar-contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { statusShown } from '../issues/shapes.ts';
import { toIssueRef } from './shapes.ts';
import { iso } from '../shared/read.ts';

export function similarRoutes(api: Api): void {
  const { deps } = api;
  const { state, getUrl } = deps;

  const list = async (issue: issues.IssueRow, project: Project) => {
    const similar = await issues.similarIssues(deps, issue);
    const estimates = await issues.estimatesOf(
      state,
      similar.map(({ issue: { id, projectId }, count }) => ({ id, projectId, count })),
      { sampledUntil: new Map([[project.id, project.sampledUntil]]) },
    );
    return similar.map(({ issue: other, score, why, differing, count, lastSeen }) => ({
      issue: {
        ...toIssueRef(other, { project, baseUrl: getUrl() }),
        level: other.level,
        status: statusShown(other.status),
        culprit: other.culprit,
        count,
        estimated: estimates.get(other.id) ?? null,
        lastSeen: iso(lastSeen),
      },
      score: Math.round(score * 1000) / 1000,
      why,
      differing: differing.map((one) => ({ ...one })),
    }));
  };
  implement(api, contract.listSimilarIssues, async ({ caller: { issue, project } }) => list(issue, project));
  implement(api, contract.listOrganizationSimilarIssues, async ({ caller: { issue, project } }) =>
    list(issue, project),
  );

  const pairOf = async (issue: issues.IssueRow, project: Project, name: string) => {
    const other = await issues.findIssue(state, name, [project]);
    if (!other || other.id === issue.id) throw new CodedError('NOT_FOUND', [things.otherIssue(name)]);
    return { issueId: issue.id, otherId: other.id };
  };
  const dismiss = async (issue: issues.IssueRow, project: Project, name: string, userId: string) =>
    issues.keepApart(state, await pairOf(issue, project, name), userId, Date.now());
  const restore = async (issue: issues.IssueRow, project: Project, name: string) =>
    issues.allowAgain(state, await pairOf(issue, project, name));

  implement(api, contract.dismissSimilarIssue, async ({ caller: { issue, project, identity }, params }) =>
    dismiss(issue, project, params.other, identity.userId),
  );
  implement(api, contract.dismissOrganizationSimilarIssue, async ({ caller: { issue, project, identity }, params }) =>
    dismiss(issue, project, params.other, identity.userId),
  );
  implement(api, contract.restoreSimilarIssue, async ({ caller: { issue, project }, params }) =>
    restore(issue, project, params.other),
  );
  implement(api, contract.restoreOrganizationSimilarIssue, async ({ caller: { issue, project }, params }) =>
    restore(issue, project, params.other),
  );
}
