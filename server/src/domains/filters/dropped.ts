/** What filters dropped in the last days, by their outcomes. */
import type { Events } from '../../ports/events/events.ts';
import { type FilterId, filterIds } from '../../process/steps/filters/index.ts';

export interface DroppedByFilter {
  readonly id: FilterId;
  /** error, transaction, span, … */
  readonly category: string;
  readonly quantity: number;
}

/** The largest first. `sinceMs`: ms since the epoch; outcomes are counted by the minute. */
export const droppedByFilters = (events: Events, projectId: number, sinceMs: number): Promise<DroppedByFilter[]> =>
  events.query<DroppedByFilter>(
    `SELECT reason AS id, category, sum(quantity) AS quantity FROM outcomes
     WHERE project_id = {project:UInt64} AND outcome = 'filtered' AND reason IN {reasons:Array(String)}
       AND minute >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY reason, category ORDER BY quantity DESC, category`,
    { project: projectId, reasons: filterIds, since: sinceMs - (sinceMs % 60_000) },
  );
