/** Conditions that all queries over events share: which projects, hashes, environments and times. */
import type { TimeRange } from '../../search/index.ts';

export interface SqlPart {
  readonly conditions: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

export const moment = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;

export function where(...parts: readonly SqlPart[]): { sql: string; params: Record<string, unknown> } {
  const conditions = parts.flatMap((part) => part.conditions);
  return {
    sql: conditions.length ? conditions.join(' AND ') : '1',
    params: Object.assign({}, ...parts.map((part) => part.params)) as Record<string, unknown>,
  };
}

// One value is compared rather than looked up in a set: then the rest of the sort key is known to be in order.

export const inProjects = (projectIds: readonly number[]): SqlPart =>
  projectIds.length === 1
    ? { conditions: ['project_id = {project:UInt64}'], params: { project: projectIds[0] } }
    : { conditions: ['project_id IN {projects:Array(UInt64)}'], params: { projects: projectIds } };

export const withHashes = (hashes: readonly string[]): SqlPart =>
  hashes.length === 1
    ? { conditions: ['group_hash = {hash:String}'], params: { hash: hashes[0] } }
    : { conditions: ['group_hash IN {hashes:Array(String)}'], params: { hashes } };

export const inEnvironments = (environments: readonly string[]): SqlPart =>
  environments.length
    ? { conditions: ['environment IN {environments:Array(String)}'], params: { environments } }
    : { conditions: [], params: {} };

/** Over a DateTime64 column; undefined range: all times. */
export function during(range: TimeRange | undefined, column = 'timestamp'): SqlPart {
  if (!range) return { conditions: [], params: {} };
  return {
    conditions: [`${column} >= ${moment('rangeStart')}`, ...(range.open ? [] : [`${column} < ${moment('rangeEnd')}`])],
    params: { rangeStart: range.startMs, ...(range.open ? {} : { rangeEnd: range.endMs }) },
  };
}

/** Index of the bucket as ClickHouse text; what lies behind the end of an open range belongs to the last one. */
export const bucketIndex = (range: TimeRange, millis: string): string =>
  `toUInt32(greatest(0, least(${range.buckets - 1}, intDiv(${millis} - ${range.startMs}, ${range.bucketMs}))))`;
