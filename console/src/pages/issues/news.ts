/** What arrived since the list was asked. The list does not move on its own; this is the text of its bar. Pure. */
import * as m from '../../messages/issues.ts';
import type { LiveMessage } from '../../features/live/live.ts';

export interface News {
  /** Ids of new issues. */
  readonly fresh: ReadonlySet<string>;
  /** Ids of known issues with new events. */
  readonly risen: ReadonlySet<string>;
}

export const noNews: News = { fresh: new Set(), risen: new Set() };

export function withMessage(news: News, message: Extract<LiveMessage, { type: 'events' }>): News {
  const fresh = new Set([...news.fresh, ...message.newIssueIds]);
  const risen = new Set([...news.risen, ...message.issueIds].filter((id) => !fresh.has(id)));
  return { fresh, risen };
}

/** `2 new issues, 5 with new events`; '' when nothing happened. */
export function newsSentence({ fresh, risen }: News): string {
  if (fresh.size === 0) return risen.size === 0 ? '' : m.risen({ count: risen.size });
  if (risen.size === 0) return m.newIssues({ count: fresh.size });
  return m.newAndRisen({ fresh: fresh.size, risen: risen.size });
}
