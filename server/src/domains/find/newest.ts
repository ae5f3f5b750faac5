/** The newest events of issues. A row is what it is, so those that were read stay known for a while. */
import type { Events } from '../../ports/events/events.ts';
import { hashKey } from '../issues/index.ts';
import { idEndOf, type MatchKey, newestFirst, readMatches } from './keyed.ts';
import { findMatches, type Match, ofHashesAt } from './matches.ts';

export interface Newest {
  readonly projectId: number;
  readonly hashes: readonly string[];
  /** When it was, ms since the epoch. */
  readonly at: number;
}

/** The newest first. May have more than one of an issue. */
export async function readNewest(events: Events, issues: readonly Newest[]): Promise<Match[]> {
  const keys = issues.map((issue) => newestKey(events, issue));
  const [known, unknown] = [keys.filter((key) => key !== undefined), issues.filter((_, index) => !keys[index])];
  const [remembered, rest] = await Promise.all([readKnown(events, known), readByTime(events, unknown)]);
  return [...remembered, ...rest].toSorted(newestFirst);
}

function newestKey({ index }: Events, { projectId, hashes }: Newest): MatchKey | undefined {
  const [event] = index?.newest({ projectId, hashes }, 1) ?? [];
  return event && { projectId, hash: event.hash, at: event.at, idEnd: idEndOf(event.id) };
}

/** Without their payloads. */
const remembered = new WeakMap<Events, Map<string, Match>>();
const mostRemembered = 500;
const nameOf = ({ projectId, hash, at, idEnd }: MatchKey): string => `${projectId} ${hash} ${at} ${idEnd}`;

async function readKnown(events: Events, keys: readonly MatchKey[]): Promise<Match[]> {
  const known = remembered.get(events) ?? new Map<string, Match>();
  remembered.set(events, known);
  const there = keys.flatMap((key) => known.get(nameOf(key)) ?? []);
  const missing = keys.filter((key) => !known.has(nameOf(key)));
  if (!missing.length) return there;
  const read = await readMatches(events, missing, {
    condition: { conditions: [], params: {} },
    meets: () => true,
    // Several events of one moment are as good as one.
    limit: 4 * missing.length,
    sdk: true,
  });
  if (known.size + read.length > mostRemembered) known.clear();
  const names = new Set(missing.map(nameOf));
  const matches = read.map((match): Match => ({ ...match, payload: undefined }));
  for (const match of matches) {
    const name = nameOf({ ...match, idEnd: idEndOf(match.eventId) });
    if (names.has(name)) known.set(name, match);
  }
  return [...there, ...matches];
}

async function readByTime(events: Events, issues: readonly Newest[]): Promise<Match[]> {
  if (!issues.length) return [];
  const found = await findMatches(
    events,
    { projectIds: [...new Set(issues.map(({ projectId }) => projectId))], keyed: true, sdk: true },
    ofHashesAt(
      issues.flatMap(({ hashes }) => hashes),
      [...new Set(issues.map(({ at }) => at))],
    ),
    4 * issues.length,
  );
  const times = new Map(
    issues.flatMap(({ projectId, hashes, at }) => hashes.map((hash) => [hashKey(projectId, hash), at])),
  );
  return found.filter(({ projectId, hash, at }) => times.get(hashKey(projectId, hash)) === at);
}
