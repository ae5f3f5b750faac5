/** Alert rules as people read them. Pure. */
import type { AlertCondition, AlertFiring, AlertRule } from './queries.ts';

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
  event_frequency: 'an issue has more events than',
  user_frequency: 'an issue has more users than',
  session_share: 'an issue has more events for each 100 sessions than',
  watched_digest: 'a digest is seen that somebody waits for',
};

export const firingWords: Readonly<Record<AlertFiring['state'], string>> = {
  waiting: 'goes out with the next message',
  told: 'told',
  throttled: 'not told: throttled',
  muted: 'not told: muted',
  unheard: 'not told: no channel',
};

/** `5 min`, `3 h`, `1 d`; 0 is never. */
export function span(minutes: number): string {
  if (minutes === 0) return 'never';
  if (minutes % 1440 === 0) return `${minutes / 1440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

/** Minutes until the same hour of tomorrow's morning, at 8. */
export function untilTomorrow(now: Date): number {
  const then = new Date(now);
  then.setDate(then.getDate() + 1);
  then.setHours(8, 0, 0, 0);
  return Math.max(1, Math.round((then.getTime() - now.getTime()) / 60_000));
}
