/**
 * The tables of a week. `byGroup`: of each group hash its events, in order. `places`: of each id the end, with the place. `byDigest`: of each digest and group the events that have it, in order. `byTrace`: of each trace the ends of its events' ids. All hold many short values of
 * one size under a key, which LMDB lays side by side.
 */
import type { Database, RootDatabase } from 'lmdb';
import { digestedBytes, eventBytes, groupKey, placeBytes, readEvent, tracedBytes } from './entries.ts';
import type { GroupEvent, Groups } from './event-index.ts';

export type Table = Database<Buffer, Buffer>;

export interface Week extends Readonly<Record<TableKind, Table>> {
  readonly week: number;
  /** How often its tables were written anew. */
  readonly generation: number;
}

/** What the name of a table begins with, and the size of its values. */
const tables = {
  byGroup: ['groups', eventBytes],
  places: ['places', placeBytes],
  byDigest: ['digests', digestedBytes],
  byTrace: ['traces', tracedBytes],
} as const;
type TableKind = keyof typeof tables;
export const tableKinds = Object.keys(tables) as readonly TableKind[];

/** Bytes of its values. LMDB does not tell how many pages they take. */
export const bytesOf = (week: Week): number =>
  tableKinds.reduce((sum, kind) => sum + entriesIn(week[kind]) * tables[kind][1], 0);

const entriesIn = (table: Table): number => (table.getStats() as { entryCount: number }).entryCount;

const nameOf = (kind: TableKind, week: number, generation: number): string =>
  `${tables[kind][0]} ${week}${generation === 0 ? '' : ` ${generation}`}`;

export function openTables(root: RootDatabase, week: number, generation: number): Week {
  const openTable = (kind: TableKind): Table =>
    root.openDB<Buffer, Buffer>(tableOptions(nameOf(kind, week, generation), tables[kind][1]));
  return {
    week,
    generation,
    byGroup: openTable('byGroup'),
    places: openTable('places'),
    byDigest: openTable('byDigest'),
    byTrace: openTable('byTrace'),
  };
}

export const dropTables = (week: Week): Promise<unknown> => Promise.all(tableKinds.map((kind) => week[kind].drop()));

/** Tables of copies that were not finished, and of weeks that were written anew, as a kill leaves them. */
export function dropOthers(root: RootDatabase, weeks: Iterable<Week>): void {
  const known = new Set(
    [...weeks].flatMap(({ week, generation }) => tableKinds.map((kind) => nameOf(kind, week, generation))),
  );
  const names = Array.from(root.getKeys(), String);
  for (const kind of tableKinds) {
    const [start, valueBytes] = tables[kind];
    for (const name of names.filter((one) => one.startsWith(`${start} `) && !known.has(one)))
      root.openDB<Buffer, Buffer>(tableOptions(name, valueBytes)).dropSync();
  }
}

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

/** All places stand under one, and all of traces: each would have pages of its own, which a batch writes anew. */
export const onlyKey = Buffer.from([0]);

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
