/** What people and time did with an issue there, written to the one here. Nobody is told of it. */
import { gaps } from '../../../base/texts/imports.ts';
import { adoptIssue, type AdoptedStatus, type IssueState } from '../../issues/index.ts';
import type { ImportContext } from '../context.ts';
import type { HistoryRecord, IssueRecord, StatusRecord } from '../records.ts';
import type { People } from './people.ts';

interface Writing {
  readonly projectId: number;
  readonly issueId: number;
  readonly issue: IssueRecord;
  readonly history: HistoryRecord;
  readonly people: People;
}

export async function writeIssue(
  context: ImportContext,
  { projectId, issueId, issue, history, people }: Writing,
): Promise<void> {
  const { state, live, reporter, ledger, tracker } = context;
  const before = await ledger.find('issue', issue.id);
  const isKnown = before !== undefined && before.target !== '';
  const isShared = (await ledger.othersOf('issue', String(issueId), issue.id)) > 0;
  if (isKnown) reporter.known('issue');
  else reporter.made('issue');
  if (isShared) reporter.gap('issue', 'grouping', gaps.together, issue.shortId);
  const comments = await newComments(context, issue.id, history, people);
  const assignee = assigneeOf(context, issue, people);
  await state.transaction(async (trx) => {
    await adoptIssue(trx, {
      issueId,
      from: {
        tracker,
        id: issue.id,
        shortId: issue.shortId,
        url: issue.url,
        count: issue.count,
        users: issue.userCount,
      },
      firstSeen: issue.firstSeen,
      lastSeen: issue.lastSeen,
      // What somebody did with it here since it came stays.
      ...(!isKnown && { status: statusOf(issue.status, history.statusAt ?? issue.statusAt ?? issue.lastSeen) }),
      ...(!isKnown && assignee),
      isShared,
      comments,
      nowMs: Date.now(),
    });
    const inside = ledger.within(trx);
    for (const { id } of comments) await inside.note('comment', `${issue.id}:${id}`, issueId);
    await inside.note('issue', issue.id, issueId);
  });
  reporter.made('comment', comments.length);
  live.publish({ type: 'issues', projectId, issueIds: [issueId] });
}

async function newComments(
  { ledger, reporter }: ImportContext,
  issueId: string,
  { comments }: HistoryRecord,
  people: People,
) {
  const entries = await ledger.findMany(
    'comment',
    comments.map(({ id }) => `${issueId}:${id}`),
  );
  reporter.known('comment', entries.size);
  return comments
    .filter(({ id }) => !entries.has(`${issueId}:${id}`))
    .toSorted((a, b) => a.at - b.at)
    .map(({ id, text, at, author }) => ({
      id,
      text,
      at,
      author,
      userId: people.members.get(author.email.toLowerCase()) ?? null,
    }));
}

function assigneeOf({ reporter }: ImportContext, { assignee, shortId }: IssueRecord, { members, teams }: People) {
  if (!assignee) return {};
  if ('team' in assignee) {
    const teamId = teams.get(assignee.team);
    if (teamId === undefined) reporter.gap('issue', 'assignee', gaps.teamUnknown, assignee.team);
    return teamId === undefined ? {} : { assignee: { kind: 'team', id: teamId } as const };
  }
  const userId = members.get(assignee.email.toLowerCase());
  if (userId === undefined) reporter.gap('issue', 'assignee', gaps.noAccount, `${shortId}: ${assignee.email}`);
  return userId === undefined ? {} : { assignee: { kind: 'user', id: userId } as const };
}

function statusOf(status: StatusRecord, at: number): AdoptedStatus {
  if (status.state === 'unresolved') return { state: undefined, at, details: {} };
  const state: IssueState = status.state;
  if (status.state === 'in_release') return { state, at, details: { inRelease: status.release } };
  if (status.state === 'in_next_release') return { state, at, details: { inNextRelease: true } };
  if (status.state !== 'archived_until_condition_met') return { state, at, details: {} };
  const { until, events, minutes } = status;
  return {
    state,
    at,
    details: {
      ...(until !== undefined && { until }),
      ...(events !== undefined && { ignoreCount: events }),
      ...(events !== undefined && minutes !== undefined && { ignoreWindow: minutes }),
    },
  };
}
