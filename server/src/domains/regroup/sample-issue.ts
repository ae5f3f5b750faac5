/** Events that stand for an issue, and those of others that are most like them. */
import type { Events } from '../../ports/events/events.ts';
import { hashesOf, type IssueRow, ownersOfHashes } from '../issues/index.ts';
import type { Event } from '../../process/steps/event.ts';
import { twinVersion } from '../../process/steps/twin.ts';
import type { State } from '../../ports/state/state.ts';
import { type EventKey, readEvents } from '../resymbolicate/index.ts';
import type { Samples } from './suggest.ts';

interface Stores {
  readonly state: State;
  readonly events: Events;
}

const maxOwn = 100;
const maxOthers = 400;
/** How far back other issues are looked at. */
const othersMs = 30 * 86_400_000;

const newest = 'event_id AS id, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at';

export async function sampleIssue({ state, events }: Stores, issue: IssueRow, nowMs: number): Promise<Samples> {
  const hashes = await hashesOf(state, issue.id);
  const scope = { project: issue.projectId, hashes, since: nowMs - othersMs };
  const own = await events.query<EventKey & { type: string }>(
    `SELECT ${newest}, error_type AS type FROM errors
     WHERE project_id = {project:UInt64} AND group_hash IN {hashes:Array(String)} AND grouping_version != '${twinVersion}'
     ORDER BY group_hash DESC, errors.timestamp DESC LIMIT 1 BY group_hash LIMIT ${maxOwn}`,
    scope,
  );
  const types = [...new Set(own.map((key) => key.type))];
  const others = await events.query<EventKey>(
    `SELECT ${newest} FROM errors
     WHERE project_id = {project:UInt64} AND errors.timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
       AND error_type IN {types:Array(String)} AND group_hash NOT IN {hashes:Array(String)}
       AND issue_type = '' AND grouping_version != '${twinVersion}'
     ORDER BY group_hash DESC, errors.timestamp DESC LIMIT 1 BY group_hash LIMIT ${maxOthers}`,
    { ...scope, types },
  );
  const owners = await ownersOfHashes(
    state,
    issue.projectId,
    others.map(({ hash }) => hash),
  );
  const read = (keys: readonly EventKey[]) => readEvents(events, issue.projectId, keys);
  const rows = await read(others);
  return {
    own: (await read(own)).map((row) => JSON.parse(row.payload) as Event),
    others: rows.flatMap((row) => {
      const issueId = owners.get(row.hash);
      return issueId === undefined ? [] : [{ issueId, event: JSON.parse(row.payload) as Event }];
    }),
  };
}
