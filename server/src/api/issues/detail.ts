/** One issue with everything that its page shows. */
import type { z } from 'zod';
import { countFeedback } from '../../domains/feedback/index.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { findReleases } from '../../domains/releases/index.ts';
import type { IssueDetail } from './contract.ts';
import type { ApiDeps } from '../shared/deps.ts';
import { shortIdOf, toIssueDetail } from './shapes.ts';

export interface DetailRequest {
  readonly issue: issues.IssueRow;
  readonly project: Project;
  /** Empty: all. */
  readonly environments?: readonly string[];
  /** Whether the tags of its events are left out. */
  readonly withoutTags?: boolean | undefined;
  /** Who asks. */
  readonly userId: string;
  /** The name that it was asked for by, where it may have been merged. */
  readonly asked?: string | undefined;
}

export async function issueDetail(
  { state, events, known, getUrl }: Pick<ApiDeps, 'state' | 'events' | 'known' | 'getUrl'>,
  { issue, project, environments = [], withoutTags, userId, asked }: DetailRequest,
): Promise<z.output<typeof IssueDetail>> {
  const hashes = await issues.hashesOf(state, issue.id);
  const nowMs = Date.now();
  const versions = [issue.firstRelease, issue.lastRelease].filter((version) => version !== null);
  const [page, limit, activity, releases, named, work, seenBy, participants, soFar, feedback] = await Promise.all([
    issues.pageOfIssue({ state, events, known }, { issue, hashes }, { environments, withoutTags, nowMs }),
    issues.limitOf(state, issue.id),
    issues.activityOf(state, issue.id),
    findReleases(state, project.organizationId, versions),
    asked === undefined ? undefined : issues.findExactly(state.db, asked, project),
    issues.workOf(state, [issue], userId),
    issues.seenBy(state, issue.id),
    issues.participants(state, issue.id),
    issues.countSoFar(events, issue, hashes, nowMs),
    countFeedback(state, { projectIds: [project.id], environments, text: '', issueId: issue.id }),
  ]);
  const { totals, lifetime, tags, estimate, unstored } = page;
  return toIssueDetail(
    issue,
    { project, baseUrl: getUrl() },
    {
      totals,
      lifetime,
      estimate,
      unstored,
      limit,
      activity,
      tags,
      hashCount: hashes.length,
      releases,
      work: work.get(issue.id),
      seenBy,
      participants,
      soFar,
      feedback: feedback.open + feedback.resolved,
      mergedFrom: named?.isMerged
        ? { id: String(named.id), shortId: shortIdOf(named, project), title: named.title }
        : undefined,
    },
  );
}
