/**
 * How many reports of the program's own failures may go: a burst, then a trickle, and few of one kind. A crash loop or a
 * store that is down must not fill the stores with the news of it; the log has every failure anyway. Most of the burst is
 * for failures that were not reported yet: while a store is away, jobs that try again must not keep the news from going.
 */
export interface ReportLimiter {
  /** `kind` is what makes two failures the same. False: keep it to the log. */
  take(kind: string): boolean;
  /** How many were refused since this was last asked. */
  refused(): number;
}

interface Options {
  readonly burst?: number;
  /** After how many ms another one may go once the burst is used up. */
  readonly refillMs?: number;
  readonly burstPerKind?: number;
  /** Within which `burstPerKind` holds. */
  readonly windowMs?: number;
  /** ms, of a clock that only goes forward. */
  readonly now?: () => number;
}

/** More kinds than these are not told apart within a window. */
const maxKinds = 1_000;
/** What is left of the burst for failures that were not reported within an hour. */
const keptForNew = 3 / 4;
const knownMs = 3_600_000;

export function createReportLimiter({
  burst = 200,
  refillMs = 6_000,
  burstPerKind = 5,
  windowMs = 60_000,
  now = () => performance.now(),
}: Options = {}): ReportLimiter {
  let tokens = burst;
  let filledAt = now();
  let windowAt = now();
  let refused = 0;
  const kinds = new Map<string, number>();
  const known = new Set<string>();
  let knownAt = now();

  const taken = (kind: string): boolean => {
    const at = now();
    if (at - windowAt >= windowMs) {
      windowAt = at;
      kinds.clear();
    }
    if (at - knownAt >= knownMs || known.size >= maxKinds) {
      knownAt = at;
      known.clear();
    }
    const name = kinds.has(kind) || kinds.size < maxKinds ? kind : '';
    const count = (kinds.get(name) ?? 0) + 1;
    kinds.set(name, count);
    if (count > burstPerKind) return false;
    tokens = Math.min(burst, tokens + (at - filledAt) / refillMs);
    filledAt = at;
    if (tokens < 1 + (known.has(name) ? Math.floor(burst * keptForNew) : 0)) return false;
    tokens -= 1;
    known.add(name);
    return true;
  };
  return {
    take(kind) {
      const passes = taken(kind);
      if (!passes) refused += 1;
      return passes;
    },
    refused() {
      const count = refused;
      refused = 0;
      return count;
    },
  };
}
