/** Which traces got spans since the list was asked for. The list does not move on its own; this is what its bar says. */
import type { LiveMessage } from '../../features/live/live.ts';
import * as m from '../../messages/traces.ts';

export const noNews: ReadonlySet<string> = new Set();

/** Ids beyond this many are not kept; nobody counts further. */
const most = 1000;

export function withSpans(
  news: ReadonlySet<string>,
  { traceIds }: Extract<LiveMessage, { type: 'spans' }>,
): ReadonlySet<string> {
  const fresh = traceIds.filter((id) => !news.has(id));
  return fresh.length && news.size < most ? new Set([...news, ...fresh]) : news;
}

/** Without the traces that the list shows: further spans of those are nothing new in it, and may come while it is asked for. */
export const unseen = (
  news: ReadonlySet<string>,
  traces: readonly { readonly traceId: string }[],
): ReadonlySet<string> => {
  const shown = new Set(traces.map(({ traceId }) => traceId));
  return new Set([...news].filter((id) => !shown.has(id)));
};

/** `12 new traces`; '' when none came. Whether they fulfil a filter is not known. */
export function newsSentence(news: ReadonlySet<string>, filtered: boolean): string {
  if (!news.size) return '';
  const words = news.size < most ? m.news({ count: news.size }) : m.newsMany({ count: most });
  return filtered ? m.newsUnfiltered({ news: words }) : words;
}
