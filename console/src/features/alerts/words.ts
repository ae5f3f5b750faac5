/** Alert rules as people read them. Pure. */
import { duration } from '../../ui/durations.ts';
import { plural } from '../../ui/numbers.ts';
import type { AlertCondition, AlertFiring, AlertMetric, AlertRule } from './queries.ts';

export const stateWords: Readonly<Record<AlertRule['state'], string>> = {
  ok: 'ok',
  warning: 'warning',
  critical: 'critical',
  no_data: 'no data',
  learning: 'learning',
  problem: 'cannot be evaluated',
  disabled: 'off',
};

export const conditionWords: Readonly<Record<AlertCondition['type'], string>> = {
  new_issue: 'an issue is seen for the first time',
  regression: 'a resolved issue comes back',
  escalating: 'an issue grows beyond its own history',
  unarchived: 'an archived issue comes back',
  event_frequency: 'an issue is seen often',
  user_frequency: 'an issue affects many users',
  session_share: 'an issue is frequent for its sessions',
  watched_digest: 'a digest is seen',
};

export const conditionHelp: Readonly<Record<AlertCondition['type'], string>> = {
  new_issue: 'Nothing like it was seen before, in any project that the rule watches.',
  regression: 'It was resolved, and an event in a later release says that it is not.',
  escalating: 'Its archive is over, because it came far more often than before.',
  unarchived: 'The condition it was archived until was met.',
  event_frequency: 'Counted anew at each event, over the time up to then.',
  user_frequency: 'Different users, as the SDK names them.',
  session_share: 'Needs sessions, which most SDKs send by themselves. Grows with the harm, not with the traffic.',
  watched_digest: 'The number on the error page. Empty: any digest that someone watches on Find.',
};

export const firingWords: Readonly<Record<AlertFiring['state'], string>> = {
  waiting: 'goes out with the next message',
  told: 'told',
  throttled: 'not sent: throttled',
  muted: 'not sent: muted',
  unheard: 'not sent: no channel',
};

/** `5 min`, `3 h`, `1 d`; 0 is never. */
export function span(minutes: number): string {
  return minutes === 0 ? 'never' : duration(minutes * 60_000_000);
}

/** Minutes until the same hour of tomorrow's morning, at 8. */
export function untilTomorrow(now: Date): number {
  const then = new Date(now);
  then.setDate(then.getDate() + 1);
  then.setHours(8, 0, 0, 0);
  return Math.max(1, Math.round((then.getTime() - now.getTime()) / 60_000));
}

export const firedWords = (count: number): string =>
  count === 0 ? 'quiet for 7 days' : `fired ${plural(count, 'time')} in 7 days`;

export const severityWords: Readonly<Record<AlertFiring['severity'], string>> = {
  info: 'note',
  warning: 'warning',
  critical: 'critical',
  resolved: 'over',
};

export const dataSetWords: Readonly<Record<AlertMetric['dataset'], string>> = {
  errors: 'errors',
  transactions: 'requests',
  spans: 'spans',
  sessions: 'sessions',
};

/** Offered; others can be written, but of sessions. */
export const aggregatesOf: Readonly<Record<AlertMetric['dataset'], readonly string[]>> = {
  errors: ['count()', 'count_unique(user)', 'count_unique(issue)'],
  transactions: ['p95(span.duration)', 'p50(span.duration)', 'avg(span.duration)', 'failure_rate()', 'count()'],
  spans: ['p95(span.duration)', 'avg(span.duration)', 'count()', 'failure_rate()'],
  sessions: ['crash_free_rate(session)', 'crash_free_rate(user)', 'sum(session)'],
};

/** The window that fired with some windows around it, as the address has times. */
export function momentsAround(at: string, minutes: number): { readonly start: string; readonly end: string } {
  const [end, aroundMs] = [Date.parse(at), 6 * minutes * 60_000];
  return { start: new Date(end - aroundMs).toISOString(), end: new Date(end + aroundMs / 6).toISOString() };
}
