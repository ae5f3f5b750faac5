/**
 * The events that have a digest. The event index names them, and the traces of the newest: so what nothing has costs no
 * statement, and none has to wait for another. Where it does not, the engine looks for all of them.
 */
import type { DigestEvent, DigestEvents } from '../../ports/event-index/event-index.ts';
import type { Events } from '../../ports/events/events.ts';
import { inProjects, withHashes } from '../../base/sql.ts';
import { fewKeys, readBeside, readMatches } from './keyed.ts';
import { both, countByHash, findMatches, type HashTotals, type Match, type MatchScope, withDigest } from './matches.ts';
import { eventsOfTraces, newestTraces } from './tied.ts';

/** Groups whose newest event is read with its payload. */
const mostShown = 6;

export interface Matched {
  /** The newest first. */
  readonly matched: readonly Match[];
  /** The other events of the same traces. */
  readonly tied: () => Promise<readonly Match[]>;
  /** What all events that match add up to, where there are more than were read, or some may stand for others. */
  readonly totals: () => Promise<readonly HashTotals[]>;
}

export const noTotals = async (): Promise<readonly HashTotals[]> => [];

export interface DigestScope extends MatchScope {
  /** Projects of which a storm sampled errors in the range. */
  readonly sampledIds: ReadonlySet<number>;
}

/** `limit`: how many events are read. */
export async function matchDigest(events: Events, scope: DigestScope, digest: string, limit: number): Promise<Matched> {
  const named = nameDigest(events, scope, digest, limit + 1);
  return named ? matchNamed(events, scope, digest, named, limit) : lookForDigest(events, scope, digest, limit);
}

/** The newest events of a digest alone. */
export async function findDigest(events: Events, scope: MatchScope, digest: string, limit: number): Promise<Match[]> {
  const named = nameDigest(events, scope, digest, limit);
  return named ? readNamed(events, named, digest, limit) : findMatches(events, scope, withDigest(digest), limit);
}

/** Some may be gone, or have another digest. */
const nameDigest = (
  { index }: Events,
  { projectIds, range }: MatchScope,
  digest: string,
  limit: number,
): DigestEvents | undefined =>
  index?.withDigest(digest, { projectIds, from: range?.startMs, until: range?.open ? undefined : range?.endMs }, limit);

/** The newest of each group are those that are shown: their payloads are read beside the statement for all of them. */
async function readNamed(
  events: Events,
  { events: named, groups }: DigestEvents,
  digest: string,
  limit: number,
): Promise<Match[]> {
  const options = { condition: withDigest(digest), meets: (match: Match) => match.digest === digest, limit };
  const newest = named.length > fewKeys ? newestOfGroups(named, Math.min(groups.length, mostShown)) : [];
  const [all, shown] = await Promise.all([readMatches(events, named, options), readBeside(events, newest)]);
  const payloads = new Map(
    shown
      .flatMap((match) => match ?? [])
      .map(({ projectId, eventId, payload }) => [`${projectId} ${eventId}`, payload]),
  );
  return all.map((match) => ({
    ...match,
    payload: payloads.get(`${match.projectId} ${match.eventId}`) ?? match.payload,
  }));
}

function newestOfGroups(events: readonly DigestEvent[], count: number): DigestEvent[] {
  const newest = new Map<string, DigestEvent>();
  for (const event of events) {
    const group = `${event.projectId} ${event.hash}`;
    if (!newest.has(group)) newest.set(group, event);
    if (newest.size === count) break;
  }
  return [...newest.values()];
}

async function matchNamed(
  events: Events,
  scope: DigestScope,
  digest: string,
  named: DigestEvents,
  limit: number,
): Promise<Matched> {
  const asked = newestTraces(named.events);
  const ends = named.events.map(({ idEnd }) => idEnd);
  const tied = begun(eventsOfTraces(events, scope, asked, limit, ends));
  const totals = begun(
    needsTotals(named.events, scope, limit) ? countByHash(events, scope, ofGroups(named, digest)) : noTotals(),
  );
  const matched = await readNamed(events, named, digest, limit + 1);
  const traces = newestTraces(matched);
  const isAsked = traces.ids.every((id) => asked.ids.includes(id));
  return {
    matched,
    totals,
    tied: isAsked
      ? async () => (await tied()).filter(({ traceId }) => traces.ids.includes(traceId))
      : () => tiedTo(events, scope, matched, limit),
  };
}

/** Who asks for it hears of its failure. */
function begun<T>(work: Promise<T>): () => Promise<T> {
  work.catch(() => undefined);
  return () => work;
}

const ofGroups = ({ groups }: DigestEvents, digest: string) =>
  [
    inProjects([...new Set(groups.map(({ projectId }) => projectId))]),
    withHashes([...new Set(groups.map(({ hash }) => hash))]),
  ].reduce(both, withDigest(digest));

/** An event that was read does not tell for how many it stands. */
const needsTotals = (found: readonly { projectId: number }[], { sampledIds }: DigestScope, limit: number): boolean =>
  found.length > limit || found.some(({ projectId }) => sampledIds.has(projectId));

async function lookForDigest(events: Events, scope: DigestScope, digest: string, limit: number): Promise<Matched> {
  const condition = withDigest(digest);
  const matched = await findMatches(events, scope, condition, limit + 1);
  return {
    matched,
    tied: () => tiedTo(events, scope, matched, limit),
    totals: needsTotals(matched, scope, limit) ? () => countByHash(events, scope, condition) : noTotals,
  };
}

/** The other events of the newest traces of those that matched. */
export const tiedTo = (
  events: Events,
  scope: MatchScope,
  matched: readonly Match[],
  limit: number,
): Promise<readonly Match[]> =>
  eventsOfTraces(
    events,
    scope,
    newestTraces(matched),
    limit,
    matched.map(({ eventId }) => eventId),
  );
