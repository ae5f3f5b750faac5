/**
 * The event index in LMDB, for one thread.
 *
 * Each week has tables of its own, so that retention drops it whole.
 * Nothing is flushed: after a kill the file is what the system has of it, and after a power cut it is made anew.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from '../payloads/payloads.ts';
import { eventsWithDigest } from './digests.ts';
import {
  type Entry,
  eventBytes,
  eventKey,
  groupKey,
  placesFrom,
  readDigestKey,
  readEntries,
  readEvent,
  readPlace,
  readTraced,
  tracedFrom,
} from './entries.ts';
import type {
  DigestEvents,
  DigestScope,
  EventIndex,
  Filling,
  GroupEvent,
  Groups,
  IndexedEvent,
  Standing,
  TimeSpan,
} from './event-index.ts';
import { indexFile, isForeign, removeFiles } from './index-file.ts';
import { IndexStore, mostWeeks } from './index-store.ts';
import { type Change, Journal } from './journal.ts';
import { OpenedMark } from './opened-mark.ts';
import { copyWeek, type Pause } from './pack.ts';
import { copyStore, extentOf, noteCopied, putInPlace, removeCopy, spareBytes } from './smaller-file.ts';
import { afterSame, dropTables, isSame, keysOf, keysOfProject, nearest, onlyKey, type Week } from './tables.ts';
import { TaggedProjects } from './tagged-projects.ts';
import { dayMs, endOf, weekMs, weekOf } from './weeks.ts';

export interface EventIndexOptions {
  readonly dir: string;
  /** Told that it could not be written; from then on it says nothing, and the next start makes it anew. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  /** A smaller file is not worth making smaller, bytes; 64 MiB unless told. */
  readonly shrinkFromBytes?: number;
}

/** Of how entries are laid down; one of another is made anew. */
const version = 4;
/** Events that come later than that are few. */
const quietMs = dayMs;
/** More than that while a week is written anew, and it is no quiet one. */
const maxLate = 20_000;
/** By such a part a week must have grown to be written anew once more. */
const grownBy = 0.1;
/** Of more hashes the engine is asked: each takes a look for each week. */
const maxHashes = 100;
/** Events of a hash and week that are passed over to count those before one, 20 ns each. */
const maxCounted = 200_000;
/** Places of one id that are looked at. */
const maxPlaces = 4;

export async function openEventIndex(options: EventIndexOptions): Promise<EventIndex> {
  const { dir } = options;
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const mark = new OpenedMark(dir, indexFile);
    if ((await mark.isTorn()) || (await isForeign(join(dir, indexFile)))) await removeFiles(dir);
    await removeCopy(dir);
    await mark.set();
    return new LmdbEventIndex(options, mark, await openStore(dir));
  } catch (error) {
    // What is stored while nobody has it open is not in it.
    await removeFiles(dir).catch(() => undefined);
    throw error;
  }
}

const countOf = ({ byGroup }: Week): number => (byGroup.getStats() as { entryCount: number }).entryCount;

/** Without what an earlier version of the program has left. */
async function openStore(dir: string): Promise<IndexStore> {
  for (;;) {
    const store = new IndexStore(join(dir, indexFile));
    const { facts } = store;
    if (facts.get('version') === version) return store;
    if (facts.getKeysCount({ limit: 1 }) === 0) {
      await facts.put('version', version);
      return store;
    }
    await store.close();
    await removeFiles(dir);
  }
}

/** A week that is being written anew. */
interface Packing {
  readonly week: number;
  /** What came meanwhile. */
  readonly late: Entry[];
  /** Something was taken from it meanwhile. */
  isStale: boolean;
}

function putEntry({ group, event, place, digest, trace }: Entry, week: Week): Promise<boolean> {
  let last = week.byGroup.put(group, event);
  if (place) last = week.places.put(onlyKey, place);
  if (digest) last = week.byDigest.put(digest.key, digest.value);
  if (trace) last = week.byTrace.put(onlyKey, trace);
  return last;
}

class LmdbEventIndex implements EventIndex {
  readonly #options: EventIndexOptions;
  readonly #mark: OpenedMark;
  #store: IndexStore;
  /** The keys of `unsure`. */
  readonly #isUnsure: Set<string>;
  readonly #tagged: TaggedProjects;
  #packing: Packing | undefined;
  #shrinking: Promise<number> | undefined;
  /** While the file is copied. */
  #journal: Journal | undefined;
  /** While it lasts nobody writes. */
  #exchanging: Promise<void> | undefined;
  #keptMs = Infinity;
  #revised: ReadonlySet<number> | undefined;
  #isBroken = false;
  #isClosed = false;
  /** LMDB reads them while it writes. */
  readonly #written = new Set<Uint8Array>();
  readonly #writing = new Set<Promise<unknown>>();

  constructor(options: EventIndexOptions, mark: OpenedMark, store: IndexStore) {
    this.#options = options;
    this.#mark = mark;
    this.#store = store;
    this.#tagged = new TaggedProjects(store.facts);
    this.#isUnsure = new Set(store.unsure.getKeys());
    store.dropOthers();
  }

  async add(entries: Uint8Array): Promise<void> {
    if (entries.length === 0) return;
    const oldest = this.#oldestWeek();
    await this.#write((store) => {
      const isCopy = store !== this.#store;
      const kept = [...readEntries(entries)].filter(({ at }) => weekOf(at) >= oldest);
      // Tables are made in transactions of their own.
      for (const number of new Set(kept.map(({ at }) => weekOf(at)))) store.openWeek(number);
      let last: Promise<boolean> | undefined;
      for (const entry of kept) {
        const week = weekOf(entry.at);
        last = putEntry(entry, store.openWeek(week));
        if (isCopy) continue;
        if (this.#packing?.week === week) this.#packing.isStale ||= this.#packing.late.push(entry) > maxLate;
        if (entry.digest) this.#tagged.note(entry.projectId, entry.at);
      }
      return last;
    }, entries);
  }

  lose(): Promise<void> {
    return this.#write(async ({ facts }) => {
      const filled = Array.from(facts.getKeys({ start: 'filled ', end: 'filled!' }));
      for (const fact of filled) await facts.remove(fact);
      await facts.remove('complete');
    });
  }

  placesOf(id: string): readonly Place[] {
    const found: Place[] = [];
    const from = placesFrom(id);
    for (const { places } of this.#visible()) {
      for (const value of places.getValues(onlyKey, { start: from, limit: maxPlaces })) {
        const place = readPlace(value, from);
        if (!place) break;
        found.push(place);
      }
    }
    // Somebody makes ids that are hardly any: to read them all would take longer than to ask the engine.
    return found.length < maxPlaces ? found : [];
  }

  newest(groups: Groups, limit: number): readonly GroupEvent[] | undefined {
    return this.#atEnd(groups, limit, true);
  }

  oldest(groups: Groups, limit: number): readonly GroupEvent[] | undefined {
    return this.#atEnd(groups, limit, false);
  }

  standing(groups: Groups, event: Pick<IndexedEvent, 'at' | 'id'>): Standing | undefined {
    if (!this.#knows(groups)) return undefined;
    const keys = keysOf(groups);
    const own = eventKey(event);
    const first = Buffer.alloc(eventBytes);
    const weeks = this.#visible();
    const number = weekOf(event.at);
    let [total, before, here] = [0, 0, 0];
    for (const { week, byGroup } of weeks) {
      for (const { key } of keys) {
        const count = byGroup.getValuesCount(key);
        total += count;
        if (week < number) before += count;
        if (week !== number || count === 0) continue;
        if (count > maxCounted) return undefined;
        before += byGroup.getValuesCount(key, { start: first, end: own });
        for (const value of byGroup.getValues(key, { start: own, limit: maxPlaces }))
          here += isSame(value, own) ? 1 : 0;
      }
    }
    if (here === 0) return undefined;
    const later = weeks.filter(({ week }) => week >= number).toReversed();
    const earlier = weeks.filter(({ week }) => week <= number);
    return {
      total,
      before,
      next: nearest(later, keys, (values) => values({ start: afterSame(own) }), false)?.id,
      previous: nearest(earlier, keys, (values) => values({ start: own, reverse: true }), true)?.id,
    };
  }

  withDigest(digest: string, scope: DigestScope, limit: number): DigestEvents | undefined {
    return this.filling.isComplete() ? eventsWithDigest(this.#visible(), digest, scope, limit) : undefined;
  }

  withTrace(traceId: string, { from, until }: TimeSpan, most: number): readonly string[] | undefined {
    const start = tracedFrom(traceId);
    if (!start || !this.filling.isComplete()) return undefined;
    const found: string[] = [];
    for (const { week, byTrace } of this.#visible()) {
      if (week < weekOf(from)) break;
      if (endOf(week - 1) > until) continue;
      for (const value of byTrace.getValues(onlyKey, { start, limit: most + 1 - found.length })) {
        const end = readTraced(value, start);
        if (end === undefined) break;
        found.push(end);
      }
      if (found.length > most) return undefined;
    }
    return found;
  }

  anyDigest(projectIds: readonly number[], since: number): boolean | undefined {
    const oldest = Math.max(since, Date.now() - this.#keptMs);
    return this.filling.isComplete() ? this.#tagged.any(projectIds, oldest) : undefined;
  }

  async forget(projectId: number, hashes?: readonly string[]): Promise<void> {
    const marks = hashes ? hashes.map((hash) => `${projectId} ${hash}`) : [`${projectId}`];
    for (const mark of marks) this.#isUnsure.add(mark);
    if (this.#packing) this.#packing.isStale = true;
    const at = Date.now();
    await this.#write((store) => {
      const { unsure, weeks } = store;
      let last: Promise<unknown> | undefined;
      if (store === this.#store) last = this.#tagged.forget(projectId, hashes === undefined);
      for (const mark of marks) last = unsure.put(mark, at);
      for (const { byGroup } of weeks) {
        const keys = hashes ? hashes.map((hash) => groupKey(projectId, hash)) : keysOfProject(byGroup, projectId);
        for (const key of keys) last = byGroup.remove(key);
      }
      return last;
    });
  }

  async forgetWeek(at: number, projectId: number, hashes: readonly string[]): Promise<void> {
    const number = weekOf(at);
    const groups = new Set(hashes);
    if (this.#packing?.week === number) this.#packing.isStale = true;
    await this.#write((store) => {
      let last: Promise<unknown> | undefined;
      if (store === this.#store) last = this.#tagged.forgetBefore(endOf(number), projectId);
      const week = store.weeks.find((one) => one.week === number);
      if (!week) return last;
      for (const hash of hashes) last = week.byGroup.remove(groupKey(projectId, hash));
      for (const key of Array.from(week.byDigest.getKeys(), (lent) => Buffer.from(lent))) {
        const group = readDigestKey(key);
        if (group.projectId === projectId && groups.has(group.hash)) last = week.byDigest.remove(key);
      }
      return last;
    });
  }

  isSure(projectId: number, hash: string): boolean {
    const { size } = this.#isUnsure;
    return size === 0 || !(this.#isUnsure.has(`${projectId}`) || this.#isUnsure.has(`${projectId} ${hash}`));
  }

  noteRevised(projectIds: readonly number[]): void {
    this.#revised = new Set([...(this.#revised ?? []), ...projectIds]);
  }

  mayBeRevised(projectId: number): boolean {
    return this.#revised?.has(projectId) ?? true;
  }

  keep(days: number): void {
    this.#keptMs = days * dayMs;
  }

  async dropBefore(at: number): Promise<void> {
    if (this.#packing) this.#packing.isStale = true;
    await this.#write(async (store) => {
      for (const old of store.weeks.filter(({ week }) => endOf(week) <= at)) {
        store.leaveWeek(old);
        await dropTables(old);
        for (const fact of ['week', 'packed']) await store.facts.remove(`${fact} ${old.week}`);
      }
      for (const { key, value } of store.unsure.getRange()) {
        if (value >= at) continue;
        // In a copy it may have been forgotten since.
        if (store === this.#store) this.#isUnsure.delete(key);
        await store.unsure.remove(key);
      }
    });
  }

  weeksToPack(): readonly number[] {
    if (this.#packing) return [];
    return this.#visible()
      .filter(({ week }) => endOf(week) <= Date.now() - quietMs)
      .filter((week) => countOf(week) > Number(this.#store.facts.get(`packed ${week.week}`) ?? 0) * (1 + grownBy))
      .map(({ week }) => week);
  }

  async pack(number: number, pause: Pause): Promise<void> {
    const store = this.#store;
    const old = store.week(number);
    if (!old || this.#packing || this.#shrinking) return;
    const packing: Packing = { week: number, late: [], isStale: false };
    this.#packing = packing;
    const isWanted = (): boolean => !packing.isStale && !this.#isBroken && !this.#isClosed;
    await this.#write(async () => {
      try {
        const fresh = await copyWeek(store.root, old, async (tookMs) => (await pause(tookMs)) && isWanted());
        if (!fresh) return;
        const isWhole = isWanted();
        if (isWhole) {
          exchange(store, fresh, packing.late);
          await store.facts.put(`packed ${number}`, countOf(fresh));
        }
        await dropTables(isWhole ? old : fresh);
      } finally {
        this.#packing = undefined;
      }
    });
  }

  async shrink(): Promise<number> {
    if (this.#isBroken || this.#isClosed || this.#packing || this.#shrinking) return 0;
    this.#shrinking = this.#shrink();
    try {
      return await this.#shrinking;
    } finally {
      this.#shrinking = undefined;
    }
  }

  /** Whoever writes waits only while what it wrote last is written to the copy, and that takes the place of the file. */
  async #shrink(): Promise<number> {
    const { dir, shrinkFromBytes: leastBytes = 64 * 2 ** 20 } = this.#options;
    const before = this.#store;
    const spare = await spareBytes(before, { dir, leastBytes });
    if (spare === 0 || this.#isUseless()) return 0;
    const journal = new Journal();
    this.#journal = journal;
    let copy: IndexStore | undefined;
    const { promise, resolve: go } = Promise.withResolvers<void>();
    try {
      // What was begun before is in the copy.
      await Promise.allSettled(this.#writing);
      copy = await copyStore(before, dir);
      // Less each time: while one is written others come.
      for (let round = 0; round < 5 && journal.length > 1; round++) await journal.replay(copy);
      this.#exchanging = promise;
      await Promise.allSettled(this.#writing);
      if (journal.isFull || this.#isUseless()) return 0;
      await journal.replay(copy);
      await this.#tagged.moveTo(copy.facts);
      await putInPlace(dir);
      this.#store = copy;
    } finally {
      this.#journal = undefined;
      this.#exchanging = undefined;
      go();
      if (copy && copy !== this.#store) {
        await copy.close();
        await removeCopy(dir);
      }
    }
    await before.close();
    await noteCopied(copy);
    return spare;
  }

  #isUseless(): boolean {
    return this.#isBroken || this.#isClosed;
  }

  spareBytes(): number {
    if (this.#isUseless()) return 0;
    const { fileBytes, heldBytes } = extentOf(this.#store);
    return fileBytes - heldBytes;
  }

  readonly filling: Filling = {
    isComplete: () => !this.#isUseless() && this.#store.facts.get('complete') === true,
    isFilled: (week) => this.#isUseless() || this.#store.facts.get(`filled ${week}`) === true,
    noteFilled: (week) =>
      this.#write(({ facts }) => Promise.all([facts.put(`filled ${week}`, true), facts.remove(`again ${week}`)])),
    noteComplete: () => this.#write(({ facts }) => facts.put('complete', true)),
    again: (week) => this.#write(({ facts }) => facts.put(`again ${week}`, true)),
    weeksAgain: () =>
      this.#isUseless()
        ? []
        : [...this.#store.facts.getKeys({ start: 'again ', end: 'again!' })].map((key) => key.slice('again '.length)),
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#shrinking?.catch(() => undefined);
    await Promise.allSettled(this.#writing);
    await this.#store.close();
    if (!this.#isBroken) await this.#mark.clear();
  }

  /** Whether what it says of the groups is all there is. */
  #knows({ projectId, hashes }: Groups): boolean {
    return (
      hashes.length <= maxHashes && this.filling.isComplete() && hashes.every((hash) => this.isSure(projectId, hash))
    );
  }

  /** Weeks that are kept, newest first, as they are now. */
  #visible(): readonly Week[] {
    if (this.#isUseless()) return [];
    this.#store.root.resetReadTxn();
    const oldest = this.#oldestWeek();
    return this.#store.weeks.filter(({ week }) => week >= oldest);
  }

  /** The engine drops a week once all of its rows are older than they may be. */
  #oldestWeek(): number {
    return weekOf(Date.now() - Math.min(this.#keptMs, mostWeeks * weekMs));
  }

  #atEnd(groups: Groups, limit: number, isNewest: boolean): readonly GroupEvent[] | undefined {
    if (!this.#knows(groups)) return undefined;
    const keys = keysOf(groups);
    const weeks = this.#visible();
    const found: GroupEvent[] = [];
    for (const { byGroup } of isNewest ? weeks : weeks.toReversed()) {
      const ofWeek = keys.flatMap(({ hash, key }) =>
        [...byGroup.getValues(key, { reverse: isNewest, limit })].map((value) => ({ hash, value })),
      );
      ofWeek.sort((a, b) => (isNewest ? b.value.compare(a.value) : a.value.compare(b.value)));
      for (const { hash, value } of ofWeek.slice(0, limit - found.length)) found.push({ hash, ...readEvent(value) });
      if (found.length === limit) break;
    }
    return found;
  }

  async #write(change: Change, bytes?: Uint8Array): Promise<void> {
    if (this.#isUseless()) return;
    if (bytes) this.#written.add(bytes);
    const write = async (): Promise<unknown> => {
      this.#journal?.note(change, bytes?.length ?? 0);
      return change(this.#store);
    };
    const writing = this.#exchanging ? this.#exchanging.then(write) : write();
    this.#writing.add(writing);
    try {
      await writing;
    } catch (error) {
      this.#isBroken = true;
      // What it lacks from now on it must not be trusted with by the next start.
      await removeFiles(this.#options.dir).catch(() => undefined);
      this.#options.onFailure?.(error);
    } finally {
      this.#writing.delete(writing);
      if (bytes) this.#written.delete(bytes);
    }
  }
}

/** With what came meanwhile; nothing comes in between. */
function exchange(store: IndexStore, fresh: Week, late: readonly Entry[]): void {
  store.root.transactionSync(() => {
    for (const entry of late) void putEntry(entry, fresh);
    store.facts.putSync(`week ${fresh.week}`, fresh.generation);
  });
  store.useWeek(fresh);
}
