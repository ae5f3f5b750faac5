/** What projects usually send. */
import type { Events } from '../../ports/events/events.ts';

const dayMs = 86_400_000;

/**
 * Errors a second by project, as in their busier minutes: of those of the last week in which anything came, a twentieth
 * had more. Minutes of a storm count from the next day on, so that a storm does not make itself usual, and growth does.
 */
export async function usualErrorRates(events: Events, nowMs: number): Promise<Map<number, number>> {
  const rows = await events.query<{ project: number; perSecond: number }>(
    `SELECT project_id AS project, quantile(0.95)(n) / 60 AS perSecond FROM (
       SELECT project_id, minute, sum(quantity) AS n FROM outcomes
       WHERE category = 'error' AND outcome != 'client_discard' AND minute >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
       GROUP BY project_id, minute
       HAVING countIf(reason = 'storm') = 0 OR minute < fromUnixTimestamp64Milli({today:Int64}, 'UTC')
     )
     GROUP BY project_id`,
    { from: nowMs - 7 * dayMs, today: nowMs - dayMs },
  );
  return new Map(rows.map(({ project, perSecond }) => [project, perSecond]));
}
