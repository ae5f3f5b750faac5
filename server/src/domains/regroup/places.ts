/**
 * Where events would go by other rules: a pure function of what they are grouped by before and after.
 *
 * An event whose first hash stays the same stays where it is, by whatever decision it came there. Else the issue that
 * owns one of its new hashes gets it, or the one that has it by the version before. A hash that nobody knows goes to the
 * issue of which it would be the largest part, that with the most events first; what is left of an issue that breaks
 * apart becomes new ones.
 */
import type { Grouping } from '../../process/types.ts';

/** Events that are grouped alike before and after. */
export interface Regrouped {
  /** Where they are now. */
  readonly issueId: number;
  /** Stored events that they stand for. */
  readonly events: number;
  readonly stays: boolean;
  /** As they would be, best first; at least one. */
  readonly hashes: readonly string[];
  /** By the version before, where it was asked. */
  readonly previous: readonly string[];
  readonly title: string;
  /** What a rule or the client set; null for none. */
  readonly fingerprint: readonly string[] | null;
  readonly exampleEventId: string;
  /** Where it was asked to be kept. */
  readonly grouping?: Grouping;
}

/** An issue by id, or a new one by the hash that would make it. */
export type Destination = number | string;

export interface Place {
  readonly regrouped: Regrouped;
  readonly to: Destination;
}

export function placesOf(all: readonly Regrouped[], owners: ReadonlyMap<string, number>): Place[] {
  const direct = (one: Regrouped): number | undefined => (one.stays ? one.issueId : firstOwner(one.hashes, owners));
  const unknown = Map.groupBy(
    all.filter((one) => direct(one) === undefined),
    (one) => one.hashes[0] ?? '',
  );
  const taken = adopters(all, unknown, owners, direct);
  return all.map((regrouped) => {
    const [key = ''] = regrouped.hashes;
    return { regrouped, to: direct(regrouped) ?? taken.get(key) ?? key };
  });
}

const firstOwner = (hashes: readonly string[], owners: ReadonlyMap<string, number>): number | undefined => {
  for (const hash of hashes) {
    const owner = owners.get(hash);
    if (owner !== undefined) return owner;
  }
  return undefined;
};

/** The issue that gets each hash that nobody knows; none for one that makes a new issue. */
function adopters(
  all: readonly Regrouped[],
  unknown: ReadonlyMap<string, readonly Regrouped[]>,
  owners: ReadonlyMap<string, number>,
  direct: (one: Regrouped) => number | undefined,
): Map<string, number> {
  const taken = new Map<string, number>();
  const largest = largestParts(all, direct);
  for (const [key, group] of unknown) {
    const before = heaviest(group, (one) => firstOwner(one.previous, owners));
    const heirs = heaviest(group, (one) => (largest.get(one.issueId) === key ? one.issueId : undefined));
    const owner = before ?? heirs;
    if (owner !== undefined) taken.set(key, owner);
  }
  return taken;
}

/** What most events of each issue would be: the issue itself, another, or a hash that nobody knows. */
function largestParts(
  all: readonly Regrouped[],
  direct: (one: Regrouped) => number | undefined,
): Map<number, Destination> {
  const largest = new Map<number, Destination>();
  for (const [issueId, group] of Map.groupBy(all, (one) => one.issueId)) {
    const part = heaviest(group, (one): Destination => direct(one) ?? one.hashes[0] ?? '');
    if (part !== undefined) largest.set(issueId, part);
  }
  return largest;
}

/** The key with the most events; the first of equals. */
function heaviest<Key extends Destination>(
  group: readonly Regrouped[],
  keyOf: (one: Regrouped) => Key | undefined,
): Key | undefined {
  const weights = new Map<Key, number>();
  for (const one of group) {
    const key = keyOf(one);
    if (key !== undefined) weights.set(key, (weights.get(key) ?? 0) + one.events);
  }
  let best: Key | undefined;
  let most = -1;
  for (const [key, weight] of weights) {
    if (weight <= most) continue;
    best = key;
    most = weight;
  }
  return best;
}

/** What the issue gets that takes new hashes in; nothing for a place where nothing is new. */
export function adoptedBy({ regrouped, to }: Place): { issueId: number; grouping: Grouping; eventId: string }[] {
  const { grouping, stays, exampleEventId } = regrouped;
  return grouping && !stays && typeof to === 'number' ? [{ issueId: to, grouping, eventId: exampleEventId }] : [];
}
