/**
 * When which thread gets the next batch. One batch is leased at a time; below a full one, new ones start no more often
 * than each 300 ms: an insert costs the engine the same for 1 row as for 100. Where nodes share the log, it holds them all to
 * that.
 *
 *   idle ──wait──► waiting ──due──► idle        (asked meanwhile, it goes on waiting)
 *   idle ──lease──► leasing ──leased──► idle
 *   any ──close──► closed (for good)
 */
export type ScheduleState = 'idle' | 'waiting' | 'leasing' | 'closed';

export type ScheduleEvent = 'wait' | 'due' | 'lease' | 'leased' | 'close';

export const scheduleTransitions: Readonly<
  Record<ScheduleState, Readonly<Record<ScheduleEvent, ScheduleState | 'ignored'>>>
> = {
  idle: { wait: 'waiting', due: 'ignored', lease: 'leasing', leased: 'ignored', close: 'closed' },
  waiting: { wait: 'ignored', due: 'idle', lease: 'ignored', leased: 'ignored', close: 'closed' },
  leasing: { wait: 'ignored', due: 'ignored', lease: 'ignored', leased: 'idle', close: 'closed' },
  closed: { wait: 'ignored', due: 'ignored', lease: 'ignored', leased: 'ignored', close: 'ignored' },
};

/** A batch is read and handed over in pieces: what its rows come to is a small part of it. */
export const batchLimits = {
  maxRecords: 4000,
  maxBytes: 64 * 1024 * 1024,
  pieceBytes: 4 * 1024 * 1024,
  intervalMs: 300,
};
const batchesPerThread = 2;

interface ThreadLoad {
  readonly isReady: boolean;
  readonly batches: { readonly size: number };
}

/** What is known when the schedule is idle. Times by `steadyMs`. */
export interface Standing<Thread extends ThreadLoad> {
  /** In the log, those in flight included. */
  readonly records: number;
  readonly inFlightRecords: number;
  readonly threads: readonly Thread[];
  readonly lastLeaseAt: number;
  /** Nothing could be leased then: other nodes have what waits. It may come back, so it is asked for again. */
  readonly isLeasedElsewhere: boolean;
  readonly now: number;
}

export type Step<Thread> =
  | { readonly kind: 'drained' }
  /** Something will ask again: a thread that becomes ready, a batch that is done, an appended record. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'lease'; readonly thread: Thread };

/** The thread that holds the least comes first. */
export function nextStep<Thread extends ThreadLoad>(standing: Standing<Thread>): Step<Thread> {
  const { records, inFlightRecords, threads, lastLeaseAt, isLeasedElsewhere, now } = standing;
  const waiting = records - inFlightRecords;
  if (waiting <= 0) return { kind: threads.every(({ batches }) => batches.size === 0) ? 'drained' : 'nothing' };
  const [thread] = threads
    .filter(({ isReady, batches }) => isReady && batches.size < batchesPerThread)
    .toSorted((a, b) => a.batches.size - b.batches.size);
  if (!thread) return { kind: 'nothing' };
  const ms = waiting >= batchLimits.maxRecords && !isLeasedElsewhere ? 0 : lastLeaseAt + batchLimits.intervalMs - now;
  return ms > 0 ? { kind: 'wait', ms } : { kind: 'lease', thread };
}
