/**
 * Writes the tables of a week anew with full pages. What comes event by event leaves a third of a page empty, and what is
 * put in order leaves half, since LMDB halves a full page wherever it was filled. So of long lists every second value is
 * put first, in order, and then the others, which fit into what the first have left.
 *
 * The old tables stay whole and in use until all is in the new ones.
 */
import type { RootDatabase } from 'lmdb';
import { dropTables, openTables, type Table, tableKinds, type Week } from './tables.ts';

/** Others wait while so many are read and written. */
const sliceEntries = 400;
/** Shorter lists lie side by side in one page, which is filled by what comes next. */
const longList = 64;
/** One of so many is among the first though it is none of the second, so that pages are never more than full. */
const spare = 40;

/** Told how long the last slice took; says whether to go on. */
export type Pause = (tookMs: number) => Promise<boolean>;

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
  /** In the list of its key, and how long that is. */
  readonly index: number;
  readonly count: number;
}

/** Undefined where it was ended: then nothing is left of it. */
export async function copyWeek(root: RootDatabase, old: Week, pause: Pause): Promise<Week | undefined> {
  const fresh = openTables(root, old.week, old.generation + 1);
  try {
    for (const kind of tableKinds) {
      for (const isWanted of [isFirst, isOfLong])
        if (!(await copy(root, old[kind], fresh[kind], isWanted, pause))) {
          await dropTables(fresh);
          return undefined;
        }
    }
    return fresh;
  } catch (error) {
    await dropTables(fresh);
    throw error;
  }
}

const isFirst = ({ index, count }: Entry): boolean =>
  count < longList || index % 2 === 0 || index % spare === spare - 1;

/** All, since what came meanwhile has moved them; those that are there change nothing. */
const isOfLong = ({ count }: Entry): boolean => count >= longList;

async function copy(
  root: RootDatabase,
  from: Table,
  to: Table,
  isWanted: (entry: Entry) => boolean,
  pause: Pause,
): Promise<boolean> {
  for (let last: Entry | undefined; ;) {
    const begunAt = performance.now();
    root.resetReadTxn();
    const slice = readSlice(from, last);
    last = slice.at(-1);
    if (!last) return true;
    const writing = Promise.all(slice.filter(isWanted).map(({ key, value }) => to.put(key, value)));
    // Others have waited for it until here.
    const tookMs = performance.now() - begunAt;
    await writing;
    if (!(await pause(tookMs))) return false;
  }
}

/** What comes after the last that was read. */
function readSlice(from: Table, last: Entry | undefined): Entry[] {
  const slice: Entry[] = [];
  const take = (key: Buffer, count: number, after?: Entry): void => {
    const limit = sliceEntries - slice.length;
    let index = after ? after.index + 1 : 0;
    const values = from.getValues(key, after ? { start: after.value, offset: 1, limit } : { limit });
    for (const value of values) slice.push({ key, value, index: index++, count });
  };
  if (last) take(last.key, last.count, last);
  const keys = from.getKeys({ ...(last && { start: keyAfter(last.key) }), limit: sliceEntries });
  for (const key of Array.from(keys, (lent) => Buffer.from(lent))) {
    if (slice.length >= sliceEntries) break;
    take(key, from.getValuesCount(key));
  }
  return slice;
}

const keyAfter = (key: Buffer): Buffer => Buffer.concat([key, Buffer.from([0])]);
