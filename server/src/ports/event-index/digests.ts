/** What weeks know of a digest. */
import { digestedFrom, digestRange, readDigested, readDigestKey } from './entries.ts';
import type { DigestEvent, DigestEvents, DigestScope } from './event-index.ts';
import type { Week } from './tables.ts';
import { endOf, weekOf } from './weeks.ts';

/** Groups of a digest, or of others of its hash, in a week. Of more the engine is asked. */
const maxGroups = 100;

/** `weeks`: the newest first. */
export function eventsWithDigest(
  weeks: readonly Week[],
  digest: string,
  { projectIds, from = 0, until = Infinity }: DigestScope,
  limit: number,
): DigestEvents | undefined {
  const range = digestRange(digest);
  const isWanted = new Set(projectIds);
  const [first, end] = [digestedFrom(from), digestedFrom(until)];
  const events: DigestEvent[] = [];
  const groups = new Map<string, Pick<DigestEvent, 'projectId' | 'hash'>>();
  for (const { week, byDigest } of weeks) {
    if (week < weekOf(from)) break;
    if (endOf(week - 1) >= until) continue;
    const keys = Array.from(byDigest.getKeys({ ...range, limit: maxGroups }), (key) => Buffer.from(key));
    if (keys.length === maxGroups) return undefined;
    const ofWeek: DigestEvent[] = [];
    for (const key of keys) {
      const group = readDigestKey(key);
      if (!isWanted.has(group.projectId)) continue;
      groups.set(`${group.projectId} ${group.hash}`, group);
      const rest = limit - events.length;
      if (rest === 0) continue;
      for (const value of byDigest.getValues(key, { start: end, end: first, reverse: true, limit: rest }))
        ofWeek.push({ ...group, ...readDigested(value) });
    }
    ofWeek.sort((a, b) => b.at - a.at || (a.idEnd < b.idEnd ? 1 : -1));
    for (const event of ofWeek.slice(0, limit - events.length)) events.push(event);
  }
  return { events, groups: [...groups.values()] };
}
