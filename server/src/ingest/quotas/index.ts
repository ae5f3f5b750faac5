/**
 * Quotas: how much of a category an organisation, a project or a key may send in a minute or a month. All that is taken
 * is counted, whether or not there is a quota, so that one that is set in the middle of a month knows what came before.
 *
 * Counted in memory, so that no request waits; what a quota is about is told to the state store within a second, which
 * gives back what all nodes took together. So at most what comes within a second is taken beyond a quota, after a kill too.
 */
import type { DataCategory, RateLimit } from '@culprit/envelope';
import type { FastifyBaseLogger } from 'fastify';
import {
  type QuotaCategory,
  quotaCategoryOf,
  type QuotaPeriod,
  type QuotaScope,
  quotaTarget,
  sdkCategories,
} from '../../base/quotas.ts';
import { longestPauseSeconds } from '../blob-quota.ts';
import { dependents } from '../judge.ts';
import type { IngestKey } from '../keys.ts';
import type { ScannedItem } from '../scan.ts';
import { Counter, type QuotaUse } from './counter.ts';

export type { QuotaUse } from './counter.ts';

/** What of quotas concerns a key: its own, those of its project and of its organisation. */
export interface KeyQuota {
  readonly scope: QuotaScope;
  readonly category: QuotaCategory;
  readonly period: QuotaPeriod;
  readonly amount: number;
  /** What is over is not taken; else people are told, and nothing else happens. */
  readonly isHard: boolean;
}

/** Adds to what was used, and gives the sums of all nodes, in the order of `uses`. */
export type AddQuotaUse = (uses: readonly QuotaUse[]) => Promise<readonly number[]>;

/** A quota that is used up. */
export interface UsedUp {
  readonly quota: KeyQuota;
  /** When it begins anew, ms since the epoch. */
  readonly endMs: number;
}

/** Items that are over a quota, and which one. */
export type StoppedByQuota = ReadonlyMap<ScannedItem, UsedUp>;

export interface Quotas extends AsyncDisposable {
  /**
   * Counts the items that may pass, and gives those that may not: of a category all or none, so that the last request
   * may go over. What goes with an event that is stopped is stopped with it.
   */
  take(items: readonly ScannedItem[], key: IngestKey, nowMs: number): StoppedByQuota;
  /** Takes back what was counted: it could not be stored. */
  giveBack(items: readonly ScannedItem[], key: IngestKey, nowMs: number): void;
  /** What is used up now, of all categories of the key. */
  usedUp(key: IngestKey, nowMs: number): readonly UsedUp[];
  /** Does not throw: what could not be stored is tried again later. */
  flush(): Promise<void>;
}

/** Where a quota is about it. Less than a second, so that with its way to the store it is within one. */
const tellEveryMs = 750;
/** Where none is. */
const noteEveryMs = 30_000;
/** While the store is away, of terms that are over. */
const mostLeft = 10_000;

const none: StoppedByQuota = new Map();
const noneUsedUp: readonly UsedUp[] = [];

/** What of the counters concerns a key. */
interface Watched {
  readonly targets: readonly string[];
  readonly byCategory: Map<QuotaCategory, readonly Counter[]>;
  readonly hard: readonly { readonly quota: KeyQuota; readonly counter: Counter }[];
}

export function openQuotas(add: AddQuotaUse, logger: Pick<FastifyBaseLogger, 'debug'>, everyMs = tellEveryMs): Quotas {
  /** Those that exist and send something: so the memory is bounded. */
  const counters = new Map<string, Counter>();
  /** Of them, those that a quota is about. */
  const covered = new Set<Counter>();
  let left: QuotaUse[] = [];
  /** The directory gives the same object for seconds. */
  const watchedBy = new WeakMap<IngestKey, Watched>();
  let flushing = Promise.resolve();
  let notedMs = performance.now();
  let isAsking = false;
  const timer = setInterval(() => {
    const isTime = performance.now() - notedMs >= noteEveryMs;
    if (isTime) notedMs = performance.now();
    void tell(isTime);
  }, everyMs).unref();

  function counterOf(target: string, category: QuotaCategory, period: QuotaPeriod): Counter {
    const name = `${target} ${category} ${period}`;
    let counter = counters.get(name);
    if (!counter) counters.set(name, (counter = new Counter(target, category, period, keepLeft)));
    return counter;
  }

  function keepLeft(use: QuotaUse): void {
    if (left.length < mostLeft) left.push(use);
  }

  function watch(key: IngestKey): Watched {
    const known = watchedBy.get(key);
    if (known) return known;
    const targetOf: Record<QuotaScope, string> = {
      organization: quotaTarget('organization', key.organizationId),
      project: quotaTarget('project', key.projectId),
      key: quotaTarget('key', key.keyId),
    };
    const hard: Watched['hard'][number][] = [];
    for (const quota of key.quotas) {
      const counter = counterOf(targetOf[quota.scope], quota.category, quota.period);
      cover(counter);
      if (quota.isHard) hard.push({ quota, counter });
    }
    const watched = { targets: Object.values(targetOf), byCategory: new Map(), hard };
    watchedBy.set(key, watched);
    return watched;
  }

  /** What other nodes took may have been told long ago. */
  function cover(counter: Counter): void {
    if (covered.has(counter)) return;
    covered.add(counter);
    counter.ask();
    askSoon();
  }

  /** All that count what the key sends of a category. */
  function countersOf(key: IngestKey, watched: Watched, category: QuotaCategory): readonly Counter[] {
    const known = watched.byCategory.get(category);
    if (known) return known;
    const all = watched.targets.map((target) => counterOf(target, category, 'month'));
    for (const quota of key.quotas) {
      if (quota.category !== category || quota.period !== 'minute') continue;
      const target = watched.targets.find((one) => one.startsWith(`${quota.scope}:`));
      if (target !== undefined) all.push(counterOf(target, category, 'minute'));
    }
    watched.byCategory.set(category, all);
    return all;
  }

  function count(key: IngestKey, category: QuotaCategory, quantity: number, nowMs: number): void {
    for (const counter of countersOf(key, watch(key), category)) {
      if (counter.turnTo(nowMs, key.timeZone) && covered.has(counter)) askSoon();
      counter.add(quantity);
    }
  }

  /** What this node counted before it was started, or others did, is known as soon as the store answers. */
  function askSoon(): void {
    if (isAsking) return;
    isAsking = true;
    setImmediate(() => {
      isAsking = false;
      void tell(false);
    });
  }

  function usedUp(key: IngestKey, nowMs: number): readonly UsedUp[] {
    if (key.quotas.length === 0 || key.settings.internal) return noneUsedUp;
    const found: UsedUp[] = [];
    for (const { quota, counter } of watch(key).hard) {
      if (counter.turnTo(nowMs, key.timeZone)) askSoon();
      if (counter.used >= quota.amount) found.push({ quota, endMs: counter.endMs });
    }
    return found;
  }

  async function store(uses: readonly QuotaUse[]): Promise<readonly number[] | undefined> {
    try {
      return await add(uses);
    } catch (error) {
      logger.debug({ err: error }, 'could not store yet what was used of quotas');
      return undefined;
    }
  }

  async function write(withAll: boolean): Promise<void> {
    const over = left;
    left = [];
    const sent = [...(withAll ? counters.values() : covered)].flatMap((counter) => {
      const use = counter.send();
      return use ? [{ counter, use }] : [];
    });
    if (over.length + sent.length === 0) return;
    const sums = await store([...over, ...sent.map(({ use }) => use)]);
    if (!sums) for (const use of over) if (use.period === 'month') keepLeft(use);
    for (const [index, { counter, use }] of sent.entries()) {
      const sum = sums?.[over.length + index];
      if (sum === undefined) counter.isNotStored(use);
      else counter.isStored(use, sum);
    }
  }

  function tell(withAll: boolean): Promise<void> {
    flushing = flushing.then(() => write(withAll));
    return flushing;
  }

  return {
    take(items, key, nowMs) {
      if (key.settings.internal) return none;
      const stopped = key.quotas.length > 0 ? stoppedOf(items, usedUp(key, nowMs)) : none;
      for (const item of items) {
        const category = quotaCategoryOf(item.type.category);
        if (category && !stopped.has(item)) count(key, category, quantityOf(item), nowMs);
      }
      return stopped;
    },
    giveBack(items, key, nowMs) {
      if (key.settings.internal) return;
      for (const item of items) {
        const category = quotaCategoryOf(item.type.category);
        if (category) count(key, category, -quantityOf(item), nowMs);
      }
    },
    usedUp,
    flush: () => tell(true),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await tell(true);
    },
  };
}

function stoppedOf(items: readonly ScannedItem[], used: readonly UsedUp[]): StoppedByQuota {
  if (used.length === 0) return none;
  const stopped = new Map<ScannedItem, UsedUp>();
  /** By what they depend on. */
  const followers = new Map<DataCategory, UsedUp>();
  for (const item of items) {
    const category = quotaCategoryOf(item.type.category);
    const by = category && longest(used.filter(({ quota }) => quota.category === category));
    if (!by) continue;
    stopped.set(item, by);
    for (const follower of dependents.get(item.type.category) ?? []) followers.set(follower, by);
  }
  for (const item of items) {
    const by = followers.get(item.type.category);
    if (by && !stopped.has(item)) stopped.set(item, by);
  }
  return stopped;
}

const longest = (used: readonly UsedUp[]): UsedUp | undefined => used.toSorted((a, b) => b.endMs - a.endMs)[0];

const quantityOf = ({ type, quantity, bytes }: ScannedItem): number =>
  type.category === 'attachment' ? bytes : quantity;

/** Until the quota begins anew, as far as clients are told. */
export const quotaPauseSeconds = ({ endMs }: UsedUp, nowMs: number): number =>
  Math.min(longestPauseSeconds, Math.max(1, Math.ceil((endMs - nowMs) / 1000)));

export const quotaReasons = { minute: 'minute_quota', month: 'month_quota' } as const satisfies Record<
  QuotaPeriod,
  string
>;

/** As SDKs are told. */
export const quotaLimits = (used: readonly UsedUp[], nowMs: number): RateLimit[] =>
  used.map((one) => ({
    retryAfter: quotaPauseSeconds(one, nowMs),
    categories: sdkCategories[one.quota.category],
    scope: one.quota.scope,
    reason: quotaReasons[one.quota.period],
  }));
