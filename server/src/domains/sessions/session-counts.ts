/** Sessions of one stretch of time, for conditions on rates. */
import type { Events } from '../../ports/events/events.ts';
import type { Parts } from './counts.ts';
import { totalSessions } from './measure.ts';

/** Each session and user is in `healthy` or in one of the others. */
export interface SessionCounts extends Omit<Parts, 'total'> {
  readonly sessions: number;
  readonly users: number;
  readonly crashedUsers: number;
}

export interface SessionCountsRequest {
  readonly projectIds: readonly number[];
  /** Undefined or '': all. */
  readonly environment?: string | undefined;
  /** Several, in place of the one; empty: all. */
  readonly environments?: readonly string[] | undefined;
  /** Undefined: all. */
  readonly release?: string | undefined;
  /** By the minute in times below a day, else by the hour; ms since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What started in that time, as far as it is known. */
export async function sessionCounts(events: Events, request: SessionCountsRequest): Promise<SessionCounts> {
  const { projectIds, environment, environments, release, fromMs, untilMs } = request;
  const { sessions, users } = await totalSessions(events, {
    projectIds,
    environments: environments ?? (environment ? [environment] : []),
    releases: release === undefined ? undefined : [release],
    fromMs,
    untilMs,
    withUsers: true,
  });
  const { total, ...kinds } = sessions;
  return { sessions: total, ...kinds, users: users.total, crashedUsers: users.crashed };
}
