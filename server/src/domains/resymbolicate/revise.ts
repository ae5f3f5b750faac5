/** Symbolicates stored events again: their new payloads, and how they would be grouped now. */
import type { RevisionRow } from '../../base/tables/errors.ts';
import type { RevisedEvent } from '../issues/index.ts';
import { groupAndTitle } from '../../process/items/event/index.ts';
import type { Event } from '../../process/steps/event.ts';
import { scrubMapped } from '../../process/steps/scrub/index.ts';
import { debugWorkOf, stacksToMap, stacktracesOf } from '../../process/steps/symbolicate/index.ts';
import { twinVersion } from '../../process/steps/twin.ts';
import type { Symbolicator } from '../artifacts/symbolicator.ts';
import type { ProjectSettings } from '../../process/types.ts';
import type { AffectedEvent } from './affected.ts';

export interface Revised {
  readonly rows: RevisionRow[];
  readonly events: RevisedEvent[];
}

/** Only of events of which a frame was mapped. `now` is ms since the epoch. */
export async function reviseEvents(
  symbolicator: Symbolicator,
  { id: projectId, settings }: { readonly id: number; readonly settings: ProjectSettings },
  stored: readonly AffectedEvent[],
  now: number,
): Promise<Revised> {
  const read = stored.map((row) => {
    const event = JSON.parse(row.payload) as Event;
    const { release = '', dist = '' } = event;
    return { row, event, request: { projectId, release, dist, stacks: stacksToMap(event), work: debugWorkOf(event) } };
  });
  const results = await symbolicator.symbolicate(read.map(({ request }) => request));
  const revised: Revised = { rows: [], events: [] };
  for (const [index, { row, event }] of read.entries()) {
    if (!results[index]?.mapped) continue;
    for (const { frames } of stacktracesOf(event)) scrubMapped(frames, settings);
    const { grouping, seed } = groupAndTitle(event, settings);
    // A browser's view of a failure on the server belongs where its server event does, whatever its frames say.
    const isView = row.version === twinVersion;
    const { title, culprit } = isView ? row : seed;
    revised.rows.push({
      project_id: projectId,
      event_id: row.id,
      timestamp: row.at,
      revised_at: now,
      title,
      culprit,
      payload: JSON.stringify(event),
    });
    if (!isView) revised.events.push({ eventId: row.id, at: row.at, hash: row.hash, grouping, seed });
  }
  return revised;
}
