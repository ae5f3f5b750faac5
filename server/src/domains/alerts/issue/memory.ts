/** What an evaluator remembers between looks, so that it asks nothing twice. Losing it costs time alone: causes fire once. */
import { createReach, type Reach } from './reach.ts';

export interface LookMemory {
  /** What happened has been held against all rules, and what came of it was written. */
  isJudged(key: number | string): boolean;
  noteJudged(key: number | string, nowMs: number): void;
  /** What was noted since the last time counts once it is written; without that it is looked at again. */
  written(): void;
  lost(): void;
  /** A filter that found nothing is asked again, at growing distances. */
  isDue(key: string, nowMs: number): boolean;
  tryLater(key: string, nowMs: number): void;
  forget(key: string): void;
  /** Counts within a filter that were too low are not counted again at once. */
  isDeclined(key: string, nowMs: number): boolean;
  decline(key: string, nowMs: number, windowMs: number): void;
  forgetBefore(nowMs: number): void;
  readonly reach: Reach;
}

const keptMs = 5 * 60_000;
const maxKept = 200_000;

export function createLookMemory(): LookMemory {
  const judged = new Map<number | string, number>();
  const noted = new Map<number | string, number>();
  const retries = new Map<string, { readonly at: number; readonly waitMs: number }>();
  const declined = new Map<string, number>();
  return {
    isJudged: (key) => judged.has(key),
    noteJudged: (key, nowMs) => void noted.set(key, nowMs),
    written() {
      for (const [key, at] of noted) judged.set(key, at);
      noted.clear();
    },
    lost: () => noted.clear(),
    isDue: (key, nowMs) => (retries.get(key)?.at ?? 0) <= nowMs,
    tryLater(key, nowMs) {
      const waitMs = Math.min(16_000, (retries.get(key)?.waitMs ?? 500) * 2);
      retries.set(key, { at: nowMs + waitMs, waitMs });
    },
    forget: (key) => void retries.delete(key),
    isDeclined: (key, nowMs) => (declined.get(key) ?? 0) > nowMs,
    decline(key, nowMs, windowMs) {
      declined.set(key, nowMs + Math.max(5_000, Math.min(60_000, windowMs / 10)));
    },
    forgetBefore(nowMs) {
      for (const [key, at] of judged) if (at < nowMs - keptMs) judged.delete(key);
      for (const [key, { at }] of retries) if (at < nowMs - keptMs) retries.delete(key);
      for (const [key, until] of declined) if (until <= nowMs) declined.delete(key);
      // A storm: causes fire once, whether they are remembered or not.
      if (judged.size > maxKept) judged.clear();
      if (declined.size > maxKept) declined.clear();
    },
    reach: createReach(),
  };
}
