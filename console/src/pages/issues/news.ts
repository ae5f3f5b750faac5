/** What arrived since the list was asked for. The list does not move by itself; this is what its bar says. */
import type { LiveMessage } from '../../features/live/live.ts';
import { plural } from '../../ui/numbers.ts';

export interface News {
  /** Ids of issues that did not exist before. */
  readonly fresh: ReadonlySet<string>;
  /** Ids of known issues that got further events. */
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
  const parts: string[] = [];
  if (fresh.size > 0) parts.push(plural(fresh.size, 'new issue'));
  if (risen.size > 0)
    parts.push(fresh.size > 0 ? `${risen.size} with new events` : `New events in ${plural(risen.size, 'issue')}`);
  return parts.join(', ');
}
