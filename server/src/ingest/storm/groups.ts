/**
 * Groups of events with one cheap key: of each group one event, chosen at random, is stored and stands for the others.
 * All of a group are answered when that one is on disk, so that what is answered is stored or counted whatever happens.
 *
 * A key: the first events of a minute pass → those after them are gathered → a group is full, or has waited long enough
 * → one of it is written.
 */
import { randomInt } from 'node:crypto';
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
/** New variants of a key in a minute, each of which has groups of its own; after that, they are gathered under the key. */
export const mostNewVariants = 64;
/** Events of a variant that pass in a minute once those of its key have. */
const passingOfVariant = 1;
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
  readonly variant: number;
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

/** What is new beyond what is told apart. */
const moreOf = (projectId: number): string => `${projectId} more`;

const parts = 2 ** 32;
/** Who could foresee which event is chosen could hide one among others. */
const unforeseeable = (): number => randomInt(parts) / parts;

interface Key {
  minute: number;
  passed: number;
  /** New ones of the minute. */
  variants: number;
  group: Group | undefined;
}

export function createStormGroups({ random = unforeseeable, now = Date.now }: GroupsOptions = {}): StormGroups {
  const keys = new Map<string, Key>();
  /** Of the minute that runs, by project. */
  const newKeys = new Map<number, number>();
  const waiting = new Set<Group>();
  let minute = 0;

  /** Of an event; the same twice where its variant has no groups of its own. */
  function keysOf({ projectId, key: name, variant }: Pick<Gatherable, 'projectId' | 'key' | 'variant'>) {
    const plain = freshened(keys.get(`${projectId} ${name}`) ?? newKey(projectId, name));
    const known = keys.get(`${projectId} ${name} ${variant}`);
    if (known) return { plain, key: freshened(known) };
    const isOwn = plain !== keys.get(moreOf(projectId)) && plain.variants < mostNewVariants;
    if (!isOwn) return { plain, key: plain };
    plain.variants++;
    return { plain, key: add(`${projectId} ${name} ${variant}`) };
  }

  function newKey(projectId: number, key: number): Key {
    const sum = (newKeys.get(projectId) ?? 0) + 1;
    newKeys.set(projectId, sum);
    if (sum <= mostNewKeys) return add(`${projectId} ${key}`);
    return keys.get(moreOf(projectId)) ?? add(moreOf(projectId));
  }

  function add(name: string): Key {
    const made: Key = { minute, passed: 0, variants: 0, group: undefined };
    keys.set(name, made);
    if (keys.size > mostKeys) forgetOldest();
    return made;
  }

  /** As of the minute that runs. */
  function freshened(key: Key): Key {
    if (key.minute !== minute) Object.assign(key, { minute, passed: 0, variants: 0 });
    return key;
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
      const { plain, key } = keysOf(event);
      if (plain.passed < passing || (key !== plain && key.passed < passingOfVariant)) {
        plain.passed++;
        if (key !== plain) key.passed++;
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
