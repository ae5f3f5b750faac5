/** Issues that are shared by a secret link, for anybody. */
import { CodedError } from '../../base/errors.ts';
import { switchesOf } from '../../domains/accounts/index.ts';
import * as issues from '../../domains/issues/index.ts';
import { findProject } from '../../domains/projects/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { createOnce } from '../shared/once.ts';
import { shortIdOf } from '../issues/shapes.ts';
import { toSharedIssue } from './shapes.ts';

const toldEveryMs = 3_600_000;

type SharedCall = Pick<Call<typeof contract.getSharedIssue>, 'params' | 'deed' | 'request' | 'reply'>;

export function sharedIssueRoutes(api: Api): void {
  const { state, events } = api.deps;
  const isTold = createOnce(toldEveryMs);

  const shared = async ({ params: { shareId }, deed, request, reply }: SharedCall) => {
    void reply.header('x-robots-tag', 'noindex');
    const issue = await issues.findShared(state, shareId);
    const project = issue && (await findProject(state, issue.projectId));
    if (!issue || !project) throw new CodedError('NOT_FOUND', [things.sharedIssue(shareId)]);
    const { shareLinks } = await switchesOf(state, project.organizationId);
    if (!shareLinks) throw new CodedError('SHARE_LINK_PAUSED');
    // Whoever has the link may ask as often as they like: one entry an hour says so.
    if (!isTold(`${shareId} ${request.ip}`)) {
      const { organizationId, slug } = project;
      await api.deps.audit.recorded({ ...deed, organizationId }, async (_inside, note) =>
        note({ id: issue.id, name: shortIdOf(issue, project), project: slug }),
      );
    }
    const hashes = await issues.hashesOf(state, issue.id);
    const nowMs = Date.now();
    const [totals, event] = await Promise.all([
      issues.issueTotals({ events }, issue, hashes, [], nowMs),
      issues.pickEvent({ events }, { projectId: issue.projectId, hashes, nowMs }, 'latest'),
    ]);
    const sampledUntil = new Map([[project.id, project.sampledUntil]]);
    const counted = { id: issue.id, projectId: issue.projectId, count: totals.count };
    const estimate = (await issues.estimatesOf(state, [counted], { sampledUntil })).get(issue.id);
    return toSharedIssue(shareId, issue, project, { ...totals, estimate }, event);
  };

  implement(api, contract.getSharedIssue, async (call) => shared(call));
  implement(api, contract.getOrganizationSharedIssue, async (call) => shared(call));
}
