/** Issues that are shared by a secret link, for anybody. */
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import { findProject } from '../../domains/projects/index.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { toSharedIssue } from './shapes.ts';

export function sharedIssueRoutes(api: Api): void {
  const { state, events } = api.deps;

  const shared = async (shareId: string) => {
    const issue = await issues.findShared(state, shareId);
    const project = issue && (await findProject(state, issue.projectId));
    if (!issue || !project) throw new CodedError('NOT_FOUND', [`shared issue ${shareId}`]);
    const hashes = await issues.hashesOf(state, issue.id);
    const nowMs = Date.now();
    const [totals, event] = await Promise.all([
      issues.issueTotals({ events }, issue, hashes, [], nowMs),
      issues.pickEvent({ events }, { projectId: issue.projectId, hashes, nowMs }, 'latest'),
    ]);
    return toSharedIssue(shareId, issue, project, totals, event);
  };

  implement(api, contract.getSharedIssue, async ({ params, reply }) => {
    void reply.header('x-robots-tag', 'noindex');
    return shared(params.shareId);
  });
  implement(api, contract.getOrganizationSharedIssue, async ({ params, reply }) => {
    void reply.header('x-robots-tag', 'noindex');
    return shared(params.shareId);
  });
}
