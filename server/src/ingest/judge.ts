/** Decides which items of an envelope stay. */
import type { DataCategory } from '@culprit/envelope';
import type { IngestKey } from './keys.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { ScannedItem } from './scan.ts';

export interface Verdict {
  /** All of them, in order, when nothing was dropped. */
  readonly kept: readonly ScannedItem[];
  /** Stopped by the key's limit, their own or that of the event they belong to. */
  readonly limited: readonly ScannedItem[];
  /** Names, for SDKs, of the categories whose limit is used up. */
  readonly exhausted: readonly string[];
  /** More of their type than an envelope may have. */
  readonly surplus: readonly ScannedItem[];
}

const none: readonly never[] = [];

/** What is of no use without an event of the category. */
export const dependents: ReadonlyMap<DataCategory, readonly DataCategory[]> = new Map([
  ['error', ['attachment']],
  ['transaction', ['attachment', 'profile']],
  ['feedback', ['attachment']],
] as const);

export function judge(items: readonly ScannedItem[], key: IngestKey, limiter: RateLimiter, nowMs: number): Verdict {
  const { kept, surplus } = withoutSurplus(items);
  if (key.rateLimit === null) return { kept, limited: none, exhausted: none, surplus };

  const { exhausted, stopped } = stoppedCategories(kept, key.keyId, key.rateLimit, limiter, nowMs);
  if (stopped.size === 0) return { kept, limited: none, exhausted: none, surplus };
  const isStopped = (item: ScannedItem): boolean => isLimitable(item) && stopped.has(item.type.category);
  const names = kept.filter((item) => exhausted.has(item.type.category)).flatMap((item) => item.type.limitCategories);
  return {
    kept: kept.filter((item) => !isStopped(item)),
    limited: kept.filter(isStopped),
    exhausted: [...new Set(names)],
    surplus,
  };
}

function withoutSurplus(items: readonly ScannedItem[]): Pick<Verdict, 'kept' | 'surplus'> {
  if (items.length <= 1) return { kept: items, surplus: none };
  const counts = new Map<string, number>();
  const surplus: ScannedItem[] = [];
  const kept = items.filter((item) => {
    const count = (counts.get(item.type.name) ?? 0) + 1;
    counts.set(item.type.name, count);
    if (count <= item.type.maxPerEnvelope) return true;
    surplus.push(item);
    return false;
  });
  return surplus.length === 0 ? { kept: items, surplus: none } : { kept, surplus };
}

/** Items of a category pass or stop together: a replay's event without its recording would help nobody. */
function stoppedCategories(
  items: readonly ScannedItem[],
  keyId: number,
  limit: NonNullable<IngestKey['rateLimit']>,
  limiter: RateLimiter,
  nowMs: number,
): { exhausted: Set<DataCategory>; stopped: Set<DataCategory> } {
  const quantities = new Map<DataCategory, number>();
  for (const item of items) {
    if (!isLimitable(item)) continue;
    quantities.set(item.type.category, (quantities.get(item.type.category) ?? 0) + item.quantity);
  }
  const exhausted = new Set<DataCategory>();
  const followers = new Set<DataCategory>();
  const decide = (category: DataCategory): boolean => {
    const quantity = quantities.get(category);
    if (quantity === undefined || followers.has(category)) return true;
    quantities.delete(category);
    const passes = limiter.take(keyId, limit, category, quantity, nowMs);
    if (!passes) exhausted.add(category);
    return passes;
  };
  // Those that others depend on come first, so that what goes with them does not use up its own limit.
  for (const [category, dependent] of dependents) {
    if (!decide(category)) for (const follower of dependent) followers.add(follower);
  }
  for (const category of quantities.keys()) decide(category);
  return { exhausted, stopped: new Set([...exhausted, ...followers]) };
}

function isLimitable(item: ScannedItem): boolean {
  return item.type.limitCategories.length > 0;
}
