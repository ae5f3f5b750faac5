/** What there was of each of two releases: sessions, requests, vitals, in the same stretch of time. */
import type { Events } from '../../../ports/events/events.ts';
import { measureSessions, noParts, type Parts } from '../../sessions/index.ts';
import { inEnvironments, inProjects, moment, where } from '../../../base/sql.ts';

export interface ComparedScope {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly releases: readonly string[];
  /** ms since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface ComparedNumbers {
  readonly sessions: Parts;
  readonly users: Parts;
  readonly requests: number;
  readonly failed: number;
  /** Undefined without requests. */
  readonly p50Us: number | undefined;
  readonly p95Us: number | undefined;
  readonly vitals: readonly { readonly vital: string; readonly p75: number; readonly count: number }[];
}

/** Spans are read one by one for vitals, so not all that are stored. */
const vitalsMs = 14 * 86_400_000;
const vitalNames = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'];

/** By version; every release that was asked for is there. */
export async function numbersOf(events: Events, scope: ComparedScope): Promise<ReadonlyMap<string, ComparedNumbers>> {
  const [sessions, requests, vitals] = await Promise.all([
    measureSessions(events, { ...scope, by: ['release'], withUsers: true }),
    requestsOf(events, scope),
    vitalsOf(events, scope),
  ]);
  return new Map(
    scope.releases.map((release) => {
      const own = sessions.find((row) => row.release === release);
      const request = requests.find((row) => row.release === release);
      return [
        release,
        {
          sessions: own?.sessions ?? noParts,
          users: own?.users ?? noParts,
          requests: request?.requests ?? 0,
          failed: request?.failed ?? 0,
          p50Us: request?.durations[0] ?? undefined,
          p95Us: request?.durations[1] ?? undefined,
          vitals: vitalNames.flatMap((vital) => vitals.filter((row) => row.release === release && row.vital === vital)),
        },
      ];
    }),
  );
}

function requestsOf(events: Events, { projectIds, environments, releases, fromMs, untilMs }: ComparedScope) {
  const scope = where(inProjects(projectIds), inEnvironments(environments), {
    conditions: ['release IN {releases:Array(String)}', 'day >= {from:Date}', 'day <= {until:Date}'],
    params: { releases, from: dayOf(fromMs), until: dayOf(untilMs) },
  });
  return events.query<{ release: string; requests: number; failed: number; durations: (number | null)[] }>(
    `SELECT release, sum(count) AS requests, sum(transaction_days.failed) AS failed,
       arrayMap(index -> quantilesDDMerge(0.01, 0.5, 0.75, 0.95, 0.99)(durations)[index], [1, 3]) AS durations
     FROM transaction_days WHERE ${scope.sql} GROUP BY release`,
    scope.params,
  );
}

function vitalsOf(events: Events, { projectIds, environments, releases, fromMs, untilMs }: ComparedScope) {
  const scope = where(inProjects(projectIds), inEnvironments(environments), {
    conditions: [
      'release IN {releases:Array(String)}',
      `started_at >= ${moment('from')}`,
      `started_at < ${moment('until')}`,
    ],
    params: { releases, from: Math.max(fromMs, untilMs - vitalsMs), until: untilMs, vitals: vitalNames },
  });
  return events.query<{ release: string; vital: string; p75: number; count: number }>(
    `SELECT release, pair.1 AS vital, quantile(0.75)(pair.2) AS p75, count() AS count
     FROM (SELECT release, arrayJoin(arrayFilter(one -> has({vitals:Array(String)}, one.1) AND one.2 >= 0,
         arrayZip(mapKeys(numbers), mapValues(numbers)))) AS pair
       FROM spans WHERE ${scope.sql} AND hasAny(mapKeys(numbers), {vitals:Array(String)}))
     GROUP BY release, vital`,
    scope.params,
  );
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
