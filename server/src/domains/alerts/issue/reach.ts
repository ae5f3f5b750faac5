/**
 * How high a count can be by now, without counting again: as it was, and one for each event of the issue that was stored
 * since. A threshold out of its reach need not be asked for; most are, most of the time.
 *
 * `totals` are of whole days from the first that any window touches: no window holds more. They are read before anything
 * is counted, so that an event stored in between is taken twice, never missed.
 */
export interface Reach {
  /** Begins a look. */
  begin(look: ReachLook): void;
  /** No more than that; a key is of one issue. */
  most(key: string, issueId: number): number;
  /** Whether it was counted lately. */
  isKnown(key: string, issueId: number): boolean;
  note(key: string, issueId: number, value: number): void;
}

export interface ReachLook {
  /** Totals of other days say nothing about what is remembered. */
  readonly firstDay: number;
  /** Events by issue. */
  readonly totals: ReadonlyMap<number, number>;
  readonly nowMs: number;
}

/** What was counted is counted anew after that: windows move on, and events are deleted and issues parted. */
const keptMs = 60_000;
const maxKept = 200_000;

interface Counted {
  readonly value: number;
  readonly total: number;
  readonly at: number;
}

export function createReach(): Reach {
  const counts = new Map<string, Counted>();
  let look: ReachLook = { firstDay: 0, totals: new Map(), nowMs: 0 };
  const totalOf = (issueId: number): number => look.totals.get(issueId) ?? 0;
  const known = (key: string, issueId: number): Counted | undefined => {
    const one = counts.get(key);
    return one && one.total <= totalOf(issueId) ? one : undefined;
  };
  return {
    begin(next) {
      const isOther = next.firstDay !== look.firstDay || next.nowMs < look.nowMs || counts.size > maxKept;
      look = next;
      if (isOther) counts.clear();
      for (const [key, { at }] of counts) if (at <= next.nowMs - keptMs) counts.delete(key);
    },
    most(key, issueId) {
      const one = known(key, issueId);
      return totalOf(issueId) + (one ? one.value - one.total : 0);
    },
    isKnown: (key, issueId) => known(key, issueId) !== undefined,
    note: (key, issueId, value) => void counts.set(key, { value, total: totalOf(issueId), at: look.nowMs }),
  };
}
