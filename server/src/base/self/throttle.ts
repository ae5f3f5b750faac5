/** Lets one of a kind pass in a while. */
export interface Throttle {
  passes(kind: string, everyMs: number): boolean;
}

const maxKinds = 1_000;

/** `now` gives ms of a clock that only goes forward. */
export function createThrottle(now: () => number = () => performance.now()): Throttle {
  const passedAt = new Map<string, number>();
  return {
    passes(kind, everyMs) {
      const at = now();
      const last = passedAt.get(kind);
      if (last !== undefined && at - last < everyMs) return false;
      if (passedAt.size >= maxKinds) passedAt.clear();
      passedAt.set(kind, at);
      return true;
    },
  };
}
