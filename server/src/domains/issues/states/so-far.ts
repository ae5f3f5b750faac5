/** How near an issue that is archived until so many events or users is to that. */
import type { Events } from '../../../ports/events/events.ts';
import type { IssueRow } from '../types.ts';
import { tallyOf } from './counts.ts';

export interface SoFar {
  readonly events: number;
  readonly users: number;
}

/** Undefined for an issue that waits for no such number. `nowMs`: ms since the epoch. */
export async function countSoFar(
  events: Events,
  issue: IssueRow,
  hashes: readonly string[],
  nowMs: number,
): Promise<SoFar | undefined> {
  const { id, projectId, substatus, statusDetails: details, statusChangedAt: changedAt, firstSeen } = issue;
  const counts = details.ignoreCount !== undefined || details.ignoreUserCount !== undefined;
  if (issue.status !== 'archived' || substatus !== 'archived_until_condition_met' || !counts || !hashes.length) {
    return undefined;
  }
  const watched = {
    id,
    projectId,
    substatus,
    details,
    changedAt,
    firstSeen,
    countedAfter: changedAt ?? 0,
    hashes: [...hashes],
  };
  const { n, users } = (await tallyOf(events, [watched], nowMs)).get(id) ?? { n: 0, users: 0 };
  return { events: n, users };
}
