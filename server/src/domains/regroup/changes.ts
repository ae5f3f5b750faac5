/** Which issues would be one and which would break apart: a pure function of where their events go. */
import type { Destination, Place } from './places.ts';

export interface Changes {
  readonly merges: readonly PlannedMerge[];
  readonly splits: readonly PlannedSplit[];
  /** Issues that keep all their events and get no others. */
  readonly unchanged: number;
}

export interface PlannedMerge {
  /** Null: a new issue. */
  readonly into: number | null;
  readonly title: string;
  readonly issues: readonly { readonly issueId: number; readonly events: number }[];
}

export interface PlannedSplit {
  readonly issueId: number;
  readonly parts: readonly PlannedPart[];
}

export interface PlannedPart {
  readonly title: string;
  readonly events: number;
  readonly fingerprint: readonly string[] | null;
  readonly exampleEventId: string;
}

const maxListed = 100;
const maxParts = 50;

const sum = (places: readonly Place[]): number => places.reduce((all, { regrouped }) => all + regrouped.events, 0);
const most = <T extends { readonly events: number }>(parts: readonly T[]): T[] =>
  parts.toSorted((a, b) => b.events - a.events);

export function changesOf(places: readonly Place[]): Changes {
  const byIssue = Map.groupBy(places, ({ regrouped }) => regrouped.issueId);
  const byPlace = Map.groupBy(places, ({ to }) => to);
  const touched = new Set<number>();
  const merges: (PlannedMerge & { events: number })[] = [];
  for (const [to, group] of byPlace) {
    const merge = mergeOf(to, group);
    if (!merge) continue;
    merges.push({ ...merge, events: sum(group) });
    for (const { issueId } of merge.issues) touched.add(issueId);
    if (merge.into !== null) touched.add(merge.into);
  }
  const splits: (PlannedSplit & { events: number })[] = [];
  for (const [issueId, group] of byIssue) {
    const parts = partsOf(group);
    if (parts.length < 2) continue;
    splits.push({ issueId, parts: parts.slice(0, maxParts), events: sum(group) });
    touched.add(issueId);
  }
  return {
    merges: most(merges)
      .slice(0, maxListed)
      .map(({ into, title, issues }) => ({ into, title, issues })),
    splits: most(splits)
      .slice(0, maxListed)
      .map(({ issueId, parts }) => ({ issueId, parts })),
    unchanged: [...byIssue.keys()].filter((id) => !touched.has(id)).length,
  };
}

/** Undefined where the events of one issue alone go. */
function mergeOf(to: Destination, group: readonly Place[]): PlannedMerge | undefined {
  const byIssue = Map.groupBy(group, ({ regrouped }) => regrouped.issueId);
  const [only] = byIssue.keys();
  // Events of one issue that go to another one, which has none in the sample itself, join it all the same.
  if (byIssue.size < 2 && (typeof to === 'string' || only === to)) return undefined;
  const issues = most([...byIssue].map(([issueId, places]) => ({ issueId, events: sum(places) })));
  const [largest] = most(group.map(({ regrouped }) => regrouped));
  return {
    into: typeof to === 'number' ? to : null,
    title: largest?.title ?? '',
    issues: issues.slice(0, maxListed),
  };
}

function partsOf(group: readonly Place[]): PlannedPart[] {
  const parts = [...Map.groupBy(group, ({ to }) => to).values()].map((places): PlannedPart => {
    const [largest] = most(places.map(({ regrouped }) => regrouped));
    return {
      title: largest?.title ?? '',
      events: sum(places),
      fingerprint: largest?.fingerprint ?? null,
      exampleEventId: largest?.exampleEventId ?? '',
    };
  });
  return most(parts);
}
