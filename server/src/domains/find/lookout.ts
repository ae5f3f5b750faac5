/**
 * Notices when a digest that somebody waits for arrives, and tells.
 *
 * A watch: waiting → found (its event is stored: told on the live stream, once) → removed by its user or expired.
 * Arrival is heard from the live messages of processing, at the cost of one look into a map where nobody waits. What
 * was not heard (another process stored it, this one was restarted, the store did not answer) is found by asking for
 * all waiting digests once a minute.
 */
import { sightIn } from '../accounts/index.ts';
import { hashKey, issuesOfHashes } from '../issues/index.ts';
import type { Job } from '../../base/jobs/index.ts';
import type { Live, LiveMessage } from '../../base/live.ts';
import { findMatches, type Match, onServer } from './matches.ts';
import type { FindStores } from './types.ts';
import { markFound, type WaitingWatch, waitingWatches } from './watches.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

export interface Lookout {
  readonly job: Job;
  /** Looks at once for what a new watch waits for, and from then on. Never throws: a store that does not answer is asked again. */
  begin(): Promise<void>;
}

export interface LookoutOptions {
  readonly stores: FindStores;
  readonly live: Live;
  /** A store did not answer to what was heard. */
  readonly warn: (error: unknown) => void;
}

const everyMs = 60_000;
/** Watches that are waited for at once; the newest. */
const maxWaiting = 1_000;
const matchLimit = 500;

export function createLookout({ stores, live, warn }: LookoutOptions): Lookout {
  const { state, events } = stores;
  /** Waiting, by digest. */
  let waiting = new Map<string, WaitingWatch[]>();
  // One after the other, so that a watch is never looked up by two at once.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  const refresh = async (): Promise<void> => {
    waiting = Map.groupBy(await waitingWatches(state, Date.now(), maxWaiting), ({ digest }) => digest);
    await lookFor([...waiting.values()].flat());
  };

  const lookFor = async (watches: readonly WaitingWatch[]): Promise<void> => {
    for (const [organizationId, ofOrganization] of Map.groupBy(watches, (watch) => watch.organizationId)) {
      const projects = await state.db
        .selectFrom('project')
        .select('id')
        .where('organization_id', '=', organizationId)
        .execute();
      const found = await findMatches(
        events,
        { projectIds: projects.map(({ id }) => id) },
        {
          conditions: ['digest IN {digests:Array(String)}', onServer],
          params: { digests: [...new Set(ofOrganization.map(({ digest }) => digest))] },
        },
        matchLimit,
      );
      const sees = await sightIn(state.db, [organizationId]);
      for (const watch of ofOrganization) {
        const event = found.find(
          (one) =>
            one.digest === watch.digest &&
            (watch.projectId === undefined || watch.projectId === one.projectId) &&
            sees(organizationId, watch.userId, one.projectId),
        );
        if (event) await tell(watch, event);
      }
    }
  };

  const tell = async (watch: WaitingWatch, event: Match): Promise<void> => {
    const issues = await issuesOfHashes(state, [event]);
    const issue = issues.get(hashKey(event.projectId, event.hash));
    if (!issue) return;
    const first = await markFound(state, watch.id, { eventId: event.eventId, issueId: issue.id, nowMs: Date.now() });
    const others = (waiting.get(watch.digest) ?? []).filter(({ id }) => id !== watch.id);
    if (others.length) waiting.set(watch.digest, others);
    else waiting.delete(watch.digest);
    if (!first) return;
    live.publish({
      type: 'digest',
      projectId: event.projectId,
      issueIds: [issue.id],
      watchId: watch.id,
      userId: watch.userId,
      digest: watch.digest,
      eventId: event.eventId,
    });
  };

  const hear = (message: LiveMessage): void => {
    if (message.type === 'missed') inTurn(refresh).catch(warn);
    if (message.type !== 'events' || !waiting.size || !message.digests) return;
    const hit = message.digests.filter((digest) => waiting.has(digest));
    if (hit.length) inTurn(() => lookFor(hit.flatMap((digest) => waiting.get(digest) ?? []))).catch(warn);
  };

  const unsubscribe = live.subscribe(hear);

  return {
    job: {
      name: 'digest-watches',
      title: jobTexts.digestWatches.title,
      nodes: 'each',
      everyMs,
      needsEvents: true,
      failed: jobTexts.digestWatches.failed,
      run: () => inTurn(refresh),
      async close() {
        unsubscribe();
        await last;
      },
    },
    begin: () => inTurn(refresh).catch(warn),
  };
}
