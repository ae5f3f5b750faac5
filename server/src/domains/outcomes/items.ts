/** Items that were kept as they came. */
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import type { TimeRange } from '../../base/time-range.ts';

export interface KeptItem {
  /** `project-milliseconds-hash`: enough to find the row again, which has no id of its own. */
  readonly id: string;
  readonly projectId: number;
  readonly receivedAt: number;
  readonly type: string;
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
  readonly detail: string;
  readonly eventId: string;
  readonly sizeBytes: number;
}

export interface KeptItemDetail extends KeptItem {
  /** JSON text. */
  readonly headers: string;
  readonly payload: string;
  readonly blobKey: string;
}

export interface ItemsRequest {
  readonly projectIds: readonly number[];
  readonly range: TimeRange;
  readonly type?: string | undefined;
  readonly outcome?: string | undefined;
  readonly reason?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

const idPattern = /^(\d{1,9})-(\d{1,15})-([0-9a-f]{16})$/;
const rowHash =
  'lower(hex(sipHash64(item_type, category, outcome, reason, detail, event_id, headers, size_bytes, blob_key)))';
const columns = `project_id AS projectId, toUnixTimestamp64Milli(received_at) AS receivedAt, item_type AS type, category,
  outcome, reason, detail, event_id AS eventId, size_bytes AS sizeBytes, ${rowHash} AS hash`;

type Row = Omit<KeptItem, 'id'> & { readonly hash: string };

const withId = <T extends Row>({ hash, ...row }: T): Omit<T, 'hash'> & { id: string } => ({
  ...row,
  id: `${row.projectId}-${row.receivedAt}-${hash}`,
});

/** Newest first. */
export async function listItems(events: Events, request: ItemsRequest): Promise<KeptItem[]> {
  if (!request.projectIds.length) return [];
  const conditions = [
    'project_id IN {projects:Array(UInt64)}',
    "received_at >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')",
    ...(request.range.open ? [] : ["received_at < fromUnixTimestamp64Milli({end:Int64}, 'UTC')"]),
    ...(request.type === undefined ? [] : ['item_type = {type:String}']),
    ...(request.outcome === undefined ? [] : ['outcome = {outcome:String}']),
    ...(request.reason === undefined ? [] : ['reason = {reason:String}']),
  ];
  const rows = await events.query<Row>(
    `SELECT ${columns} FROM items WHERE ${conditions.join(' AND ')}
     ORDER BY received_at DESC, hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    {
      projects: request.projectIds,
      start: request.range.startMs,
      end: request.range.endMs,
      type: request.type ?? '',
      outcome: request.outcome ?? '',
      reason: request.reason ?? '',
      limit: request.limit,
      offset: request.offset,
    },
  );
  return rows.map(withId);
}

/** Undefined for an id that is none, or names no item of these projects. */
export async function findItem(
  events: Events,
  projectIds: readonly number[],
  id: string,
): Promise<KeptItemDetail | undefined> {
  const [, project, receivedAt, hash] = idPattern.exec(id) ?? [];
  if (!hash || !projectIds.includes(Number(project))) return undefined;
  const [row] = await events.query<Row & Pick<KeptItemDetail, 'headers' | 'payload' | 'blobKey'>>(
    `SELECT ${columns}, headers, payload, blob_key AS blobKey FROM items
     WHERE project_id = {project:UInt64} AND received_at = fromUnixTimestamp64Milli({receivedAt:Int64}, 'UTC')
       AND hash = {hash:String} LIMIT 1`,
    { project: Number(project), receivedAt: Number(receivedAt), hash },
  );
  return row && withId(row);
}

/** Of the row alone, once this resolves; a blob of it stays. */
export async function deleteItem(events: Events, projectId: number, id: string): Promise<void> {
  const [, project, receivedAt, hash] = idPattern.exec(id) ?? [];
  if (!hash || Number(project) !== projectId) return;
  await events.command(
    `ALTER TABLE items${layoutOf(events.address).onCluster} DELETE WHERE project_id = {project:UInt64}
       AND received_at = fromUnixTimestamp64Milli({receivedAt:Int64}, 'UTC') AND ${rowHash} = {hash:String}
     SETTINGS mutations_sync = 2`,
    { project: projectId, receivedAt: Number(receivedAt), hash },
  );
}

/** Those that came with an event, in the order in which they came; at most 100. */
export async function itemsOfEvent(
  events: Events,
  projectId: number,
  eventId: string,
  type: string,
): Promise<(KeptItem & { readonly headers: string })[]> {
  const rows = await events.query<Row & { readonly headers: string }>(
    `SELECT ${columns}, headers FROM items
     WHERE project_id = {project:UInt64} AND item_type = {type:String} AND event_id = {event:String}
     ORDER BY received_at, hash LIMIT 100`,
    { project: projectId, type, event: eventId },
  );
  return rows.map(withId);
}

/** Types of the last 90 days that this version does not know. */
export function unknownItemTypes(
  events: Events,
  projectIds: readonly number[],
): Promise<{ type: string; count: number; lastSeen: number }[]> {
  if (!projectIds.length) return Promise.resolve([]);
  return events.query(
    `SELECT item_type AS type, count() AS count, toUnixTimestamp64Milli(max(received_at)) AS lastSeen FROM items
     WHERE project_id IN {projects:Array(UInt64)} AND reason = 'unknown_type'
     GROUP BY item_type ORDER BY count DESC LIMIT 100`,
    { projects: projectIds },
  );
}
