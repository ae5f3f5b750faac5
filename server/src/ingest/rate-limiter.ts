/**
 * Limits of project keys: so many items of a data category in a window of time. Windows are fixed and start at
 * multiples of their length, so that a restart forgets what was counted and nothing else.
 */
import type { IngestKey } from './keys.ts';

export type KeyLimit = NonNullable<IngestKey['rateLimit']>;

export interface RateLimiter {
  /**
   * Counts the items and says whether they may pass. Those of one request pass or stop together, so the last request
   * of a window may go over the limit: half a request is of no use to anyone.
   */
  take(keyId: number, limit: KeyLimit, category: string, quantity: number, nowMs: number): boolean;
}

interface Window {
  endMs: number;
  readonly used: Map<string, number>;
}

/** One window per key that exists and has a limit; categories are a fixed set. So the memory is bounded. */
export function createRateLimiter(): RateLimiter {
  const windows = new Map<number, Window>();
  return {
    take(keyId, limit, category, quantity, nowMs) {
      const endMs = windowEndMs(limit, nowMs);
      let window = windows.get(keyId);
      if (!window || window.endMs !== endMs) {
        window = { endMs, used: new Map() };
        windows.set(keyId, window);
      }
      const used = window.used.get(category) ?? 0;
      if (used >= limit.count) return false;
      window.used.set(category, used + quantity);
      return true;
    },
  };
}

/** Whole seconds until the window ends, at least 1. */
export function retryAfterSeconds(limit: KeyLimit, nowMs: number): number {
  return Math.max(1, Math.ceil((windowEndMs(limit, nowMs) - nowMs) / 1000));
}

/** When the window ends in which that moment lies, ms since the epoch. */
export function windowEndMs(limit: KeyLimit, nowMs: number): number {
  const lengthMs = limit.windowSeconds * 1000;
  return (Math.floor(nowMs / lengthMs) + 1) * lengthMs;
}
