/** Events that the index leads to: read from their segment alone, with what their rows say beside it. */
import type { Events } from '../../../ports/events/events.ts';
import type { Place, WholePayload } from '../../../ports/payloads/payloads.ts';
import { readOwn } from '../../../process/items/event/own.ts';
import { saidColumns } from '../../../process/items/event/rows.ts';
import type { Event as NormalizedEvent } from '../../../process/steps/event.ts';
import type { FoundRow, StoredEvent } from './events.ts';

export type IndexedRow = FoundRow & StoredEvent;

/** Undefined where the engine is to be asked, also about what may not be there at all. `id`: 32 hex digits. */
export async function findIndexed(
  { index, payloads }: Pick<Events, 'index' | 'payloads'>,
  projectIds: readonly number[],
  id: string,
  hashes?: readonly string[],
  atMs?: number,
): Promise<IndexedRow | undefined> {
  for (const place of index?.placesOf(id) ?? []) {
    const [event] = await readIndexed({ payloads }, [place]);
    const isIt =
      event?.event_id === id &&
      index?.isSure(event.project_id, event.group_hash) &&
      projectIds.includes(event.project_id) &&
      (hashes?.includes(event.group_hash) ?? true) &&
      (atMs ?? event.timestamp) === event.timestamp;
    if (isIt) return event;
  }
  return undefined;
}

/**
 * What lies at each place; undefined also where the row says more, and of all of them where one is damaged: the engine may
 * know of a copy that is not.
 */
export async function readIndexed(
  { payloads }: Pick<Events, 'payloads'>,
  places: readonly Place[],
): Promise<(IndexedRow | undefined)[]> {
  if (!payloads || !places.length) return [];
  const whole = await payloads.readWhole(places).catch(() => []);
  return places.map((place, index) => toRow(whole[index], place));
}

function toRow(whole: WholePayload | undefined, place: Place): IndexedRow | undefined {
  if (!whole) return undefined;
  const { payload, beside } = whole;
  if (beside === '') return undefined;
  const own = readOwn(beside);
  // Of problems the payload says less.
  if (own.issue_type !== '') return undefined;
  return {
    ...own,
    ...saidColumns(JSON.parse(payload) as NormalizedEvent),
    payload,
    payload_segment: place.segment,
    payload_ordinal: place.ordinal,
  };
}
