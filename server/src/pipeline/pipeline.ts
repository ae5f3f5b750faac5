/**
 * Moves batches from the log through the processing threads.
 *
 * A batch: leased → handed to a thread → done (acknowledged) | thread died (released, and leased again with its range).
 * When one is leased, and for which thread: `schedule.ts`; the states of a thread: `thread-states.ts`.
 * A record during which a thread died or stood still for half a minute is poisoned: its batch is run again with that
 * record kept aside unread, so one bad request can neither stop the pipeline nor take others with it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BlobsOptions } from '../ports/blobs/open.ts';
import type { EventIndex } from '../ports/event-index/event-index.ts';
import type { EventsAddress } from '../ports/events/events.ts';
import type { Live } from '../base/live.ts';
import { createBurstRelease } from '../base/release-memory.ts';
import { giveBackSlab } from '../base/slabs.ts';
import { steadyMs } from '../base/steady.ts';
import { BatchGone, type EventLog, type LogRecord, type Position } from '../ports/queue/log.ts';
import { decodeReceived } from '../ports/queue/received.ts';
import { createReader } from '../ports/queue/seal.ts';
import type { StateOptions } from '../ports/state/open.ts';
import type { Failures } from '../base/self/index.ts';
import { processing as texts } from '../base/texts/stores.ts';
import { type FromWorker, sizeOfRecords } from './messages.ts';
import { MovedIssues } from './moved-issues.ts';
import { batchLimits, nextStep, type ScheduleEvent, type ScheduleState, scheduleTransitions } from './schedule.ts';
import { type HeldBatch, noSymbolication, ProcessingThread, type ThreadListener } from './thread.ts';
import type { SymbolicationStats } from '../domains/artifacts/symbolicator.ts';

export interface PipelineOptions {
  readonly log: EventLog;
  readonly live: Live;
  readonly logger: Logger;
  readonly failures: Failures;
  readonly state: StateOptions;
  readonly events: EventsAddress;
  /** Of the events store, where it has one. */
  readonly index?: EventIndex | undefined;
  readonly blobs: BlobsOptions;
  readonly maxEnvelopeBytes: number;
  readonly performanceWaitMs: number;
  /** Of the installation; hex. */
  readonly pseudonymKey: string;
  /** Segments were noted that may have performance problems. */
  readonly onSuspects?: () => void;
  readonly workers: number;
}

export interface PipelineStats {
  /** Batches that threads hold. */
  readonly inFlight: number;
  readonly batches: number;
  readonly records: number;
  readonly workerRestarts: number;
  /** Age of the oldest record that waits, ms; 0 when nothing does. */
  readonly lagMs: number;
  /** Of all threads, since each started. */
  readonly symbolication: SymbolicationStats;
  /** The last reason for which a batch had to wait; undefined once one went through. */
  readonly waitingFor: string | undefined;
}

export interface Pipeline extends AsyncDisposable {
  stats(): PipelineStats;
  /** Resolves when nothing is in the log and nothing in flight. */
  drained(): Promise<void>;
  /** Waits up to `graceMs` for batches in flight; what is not done then is done after the next start. */
  close(graceMs?: number): Promise<void>;
}

const longestWaitMs = 5_000;
const watchMs = 1_000;
/** Of a log that is away, so often. */
const noteEveryMs = 60_000;

/** When the request came, ms since the epoch. What cannot be read is for the thread to complain about. */
function receivedAtOf(record: LogRecord | undefined): number {
  try {
    return record ? decodeReceived(record.value).head.receivedAt : Date.now();
  } catch {
    return Date.now();
  }
}

/** The error whose stack a thread sent. */
function surprise(stack: string): Error {
  const [, name = 'Error', message = ''] = /^(\w+)(?:: (.*))?$/m.exec(stack) ?? [];
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name });
  error.stack = stack;
  return error;
}

const addSymbolication = (a: SymbolicationStats, b: SymbolicationStats): SymbolicationStats => ({
  mapped: a.mapped + b.mapped,
  unresolved: a.unresolved + b.unresolved,
  cacheHits: a.cacheHits + b.cacheHits,
  cacheMisses: a.cacheMisses + b.cacheMisses,
  cacheBytes: a.cacheBytes + b.cacheBytes,
});

export function openPipeline(options: PipelineOptions): Pipeline {
  const pipeline = new ThreadedPipeline(options);
  pipeline.start();
  return pipeline;
}

class ThreadedPipeline implements Pipeline, ThreadListener {
  readonly #options: PipelineOptions;
  readonly #open: ReturnType<typeof createReader>;
  readonly #threads: readonly ProcessingThread[];
  readonly #poisoned = new Set<Position>();
  readonly #moved = new MovedIssues();
  readonly #drainWaiters = new Set<() => void>();
  readonly #releaseAfterBurst = createBurstRelease();
  readonly #counts = { batches: 0, records: 0, workerRestarts: 0 };
  #state: ScheduleState = 'idle';
  /** By `steadyMs`. */
  #lastLeaseAt = 0;
  /** When it was asked last, the log had nothing to be leased. */
  #isLeasedElsewhere = false;
  #timer: NodeJS.Timeout | undefined;
  #watch: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;
  #waitingFor: string | undefined;

  constructor(options: PipelineOptions) {
    const { log, state, events, blobs, maxEnvelopeBytes, performanceWaitMs, pseudonymKey } = options;
    this.#options = options;
    this.#open = createReader(log.reader);
    const setup = { state, events, blobs, reader: log.reader, maxEnvelopeBytes, performanceWaitMs, pseudonymKey };
    this.#threads = Array.from({ length: options.workers }, () => new ProcessingThread(setup, this));
  }

  start(): void {
    this.#watch = setInterval(() => {
      for (const thread of this.#threads) thread.endIfStuck(steadyMs());
    }, watchMs).unref();
    const { log, live } = this.#options;
    const unsubscribers = [
      log.onAppend(() => this.#pump()),
      live.subscribe((message) => {
        const { type } = message;
        if (type === 'settings' || type === 'missed') for (const thread of this.#threads) thread.forgetSettings();
        if (type === 'issues' && !message.sameEvents) this.#moved.note(message.projectId, message.issueIds, steadyMs());
      }),
    ];
    this.#unsubscribe = () => unsubscribers.forEach((unsubscribe) => unsubscribe());
    for (const thread of this.#threads) thread.start();
  }

  stats(): PipelineStats {
    const oldest = Math.min(...this.#held().map(({ receivedAt }) => receivedAt));
    return {
      inFlight: this.#held().length,
      ...this.#counts,
      lagMs: Number.isFinite(oldest) ? Math.max(0, Date.now() - oldest) : 0,
      symbolication: this.#threads.map(({ symbolication }) => symbolication).reduce(addSymbolication, noSymbolication),
      waitingFor: this.#waitingFor,
    };
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#drainWaiters.delete(done);
        resolve();
      };
      this.#drainWaiters.add(done);
      this.#pump();
    });
  }

  async close(graceMs = 5_000): Promise<void> {
    if (!this.#move('close')) return;
    this.#unsubscribe?.();
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    for (const thread of this.#threads) thread.stop();
    const deadline = Date.now() + graceMs;
    while (this.#held().length > 0 && Date.now() < deadline) await delay(20);
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  onReady(): void {
    this.#waitingFor = undefined;
    this.#pump();
  }

  onAnswer(thread: ProcessingThread, answer: Exclude<FromWorker, { kind: 'ready' }>): void {
    if (answer.kind === 'more') {
      for (const buffer of answer.buffers) giveBackSlab(buffer);
      void this.#handPiece(thread, answer);
      return;
    }
    if (answer.kind === 'stored') {
      void this.#options.index?.add(answer.entries);
      return;
    }
    if (answer.kind === 'done') {
      for (const buffer of answer.buffers) giveBackSlab(buffer);
      thread.symbolication = answer.symbolication;
      void this.#onDone(thread, answer);
      return;
    }
    const { logger, failures } = this.#options;
    const { from, to, message, expected } = answer;
    this.#waitingFor = message.split('\n', 1)[0];
    if (expected) logger.warn({ from, to }, `a batch is waiting: ${this.#waitingFor}`);
    else failures.note(surprise(message), { message: 'a batch failed; will retry', fields: { from, to } });
  }

  onError(error: Error, { isReady }: ProcessingThread): void {
    if (!isReady) this.#waitingFor = texts.noThread(error.message.split('\n', 1)[0] ?? '');
    this.#options.failures.note(error, { message: 'a processing thread failed' });
  }

  onExit(batches: readonly HeldBatch[], position: Position | undefined): void {
    for (const batch of batches) this.#options.log.release(batch);
    if (position === undefined) return;
    if (position > 0) {
      this.#poisoned.add(position);
      const error = new Error('a request stopped the processing thread and is stored unprocessed');
      this.#options.failures.note(error, { message: error.message, fields: { position } });
    }
    this.#counts.workerRestarts += 1;
  }

  #held(): HeldBatch[] {
    return this.#threads.flatMap(({ batches }) => [...batches.values()]);
  }

  #move(event: ScheduleEvent): boolean {
    const next = scheduleTransitions[this.#state][event];
    if (next === 'ignored') return false;
    this.#state = next;
    return true;
  }

  /** Does what there is to do now, if anything. */
  #pump(): void {
    if (this.#state !== 'idle') return;
    const step = nextStep({
      records: this.#options.log.stats().records,
      inFlightRecords: this.#held().reduce((sum, { records }) => sum + records, 0),
      threads: this.#threads,
      lastLeaseAt: this.#lastLeaseAt,
      isLeasedElsewhere: this.#isLeasedElsewhere,
      now: steadyMs(),
    });
    if (step.kind === 'drained') {
      for (const resolve of this.#drainWaiters) resolve();
    } else if (step.kind === 'wait') {
      this.#move('wait');
      this.#timer = setTimeout(() => {
        this.#move('due');
        this.#pump();
      }, step.ms);
    } else if (step.kind === 'lease') {
      this.#move('lease');
      void this.#lease(step.thread).finally(() => {
        this.#move('leased');
        setImmediate(() => this.#pump());
      });
    }
  }

  async #lease(thread: ProcessingThread): Promise<void> {
    const { log, failures } = this.#options;
    try {
      const batch = await log.lease(batchLimits);
      this.#lastLeaseAt = steadyMs();
      const [first] = batch?.records ?? [];
      this.#isLeasedElsewhere = !batch;
      if (!batch) return;
      if (!first) {
        await this.#acknowledge(batch, []);
        return;
      }
      // It may have died meanwhile.
      if (!thread.isReady) {
        log.release(batch);
        return;
      }
      this.#releaseAfterBurst(sizeOfRecords(batch.records));
      // Before it is handed over, and its records with it.
      const receivedAt = receivedAtOf(this.#open([first]).records[0]);
      thread.hand(batch, receivedAt, this.#poisoned);
    } catch (error) {
      failures.note(error, { message: 'could not read the log', atMostEveryMs: noteEveryMs });
      this.#lastLeaseAt = steadyMs() + 1_000;
      this.#isLeasedElsewhere = true;
    }
  }

  async #handPiece(
    thread: ProcessingThread,
    { from, start }: Pick<Extract<FromWorker, { kind: 'more' }>, 'from' | 'start'>,
  ): Promise<void> {
    const { log, failures } = this.#options;
    const batch = thread.batches.get(from);
    if (!batch || this.#state === 'closed') return;
    try {
      const read = log.read(batch, start, batchLimits.pieceBytes);
      // The embedded log has it at once.
      const records = 'then' in read ? await read : read;
      if (thread.batches.get(from) !== batch) return;
      this.#releaseAfterBurst(sizeOfRecords(records));
      thread.handPiece(from, start, records);
    } catch (error) {
      if (error instanceof BatchGone) {
        thread.drop(batch);
        await this.#acknowledge(batch, []);
        this.#pump();
        return;
      }
      failures.note(error, { message: 'could not read the log', fields: { from, start }, atMostEveryMs: noteEveryMs });
      setTimeout(() => void this.#handPiece(thread, { from, start }), longestWaitMs).unref();
    }
  }

  async #onDone({ batches }: ProcessingThread, answer: Extract<FromWorker, { kind: 'done' }>): Promise<void> {
    const batch = batches.get(answer.from);
    if (!batch) return;
    // Before it is acknowledged: one that is killed here is run again, and told once more.
    await this.#index(answer);
    // Too: whoever sees that the log is empty is not given what was known before.
    this.#publish(answer, batch);
    if (!(await this.#acknowledge(batch, answer.unreadable))) return;
    batches.delete(answer.from);
    for (const position of this.#poisoned) {
      if (position >= batch.from && position <= batch.to) this.#poisoned.delete(position);
    }
    this.#waitingFor = undefined;
    this.#counts.batches += 1;
    this.#counts.records += batch.records;
    this.#pump();
  }

  async #index({ indexed, unindexed }: Extract<FromWorker, { kind: 'done' }>): Promise<void> {
    const { index } = this.#options;
    if (unindexed) await index?.lose();
    for (const entries of indexed) await index?.add(entries);
  }

  #publish(
    { suspects, projects, digests, spans }: Extract<FromWorker, { kind: 'done' }>,
    { redelivered, heldSince }: HeldBatch,
  ): void {
    const { live, onSuspects } = this.#options;
    if (suspects > 0) onSuspects?.();
    for (const { projectId, newIssueIds, count, first, gained, ...project } of projects) {
      const ofProject = [...(digests.get(projectId) ?? [])];
      const issueIds = [...new Set([...project.issueIds, ...this.#moved.since(projectId, heldSince)])];
      this.#moved.note(projectId, project.movedIssueIds ?? [], steadyMs());
      const common = { projectId, issueIds, newIssueIds, count, first };
      // Whoever had it before may have stored it.
      live.publish({ type: 'events', ...common, digests: ofProject, gained: redelivered ? undefined : gained });
    }
    for (const arrived of spans) live.publish({ type: 'spans', ...arrived });
  }

  /** False when the pipeline was closed meanwhile: the batch is then run again after the next start, without effect. */
  async #acknowledge(batch: Pick<HeldBatch, 'from' | 'to'>, unreadable: readonly Position[]): Promise<boolean> {
    const { log, failures } = this.#options;
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        await log.acknowledge(batch, unreadable);
        return true;
      } catch (error) {
        if (this.#state === 'closed') return false;
        const { from, to } = batch;
        failures.note(error, { message: 'could not write to the log; will retry', fields: { from, to } });
        await delay(waitMs);
      }
    }
  }
}
