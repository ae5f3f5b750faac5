/** Feedback is about an event that may come after it: then it is linked to the issue of that event once it is there. */
import { createAlarm, type Job } from '../../base/jobs/index.ts';
import type { Live } from '../../base/live.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { hashesOfEvents, keyOf } from './record.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

interface Stores {
  readonly state: State;
  readonly events: Events;
}

/** Feedback younger than this is looked up whenever events arrive; older feedback every ten minutes, for a week. */
const freshMs = 10 * 60_000;
const lateMs = 7 * 86_400_000;
const everyMs = 10 * 60_000;
/** After events came, so that a stream of them asks no more often. */
const settleMs = 1_000;
const maxLate = 500;

/**
 * Finds the events of what is about one that was not there yet, and came since the time: of the newest, or of the newest
 * below an id. Returns the last id that it looked at, undefined where it came to the end.
 */
export async function linkLate(
  { state, events }: Stores,
  sinceMs: number,
  below?: number,
): Promise<number | undefined> {
  const waiting = await state.db
    .selectFrom('feedback')
    .select(['id', 'project_id as projectId', 'event_id as eventId'])
    .where('group_hash', '=', '')
    .where('event_id', '!=', '')
    .where('created_at', '>', sinceMs)
    .$if(below !== undefined, (query) => query.where('id', '<', below ?? 0))
    .orderBy('id', 'desc')
    .limit(maxLate)
    .execute();
  if (!waiting.length) return undefined;
  const hashes = await hashesOfEvents(events, waiting);
  for (const { id, projectId, eventId } of waiting) {
    const hash = hashes.get(keyOf(projectId, eventId));
    if (hash) await state.db.updateTable('feedback').set({ group_hash: hash }).where('id', '=', id).execute();
  }
  return waiting.length < maxLate ? undefined : waiting.at(-1)?.id;
}

/** On each node, since each hears of the events that it has stored itself; doing it twice changes nothing. */
export function createLinker({ live, ...stores }: Stores & { readonly live: Live }): Job {
  const alarm = createAlarm();
  let lookedAt = -Infinity;
  /** Where the last look among older ones ended. */
  let place: number | undefined;
  const unsubscribe = live.subscribe(({ type }) => {
    if (type === 'events' || type === 'missed') alarm.ring(settleMs);
  });
  return {
    name: 'feedback-links',
    title: jobTexts.feedbackLinks.title,
    nodes: 'each',
    everyMs,
    needsEvents: true,
    alarm,
    failed: jobTexts.feedbackLinks.failed,
    async run() {
      const now = performance.now();
      const isAll = now - lookedAt >= everyMs;
      const newest = await linkLate(stores, Date.now() - (isAll ? lateMs : freshMs));
      // Where more wait than one look takes, the rest has its turns: what waits for ever keeps nothing else waiting.
      if (newest !== undefined || place !== undefined) {
        place = await linkLate(stores, Date.now() - lateMs, Math.min(newest ?? Infinity, place ?? Infinity));
      }
      if (isAll) lookedAt = now;
    },
    async close() {
      unsubscribe();
    },
  };
}
