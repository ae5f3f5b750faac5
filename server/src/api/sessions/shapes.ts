/** Sessions as Sentry's API gives them: fields, and groups with totals and series. Pure. */
import type { z } from 'zod';
import {
  crashFree,
  type DurationField,
  durationFields,
  kinds,
  noParts,
  type Parts,
  type ReleaseHealth,
  type SessionKind,
  shareOf,
} from '../../domains/sessions/index.ts';
import { seriesOf, type TimeRange } from '../../base/time-range.ts';
import type * as contract from './contract.ts';

type Unit = 'session' | 'user';

/** One column of the answer. */
export type SessionField =
  | { readonly name: string; readonly kind: 'count'; readonly unit: Unit; readonly status?: SessionKind }
  | {
      readonly name: string;
      readonly kind: 'rate';
      readonly unit: Unit;
      readonly of: (parts: Parts) => number | undefined;
    }
  | { readonly name: string; readonly kind: 'duration'; readonly index: number };

/** By the start of their names, each of sessions or of users. */
const rates: Readonly<Record<string, (parts: Parts) => number | undefined>> = {
  crash_rate: ({ crashed, total }) => shareOf(crashed, total),
  crash_free_rate: crashFree,
  errored_rate: ({ errored, total }) => shareOf(errored, total),
  abnormal_rate: ({ abnormal, total }) => shareOf(abnormal, total),
  unhandled_rate: ({ unhandled, total }) => shareOf(unhandled, total),
  unhealthy_rate: ({ healthy, total }) => shareOf(total - healthy, total),
};

/** Undefined for what is no field of sessions. */
export function parseSessionField(name: string): SessionField | undefined {
  if (name === 'sum(session)') return { name, kind: 'count', unit: 'session' };
  if (name === 'count_unique(user)') return { name, kind: 'count', unit: 'user' };
  const [, called = '', about = ''] = /^([a-z0-9_]{1,40})\(([a-z.]{1,40})\)$/.exec(name) ?? [];
  const of = Object.hasOwn(rates, called) ? rates[called] : undefined;
  if (of && (about === 'session' || about === 'user')) return { name, kind: 'rate', unit: about, of };
  const index = durationFields.indexOf(called as DurationField);
  return index >= 0 && about === 'session.duration' ? { name, kind: 'duration', index } : undefined;
}

const metricRates: Readonly<Record<string, string>> = {
  crash_rate: 'crash_rate(session)',
  crash_user_rate: 'crash_rate(user)',
  crash_free_rate: 'crash_free_rate(session)',
  crash_free_user_rate: 'crash_free_rate(user)',
  errored_rate: 'errored_rate(session)',
  errored_user_rate: 'errored_rate(user)',
};

/** As Grafana's data source names them: session.all, session.crashed_user, session.crash_free_rate, … */
export function parseSessionMetric(name: string): SessionField | undefined {
  if (name === 'count_unique(sentry.sessions.user)') return { name, kind: 'count', unit: 'user' };
  const about = /^session\.([a-z_]{1,40})$/.exec(name)?.[1] ?? '';
  const rate = Object.hasOwn(metricRates, about) ? parseSessionField(metricRates[about] ?? '') : undefined;
  if (rate) return { ...rate, name };
  const unit = about.endsWith('_user') ? 'user' : 'session';
  const what = about.replace(/_user$/, '');
  if (what === 'all') return { name, kind: 'count', unit };
  const status = kinds.find((kind) => kind === what);
  return status && { name, kind: 'count', unit, status };
}

/** What is known of one group, or of one interval of it. */
export interface Measured {
  readonly sessions: Parts;
  readonly users: Parts;
  /** ms in the order of `durationFields`; undefined where none ended. */
  readonly durations: readonly number[] | undefined;
}

export const nothingMeasured: Measured = { sessions: noParts, users: noParts, durations: undefined };

/** Of all, or of one status alone. Counts are never null. */
export function fieldValue(field: SessionField, measured: Measured, status: SessionKind | undefined): number | null {
  switch (field.kind) {
    case 'count':
      // One that is of a status itself is none of the others.
      if (field.status && status && field.status !== status) return 0;
      return (field.unit === 'user' ? measured.users : measured.sessions)[field.status ?? status ?? 'total'];
    case 'rate':
      return field.of(field.unit === 'user' ? measured.users : measured.sessions) ?? null;
    case 'duration':
      // Of sessions by how they ended nobody keeps durations apart.
      return status === undefined || status === 'healthy' ? (measured.durations?.[field.index] ?? null) : null;
  }
}

export const sessionStatuses: readonly SessionKind[] = kinds;

type HealthShape = z.output<typeof contract.ReleaseHealth>;
type HealthDataShape = z.output<typeof contract.HealthData>;

export const toReleaseHealth = (health: ReleaseHealth, range: TimeRange): HealthShape => ({
  sessions: health.sessions,
  users: health.users,
  crashFreeSessions: crashFree(health.sessions) ?? null,
  crashFreeUsers: crashFree(health.users) ?? null,
  adoption: health.adoption ?? null,
  stage: health.stage ?? null,
  series: seriesOf(range, health.series),
});

const perCent = (share: number | undefined): number | null => (share === undefined ? null : share * 100);

export function toHealthData(health: ReleaseHealth, projectId: number): HealthDataShape {
  const own = health.projects.find((project) => project.projectId === projectId);
  const { sessions, users } = own ?? { sessions: noParts, users: noParts };
  return {
    hasHealthData: sessions.total > 0,
    adoption: perCent(own && shareOf(own.users24h, own.projectUsers24h)),
    sessionsAdoption: perCent(own && shareOf(own.sessions24h, own.projectSessions24h)),
    crashFreeSessions: perCent(crashFree(sessions)),
    crashFreeUsers: perCent(crashFree(users)),
    totalSessions: sessions.total,
    totalUsers: users.total,
    totalSessions24h: own?.sessions24h ?? 0,
    totalUsers24h: own?.users24h ?? 0,
    totalProjectSessions24h: own?.projectSessions24h ?? 0,
    totalProjectUsers24h: own?.projectUsers24h ?? 0,
    sessionsCrashed: sessions.crashed,
    sessionsErrored: sessions.errored,
    stats: {},
  };
}
