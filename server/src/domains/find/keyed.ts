/** Events whose keys are known: few are read from what lies beside their payloads, others by the sort key of their rows. */
import type { SqlPart } from '../../base/sql.ts';
import type { Events } from '../../ports/events/events.ts';
import type { Place } from '../../ports/payloads/payloads.ts';
import { type IndexedRow, readIndexed } from '../issues/index.ts';
import { between, both, findMatches, type Match, type MatchScope, ofHashesAt, toMatch } from './matches.ts';

export interface MatchKey {
  readonly projectId: number;
  readonly hash: string;
  /** ms since the epoch. */
  readonly at: number;
  /** The second half of the event's id. */
  readonly idEnd: string;
}

/** Of more than this a statement is cheaper than their payloads. */
export const fewKeys = 8;
/** Of more times a statement names the first and the last. */
const fewTimes = 40;

export interface KeyedOptions extends Pick<MatchScope, 'sdk'> {
  /** What rows of the keys must meet, and the same of what was read without them. */
  readonly condition: SqlPart;
  readonly meets: (match: Match) => boolean;
  readonly limit: number;
}

/** The newest first. */
export async function readMatches(
  events: Events,
  keys: readonly MatchKey[],
  { condition, meets, limit, sdk = false }: KeyedOptions,
): Promise<Match[]> {
  const beside = keys.length <= fewKeys ? await readBeside(events, keys) : undefined;
  const found = keys.flatMap((_, index) => beside?.[index] ?? []).filter(meets);
  const rest = keys.filter((_, index) => !beside?.[index]);
  if (!rest.length) return found.toSorted(newestFirst);
  const hashes = [...new Set(rest.map(({ hash }) => hash))];
  const times = [...new Set(rest.map(({ at }) => at))];
  const rows = await findMatches(
    events,
    {
      projectIds: [...new Set(rest.map(({ projectId }) => projectId))],
      keyed: true,
      sdk,
      payload: beside !== undefined,
    },
    both(times.length <= fewTimes ? ofHashesAt(hashes, times) : ofHashesDuring(hashes, times), condition),
    limit,
  );
  const all = new Map([...found, ...rows].map((match) => [`${match.projectId} ${match.eventId}`, match]));
  return [...all.values()].toSorted(newestFirst);
}

export const idEndOf = (eventId: string): string => eventId.slice(16);

export const newestFirst = (a: Match, b: Match): number => b.at - a.at || (a.eventId < b.eventId ? 1 : -1);

const ofHashesDuring = (hashes: readonly string[], times: readonly number[]): SqlPart =>
  both(
    { conditions: ['group_hash IN {hashes:Array(String)}'], params: { hashes } },
    between({ from: Math.min(...times), until: Math.max(...times) }),
  );

/** In the order of the keys; undefined of those that the engine is to be asked for. */
export async function readBeside(
  { index, payloads }: Events,
  keys: readonly MatchKey[],
): Promise<(Match | undefined)[]> {
  const places = keys.map(({ projectId, hash, idEnd }): readonly Place[] =>
    index?.isSure(projectId, hash) ? index.placesOf(idEnd) : [],
  );
  const events = await readIndexed({ payloads }, places.flat());
  return keys.map((key) => {
    const event = events.find((one) => one !== undefined && isOf(one, key));
    return event && matchOf(event);
  });
}

/** Those with the id; undefined where the engine is to be asked, also about what may not be there at all. */
export async function readById(
  { index, payloads }: Events,
  { projectIds, range }: MatchScope,
  eventId: string,
): Promise<Match[] | undefined> {
  const rows = await readIndexed({ payloads }, index?.placesOf(eventId) ?? []);
  const own = rows.filter((row) => row?.event_id === eventId);
  if (!own.length || rows.includes(undefined)) return undefined;
  const events = own.filter((row) => row !== undefined);
  if (!events.every((event) => index?.isSure(event.project_id, event.group_hash))) return undefined;
  const seen = events
    .map(matchOf)
    .filter(
      ({ projectId, at }) =>
        projectIds.includes(projectId) && at >= (range?.startMs ?? 0) && (!range || range.open || at < range.endMs),
    );
  // Another of the id may be in its row alone.
  return seen.length ? seen.toSorted(newestFirst) : undefined;
}

const isOf = (event: IndexedRow, { projectId, hash, at, idEnd }: MatchKey): boolean =>
  event.project_id === projectId &&
  event.group_hash === hash &&
  event.timestamp === at &&
  event.event_id.endsWith(idEnd);

/** Of what lies beside a payload. */
export const matchOf = (event: IndexedRow): Match => toMatch(rowOf(event));

const rowOf = ({ timestamp, tags, missing_scripts, ...event }: IndexedRow) => ({
  ...event,
  at: timestamp,
  server: event.platform !== 'javascript' || (tags['runtime.name'] ?? '') !== '' ? 1 : 0,
  url: tags['url'] ?? '',
  turbopack: tags['turbopack'],
  unmapped: missing_scripts.length > 0 ? 1 : 0,
});
