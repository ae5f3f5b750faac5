/**
 * Limits of project keys that several nodes hold together. A node takes a share of a window's items from the state store
 * before it needs them, so that no request waits: a fiftieth of the limit at a time, and what it has let pass meanwhile.
 *
 * The sum over all nodes may be above the limit by what came while an answer was under way, and below it by the shares
 * that are left over when the window ends. While the state store is away each node counts by itself.
 */
import type { KeyLimit, RateLimiter } from './rate-limiter.ts';
import { windowEndMs } from './rate-limiter.ts';

/** What a node wants of a window. */
export interface ShareWanted {
  readonly keyId: number;
  readonly category: string;
  /** When the window ends, ms since the epoch. */
  readonly endMs: number;
  readonly items: number;
}

/** Takes shares for this node. Resolves to what all nodes have taken of each, these included, in their order. */
export type TakeShares = (wanted: readonly ShareWanted[]) => Promise<readonly number[]>;

interface Window {
  endMs: number;
  readonly shares: Map<string, Share>;
}

interface Share {
  readonly limit: KeyLimit;
  used: number;
  /** May be used without asking. */
  granted: number;
  isAsking: boolean;
  /** Nothing is left of the window. */
  isOver: boolean;
  /** No new question before that, on the steady clock: the store did not answer the last one. */
  restUntil: number;
}

const shareOfLimit = 50;
const restMs = 1_000;

/** `now`: ms, of a clock that only goes forward. */
export function createSharedLimiter(takeShares: TakeShares, now = () => performance.now()): RateLimiter {
  const windows = new Map<number, Window>();
  const asking: { readonly share: Share; readonly wanted: ShareWanted }[] = [];

  async function ask(): Promise<void> {
    const asked = asking.splice(0);
    try {
      const sums = await takeShares(asked.map(({ wanted }) => wanted));
      for (const [index, { share, wanted }] of asked.entries()) grant(share, wanted.items, sums[index] ?? 0);
    } catch {
      for (const { share } of asked) share.restUntil = now() + restMs;
    } finally {
      for (const { share } of asked) share.isAsking = false;
    }
  }

  function wantMore(share: Share, keyId: number, category: string, endMs: number): void {
    const part = Math.max(1, Math.ceil(share.limit.count / shareOfLimit));
    if (share.isAsking || share.isOver || share.granted - share.used > part / 2 || now() < share.restUntil) return;
    share.isAsking = true;
    asking.push({ share, wanted: { keyId, category, endMs, items: Math.max(0, share.used - share.granted) + part } });
    // All that this turn of the event loop asks for is one statement.
    if (asking.length === 1) setImmediate(() => void ask());
  }

  return {
    take(keyId, limit, category, quantity, nowMs) {
      const endMs = windowEndMs(limit, nowMs);
      let window = windows.get(keyId);
      if (!window || window.endMs !== endMs) windows.set(keyId, (window = { endMs, shares: new Map() }));
      let share = window.shares.get(category);
      if (share?.limit.count !== limit.count) {
        const used = share?.used ?? 0;
        share = { limit, used, granted: used, isAsking: false, isOver: false, restUntil: 0 };
        window.shares.set(category, share);
      }
      if (share.used >= limit.count || (share.isOver && share.used >= share.granted)) return false;
      share.used += quantity;
      wantMore(share, keyId, category, endMs);
      return true;
    },
  };
}

/** `sum`: what all nodes have taken, with the items that this one wanted now. */
function grant(share: Share, wanted: number, sum: number): void {
  const left = Math.max(0, share.limit.count - (sum - wanted));
  share.granted += Math.min(wanted, left);
  share.isOver = sum >= share.limit.count;
}
