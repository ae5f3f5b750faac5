/** Events that the index leads to: read from their segment alone, with what their rows say beside it. */
import type { Events } from '../../../ports/events/events.ts';
import { endDigits, type TimeSpan } from '../../../ports/event-index/event-index.ts';
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

export interface TracesAsked {
  readonly traceIds: readonly string[];
  readonly projectIds: readonly number[];
  /** Of the events. */
  readonly times: TimeSpan;
  /** Ids of events that are known, or their ends. */
  readonly except?: readonly string[];
}

/** Of more events a statement is cheaper than their payloads. */
const mostOfTraces = 24;

/** The errors of the traces, in no order; undefined where the engine is to be asked. */
export async function readOfTraces(
  { index, payloads }: Pick<Events, 'index' | 'payloads'>,
  { traceIds, projectIds, times, except = [] }: TracesAsked,
): Promise<IndexedRow[] | undefined> {
  if (!index) return undefined;
  const known = new Set(except.map((id) => id.slice(-endDigits)));
  const ends = new Set<string>();
  for (const traceId of traceIds) {
    const found = index.withTrace(traceId, times, mostOfTraces + known.size);
    if (!found) return undefined;
    for (const end of found) if (!known.has(end)) ends.add(end);
  }
  if (ends.size > mostOfTraces) return undefined;
  // Somebody may send one event to several projects: its id leads to each.
  const placed = [...ends].map((end) => index.placesOf(end));
  const rows = await readIndexed({ payloads }, placed.flat());
  const isWhole = placed.every((places) => places.length > 0) && rows.every((row) => row !== undefined);
  if (!isWhole || !rows.every((row) => index.isSure(row.project_id, row.group_hash))) return undefined;
  return rows.filter(
    ({ trace_id, project_id, timestamp }) =>
      traceIds.includes(trace_id) &&
      projectIds.includes(project_id) &&
      timestamp >= times.from &&
      timestamp <= times.until,
  );
}

/** Characters that are parsed at once, some ten milliseconds: more keeps everybody waiting, the engine does not. */
const mostParsed = 2 * 1024 * 1024;

/**
 * What lies at each place; undefined also where the row says more, and of all of them where one is damaged: the engine may
 * know of a copy that is not; and where several are large.
 */
export async function readIndexed(
  { payloads }: Pick<Events, 'payloads'>,
  places: readonly Place[],
): Promise<(IndexedRow | undefined)[]> {
  if (!payloads || !places.length) return [];
  const whole = await payloads.readWhole(places).catch(() => []);
  const parsed = whole.reduce((sum, one) => sum + (one?.payload.length ?? 0), 0);
  if (places.length > 1 && parsed > mostParsed) return places.map(() => undefined);
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
