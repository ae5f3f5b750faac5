/**
 * The event index in LMDB, for one thread.
 *
 * Each week has tables of its own, so that retention drops it whole.
 * Nothing is flushed: after a kill the file is what the system has of it, and after a power cut it is made anew.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { Place } from '../payloads/payloads.ts';
import { eventsWithDigest } from './digests.ts';
import {
  type Entry,
  eventBytes,
  eventKey,
  groupKey,
  placesFrom,
  readEntries,
  readEvent,
  readPlace,
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
} from './event-index.ts';
import { indexFile, isForeign, removeFiles } from './index-file.ts';
import { OpenedMark } from './opened-mark.ts';
import { copyWeek, type Pause } from './pack.ts';
import { extentOf, noteCopied, putCopyInPlace, removeCopy, spareBytes } from './smaller-file.ts';
import {
  afterSame,
  dropOthers,
  dropTables,
  isSame,
  keysOf,
  keysOfProject,
  nearest,
  onlyKey,
  openTables,
  tableKinds,
  type Week,
} from './tables.ts';
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
const version = 3;
const maxWeeks = 500;
/** A batch writes each page anew that it touches, and what was there before is free for a later one alone. */
const pageBytes = 1_024;
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
    return new LmdbEventIndex(options, mark, await openRoot(dir));
  } catch (error) {
    // What is stored while nobody has it open is not in it.
    await removeFiles(dir).catch(() => undefined);
    throw error;
  }
}

const countOf = ({ byGroup }: Week): number => (byGroup.getStats() as { entryCount: number }).entryCount;

/** Without what an earlier version of the program has left. */
async function openRoot(dir: string): Promise<RootDatabase> {
  for (;;) {
    const root = openFile(join(dir, indexFile));
    const facts = openFacts(root);
    if (facts.get('version') === version) return root;
    if (facts.getKeysCount({ limit: 1 }) === 0) {
      await facts.put('version', version);
      return root;
    }
    await root.close();
    await removeFiles(dir);
  }
}

function openFile(path: string): RootDatabase {
  const maxDbs = tableKinds.length * (maxWeeks + 1) + 8;
  return open({ path, maxDbs, pageSize: pageBytes, noSync: true, overlappingSync: false });
}

const openUnsure = (root: RootDatabase): Database<number, string> => root.openDB({ name: 'unsure', encoding: 'json' });
const openFacts = (root: RootDatabase): Database<unknown, string> => root.openDB({ name: 'facts', encoding: 'json' });

/** A week that is being written anew. */
interface Packing {
  readonly week: number;
  /** What came meanwhile. */
  readonly late: Entry[];
  /** Something was taken from it meanwhile. */
  isStale: boolean;
}

function putEntry({ group, event, place, digest }: Entry, week: Week): Promise<boolean> {
  let last = week.byGroup.put(group, event);
  if (place) last = week.places.put(onlyKey, place);
  if (digest) last = week.byDigest.put(digest.key, digest.value);
  return last;
}

class LmdbEventIndex implements EventIndex {
  readonly #options: EventIndexOptions;
  readonly #mark: OpenedMark;
  #root: RootDatabase;
  #facts: Database<unknown, string>;
  /** Of hashes, or whole projects, since when the engine is asked about them; ms since the epoch. */
  #unsure: Database<number, string>;
  readonly #isUnsure = new Set<string>();
  readonly #tagged: TaggedProjects;
  readonly #weeks = new Map<number, Week>();
  /** The same, newest first. */
  #ordered: readonly Week[] = [];
  #packing: Packing | undefined;
  /** While it lasts nobody writes. */
  #copying: Promise<void> | undefined;
  #keptMs = Infinity;
  #revised: ReadonlySet<number> | undefined;
  #isBroken = false;
  #isClosed = false;
  /** LMDB reads them while it writes. */
  readonly #written = new Set<Uint8Array>();
  readonly #writing = new Set<Promise<unknown>>();

  constructor(options: EventIndexOptions, mark: OpenedMark, root: RootDatabase) {
    this.#options = options;
    this.#mark = mark;
    this.#root = root;
    this.#facts = openFacts(root);
    this.#tagged = new TaggedProjects(this.#facts);
    this.#unsure = openUnsure(root);
    for (const key of this.#unsure.getKeys()) this.#isUnsure.add(key);
    this.#openWeeks();
    dropOthers(root, this.#ordered);
  }

  async add(entries: Uint8Array): Promise<void> {
    if (entries.length === 0) return;
    await this.#write(entries, () => {
      const oldest = this.#oldestWeek();
      const kept = [...readEntries(entries)].filter(({ at }) => weekOf(at) >= oldest);
      // Tables are made in transactions of their own.
      for (const number of new Set(kept.map(({ at }) => weekOf(at)))) this.#openWeek(number);
      let last: Promise<boolean> | undefined;
      for (const entry of kept) {
        const week = weekOf(entry.at);
        last = putEntry(entry, this.#openWeek(week));
        if (this.#packing?.week === week) this.#packing.isStale ||= this.#packing.late.push(entry) > maxLate;
        if (entry.digest) this.#tagged.note(entry.projectId, entry.at);
      }
      return last;
    });
  }

  lose(): Promise<void> {
    return this.#write(undefined, async () => {
      const filled = Array.from(this.#facts.getKeys({ start: 'filled ', end: 'filled!' }));
      for (const fact of filled) await this.#facts.remove(fact);
      await this.#facts.remove('complete');
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

  anyDigest(projectIds: readonly number[], since: number): boolean | undefined {
    const oldest = Math.max(since, Date.now() - this.#keptMs);
    return this.filling.isComplete() ? this.#tagged.any(projectIds, oldest) : undefined;
  }

  async forget(projectId: number, hashes?: readonly string[]): Promise<void> {
    const marks = hashes ? hashes.map((hash) => `${projectId} ${hash}`) : [`${projectId}`];
    for (const mark of marks) this.#isUnsure.add(mark);
    if (this.#packing) this.#packing.isStale = true;
    await this.#write(undefined, () => {
      let last: Promise<unknown> | undefined = this.#tagged.forget(projectId, hashes === undefined);
      for (const mark of marks) last = this.#unsure.put(mark, Date.now());
      for (const { byGroup } of this.#ordered) {
        const keys = hashes ? hashes.map((hash) => groupKey(projectId, hash)) : keysOfProject(byGroup, projectId);
        for (const key of keys) last = byGroup.remove(key);
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
    await this.#write(undefined, async () => {
      for (const old of this.#ordered.filter(({ week }) => endOf(week) <= at)) {
        this.#weeks.delete(old.week);
        this.#order();
        await dropTables(old);
        for (const fact of ['week', 'packed']) await this.#facts.remove(`${fact} ${old.week}`);
      }
      for (const { key, value } of this.#unsure.getRange()) {
        if (value >= at) continue;
        this.#isUnsure.delete(key);
        await this.#unsure.remove(key);
      }
    });
  }

  weeksToPack(): readonly number[] {
    if (this.#packing) return [];
    return this.#visible()
      .filter(({ week }) => endOf(week) <= Date.now() - quietMs)
      .filter((week) => countOf(week) > Number(this.#facts.get(`packed ${week.week}`) ?? 0) * (1 + grownBy))
      .map(({ week }) => week);
  }

  async pack(number: number, pause: Pause): Promise<void> {
    const old = this.#weeks.get(number);
    if (!old || this.#packing || this.#copying) return;
    const packing: Packing = { week: number, late: [], isStale: false };
    this.#packing = packing;
    const isWanted = (): boolean => !packing.isStale && !this.#isBroken && !this.#isClosed;
    await this.#write(undefined, async () => {
      try {
        const fresh = await copyWeek(this.#root, old, async (tookMs) => (await pause(tookMs)) && isWanted());
        if (!fresh) return;
        const isWhole = isWanted();
        if (isWhole) {
          this.#exchange(old, fresh, packing);
          await this.#facts.put(`packed ${number}`, countOf(fresh));
        }
        await dropTables(isWhole ? old : fresh);
      } finally {
        this.#packing = undefined;
      }
    });
  }

  async shrink(): Promise<number> {
    const { dir, shrinkFromBytes: leastBytes = 64 * 2 ** 20 } = this.#options;
    if (this.#isBroken || this.#isClosed || this.#packing || this.#copying) return 0;
    const known = { dir, leastBytes, weeks: this.#ordered, facts: this.#facts };
    const spare = await spareBytes(this.#root, known);
    if (spare === 0 || this.#isClosed || this.#packing || this.#copying) return 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#copying = promise;
    try {
      await Promise.allSettled(this.#writing);
      if (this.#isBroken) return 0;
      const before = this.#root;
      this.#useCopy(await putCopyInPlace(before, dir, openFile));
      await before.close();
      await noteCopied(this.#root, { weeks: this.#ordered, facts: this.#facts });
      return spare;
    } finally {
      this.#copying = undefined;
      resolve();
    }
  }

  spareBytes(): number {
    if (this.#isBroken || this.#isClosed) return 0;
    const { fileBytes, heldBytes } = extentOf(this.#root, { weeks: this.#ordered, facts: this.#facts });
    return fileBytes - heldBytes;
  }

  #useCopy(copy: RootDatabase): void {
    this.#root = copy;
    this.#facts = openFacts(copy);
    this.#unsure = openUnsure(copy);
    this.#tagged.moveTo(this.#facts);
    this.#openWeeks();
  }

  #openWeeks(): void {
    this.#weeks.clear();
    for (const { key, value } of this.#facts.getRange({ start: 'week ', end: 'week!' })) {
      const week = Number(key.slice('week '.length));
      this.#weeks.set(week, openTables(this.#root, week, Number(value)));
    }
    this.#order();
  }

  /** Nothing comes in between. */
  #exchange(old: Week, fresh: Week, { late }: Packing): void {
    this.#root.transactionSync(() => {
      for (const entry of late) void putEntry(entry, fresh);
      this.#facts.putSync(`week ${old.week}`, fresh.generation);
    });
    this.#weeks.set(old.week, fresh);
    this.#order();
  }

  readonly filling: Filling = {
    isComplete: () => !this.#isBroken && !this.#isClosed && this.#facts.get('complete') === true,
    isFilled: (week) => this.#isBroken || this.#isClosed || this.#facts.get(`filled ${week}`) === true,
    noteFilled: (week) =>
      this.#write(undefined, async () => {
        await Promise.all([this.#facts.put(`filled ${week}`, true), this.#facts.remove(`again ${week}`)]);
      }),
    noteComplete: () => this.#write(undefined, () => this.#facts.put('complete', true)),
    again: (week) => this.#write(undefined, () => this.#facts.put(`again ${week}`, true)),
    weeksAgain: () =>
      this.#isBroken || this.#isClosed
        ? []
        : [...this.#facts.getKeys({ start: 'again ', end: 'again!' })].map((key) => key.slice('again '.length)),
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#copying;
    await Promise.allSettled(this.#writing);
    await this.#root.close();
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
    if (this.#isBroken || this.#isClosed) return [];
    this.#root.resetReadTxn();
    const oldest = this.#oldestWeek();
    return this.#ordered.filter(({ week }) => week >= oldest);
  }

  /** The engine drops a week once all of its rows are older than they may be. */
  #oldestWeek(): number {
    return weekOf(Date.now() - Math.min(this.#keptMs, (maxWeeks - 10) * weekMs));
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

  #openWeek(week: number): Week {
    const known = this.#weeks.get(week);
    if (known) return known;
    if (this.#weeks.size >= maxWeeks) throw new Error('the event index has no room for more weeks');
    const opened = openTables(this.#root, week, 0);
    this.#facts.putSync(`week ${week}`, opened.generation);
    this.#weeks.set(week, opened);
    this.#order();
    return opened;
  }

  #order(): void {
    this.#ordered = [...this.#weeks.values()].sort((a, b) => b.week - a.week);
  }

  async #write(bytes: Uint8Array | undefined, write: () => Promise<unknown> | undefined): Promise<void> {
    if (this.#isBroken || this.#isClosed) return;
    if (bytes) this.#written.add(bytes);
    const writing = this.#copying ? this.#copying.then(write) : (async () => write())();
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
