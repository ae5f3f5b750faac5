/**
 * About how many events projects have had in a range, which says what of two ways to the same answer is the cheaper. By
 * whole weeks, and as it was a while ago: nobody waits for it.
 */
import { inProjects } from '../../../base/sql.ts';
import { askedBy } from '../../../base/asker.ts';
import type { Events } from '../../../ports/events/events.ts';
import type { IssueFilter } from '../types.ts';

interface Week {
  readonly startMs: number;
  readonly events: number;
}

interface Extent {
  readonly weeks: readonly Week[];
  readonly readAt: number;
}

interface Reading {
  last: Extent | undefined;
  next: Promise<void> | undefined;
}

const weekMs = 7 * 86_400_000;
const newMs = 60_000;
/** Project sets that are remembered; the oldest go. */
const mostRemembered = 200;

const readings = new WeakMap<Events, Map<string, Reading>>();

/** Undefined while nothing is known of them. */
export function eventsAround(
  events: Events,
  { projects, range }: Pick<IssueFilter, 'projects' | 'range'>,
): number | undefined {
  const reading = readingOf(
    events,
    projects.map(({ id }) => id),
  );
  const until = range.open ? Infinity : range.endMs;
  return reading.last?.weeks
    .filter(({ startMs }) => startMs + weekMs > range.startMs && startMs < until)
    .reduce((sum, week) => sum + week.events, 0);
}

function readingOf(events: Events, projectIds: readonly number[]): Reading {
  const remembered = readings.get(events) ?? new Map<string, Reading>();
  readings.set(events, remembered);
  const key = projectIds.toSorted((a, b) => a - b).join();
  const reading = remembered.get(key) ?? { last: undefined, next: undefined };
  remembered.delete(key);
  remembered.set(key, reading);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
  if (!reading.last || performance.now() - reading.last.readAt > newMs) {
    // A store that does not answer is asked again with the next search, which says what is wrong with it.
    reading.next ??= askedBy(undefined, () => readWeeks(events, projectIds))
      .then((last) => void (reading.last = last))
      .catch(() => {})
      .finally(() => (reading.next = undefined));
  }
  return reading;
}

async function readWeeks(events: Events, projectIds: readonly number[]): Promise<Extent> {
  const { conditions, params } = inProjects(projectIds);
  const readAt = performance.now();
  const weeks = await events.query<Week>(
    `SELECT toUnixTimestamp(toDateTime(start, 'UTC')) * 1000 AS startMs, sum(events) AS events FROM issue_ranks
     WHERE ${conditions.join(' AND ')} AND days = 7 GROUP BY start`,
    params,
  );
  return { weeks, readAt };
}
