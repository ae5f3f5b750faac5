/** Sessions of a release by environment, as its page shows them. Pure. */
import * as m from '../../messages/charts.ts';
import type { ChartSeries, ChartToken } from '../charts/series.ts';
import type { Sessions } from './health-queries.ts';

export interface EnvironmentHealth {
  /** '' where the sender names none. */
  readonly environment: string;
  readonly sessions: number;
  readonly errored: number;
  readonly unhandled: number;
  readonly abnormal: number;
  readonly crashed: number;
  readonly users: number;
  readonly crashFreeSessions: number | null;
  readonly crashFreeUsers: number | null;
}

export const healthFields = [
  'sum(session)',
  'count_unique(user)',
  'crash_free_rate(session)',
  'crash_free_rate(user)',
  'crash_rate(session)',
  'errored_rate(session)',
  'unhandled_rate(session)',
  'abnormal_rate(session)',
] as const;

/** The environments with sessions, those with the most first. */
export function environmentRows({ groups }: Pick<Sessions, 'groups'>): EnvironmentHealth[] {
  return groups
    .map(({ by, totals }) => {
      const sessions = totals['sum(session)'] ?? 0;
      const partOf = (rate: string): number => Math.round((totals[`${rate}(session)`] ?? 0) * sessions);
      return {
        environment: String(by.environment ?? ''),
        sessions,
        errored: partOf('errored_rate'),
        unhandled: partOf('unhandled_rate'),
        abnormal: partOf('abnormal_rate'),
        crashed: partOf('crash_rate'),
        users: totals['count_unique(user)'] ?? 0,
        crashFreeSessions: totals['crash_free_rate(session)'] ?? null,
        crashFreeUsers: totals['crash_free_rate(user)'] ?? null,
      };
    })
    .filter(({ sessions }) => sessions > 0);
}

const tokens: readonly ChartToken[] = ['--series-1', '--series-2', '--series-3', '--series-4'];
const dashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

export interface HealthLines {
  readonly sessions: readonly ChartSeries[];
  readonly crashed: readonly ChartSeries[];
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly bucketSeconds: number;
}

/** A line for each of the largest environments, which keep their colours in both charts. */
export function healthLines({ groups, intervals }: Pick<Sessions, 'groups' | 'intervals'>): HealthLines {
  const times = intervals.map((time) => Date.parse(time) / 1000);
  const shown = groups.filter(({ totals }) => (totals['sum(session)'] ?? 0) > 0).slice(0, tokens.length);
  const lines = (field: string): ChartSeries[] =>
    shown.map(({ by, series }, index) => ({
      label: String(by.environment ?? '') || m.noEnvironment,
      isData: Boolean(by.environment),
      token: tokens[index] ?? '--series-1',
      ...(dashes[index]?.length ? { dash: dashes[index] } : {}),
      filled: shown.length === 1,
      values: series[field] ?? [],
    }));
  return {
    sessions: lines('sum(session)'),
    crashed: lines('crash_rate(session)'),
    times,
    bucketSeconds: (times[1] ?? (times[0] ?? 0) + 3600) - (times[0] ?? 0),
  };
}

const hourMs = 3_600_000;

/** Young releases by the hour; of others the last fourteen days. */
export function healthRange(firstSeen: string | null, nowMs: number): { statsPeriod: string; interval: string } {
  const ageMs = firstSeen === null ? Infinity : nowMs - Date.parse(firstSeen);
  return ageMs < 44 * hourMs ? { statsPeriod: '48h', interval: '1h' } : { statsPeriod: '14d', interval: '6h' };
}
