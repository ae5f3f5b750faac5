/** Which backups are kept: the newest of each of so many days, weeks and months (UTC), and always the newest of all. */

export interface KeepRules {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

interface Taken {
  readonly id: string;
  readonly snapshotAt: number;
}

const dayMs = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** By its Monday; the epoch was a Thursday. */
const weekOf = (at: number): string => String(Math.floor((at / dayMs + 3) / 7));
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Ids of those that go, oldest first. */
export function outdated(backups: readonly Taken[], { daily, weekly, monthly }: KeepRules): string[] {
  const newestFirst = backups.toSorted((a, b) => b.snapshotAt - a.snapshotAt);
  const kept = new Set(newestFirst.slice(0, 1).map(({ id }) => id));
  for (const [count, periodOf] of [
    [daily, dayOf],
    [weekly, weekOf],
    [monthly, monthOf],
  ] as const) {
    const seen = new Set<string>();
    for (const { id, snapshotAt } of newestFirst) {
      const period = periodOf(snapshotAt);
      if (seen.has(period)) continue;
      if (seen.size >= count) break;
      seen.add(period);
      kept.add(id);
    }
  }
  return newestFirst.flatMap(({ id }) => (kept.has(id) ? [] : [id])).toReversed();
}

/** Reads `daily=7,weekly=4,monthly=6`; undefined for anything else. What is not named is 0, and all of it together is at least one. */
export function parseKeep(text: string): KeepRules | undefined {
  const rules = { daily: 0, weekly: 0, monthly: 0 };
  for (const part of text.split(',')) {
    const [, name, count] = /^\s*(daily|weekly|monthly)\s*=\s*(\d{1,4})\s*$/.exec(part) ?? [];
    if (!name) return undefined;
    rules[name as keyof typeof rules] = Number(count);
  }
  return rules.daily + rules.weekly + rules.monthly > 0 ? rules : undefined;
}
