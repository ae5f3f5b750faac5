/** Single events and lists of them. Rows come as the errors table has them, times in ms since the epoch. */
import type { Events } from '../../../ports/events/events.ts';
import type { Cursor, IssueStores, Page } from '../types.ts';
import { amongProjects, inProjects, moment, where, withHashes } from '../../../base/sql.ts';
import {
  type PayloadColumns,
  payloadColumns,
  withoutErased,
  withPayloads,
} from '../../../ports/events/payload-rows.ts';
import { ownColumns } from '../../../process/items/event/own.ts';
import { saidColumns, type SaidColumns } from '../../../process/items/event/rows.ts';
import type { Event as NormalizedEvent } from '../../../process/steps/event.ts';
import { asked, type EventScope, groupsOf, none, scopeOf } from './event-scope.ts';
import { refuseExpensive } from './expensive.ts';
import type { SeenEnvironment } from './known-environments.ts';
import { readByKeys } from './few.ts';
import { findIndexed } from './indexed.ts';

export type EventsStore = Pick<IssueStores, 'events'>;

export interface StoredEvent {
  readonly project_id: number;
  readonly group_hash: string;
  readonly group_hashes: readonly string[];
  readonly grouping_version: string;
  readonly timestamp: number;
  readonly received_at: number;
  readonly event_id: string;
  readonly level: string;
  readonly platform: string;
  readonly environment: string;
  readonly release: string;
  readonly dist: string;
  readonly transaction: string;
  readonly title: string;
  readonly culprit: string;
  readonly message: string;
  readonly error_type: string;
  readonly error_value: string;
  /** '' for errors and messages. */
  readonly issue_type: string;
  readonly handled: 0 | 1 | null;
  readonly mechanism: string;
  readonly user: string;
  readonly user_id: string;
  readonly user_email: string;
  readonly user_username: string;
  readonly user_ip: string;
  readonly digest: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly sdk_name: string;
  readonly sdk_version: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Scripts that its frames waited for when it was stored. */
  readonly missing_scripts: readonly string[];
}

export interface StoredEventWithPayload extends StoredEvent {
  /** JSON text. */
  readonly payload: string;
}

export const columns = `project_id, group_hash, group_hashes, grouping_version, toUnixTimestamp64Milli(timestamp) AS at,
  toUnixTimestamp64Milli(received_at) AS received, event_id, level, platform, environment, release, dist, transaction,
  title, culprit, message, error_type, error_value, issue_type, handled, mechanism, user, user_id, user_email, user_username,
  user_ip, digest, trace_id, span_id, sdk_name, sdk_version, tags, missing_scripts`;

/** An event of a list: a row has more, and each further column is a file to open. */
export type ListedEvent = Omit<
  StoredEvent,
  | 'group_hashes'
  | 'grouping_version'
  | 'received_at'
  | 'error_value'
  | 'span_id'
  | 'sdk_name'
  | 'sdk_version'
  | 'missing_scripts'
>;

const listedColumns = `project_id, group_hash, toUnixTimestamp64Milli(timestamp) AS at, event_id, level, platform, environment,
  release, dist, transaction, title, culprit, message, error_type, issue_type, handled, mechanism, user, user_id, user_email,
  user_username, user_ip, digest, trace_id, tags`;

export type RawEvent = Omit<StoredEvent, 'timestamp' | 'received_at'> & {
  readonly at: number;
  readonly received: number;
};

export const toEvent = <Row extends RawEvent>({
  at,
  received,
  ...row
}: Row): Omit<Row, 'at' | 'received'> & StoredEvent => ({
  ...row,
  timestamp: at,
  received_at: received,
});

/**
 * Newest first unless asked otherwise. The cursor's value is the time of the last row, its offset how many rows of that
 * time have been given out. Keys are chosen first and rows read for those only: a row is a hundred times as large as its
 * key.
 */
export async function listEvents(
  { events }: EventsStore,
  scope: EventScope,
  { cursor, limit, oldestFirst = false }: { cursor?: Cursor | undefined; limit: number; oldestFirst?: boolean },
): Promise<Page<ListedEvent>> {
  if (!scope.hashes)
    await refuseExpensive({ events }, asked(scope.root), {
      ...scope,
      projectIds: [scope.projectId],
      environments: scope.environments ?? [],
      range: scope.range,
    });
  const backwards = cursor?.previous ?? false;
  const wanted = { cursor, limit: limit + 1, ascending: backwards !== oldestFirst };
  const indexed = indexedKeys(events, scope, wanted);
  const keys = indexed.length ? indexed : await listKeys(events, scope, wanted);
  const more = keys.length > limit;
  const page = keys.slice(0, limit);
  if (backwards) page.reverse();
  const few = indexed.length ? await readByKeys(events, scope.projectId, page) : undefined;
  const rows = few ?? (await readRows(events, scope.projectId, page));
  const onward = (edge: 'first' | 'last'): Cursor | undefined => {
    const ordered = edge === 'last' ? page : page.toReversed();
    const at = ordered.at(-1)?.at;
    if (at === undefined) return undefined;
    const same = page.filter((key) => key.at === at).length;
    const before = cursor && cursor.previous === (edge === 'first') && cursor.value === at ? cursor.offset : 0;
    return { value: at, offset: same + before, previous: edge === 'first' };
  };
  return {
    rows,
    next: backwards || more ? onward('last') : undefined,
    previous: backwards ? (more ? onward('first') : undefined) : cursor ? onward('first') : undefined,
  };
}

export interface EventKey {
  readonly hash: string;
  readonly id: string;
  readonly at: number;
}

interface WantedKeys {
  readonly cursor: Cursor | undefined;
  readonly limit: number;
  readonly ascending: boolean;
}

/** Of the first page of a whole issue; none where the engine is to be asked. */
function indexedKeys(
  { index }: EventsStore['events'],
  scope: EventScope,
  { cursor, limit, ascending }: WantedKeys,
): readonly EventKey[] {
  const groups = cursor ? undefined : groupsOf(scope);
  const ends = groups && (ascending ? index?.oldest(groups, limit) : index?.newest(groups, limit));
  return ends ?? [];
}

/** Events of a project are not ordered by time, so the last hours are tried before all of them are read. */
const windowsMs = [6 * 3_600_000, 7 * 86_400_000];

async function listKeys(
  events: EventsStore['events'],
  scope: EventScope,
  { cursor, limit, ascending }: WantedKeys,
): Promise<readonly EventKey[]> {
  const { sql, params } = scopeOf(scope);
  const from = cursor ? ` AND timestamp ${ascending ? '>=' : '<='} ${moment('from')}` : '';
  const order = ascending ? 'ASC' : 'DESC';
  const ask = (window = '', more: Readonly<Record<string, unknown>> = {}): Promise<EventKey[]> =>
    events.query<EventKey>(
      `SELECT group_hash AS hash, event_id AS id, toUnixTimestamp64Milli(timestamp) AS at FROM errors
       WHERE ${sql}${from}${window}
       ORDER BY timestamp ${order}, event_id ${order} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { ...params, ...(cursor ? { from: cursor.value } : {}), limit, offset: cursor?.offset ?? 0, ...more },
    );
  const anchor = cursor?.value ?? (ascending ? undefined : scope.nowMs);
  for (const length of scope.hashes ? [] : windowsMs) {
    if (anchor === undefined) break;
    const edge = ascending ? anchor + length : anchor - length;
    const keys = await ask(` AND timestamp ${ascending ? '<=' : '>='} ${moment('edge')}`, { edge });
    if (keys.length === limit) return keys;
  }
  return ask();
}

async function readRows(
  events: EventsStore['events'],
  projectId: number,
  keys: readonly EventKey[],
): Promise<ListedEvent[]> {
  if (!keys.length) return [];
  const times = keys.map((key) => key.at);
  const rows = await events.query<Omit<ListedEvent, 'timestamp'> & { readonly at: number }>(
    `SELECT ${listedColumns} FROM errors
     WHERE project_id = {project:UInt64} AND group_hash IN {hashes:Array(String)} AND event_id IN {ids:Array(String)}
       AND timestamp >= ${moment('rangeStart')} AND timestamp <= ${moment('rangeEnd')}`,
    {
      project: projectId,
      hashes: [...new Set(keys.map((key) => key.hash))],
      ids: keys.map((key) => key.id),
      rangeStart: Math.min(...times),
      rangeEnd: Math.max(...times),
    },
  );
  const byKey = new Map(rows.map(({ at, ...row }) => [`${row.event_id}:${at}`, { ...row, timestamp: at }]));
  return keys.flatMap((key) => byKey.get(`${key.id}:${key.at}`) ?? []);
}

/** 32 hex digits in lower case, or undefined for what is no event id. */
export function normalizeEventId(text: string): string | undefined {
  const id = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined;
}

/** Of a row what its payload does not say. */
const telling = ownColumns
  .map((name) => {
    if (name === 'timestamp') return 'toUnixTimestamp64Milli(timestamp) AS at';
    return name === 'received_at' ? 'toUnixTimestamp64Milli(received_at) AS received' : name;
  })
  .join(', ');

/** A row as it is found: all of it only where payloads are in their rows. */
export type FoundRow = Omit<StoredEvent, keyof SaidColumns> & Partial<SaidColumns> & PayloadColumns;

/** What `toFoundRow` is given: a column costs more to plan and to open than to read. */
export const foundColumns = ({ payloads }: Pick<Events, 'payloads'>): string =>
  `${payloads ? telling : columns}, ${payloadColumns}`;

export type RawFoundRow = Omit<FoundRow, 'timestamp' | 'received_at'> & Pick<RawEvent, 'at' | 'received'>;

export const toFoundRow = ({ at, received, ...row }: RawFoundRow): FoundRow => ({
  ...row,
  timestamp: at,
  received_at: received,
});

/** By id, in any of the projects; what else is known of it makes it cheaper to find. */
type ById = readonly [projectIds: readonly number[], eventId: string, hashes?: readonly string[], atMs?: number];

export async function findRow(
  { events }: EventsStore,
  ...[projectIds, eventId, hashes, atMs]: ById
): Promise<FoundRow | undefined> {
  const id = normalizeEventId(eventId);
  if (!id || !projectIds.length) return undefined;
  const indexed = await findIndexed(events, projectIds, id, hashes, atMs);
  if (indexed) return indexed;
  const at = atMs === undefined ? none : { conditions: [`timestamp = ${moment('at')}`], params: { at: atMs } };
  // Hashes are looked up by the sort key, an id alone by its skip index.
  const scope = where(...(hashes ? [inProjects(projectIds), withHashes(hashes)] : [amongProjects(projectIds)]), at);
  const [row] = await events.query<RawFoundRow>(
    `SELECT ${foundColumns(events)} FROM errors WHERE ${scope.sql} AND event_id = {id:String} LIMIT 1`,
    { ...scope.params, id },
  );
  return row && toFoundRow(row);
}

/** Undefined for what is being deleted just now. `revision`: where it is known already. */
export async function wholeEvent(
  { events }: EventsStore,
  row: FoundRow,
  revision: Promise<Revision | undefined> | Revision | undefined = row.missing_scripts.length
    ? findRevision({ events }, row.project_id, row.event_id)
    : undefined,
): Promise<StoredEventWithPayload | undefined> {
  const [stored, revised] = await Promise.all([storedEvent({ events }, row), revision]);
  return stored && { ...stored, ...revised };
}

async function storedEvent({ events }: EventsStore, row: FoundRow): Promise<StoredEventWithPayload | undefined> {
  const isInSegment = row.payload === '' && row.payload_segment !== 0;
  if (!isWhole(row) && !(isInSegment && row.issue_type === '')) return readWhole({ events }, row);
  const [found] = await withPayloads(events, [row]);
  // Processing wrote both.
  return found && (isWhole(found) ? found : { ...found, ...saidColumns(JSON.parse(found.payload) as NormalizedEvent) });
}

const isWhole = <Row extends Partial<SaidColumns>>(row: Row): row is Row & SaidColumns => row.tags !== undefined;

/** Problems of performance, and events whose payload was not carried over yet. */
async function readWhole(
  { events }: EventsStore,
  { project_id, group_hash, event_id, timestamp }: FoundRow,
): Promise<StoredEventWithPayload | undefined> {
  const rows = await events.query<RawEvent & PayloadColumns>(
    `SELECT ${columns}, ${payloadColumns} FROM errors
     WHERE project_id = {project:UInt64} AND group_hash = {hash:String} AND timestamp = ${moment('at')}
       AND event_id = {id:String} LIMIT 1`,
    { project: project_id, hash: group_hash, at: timestamp, id: event_id },
  );
  const [row] = await withPayloads(events, rows);
  return row && toEvent(row);
}

export async function findEvent(stores: EventsStore, ...which: ById): Promise<StoredEventWithPayload | undefined> {
  const row = await findRow(stores, ...which);
  return row && wholeEvent(stores, row);
}

/** Where an event belongs. */
export type EventOwner = Pick<StoredEvent, 'project_id' | 'group_hash' | 'event_id'>;

/** By id, in any of the projects. */
export async function findOwner(
  { events }: EventsStore,
  projectIds: readonly number[],
  eventId: string,
): Promise<EventOwner | undefined> {
  const id = normalizeEventId(eventId);
  if (!id || !projectIds.length) return undefined;
  const indexed = await findIndexed(events, projectIds, id);
  if (indexed) return indexed;
  const scope = where(amongProjects(projectIds));
  const rows = await events.query<EventOwner & Omit<PayloadColumns, 'payload'>>(
    `SELECT project_id, group_hash, event_id, payload_segment, payload_ordinal FROM errors
     WHERE ${scope.sql} AND event_id = {id:String} LIMIT 1`,
    { ...scope.params, id },
  );
  const [row] = await withoutErased(events, rows);
  return row;
}

/** By id, in any of the projects: JSON text. */
export async function findPayload(
  { events }: EventsStore,
  projectIds: readonly number[],
  eventId: string,
): Promise<string | undefined> {
  const id = normalizeEventId(eventId);
  if (!id || !projectIds.length) return undefined;
  const indexed = await findIndexed(events, projectIds, id);
  if (indexed) return (await wholeEvent({ events }, indexed))?.payload;
  const scope = where(amongProjects(projectIds));
  const rows = await events.query<{ readonly project_id: number; readonly unmapped: number } & PayloadColumns>(
    `SELECT project_id, notEmpty(missing_scripts) AS unmapped, ${payloadColumns} FROM errors
     WHERE ${scope.sql} AND event_id = {id:String} LIMIT 1`,
    { ...scope.params, id },
  );
  const [revised, [row]] = await Promise.all([
    rows[0]?.unmapped ? findRevision({ events }, rows[0].project_id, id) : undefined,
    withPayloads(events, rows),
  ]);
  return row && (revised?.payload ?? row.payload);
}

export type Revision = Pick<StoredEventWithPayload, 'title' | 'culprit' | 'payload'>;

/** As the event was symbolicated last, where it was again after it was stored. */
export async function findRevision(
  { events }: EventsStore,
  projectId: number,
  eventId: string,
): Promise<Revision | undefined> {
  if (events.index?.mayBeRevised(projectId) === false) return undefined;
  const [revision] = await events.query<Revision>(
    `SELECT title, culprit, payload FROM revisions
     WHERE project_id = {project:UInt64} AND event_id = {event:String} ORDER BY revised_at DESC LIMIT 1`,
    { project: projectId, event: eventId },
  );
  return revision;
}

/** Names of environments with the time of their last event, those that were deployed to first, then the busiest. */
export async function listEnvironments(
  { events, known }: Pick<IssueStores, 'events' | 'known'>,
  { projectIds, deployed }: { readonly projectIds: readonly number[]; readonly deployed: readonly string[] },
): Promise<readonly SeenEnvironment[]> {
  if (!projectIds.length) return [];
  const scope = where(inProjects(projectIds));
  const read = (): Promise<SeenEnvironment[]> =>
    events.query<SeenEnvironment>(
      `SELECT environment AS name, toUnixTimestamp(max(start)) * 1000 AS lastSeen FROM issue_ranks
       WHERE ${scope.sql} AND days = 1 GROUP BY environment
       ORDER BY environment IN {deployed:Array(String)} DESC, sum(events) DESC, environment LIMIT 1000`,
      { ...scope.params, deployed },
    );
  return known ? known.environments.ask(projectIds, JSON.stringify(deployed), read) : read();
}
