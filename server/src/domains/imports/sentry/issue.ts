/** Status and assignee of an issue in Sentry's words. */
import type { z } from 'zod';
import type { AssigneeRecord, IssueRecord, StatusRecord } from '../records.ts';
import type * as shapes from './shapes.ts';

type Issue = z.output<typeof shapes.Issue>;

export const toIssue = (issue: Issue): IssueRecord => ({
  id: issue.id,
  shortId: issue.shortId,
  title: issue.title,
  url: issue.permalink,
  status: statusOf(issue),
  statusAt: null,
  assignee: assigneeOf(issue.assignedTo),
  firstSeen: issue.firstSeen,
  lastSeen: issue.lastSeen,
  count: issue.count ?? 0,
  userCount: issue.userCount ?? null,
});

function statusOf({ status, substatus, statusDetails: details }: Issue): StatusRecord {
  if (status === 'resolvedInNextRelease' || (status === 'resolved' && details?.inNextRelease)) {
    return { state: 'in_next_release' };
  }
  if (status === 'resolved') {
    return details?.inRelease ? { state: 'in_release', release: details.inRelease } : { state: 'resolved' };
  }
  if (status !== 'ignored' && status !== 'muted' && status !== 'archived') return { state: 'unresolved' };
  const { ignoreUntil = null, ignoreCount, ignoreWindow } = details ?? {};
  if (ignoreUntil !== null || ignoreCount) {
    return {
      state: 'archived_until_condition_met',
      until: ignoreUntil ?? undefined,
      events: ignoreCount || undefined,
      minutes: ignoreWindow || undefined,
    };
  }
  return { state: substatus === 'archived_until_escalating' ? 'archived_until_escalating' : 'archived_forever' };
}

function assigneeOf(to: Issue['assignedTo']): AssigneeRecord | null {
  if (!to) return null;
  if (to.type === 'team') return { team: to.slug || to.name.replace(/^#/, '') };
  return to.email ? { email: to.email } : null;
}
