/** Compares how this server and another one group the events that both have. */
import { type Group, groupsOf, type Issue, type Pair } from './groups.ts';
import type { Ours, Span } from './ours.ts';
import type { Theirs } from './theirs.ts';

const longestMs = 14 * 86_400_000;
/** What came last may still be on its way. */
const settleMs = 60_000;

/** Since it is said, else since the mirror began, as far as that is not long ago. */
export function usualSpan(sinceMs: number | undefined, beganMs: number | undefined, nowMs: number): Span {
  const untilMs = nowMs - settleMs;
  return { sinceMs: sinceMs ?? Math.max(beganMs ?? 0, untilMs - longestMs), untilMs };
}

export interface Bounds {
  /** The newest events of an issue that are looked at. */
  readonly eventsPerIssue: number;
  readonly issues: number;
  /** Events that are asked for one by one, since a sample of the other side had them not. */
  readonly lookups: number;
}

export interface Missing {
  readonly eventId: string;
  /** That of the side which has it. */
  readonly issue: Issue;
}

export interface Comparison {
  /** Events that both sides have. */
  readonly events: number;
  readonly groups: readonly Group[];
  readonly missingHere: readonly Missing[];
  readonly missingThere: readonly Missing[];
  /** Events of ours that there was no call left to ask for. */
  readonly unknown: number;
}

export async function compare(
  { ours, theirs }: { readonly ours: Ours; readonly theirs: Theirs },
  span: Span,
  { eventsPerIssue, issues, lookups }: Bounds,
  onProgress: (done: number, of: number) => void = () => {},
): Promise<Comparison> {
  const [their, our] = await Promise.all([
    theirs.newest(span, eventsPerIssue, issues),
    ours.newest(span, eventsPerIssue, eventsPerIssue * issues),
  ]);
  const here = await ours.find([...their.keys()]);
  const pairs: Pair[] = [];
  const missingHere: Missing[] = [];
  for (const [eventId, issue] of their) {
    const own = here.get(eventId);
    if (own) pairs.push({ ours: own, theirs: issue });
    else missingHere.push({ eventId, issue });
  }
  const alone = [...our].filter(([eventId]) => !their.has(eventId));
  const missingThere: Missing[] = [];
  let done = 0;
  for (const [eventId, issue] of alone.slice(0, lookups)) {
    const other = await theirs.find(eventId);
    if (other) pairs.push({ ours: issue, theirs: other });
    else missingThere.push({ eventId, issue });
    onProgress((done += 1), Math.min(alone.length, lookups));
  }
  const unknown = Math.max(0, alone.length - lookups);
  return { events: pairs.length, groups: groupsOf(pairs), missingHere, missingThere, unknown };
}
