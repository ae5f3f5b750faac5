/**
 * The tables of a week. `byGroup`: of each group hash its events, in order. `places`: by the last byte of an id, more of it
 * with the place. `byDigest`: of each digest and group the events that have it, in order. All hold many short values of
 * one size under a key, which LMDB lays side by side.
 */
import type { Database, RootDatabase } from 'lmdb';
import { digestedBytes, eventBytes, groupKey, placeBytes, readEvent } from './entries.ts';
import type { GroupEvent, Groups } from './event-index.ts';

type Table = Database<Buffer, Buffer>;

export interface Week {
  readonly week: number;
  readonly byGroup: Table;
  readonly places: Table;
  readonly byDigest: Table;
}

export const tablesOfWeek = 3;

export const openTables = (root: RootDatabase, week: number): Week => ({
  week,
  byGroup: root.openDB<Buffer, Buffer>(tableOptions(`groups ${week}`, eventBytes)),
  places: root.openDB<Buffer, Buffer>(tableOptions(`places ${week}`, placeBytes)),
  byDigest: root.openDB<Buffer, Buffer>(tableOptions(`digests ${week}`, digestedBytes)),
});

/** Values are taken and given as they are; those that are given are the caller's. */
const tableOptions = (name: string, valueBytes: number) => ({
  name,
  encoding: 'binary' as const,
  keyEncoding: 'binary' as const,
  dupSort: true,
  dupFixed: true,
  encoder: {
    writeKey(value: Buffer, target: Buffer, start: number): number {
      target.set(value, start);
      return start + value.length;
    },
    encode: (value: Buffer) => value,
    // The reader lends one buffer for all values.
    decode: (lent: Uint8Array) => Buffer.from(Uint8Array.prototype.slice.call(lent, 0, valueBytes)),
  },
});

export interface HashKey {
  readonly hash: string;
  readonly key: Buffer;
}

export const keysOf = ({ projectId, hashes }: Groups): HashKey[] =>
  hashes.map((hash) => ({ hash, key: groupKey(projectId, hash) }));

const lowest = '0'.repeat(32);

export function keysOfProject(byGroup: Table, projectId: number): Buffer[] {
  const range = { start: groupKey(projectId, lowest), end: groupKey(projectId + 1, lowest) };
  return [...byGroup.getKeys(range)].map((key) => Buffer.from(key));
}

/** But for how rich they are. */
export const isSame = (value: Buffer, own: Buffer): boolean =>
  value.compare(own, 0, eventBytes - 1, 0, eventBytes - 1) === 0;

/** Richness is below it. */
export function afterSame(own: Buffer): Buffer {
  const after = Buffer.from(own);
  after[eventBytes - 1] = 255;
  return after;
}

type Values = (options: { start: Buffer; reverse?: boolean }) => Iterable<Buffer>;

/** The first that there is in the weeks, in their order. */
export function nearest(
  weeks: readonly Week[],
  keys: readonly HashKey[],
  from: (values: Values) => Iterable<Buffer>,
  isNewest: boolean,
): Omit<GroupEvent, 'hash'> | undefined {
  for (const { byGroup } of weeks) {
    const found = keys.flatMap(({ key }) => [...from((options) => byGroup.getValues(key, { ...options, limit: 1 }))]);
    found.sort((a, b) => (isNewest ? b.compare(a) : a.compare(b)));
    if (found[0]) return readEvent(found[0]);
  }
  return undefined;
}
