/** Events that traces tie to those that matched. */
import type { Events } from '../../ports/events/events.ts';
import { findMatches, inTraces, type Match, type MatchScope, type TimeSpan } from './matches.ts';

/** Newest traces whose other events are looked up: each costs reading, and one that ties is enough. */
const traceLimit = 10;
const weekMs = 7 * 86_400_000;
/** How far apart the events of one trace are looked for. */
const visitMs = 6 * 3_600_000;

export interface Traces {
  readonly ids: readonly string[];
  readonly times: TimeSpan;
}

/** Those of the newest events, which come first. */
export function newestTraces(events: readonly Pick<Match, 'traceId' | 'at'>[]): Traces {
  const newest = events[0]?.at ?? 0;
  const traced = events.filter(({ traceId, at }) => traceId !== '' && at >= newest - weekMs);
  const ids = [...new Set(traced.map(({ traceId }) => traceId))].slice(0, traceLimit);
  const times = traced.filter(({ traceId }) => ids.includes(traceId)).map(({ at }) => at);
  return { ids, times: { from: Math.min(...times) - visitMs, until: Math.max(...times) + visitMs } };
}

export const eventsOfTraces = async (
  events: Events,
  scope: MatchScope,
  { ids, times }: Traces,
  limit: number,
): Promise<readonly Match[]> => (ids.length ? findMatches(events, scope, inTraces(ids, times), limit) : []);
