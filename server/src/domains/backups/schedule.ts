/** When the schedule wants the next backup. */
import { Cron } from 'croner';
import type { BackupRun } from './runs.ts';

/** One that failed is tried again so long after it ended. */
const retryMs = 30 * 60_000;
/** One that should have begun so long ago is told. */
const lateMs = 2 * 3_600_000;

/** Of an expression in UTC: the first moment after another, ms since the epoch; undefined where there is none any more. */
export const nextMoment = (expression: string, after: number): number | undefined =>
  new Cron(expression, { timezone: 'UTC' }).nextRun(new Date(after))?.getTime();

/** What of the last run that the schedule asked for counts. */
export type LastScheduled = Pick<BackupRun, 'state' | 'createdAt' | 'endedAt'>;

/**
 * When it is due. `since`: when the program was started, where there was none. Undefined while one is under way or
 * nothing comes any more.
 */
export function nextDue(expression: string, last: LastScheduled | undefined, since: number): number | undefined {
  const next = nextMoment(expression, last?.createdAt ?? since);
  if (!last || last.state === 'done') return next;
  if (last.state !== 'failed') return undefined;
  const retryAt = (last.endedAt ?? last.createdAt) + retryMs;
  return next === undefined ? retryAt : Math.min(next, retryAt);
}

/** Whether the schedule has wanted a backup after the last one that succeeded, and it did not come. */
export function isOverdue(expression: string, lastTakenAt: number, now: number): boolean {
  const wanted = nextMoment(expression, lastTakenAt);
  return wanted !== undefined && wanted + lateMs < now;
}
