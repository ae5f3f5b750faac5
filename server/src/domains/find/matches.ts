/**
 * Events as Find looks at them: few columns, by digest or id, straight from the skip indexes. Each is one flat
 * statement, for planning one costs more than reading what it finds.
 */
import { eventsCount, partSpread, type PartSpread } from '../search/index.ts';
import type { Events } from '../../ports/events/events.ts';
import { amongProjects, during, inProjects, type SqlPart, where } from '../../base/sql.ts';
import { steadyMs } from '../../base/steady.ts';
import { isMasked } from '../../process/steps/masked.ts';
import { type Side, twinVersion } from '../../process/steps/twin.ts';
import type { TimeRange } from '../../base/time-range.ts';
import type { TimeSpan } from '../../ports/event-index/event-index.ts';
import type { Place } from '../../ports/payloads/payloads.ts';
import { hostName } from './address.ts';

export interface Match {
  readonly projectId: number;
  readonly hash: string;
  readonly eventId: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly side: Side;
  /** A view of a failure on the server, by a browser or by a server that had masked it already: it says nothing of the cause. */
  readonly twin: boolean;
  readonly title: string;
  readonly environment: string;
  readonly release: string;
  readonly transaction: string;
  readonly digest: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly url: string;
  /** Of the URL, without its port; '' for none. */
  readonly host: string;
  /** What tells the framework; '' and false where that was not asked for. */
  readonly sdk: string;
  readonly sdkVersion: string;
  readonly turbopack: boolean;
  /** What its row says of the exception that it is named after. */
  readonly main: { readonly type: string; readonly value: string };
  /** Where its payload lies; undefined where that is in its row. */
  readonly place: Place | undefined;
  /** It may have been symbolicated again after it was stored. */
  readonly unmapped: boolean;
  /** JSON text, as it was stored, where it was read along. */
  readonly payload?: string | undefined;
}

/** The same condition as `sideOf` of processing, on columns. */
export const onServer = `(platform != 'javascript' OR tags['runtime.name'] != '')`;

const columns = ({
  sdk,
  payload,
}: Pick<
  MatchScope,
  'sdk' | 'payload'
>): string => `project_id, group_hash, event_id, toUnixTimestamp64Milli(timestamp) AS at, ${onServer} AS server,
  grouping_version, title, error_type, error_value, environment, release, transaction, digest, trace_id, span_id, tags['url'] AS url,
  payload_segment, payload_ordinal, notEmpty(missing_scripts) AS unmapped${
    sdk ? `, sdk_name, sdk_version, tags['turbopack'] AS turbopack` : ''
  }${payload ? ', payload' : ''}`;

export interface MatchRow {
  readonly project_id: number;
  readonly group_hash: string;
  readonly event_id: string;
  readonly at: number;
  readonly server: number;
  readonly grouping_version: string;
  readonly title: string;
  readonly error_type: string;
  readonly error_value: string;
  readonly environment: string;
  readonly release: string;
  readonly transaction: string;
  readonly digest: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly url: string;
  readonly payload_segment: number;
  readonly payload_ordinal: number;
  readonly unmapped: number;
  readonly sdk_name?: string;
  readonly sdk_version?: string;
  readonly turbopack?: string | undefined;
  readonly payload?: string;
}

export const toMatch = (row: MatchRow): Match => {
  const server = row.server === 1;
  return {
    projectId: row.project_id,
    hash: row.group_hash,
    eventId: row.event_id,
    at: row.at,
    side: server ? 'server' : 'browser',
    twin: (!server && row.digest !== '') || row.grouping_version === twinVersion || isMasked(row.error_value),
    title: row.title,
    environment: row.environment,
    release: row.release,
    transaction: row.transaction,
    digest: row.digest,
    traceId: row.trace_id,
    spanId: row.span_id,
    url: row.url,
    host: row.url === '' ? '' : (hostName(row.url) ?? ''),
    sdk: row.sdk_name ?? '',
    sdkVersion: row.sdk_version ?? '',
    turbopack: !['', 'false'].includes(row.turbopack ?? ''),
    main: { type: row.error_type, value: row.error_value },
    place: row.payload_segment === 0 ? undefined : { segment: row.payload_segment, ordinal: row.payload_ordinal },
    unmapped: row.unmapped === 1,
    // In the row of an event that lies elsewhere it is empty.
    payload: row.payload || undefined,
  };
};

export interface MatchScope {
  readonly projectIds: readonly number[];
  readonly range?: TimeRange | undefined;
  /** Whether the condition names hashes, so that the sort key leads to the rows. */
  readonly keyed?: boolean;
  /** Whether to read what tells the framework, too: each column costs. */
  readonly sdk?: boolean;
  /** Whether to read payloads that are in their rows. */
  readonly payload?: boolean;
}

/** Newest first. */
export async function findMatches(
  events: Events,
  scope: MatchScope,
  condition: SqlPart,
  limit: number,
): Promise<Match[]> {
  if (!scope.projectIds.length) return [];
  const { sql, params } = where(
    (scope.keyed ? inProjects : amongProjects)(scope.projectIds),
    during(scope.range),
    condition,
  );
  const rows = await events.query<MatchRow>(
    `SELECT ${columns(scope)} FROM errors WHERE ${sql}
     ORDER BY timestamp DESC, event_id DESC LIMIT {limit:UInt32}`,
    { ...params, limit },
  );
  return rows.map(toMatch);
}

export const withDigest = (digest: string): SqlPart => ({
  conditions: ['digest = {digest:String}'],
  params: { digest },
});

export const withEventId = (eventId: string): SqlPart => ({
  conditions: ['event_id = {eventId:String}'],
  params: { eventId },
});

/** Performance problems are events too; who looks for a failure does not mean them. */
const isError: SqlPart = { conditions: [`issue_type = ''`], params: {} };

export const inTraces = (traceIds: readonly string[], times?: TimeSpan): SqlPart => {
  const [only] = traceIds;
  const traces =
    traceIds.length === 1
      ? { conditions: ['trace_id = {traceId:String}'], params: { traceId: only } }
      : { conditions: ['trace_id IN {traceIds:Array(String)}'], params: { traceIds } };
  return times ? both(both(traces, isError), between(times)) : both(traces, isError);
};

/** Rows are not in the order of time, but weeks lie apart. */
export const between = (span: TimeSpan): SqlPart => ({
  conditions: [
    `timestamp >= fromUnixTimestamp64Milli({spanFrom:Int64}, 'UTC')`,
    `timestamp <= fromUnixTimestamp64Milli({spanUntil:Int64}, 'UTC')`,
  ],
  params: { spanFrom: span.from, spanUntil: span.until },
});

export const both = (a: SqlPart, b: SqlPart): SqlPart => ({
  conditions: [...a.conditions, ...b.conditions],
  params: { ...a.params, ...b.params },
});

/** Spans have no index of their own in this table: to be used within a range. */
export const withSpan = (spanId: string): SqlPart =>
  both({ conditions: ['span_id = {spanId:String}'], params: { spanId } }, isError);

/** Those events of the hashes that happened at one of the times, of which there is at least one: the sort key finds them. */
export const ofHashesAt = (hashes: readonly string[], times: readonly number[]): SqlPart =>
  both(
    both(
      {
        conditions: [
          'group_hash IN {hashes:Array(String)}',
          `timestamp IN arrayMap(ms -> fromUnixTimestamp64Milli(ms, 'UTC'), {times:Array(Int64)})`,
        ],
        params: { hashes, times },
      },
      isError,
    ),
    between({ from: Math.min(...times), until: Math.max(...times) }),
  );

/** For each set of projects when an event was that has a digest, and when it was looked for. */
const tagged = new WeakMap<Events, Map<string, { readonly at: number; readonly readAt: number }>>();
const mostTagged = 1_000;
/** Events are deleted, too. */
const rememberedMs = 600_000;

/** Whether any event since then has a digest, or had a while ago. */
export async function anyDigest(events: Events, projectIds: readonly number[], sinceMs: number): Promise<boolean> {
  if (!projectIds.length) return false;
  const indexed = events.index?.anyDigest(projectIds, sinceMs);
  if (indexed !== undefined) return indexed;
  const remembered = tagged.get(events) ?? new Map<string, { at: number; readAt: number }>();
  tagged.set(events, remembered);
  const key = projectIds.join();
  const known = remembered.get(key);
  if (known && known.at >= sinceMs && steadyMs() - known.readAt < rememberedMs) return true;
  const { sql, params } = where(amongProjects(projectIds));
  const [found] = await events.query<{ at: number }>(
    `SELECT toUnixTimestamp64Milli(timestamp) AS at FROM errors
     WHERE ${sql} AND digest != '' AND timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') LIMIT 1`,
    { ...params, since: sinceMs },
  );
  if (!found) return false;
  if (remembered.size >= mostTagged) remembered.clear();
  remembered.set(key, { at: found.at, readAt: steadyMs() });
  return true;
}

/** What all events of one hash that match add up to. */
export interface HashTotals extends PartSpread {
  readonly projectId: number;
  readonly hash: string;
  readonly events: number;
  readonly traces: number;
  readonly untraced: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly newestId: string;
  readonly releases: readonly string[];
}

/** For digests with more server events than are looked at one by one, or with some that stand for others; the newest hash first. */
export async function countByHash(events: Events, scope: MatchScope, condition: SqlPart): Promise<HashTotals[]> {
  const { sql, params } = where(amongProjects(scope.projectIds), during(scope.range), condition);
  return events.query<HashTotals>(
    `SELECT project_id AS projectId, group_hash AS hash, ${eventsCount} AS events, uniqExactIf(trace_id, trace_id != '') AS traces,
       countIf(trace_id = '') AS untraced, toUnixTimestamp64Milli(min(timestamp)) AS firstSeen,
       toUnixTimestamp64Milli(max(timestamp)) AS lastSeen, argMax(event_id, (timestamp, event_id)) AS newestId,
       groupUniqArray(10)(release) AS releases, ${partSpread()}
     FROM errors WHERE ${sql} AND ${onServer} GROUP BY project_id, group_hash ORDER BY lastSeen DESC LIMIT 100`,
    params,
  );
}
