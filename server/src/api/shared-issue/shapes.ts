/** An issue for anybody who has its link: what failed and where, and nothing of whom it failed for. */
import type { z } from 'zod';
import type { CountEstimate, IssueRow, IssueTotals, StoredEventWithPayload } from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type { Entry, Frame, Stacktrace } from '../events/contract.ts';
import type { getSharedIssue } from './contract.ts';
import { toEntries } from '../events/entries.ts';
import { parsePayload } from '../events/shapes.ts';
import { shortIdOf, statusShown } from '../issues/shapes.ts';
import { iso } from '../shared/read.ts';

type EntryShape = z.output<typeof Entry>;
type StacktraceShape = z.output<typeof Stacktrace>;

export function toSharedIssue(
  shareId: string,
  issue: IssueRow,
  project: Pick<Project, 'slug' | 'name' | 'platform' | 'shortIdPrefix'>,
  totals: IssueTotals & { readonly estimate: CountEstimate | undefined },
  event: StoredEventWithPayload | undefined,
): z.output<typeof getSharedIssue.response> {
  return {
    shareId,
    shortId: shortIdOf(issue, project),
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    status: statusShown(issue.status),
    type: issue.type,
    platform: issue.platform,
    isUnhandled: totals.unhandled,
    count: String(totals.count),
    estimated: totals.estimate ?? null,
    userCount: totals.userCount,
    firstSeen: iso(issue.firstSeen),
    lastSeen: iso(issue.lastSeen),
    project: { slug: project.slug, name: project.name, platform: project.platform || null },
    latestEvent: event
      ? {
          eventID: event.event_id,
          dateCreated: iso(event.timestamp),
          platform: event.platform || null,
          environment: event.environment || null,
          release: event.release || null,
          entries: publicEntries(toEntries(parsePayload(event.payload))),
        }
      : null,
  };
}

/** Named one by one, so that what comes to be added to events is not shown by itself. */
function publicEntries(entries: readonly EntryShape[]): EntryShape[] {
  return entries.flatMap((entry): EntryShape[] => {
    switch (entry.type) {
      case 'exception':
        return [
          {
            type: 'exception',
            data: {
              ...entry.data,
              values: entry.data.values.map(({ type, value, module, threadId, stacktrace }) => ({
                type,
                value,
                module,
                mechanism: null,
                threadId,
                stacktrace: stacktrace && publicStack(stacktrace),
                rawStacktrace: null,
              })),
            },
          },
        ];
      case 'stacktrace':
        return [{ type: 'stacktrace', data: publicStack(entry.data) }];
      case 'threads':
        return [
          {
            type: 'threads',
            data: {
              values: entry.data.values
                .filter((thread) => thread.crashed)
                .map((thread) => ({
                  ...thread,
                  heldLocks: null,
                  stacktrace: thread.stacktrace && publicStack(thread.stacktrace),
                })),
            },
          },
        ];
      case 'message':
        return [{ type: 'message', data: { formatted: entry.data.formatted, message: null, params: null } }];
      default:
        return [];
    }
  });
}

const publicStack = (stack: StacktraceShape): StacktraceShape => ({ ...stack, frames: stack.frames.map(publicFrame) });

/** An absolute path may carry an address with its query, or the name of somebody's home. */
const publicFrame = ({ lock: _lock, ...frame }: z.output<typeof Frame>): z.output<typeof Frame> => ({
  ...frame,
  absPath: null,
  vars: null,
  data: null,
  sourceLink: null,
});
