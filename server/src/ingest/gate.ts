/**
 * Bounds what requests hold together: bytes of bodies, running decompressions. Those that wait are served in order.
 */
export interface Gate {
  /** Units held now. */
  readonly held: number;
  /** True when there was room, which is then held. Never waits, and never overtakes those that do. */
  tryTake(amount: number): boolean;
  /** True once there is room, which is then held; false when none came within `waitMs` or too many wait already. */
  take(amount: number, waitMs: number): Promise<boolean>;
  /** Gives back what was taken. */
  release(amount: number): void;
}

interface Waiting {
  readonly amount: number;
  readonly settle: (granted: boolean) => void;
}

export function createGate(limit: number, maxWaiting = 100): Gate {
  let held = 0;
  const waiting = new Set<Waiting>();

  // An amount above the limit passes when it is alone, so that a wrong setting makes requests slow and not impossible.
  const fits = (amount: number): boolean => held === 0 || held + amount <= limit;

  function tryTake(amount: number): boolean {
    if (waiting.size > 0 || !fits(amount)) return false;
    held += amount;
    return true;
  }

  return {
    get held() {
      return held;
    },
    tryTake,
    take(amount, waitMs) {
      if (tryTake(amount)) return Promise.resolve(true);
      if (waiting.size >= maxWaiting || waitMs <= 0) return Promise.resolve(false);
      return new Promise((resolve) => {
        const timer = setTimeout(() => entry.settle(false), waitMs);
        const entry: Waiting = {
          amount,
          settle(granted) {
            clearTimeout(timer);
            waiting.delete(entry);
            resolve(granted);
          },
        };
        waiting.add(entry);
      });
    },
    release(amount) {
      held -= amount;
      for (const entry of waiting) {
        if (!fits(entry.amount)) break;
        held += entry.amount;
        entry.settle(true);
      }
    },
  };
}
