/** Events chosen by their place among others: the newest, the oldest, the richest; and where an event stands. */
import type { GroupEvent } from '../../../ports/event-index/event-index.ts';
import { richnessSql } from '../../../ports/event-index/richness.ts';
import { type EventScope, groupsOf, scopeOf } from './event-scope.ts';
import {
  type EventKey,
  type EventsStore,
  findRevision,
  findRow,
  foundColumns,
  type RawFoundRow,
  type StoredEvent,
  type StoredEventWithPayload,
  toFoundRow,
  wholeEvent,
} from './events.ts';
import { moment } from '../../../base/sql.ts';

export type WhichEvent = 'latest' | 'oldest' | 'recommended';

/** An event that was chosen by its place, which is then known. */
export interface PickedEvent extends StoredEventWithPayload {
  readonly place?: EventPlace;
}

/** Recommended is the richest of the 50 newest, the newer of equals. */
const richestOf = 50;

interface PickedKey extends EventKey {
  readonly score: number;
  /** It may have been symbolicated again after it was stored. */
  readonly unmapped: number;
}

/** The index picks it, where it can; else the engine does. */
export const pickEvent = async (
  stores: EventsStore,
  scope: EventScope,
  which: WhichEvent,
): Promise<PickedEvent | undefined> => (await pickIndexed(stores, scope, which)) ?? pickAmongRows(stores, scope, which);

async function pickIndexed(
  stores: EventsStore,
  scope: EventScope,
  which: WhichEvent,
): Promise<PickedEvent | undefined> {
  const groups = groupsOf(scope);
  const { index } = stores.events;
  const ends = groups && (which === 'oldest' ? index?.oldest(groups, 1) : index?.newest(groups, richestOf));
  const key = which === 'recommended' ? richest(ends ?? []) : ends?.[0];
  const row = key && (await findRow(stores, [scope.projectId], key.id, [key.hash], key.at));
  return row && wholeEvent(stores, row);
}

function richest(newest: readonly GroupEvent[]): GroupEvent | undefined {
  const most = Math.max(...newest.map(({ richness }) => richness));
  return newest.find(({ richness }) => richness === most);
}

/** The events beside the picked one are read with it, and counting goes on meanwhile: then `placeOf` asks nothing. */
async function pickAmongRows(
  stores: EventsStore,
  scope: EventScope,
  which: WhichEvent,
): Promise<PickedEvent | undefined> {
  const { sql, params } = scopeOf(scope);
  const counting = stores.events.query<{ total: number }>(`SELECT count() AS total FROM errors WHERE ${sql}`, params);
  const picking = which === 'recommended' ? pickRichest(stores, scope) : pickAtEnd(stores, scope, which);
  const [[counted], picked] = await Promise.all([counting, picking]);
  if (!picked) return undefined;
  const { event, newer, older, before } = picked;
  // Events that arrive between the two statements are counted by one of them only.
  const total = Math.max(counted?.total ?? 0, before + 1);
  const position = which === 'oldest' ? 1 : total - before;
  return { ...event, place: { next: newer ?? null, previous: older ?? null, position, total } };
}

interface Picked {
  readonly event: StoredEventWithPayload;
  readonly newer: string | undefined;
  readonly older: string | undefined;
  /** Events newer than it. */
  readonly before: number;
}

async function pickAtEnd(
  stores: EventsStore,
  scope: EventScope,
  which: 'latest' | 'oldest',
): Promise<Picked | undefined> {
  const { sql, params } = scopeOf(scope);
  const order = which === 'latest' ? 'DESC' : 'ASC';
  const [first, beside] = await stores.events.query<RawFoundRow>(
    `SELECT ${foundColumns(stores.events)} FROM errors WHERE ${sql} ORDER BY timestamp ${order}, event_id ${order} LIMIT 2`,
    params,
  );
  const event = first && (await wholeEvent(stores, toFoundRow(first)));
  if (!event) return undefined;
  return which === 'latest'
    ? { event, newer: undefined, older: beside?.event_id, before: 0 }
    : { event, newer: beside?.event_id, older: undefined, before: 0 };
}

async function pickRichest(stores: EventsStore, scope: EventScope): Promise<Picked | undefined> {
  const { sql, params } = scopeOf(scope);
  const keys = await stores.events.query<PickedKey>(
    `SELECT event_id AS id, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at, ${richnessSql} AS score,
       notEmpty(missing_scripts) AS unmapped
     FROM errors WHERE ${sql} ORDER BY timestamp DESC, event_id DESC LIMIT {newest:UInt32}`,
    { ...params, newest: richestOf + 1 },
  );
  const newest = keys.slice(0, richestOf);
  const best = Math.max(...newest.map((key) => key.score));
  const index = newest.findIndex((key) => key.score === best);
  const key = newest[index];
  if (!key) return undefined;
  const revising = key.unmapped ? findRevision(stores, scope.projectId, key.id) : undefined;
  const [row] = await Promise.all([findRow(stores, [scope.projectId], key.id, [key.hash], key.at), revising]);
  const event = row && (await wholeEvent(stores, row, revising));
  return event && { event, newer: keys[index - 1]?.id, older: keys[index + 1]?.id, before: index };
}

export interface EventPlace {
  readonly next: string | null;
  readonly previous: string | null;
  /** The oldest is 1; null when the event is not within the filter. */
  readonly position: number | null;
  readonly total: number;
}

/**
 * Where an event stands among the others of the scope, by time, events of one millisecond by id. One query that reads
 * times and ids of all of them: planning several that each read little costs more.
 */
export async function placeOf(
  { events }: EventsStore,
  scope: EventScope,
  event: Pick<StoredEvent, 'timestamp' | 'event_id'> & Pick<PickedEvent, 'place'>,
): Promise<EventPlace> {
  if (event.place) return event.place;
  const groups = groupsOf(scope);
  const standing = groups && events.index?.standing(groups, { at: event.timestamp, id: event.event_id });
  if (standing) {
    const { total, before, next = null, previous = null } = standing;
    return { next, previous, position: before + 1, total };
  }
  const { sql, params } = scopeOf(scope);
  // Pairs are compared as such: comparisons written out take the engine longer to analyse than to make.
  const [row] = await events.query<{ total: number; before: number; here: number; next: string; previous: string }>(
    `WITH (timestamp, event_id) AS place, (${moment('at')}, {id:String}) AS own
     SELECT count() AS total, countIf(place < own) AS before, countIf(place = own) AS here,
       minIf(place, place > own).2 AS next, maxIf(place, place < own).2 AS previous
     FROM errors WHERE ${sql}`,
    { ...params, at: event.timestamp, id: event.event_id },
  );
  const { total = 0, before = 0, here = 0, next = '', previous = '' } = row ?? {};
  return {
    next: before + here < total ? next : null,
    previous: before > 0 ? previous : null,
    position: here > 0 ? before + 1 : null,
    total,
  };
}
