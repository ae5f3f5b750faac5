/**
 * Groups of events with one cheap key: of each group one event, chosen at random, is stored and stands for the others.
 * All of a group are answered when that one is on disk, so that what is answered is stored or counted whatever happens.
 *
 * A key: the first events of a minute pass → those after them are gathered → a group is full, or has waited long enough
 * → one of it is written.
 */
import type { StandsFor } from '../../base/stands-for.ts';

/** Events of a key that pass in a minute before any is gathered. */
export const passing = 10;
/** Of so many events with one key at least one is stored. */
export const largestGroup = 10;
/** The first of a group waits no longer than that, ms. */
const longestWaitMs = 200;
/** Keys that are known at once. */
export const mostKeys = 10_000;
/** New keys of a project in a minute; after that, what is new is gathered under one key. */
export const mostNewKeys = 1_000;
const minuteMs = 60_000;

/** Who was met by an error. */
export interface Met {
  /** JSON text of the user, '' for none. */
  readonly user: string;
  /** Of the sender. */
  readonly address: string;
}

export interface Gatherable {
  readonly projectId: number;
  readonly key: number;
  readonly met: Met;
  /** Writes the event; with it, that it stands for others. Resolves when it is on disk. */
  readonly write: (standsFor: StandsFor | undefined) => Promise<unknown>;
}

export interface StormGroups {
  /** Undefined where it passes; resolves when the event that stands for it is on disk, and throws what writing that throws. */
  gather(event: Gatherable): Promise<unknown> | undefined;
  /** Groups that wait, and keys. */
  stats(): { readonly keys: number; readonly waiting: number };
  /** Writes those that wait. */
  flush(): void;
}

export interface GroupsOptions {
  /** From 0 up to 1. */
  readonly random?: () => number;
  readonly now?: () => number;
}

interface Key {
  minute: number;
  passed: number;
  group: Group | undefined;
}

export function createStormGroups({ random = Math.random, now = Date.now }: GroupsOptions = {}): StormGroups {
  const keys = new Map<string, Key>();
  /** Of the minute that runs, by project. */
  const newKeys = new Map<number, number>();
  const waiting = new Set<Group>();
  let minute = 0;

  function keyOf({ projectId, key }: Pick<Gatherable, 'projectId' | 'key'>): Key {
    const name = `${projectId} ${key}`;
    const known = keys.get(name);
    if (known) return known;
    const sum = (newKeys.get(projectId) ?? 0) + 1;
    newKeys.set(projectId, sum);
    const isSurplus = sum > mostNewKeys;
    const shared = isSurplus ? keys.get(`${projectId} more`) : undefined;
    if (shared) return shared;
    const made: Key = { minute, passed: 0, group: undefined };
    keys.set(isSurplus ? `${projectId} more` : name, made);
    if (keys.size > mostKeys) forgetOldest();
    return made;
  }

  /** A key that is forgotten is new when it comes again. */
  function forgetOldest(): void {
    for (const [name, key] of keys) {
      if (key.group) continue;
      keys.delete(name);
      return;
    }
  }

  function turnMinute(): void {
    const current = Math.floor(now() / minuteMs);
    if (current === minute) return;
    for (const [name, key] of keys) if (key.minute < current - 1 && !key.group) keys.delete(name);
    minute = current;
    newKeys.clear();
  }

  return {
    gather(event) {
      turnMinute();
      const key = keyOf(event);
      if (key.minute !== minute) {
        key.minute = minute;
        key.passed = 0;
      }
      if (key.passed < passing) {
        key.passed++;
        return undefined;
      }
      if (!key.group) {
        const group = new Group(() => {
          waiting.delete(group);
          if (key.group === group) key.group = undefined;
        });
        key.group = group;
        waiting.add(group);
      }
      return key.group.add(event, random);
    },
    stats: () => ({ keys: keys.size, waiting: waiting.size }),
    flush() {
      for (const group of waiting) group.write();
    },
  };
}

class Group {
  readonly #onWrite: () => void;
  readonly #written = Promise.withResolvers<unknown>();
  readonly #timer: NodeJS.Timeout;
  /** By who was met. */
  readonly #others = new Map<string, Met>();
  #events = 0;
  #chosen: Gatherable | undefined;

  constructor(onWrite: () => void) {
    this.#onWrite = onWrite;
    this.#timer = setTimeout(() => this.write(), longestWaitMs);
  }

  add(event: Gatherable, random: () => number): Promise<unknown> {
    this.#events++;
    // So all are equally likely.
    if (!this.#chosen || random() * this.#events < 1) {
      if (this.#chosen) this.#count(this.#chosen.met);
      this.#chosen = event;
    } else {
      this.#count(event.met);
    }
    const { promise } = this.#written;
    if (this.#events >= largestGroup) this.write();
    return promise;
  }

  #count(met: Met): void {
    this.#others.set(`${met.address} ${met.user}`, met);
  }

  write(): void {
    clearTimeout(this.#timer);
    this.#onWrite();
    const events = this.#events - 1;
    const standsFor =
      events > 0
        ? { events, met: [...this.#others.values()].map(({ user, address }) => [user, address] as const) }
        : undefined;
    this.#chosen?.write(standsFor).then(this.#written.resolve, this.#written.reject);
  }
}
