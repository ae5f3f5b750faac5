/** Which stored events stand for all of the last days. */
import type { Events } from '../../ports/events/events.ts';
import { twinVersion } from '../../process/steps/twin.ts';
import type { EventKey } from '../resymbolicate/index.ts';

export interface Sample {
  readonly keys: readonly EventKey[];
  /** Stored events of the time, by hash. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whether there were more than are in the sample. */
  readonly sampled: boolean;
}

export interface SampleRequest {
  readonly projectId: number;
  /** ms since the epoch. */
  readonly sinceMs: number;
  /** Events. */
  readonly limit: number;
}

/** More of one hash say nothing new: events of a hash differ in what grouping does not look at. */
const maxPerHash = 20;

/**
 * The newest events of each hash, of the busiest hashes where there are too many. Performance problems and browsers'
 * views of a failure elsewhere are grouped in ways of their own and left out.
 */
export async function sampleEvents(events: Events, { projectId, sinceMs, limit }: SampleRequest): Promise<Sample> {
  const params = { project: projectId, since: sinceMs, limit };
  const options = { maxExecutionSeconds: 120 };
  const hashes = await events.query<{ hash: string; n: number }>(
    `SELECT group_hash AS hash, sum(events) AS n FROM issue_hours
     WHERE project_id = {project:UInt64} AND hour >= toStartOfHour(fromUnixTimestamp64Milli({since:Int64}, 'UTC'))
     GROUP BY group_hash ORDER BY n DESC, hash LIMIT {limit:UInt32}`,
    params,
    options,
  );
  if (!hashes.length) return { keys: [], counts: new Map(), sampled: false };
  const all = hashes.length < limit;
  const perHash = Math.max(1, Math.min(maxPerHash, Math.floor(limit / hashes.length)));
  // In the order of the sort key, backwards: then the newest of each hash come first and nothing is sorted.
  const keys = await events.query<EventKey>(
    `SELECT event_id AS id, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at FROM errors
     WHERE project_id = {project:UInt64} AND timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
       AND issue_type = '' AND grouping_version != '${twinVersion}' ${all ? '' : 'AND group_hash IN {hashes:Array(String)}'}
     ORDER BY group_hash DESC, errors.timestamp DESC LIMIT {perHash:UInt32} BY group_hash LIMIT {limit:UInt32}`,
    { ...params, perHash, ...(all ? {} : { hashes: hashes.map(({ hash }) => hash) }) },
    options,
  );
  const counts = new Map(hashes.map(({ hash, n }) => [hash, n]));
  const taken = new Map<string, number>();
  for (const { hash } of keys) taken.set(hash, (taken.get(hash) ?? 0) + 1);
  const sampled = !all || [...taken].some(([hash, n]) => n < (counts.get(hash) ?? 0));
  return { keys, counts, sampled };
}
