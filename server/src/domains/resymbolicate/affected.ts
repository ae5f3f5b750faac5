/** Which stored events a job is about, and their payloads. */
import { type PayloadColumns, payloadColumns, withPayloads } from '../../ports/events/payload-rows.ts';
import type { Events } from '../../ports/events/events.ts';
import type { Job } from './jobs.ts';

/** Enough to find the row by the sort key. */
export interface EventKey {
  readonly id: string;
  readonly hash: string;
  /** ms since the epoch. */
  readonly at: number;
}

export interface AffectedEvent extends EventKey {
  readonly version: string;
  readonly title: string;
  readonly culprit: string;
  readonly payload: string;
}

/** More ids than this are not compared; then every event that waits for anything is looked at. */
const maxIds = 2_000;

/** The newest first, at most `limit`. */
export async function affectedEvents(
  events: Events,
  { projectId, wanted }: Job,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<EventKey[]> {
  const { debugIds = [], release = '', dist = '', eventId = '' } = wanted;
  const byId = debugIds.length > maxIds ? 'notEmpty(missing_scripts)' : 'hasAny(missing_scripts, {ids:Array(String)})';
  const ofRelease = `release = {release:String} AND ({dist:String} = '' OR dist = {dist:String})
    AND arrayExists(script -> startsWith(script, '~'), missing_scripts)`;
  const conditions = [
    ...(debugIds.length ? [byId] : []),
    ...(release === '' ? [] : [`(${ofRelease})`]),
    ...(eventId === '' ? [] : ['event_id = {event:String}']),
  ];
  if (!conditions.length) return [];
  return events.query<EventKey>(
    `SELECT event_id AS id, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at FROM errors
     WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
       AND (${conditions.join(' OR ')})
     ORDER BY timestamp DESC, event_id DESC LIMIT {limit:UInt32}`,
    {
      project: projectId,
      since: eventId === '' ? sinceMs : 0,
      limit,
      release,
      dist,
      event: eventId,
      ids: debugIds.length > maxIds ? [] : debugIds,
    },
    { maxExecutionSeconds: 120 },
  );
}

/** In the order of the keys; those that are gone meanwhile are left out. Each as it was symbolicated last. */
export async function readEvents(
  events: Events,
  projectId: number,
  keys: readonly EventKey[],
): Promise<AffectedEvent[]> {
  const ids = keys.map(({ id }) => id);
  const [rows, revisions] = await Promise.all([
    events.query<AffectedEvent & PayloadColumns>(
      `SELECT event_id AS id, group_hash AS hash, grouping_version AS version, title, culprit, ${payloadColumns},
         toUnixTimestamp64Milli(timestamp) AS at FROM errors
       WHERE project_id = {project:UInt64} AND group_hash IN {hashes:Array(String)}
         AND timestamp IN arrayMap(at -> fromUnixTimestamp64Milli(at), {times:Array(Int64)})
         AND event_id IN {ids:Array(String)}`,
      {
        project: projectId,
        hashes: [...new Set(keys.map(({ hash }) => hash))],
        times: [...new Set(keys.map(({ at }) => at))],
        ids,
      },
    ),
    events.query<{ id: string; payload: string }>(
      `SELECT event_id AS id, argMax(payload, revised_at) AS payload FROM revisions
       WHERE project_id = {project:UInt64} AND event_id IN {ids:Array(String)} GROUP BY event_id`,
      { project: projectId, ids },
    ),
  ]);
  const revised = new Map(revisions.map(({ id, payload }) => [id, payload]));
  const byId = new Map((await withPayloads(events, rows)).map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [{ ...row, payload: revised.get(id) ?? row.payload }] : [];
  });
}
