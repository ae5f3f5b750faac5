/** Events that traces tie to those that matched. */
import type { Events } from '../../ports/events/events.ts';
import type { TimeSpan } from '../../ports/event-index/event-index.ts';
import { readOfTraces } from '../issues/index.ts';
import { matchOf, newestFirst } from './keyed.ts';
import { findMatches, inTraces, type Match, type MatchScope } from './matches.ts';

/** Newest traces whose other events are looked up: each costs reading, and one that ties is enough. */
const traceLimit = 10;
const weekMs = 7 * 86_400_000;
/** How far apart the events of one trace are looked for. */
const visitMs = 6 * 3_600_000;

/** The engine has an event some milliseconds before the index. */
const settlingMs = 10_000;

export interface Traces {
  readonly ids: readonly string[];
  /** Of the events; undefined: whenever they were. */
  readonly times: TimeSpan | undefined;
}

/** Those of the newest events, which come first. */
export function newestTraces(events: readonly Pick<Match, 'traceId' | 'at'>[]): Traces {
  const newest = events[0]?.at ?? 0;
  const traced = events.filter(({ traceId, at }) => traceId !== '' && at >= newest - weekMs);
  const ids = [...new Set(traced.map(({ traceId }) => traceId))].slice(0, traceLimit);
  const times = traced.filter(({ traceId }) => ids.includes(traceId)).map(({ at }) => at);
  return { ids, times: { from: Math.min(...times) - visitMs, until: Math.max(...times) + visitMs } };
}

/** The newest first, at most `limit`. `known`: ids of events that need not be read again, or their ends; they may be left out. */
export async function eventsOfTraces(
  events: Events,
  scope: MatchScope,
  { ids, times }: Traces,
  limit: number,
  known: readonly string[] = [],
): Promise<readonly Match[]> {
  if (!ids.length) return [];
  const { range, projectIds } = scope;
  const within = {
    from: Math.max(times?.from ?? 0, range?.startMs ?? 0),
    until: Math.min(times?.until ?? Infinity, range && !range.open ? range.endMs - 1 : Infinity),
  };
  const settled = Date.now() - settlingMs;
  const isOld = times === undefined || times.until - visitMs < settled;
  const rows = isOld && (await readOfTraces(events, { traceIds: ids, projectIds, times: within, except: known }));
  const isWhole = rows && (times ? true : rows.length > 0) && rows.every((row) => row.received_at < settled);
  if (!isWhole) return findMatches(events, scope, inTraces(ids, times), limit);
  return rows.map(matchOf).toSorted(newestFirst).slice(0, limit);
}
