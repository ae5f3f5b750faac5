/** What matching events add up to. */
import { estimateOfPart, noSpread, plusSpread } from '../search/index.ts';
import type { HashTotals, Match } from './matches.ts';
import type { Tally, TiedTrace } from './types.ts';

const releaseLimit = 10;
const traceLimit = 10;

/** `events` are the newest first. */
export function tallyOf(events: readonly Match[]): Tally {
  const traces = new Set(events.map(({ traceId }) => traceId));
  const times = events.map(({ at }) => at);
  return {
    events: events.length,
    estimate: undefined,
    visits: traces.has('') ? { count: events.length, unit: 'events' } : { count: traces.size, unit: 'traces' },
    firstSeen: Math.min(...times),
    lastSeen: Math.max(...times),
    releases: releasesOf(events.map(({ release }) => release)),
  };
}

/** `totals` hold at least one. A trace that two hashes share counts for both. */
export function tallyOfTotals(totals: readonly HashTotals[]): Tally {
  const sum = (of: (one: HashTotals) => number): number => totals.reduce((all, one) => all + of(one), 0);
  const events = sum((one) => one.events);
  return {
    events,
    estimate: estimateOfPart(events, totals.reduce(plusSpread, noSpread)),
    visits: sum((one) => one.untraced)
      ? { count: events, unit: 'events' }
      : { count: sum((one) => one.traces), unit: 'traces' },
    firstSeen: Math.min(...totals.map((one) => one.firstSeen)),
    lastSeen: Math.max(...totals.map((one) => one.lastSeen)),
    releases: releasesOf(totals.flatMap((one) => one.releases)),
  };
}

const releasesOf = (releases: readonly string[]): string[] =>
  [...new Set(releases)].filter((release) => release !== '').slice(0, releaseLimit);

/** The newest first; `both`: only those that tie a server's event to a browser's. */
export function tiedTraces(events: readonly Match[], both: boolean): TiedTrace[] {
  const byTrace = Map.groupBy(events, ({ traceId }) => traceId);
  byTrace.delete('');
  return [...byTrace]
    .map(([id, ofTrace]) => {
      const serverEvents = ofTrace.filter(({ side }) => side === 'server').length;
      return {
        id,
        serverEvents,
        browserEvents: ofTrace.length - serverEvents,
        lastSeen: Math.max(...ofTrace.map(({ at }) => at)),
      };
    })
    .filter(({ serverEvents, browserEvents }) => !both || (serverEvents > 0 && browserEvents > 0))
    .toSorted((a, b) => b.lastSeen - a.lastSeen)
    .slice(0, traceLimit);
}
