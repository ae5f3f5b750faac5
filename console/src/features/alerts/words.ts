/** Alert rules as people read them. Pure. */
import { duration } from '../../ui/durations.ts';
import type { AlertMetric } from './queries.ts';

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
