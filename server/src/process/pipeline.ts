/**
 * Moves batches from the log through the processing threads.
 *
 * A batch: leased → handed to a thread → done (acknowledged) | thread died (released, and leased again with its range).
 * A thread: starting → ready → busy with up to `batchesPerWorker` batches → dead → starting again.
 * A record during which a thread died or stood still for `stuckMs` is poisoned: its batch is run again with that
 * record kept aside unread, so one bad request can neither stop the pipeline nor take others with it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { BlobsOptions } from '../blobs/open.ts';
import type { EventsAddress } from '../events/events.ts';
import type { Live } from '../live/live.ts';
import type { Batch, EventLog, LogRecord, Position } from '../log/log.ts';
import { decodeReceived } from '../log/received.ts';
import { createReader } from '../log/seal.ts';
import type { StateOptions } from '../state/open.ts';
import type { Failures } from '../self/index.ts';
import { type FromWorker, progressSlots, steadyMs, type ToWorker, type WorkerSetup } from './messages.ts';
import type { SymbolicationStats } from './symbolicator.ts';

export interface PipelineOptions {
  readonly log: EventLog;
  readonly live: Live;
  readonly logger: Logger;
  readonly failures: Failures;
  readonly state: StateOptions;
  readonly events: EventsAddress;
  readonly blobs: BlobsOptions;
  readonly maxEnvelopeBytes: number;
  readonly performanceWaitMs: number;
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

const batchLimits = { maxRecords: 500, maxBytes: 8 * 1024 * 1024 };
const batchesPerWorker = 2;
/** What one event makes is garbage with the next: a larger nursery costs memory and saves no time. */
const youngGenerationMb = 16;
/** Below a full batch, new ones start no more often: an insert costs the engine the same for 1 row as for 100. */
const batchIntervalMs = 200;
const stuckMs = 30_000;
const shortestRestartMs = 200;
const longestWaitMs = 5_000;
const watchMs = 1_000;

const noSymbolication: SymbolicationStats = { mapped: 0, unresolved: 0, cacheHits: 0, cacheMisses: 0, cacheBytes: 0 };

interface Slot {
  worker: Worker | undefined;
  ready: boolean;
  /** Until the next start when the thread dies; longer each time that it dies before it was ready. */
  restartMs: number;
  readonly progress: SharedArrayBuffer;
  symbolication: SymbolicationStats;
  /** Batches that the thread holds, by their first position. Their records went with them. */
  readonly batches: Map<Position, HeldBatch>;
}

interface HeldBatch extends Pick<Batch, 'from' | 'to'> {
  readonly records: number;
}

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
  const { log, live, logger, failures } = options;
  const open = createReader(log.reader);
  const poisoned = new Set<Position>();
  const drainWaiters = new Set<() => void>();
  const receivedAt = new Map<Position, number>();
  let closing = false;
  let leasing = false;
  /** By `steadyMs`. */
  let lastLeaseAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const counts = { batches: 0, records: 0, workerRestarts: 0 };
  let waitingFor: string | undefined;

  const slots = Array.from({ length: options.workers }, (): Slot => ({
    worker: undefined,
    ready: false,
    restartMs: shortestRestartMs,
    symbolication: noSymbolication,
    progress: new SharedArrayBuffer(progressSlots.count * Float64Array.BYTES_PER_ELEMENT),
    batches: new Map(),
  }));

  function start(slot: Slot): void {
    const setup: WorkerSetup = {
      state: options.state,
      events: options.events,
      blobs: options.blobs,
      reader: log.reader,
      maxEnvelopeBytes: options.maxEnvelopeBytes,
      performanceWaitMs: options.performanceWaitMs,
      progress: slot.progress,
    };
    new Float64Array(slot.progress).fill(0);
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: setup,
      name: 'processing',
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    });
    slot.worker = worker;
    slot.ready = false;
    worker.on('message', (message: FromWorker) => onMessage(slot, message));
    worker.on('error', (error) => {
      if (!slot.ready) waitingFor = `a processing thread cannot start: ${error.message.split('\n', 1)[0]}`;
      failures.note(error, { message: 'a processing thread failed' });
    });
    worker.on('exit', () => onExit(slot, worker));
  }

  function onMessage(slot: Slot, message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        slot.ready = true;
        slot.restartMs = shortestRestartMs;
        waitingFor = undefined;
        pump();
        return;
      case 'retrying': {
        const { from, to } = message;
        waitingFor = message.message.split('\n', 1)[0];
        if (message.expected) logger.warn({ from, to }, `batch waits: ${waitingFor}`);
        else failures.note(surprise(message.message), { message: 'batch failed, trying again', fields: { from, to } });
        return;
      }
      case 'done':
        slot.symbolication = message.symbolication;
        void onDone(slot, message);
    }
  }

  async function onDone(slot: Slot, message: Extract<FromWorker, { kind: 'done' }>): Promise<void> {
    const batch = slot.batches.get(message.from);
    if (!batch) return;
    if (!(await acknowledge(batch, message.unreadable))) return;
    slot.batches.delete(message.from);
    receivedAt.delete(message.from);
    for (const position of poisoned) if (position >= batch.from && position <= batch.to) poisoned.delete(position);
    waitingFor = undefined;
    counts.batches += 1;
    counts.records += batch.records;
    if (message.suspects > 0) options.onSuspects?.();
    for (const { projectId, issueIds, newIssueIds, count, first } of message.projects) {
      const digests = [...(message.digests.get(projectId) ?? [])];
      live.publish({ type: 'events', projectId, issueIds, newIssueIds, count, first, digests });
    }
    for (const arrived of message.spans) live.publish({ type: 'spans', ...arrived });
    pump();
  }

  /** False when the pipeline was closed meanwhile: the batch is then run again after the next start, without effect. */
  async function acknowledge(batch: HeldBatch, unreadable: readonly Position[]): Promise<boolean> {
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        await log.acknowledge(batch, unreadable);
        return true;
      } catch (error) {
        if (closing) return false;
        const { from, to } = batch;
        failures.note(error, { message: 'the log could not be written, trying again', fields: { from, to } });
        await delay(waitMs);
      }
    }
  }

  function onExit(slot: Slot, worker: Worker): void {
    if (slot.worker !== worker) return;
    slot.worker = undefined;
    slot.ready = false;
    for (const batch of slot.batches.values()) {
      log.release(batch);
      receivedAt.delete(batch.from);
    }
    slot.batches.clear();
    if (closing) return;
    const position = new Float64Array(slot.progress)[progressSlots.position];
    if (position) {
      poisoned.add(position);
      const sentence = 'a request stopped the processing thread; it is kept aside';
      failures.note(new Error(sentence), { message: sentence, fields: { position } });
    }
    counts.workerRestarts += 1;
    setTimeout(() => {
      if (!closing) start(slot);
    }, slot.restartMs).unref();
    slot.restartMs = Math.min(slot.restartMs * 2, longestWaitMs);
  }

  function hand(slot: Slot, batch: Batch): void {
    const message: ToWorker = {
      kind: 'batch',
      token: batch.token,
      from: batch.from,
      to: batch.to,
      records: batch.records,
      poisoned: batch.records.map((record) => record.position).filter((position) => poisoned.has(position)),
    };
    // Handed over, not copied: a batch is megabytes, and this thread has requests to answer.
    const buffers = new Set(batch.records.map((record) => record.value.buffer));
    slot.worker?.postMessage(
      message,
      [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
    );
  }

  function pump(): void {
    if (leasing || closing || timer) return;
    const waiting = log.stats().records - inFlightRecords();
    if (waiting <= 0) {
      if (inFlight() === 0) for (const resolve of drainWaiters) resolve();
      return;
    }
    const slot = slots
      .filter((candidate) => candidate.ready && candidate.batches.size < batchesPerWorker)
      .toSorted((a, b) => a.batches.size - b.batches.size)[0];
    if (!slot) return;
    const dueInMs = waiting >= batchLimits.maxRecords ? 0 : lastLeaseAt + batchIntervalMs - steadyMs();
    if (dueInMs > 0) {
      timer = setTimeout(() => {
        timer = undefined;
        pump();
      }, dueInMs);
      return;
    }
    leasing = true;
    void lease(slot).finally(() => {
      leasing = false;
      setImmediate(pump);
    });
  }

  async function lease(slot: Slot): Promise<void> {
    try {
      const batch = await log.lease(batchLimits);
      lastLeaseAt = steadyMs();
      const [first] = batch?.records ?? [];
      if (!batch || !first) return;
      if (!slot.ready) {
        log.release(batch);
        return;
      }
      const since = receivedAtOf(open([first]).records[0]);
      hand(slot, batch);
      slot.batches.set(batch.from, { from: batch.from, to: batch.to, records: batch.records.length });
      receivedAt.set(batch.from, since);
    } catch (error) {
      failures.note(error, { message: 'the log could not be read' });
      lastLeaseAt = steadyMs() + 1_000;
    }
  }

  const inFlight = (): number => slots.reduce((sum, slot) => sum + slot.batches.size, 0);
  const inFlightRecords = (): number =>
    slots.reduce((sum, slot) => [...slot.batches.values()].reduce((n, batch) => n + batch.records, sum), 0);

  const watch = setInterval(() => {
    for (const slot of slots) {
      const progress = new Float64Array(slot.progress);
      const since = progress[progressSlots.startedAt] ?? 0;
      if (progress[progressSlots.position] && steadyMs() - since > stuckMs) void slot.worker?.terminate();
    }
  }, watchMs);
  watch.unref();

  const unsubscribe = log.onAppend(pump);
  for (const slot of slots) start(slot);

  async function close(graceMs = 5_000): Promise<void> {
    if (closing) return;
    closing = true;
    unsubscribe();
    clearInterval(watch);
    clearTimeout(timer);
    for (const slot of slots) slot.worker?.postMessage({ kind: 'stop' } satisfies ToWorker);
    const deadline = Date.now() + graceMs;
    while (inFlight() > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all(slots.map((slot) => slot.worker?.terminate()));
  }

  return {
    stats() {
      const oldest = Math.min(...receivedAt.values());
      return {
        inFlight: inFlight(),
        ...counts,
        lagMs: Number.isFinite(oldest) ? Math.max(0, Date.now() - oldest) : 0,
        symbolication: slots.map((slot) => slot.symbolication).reduce(addSymbolication, noSymbolication),
        waitingFor,
      };
    },
    drained() {
      return new Promise((resolve) => {
        const done = (): void => {
          drainWaiters.delete(done);
          resolve();
        };
        drainWaiters.add(done);
        pump();
      });
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}
