/**
 * A processing thread as the pipeline sees it: it is given batches, answers, and is started again when it dies. It is no
 * job: it works as long as the program does, and what it died of decides what its batches are given back as.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../base/jobs/index.ts';
import { steadyMs } from '../base/steady.ts';
import type { SymbolicationStats } from '../domains/artifacts/symbolicator.ts';
import type { Batch, LogRecord, Position } from '../ports/queue/log.ts';
import { buffersOf, type FromWorker, progressSlots, type ToWorker, type WorkerSetup } from './messages.ts';
import { restartAfter, type ThreadEvent, type ThreadState, threadTransitions } from './thread-states.ts';

/** Its records went with it. */
export interface HeldBatch extends Pick<Batch, 'from' | 'to' | 'redelivered'> {
  readonly records: number;
  /** When its first request came, ms since the epoch. */
  readonly receivedAt: number;
  /** By `steadyMs`. */
  readonly heldSince: number;
}

export interface ThreadListener {
  onReady(): void;
  onAnswer(thread: ProcessingThread, answer: Exclude<FromWorker, { kind: 'ready' }>): void;
  onError(error: Error, thread: ProcessingThread): void;
  /** `position`: of the record that it computed, 0 for none; undefined where it was asked to end. */
  onExit(batches: readonly HeldBatch[], position: Position | undefined): void;
}

/** What one event makes is garbage with the next: a larger nursery costs memory and saves no time. */
const youngGenerationMb = 16;
const stuckMs = 30_000;

export const noSymbolication: SymbolicationStats = {
  mapped: 0,
  unresolved: 0,
  cacheHits: 0,
  cacheMisses: 0,
  cacheBytes: 0,
};

export class ProcessingThread {
  readonly batches = new Map<Position, HeldBatch>();
  symbolication = noSymbolication;
  readonly #setup: WorkerSetup;
  readonly #listener: ThreadListener;
  readonly #progress: Float64Array;
  #state: ThreadState = 'down';
  #worker: Worker | undefined;
  #restartMs: number | undefined;

  constructor(setup: Omit<WorkerSetup, 'progress'>, listener: ThreadListener) {
    const progress = new SharedArrayBuffer(progressSlots.count * Float64Array.BYTES_PER_ELEMENT);
    this.#setup = { ...setup, progress };
    this.#progress = new Float64Array(progress);
    this.#listener = listener;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  start(): void {
    if (!this.#move('due')) return;
    this.#progress.fill(0);
    const module = new URL('./worker.ts', import.meta.url);
    const worker = startThread({ module, name: 'processing', setup: this.#setup, youngMb: youngGenerationMb });
    this.#worker = worker;
    worker.on('message', (message: FromWorker) => this.#onMessage(message));
    worker.on('error', (error: Error) => this.#listener.onError(error, this));
    worker.on('exit', () => this.#onExit(worker));
  }

  hand(batch: Batch, receivedAt: number, poisoned: ReadonlySet<Position>): void {
    const { token, from, to, records, redelivered } = batch;
    const positions = [...poisoned].filter((position) => position >= from && position <= to);
    this.#send({ kind: 'batch', token, from, to, records, poisoned: positions, redelivered });
    this.batches.set(from, { from, to, redelivered, records: batch.size, receivedAt, heldSince: steadyMs() });
  }

  /** Records from `start` on, of the batch that begins at `from`. */
  handPiece(from: Position, start: Position, records: readonly LogRecord[]): void {
    this.#send({ kind: 'piece', from, start, records });
  }

  /** Another node has done it. */
  drop({ from, to }: HeldBatch): void {
    this.batches.delete(from);
    this.#worker?.postMessage({ kind: 'drop', from, to } satisfies ToWorker);
  }

  /** It reads those of projects again before it uses them. */
  forgetSettings(): void {
    this.#worker?.postMessage({ kind: 'settings' } satisfies ToWorker);
  }

  #send(message: Extract<ToWorker, { records: readonly LogRecord[] }>): void {
    // Handed over, not copied: a piece is megabytes, and this thread has requests to answer.
    this.#worker?.postMessage(message, buffersOf(message.records));
  }

  /** Ends it where one record has held it for too long. `now` by `steadyMs`. */
  endIfStuck(now: number): void {
    const since = this.#progress[progressSlots.startedAt] ?? 0;
    if (this.#progress[progressSlots.position] && now - since > stuckMs) void this.#worker?.terminate();
  }

  /** It ends by itself what it has begun. */
  stop(): void {
    this.#move('stop');
    this.#worker?.postMessage({ kind: 'stop' } satisfies ToWorker);
  }

  async terminate(): Promise<void> {
    await this.#worker?.terminate();
  }

  #move(event: ThreadEvent): boolean {
    const next = threadTransitions[this.#state][event];
    if (next === 'ignored') return false;
    this.#state = next;
    return true;
  }

  #onMessage(message: FromWorker): void {
    if (message.kind !== 'ready') {
      this.#listener.onAnswer(this, message);
    } else if (this.#move('answered')) {
      this.#restartMs = undefined;
      this.#listener.onReady();
    }
  }

  #onExit(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const position = this.#progress[progressSlots.position];
    const isLost = this.#move('exited');
    const batches = [...this.batches.values()];
    this.batches.clear();
    this.#listener.onExit(batches, isLost ? position : undefined);
    if (!isLost) return;
    this.#restartMs = restartAfter(this.#restartMs);
    setTimeout(() => this.start(), this.#restartMs).unref();
  }
}
