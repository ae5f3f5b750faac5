/**
 * Forwards what waits for one project.
 *
 *     leased ── all of it forwarded, refused or dropped ──► acknowledged
 *        └── the target is down, or limits what it takes ──► paused, and the rest of the batch goes on later
 *
 * A kill in between sends a batch again: targets know events by their ids.
 */
import { keepConnections, type Kept, OutboundError } from '../../base/outbound/index.ts';
import type { AllowList, Lookup } from '../../base/outbound/index.ts';
import type { MirroredKind } from '../../ingest/index.ts';
import type { Batch, EventLog, Position } from '../../ports/queue/log.ts';
import { createReader } from '../../ports/queue/seal.ts';
import { withDsn } from './header-dsn.ts';
import { backoffMs, judge, Limits, type Verdict } from './judge.ts';
import { type Mirrored, readRecord } from './record.ts';
import { callFor, type Target } from './target.ts';

export interface ForwarderOptions {
  /** Of this installation. */
  readonly id: string;
  readonly allow: AllowList;
  readonly lookup?: Lookup | undefined;
  readonly maxAgeMs: number;
}

/** What became of requests since it was asked last. */
export interface Tally {
  forwarded: number;
  refused: number;
  dropped: number;
  /** Of the last one that was refused. */
  refusal: string;
  /** Why the last attempt failed; '' where it succeeded, undefined where there was none. */
  problem: string | undefined;
}

export const emptyTally = (): Tally => ({ forwarded: 0, refused: 0, dropped: 0, refusal: '', problem: undefined });

interface Item extends Mirrored {
  readonly position: Position;
  /** At which the target itself failed. */
  attempts: number;
  firstFailedMs: number;
}

interface Work {
  readonly batch: Batch;
  left: readonly Item[];
  readonly unreadable: readonly Position[];
}

const limits = { maxRecords: 64, maxBytes: 8 * 2 ** 20 } as const;
const connections = 4;
/** What makes a target fail that takes others is given up. */
const maxAttempts = 6;
/** Where it takes nothing at all, it is given so long to mend. */
const mendMs = 3_600_000;
/** In a row, after which the target counts as down. */
const maxFailures = 3;
/** A target that has no such endpoint is asked again after this. */
const missingMs = 3_600_000;
/** What is on its way when the program stops has so long to be answered. */
const stopMs = 2_500;
const notThere = new Set([404, 405, 501]);

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #log: EventLog;
  readonly #open: ReturnType<typeof createReader>;
  #work: Work | undefined;
  #kept: { readonly base: string; readonly kept: Kept } | undefined;
  #limits = new Limits();
  readonly #missing = new Map<MirroredKind, { readonly untilMs: number; readonly why: string }>();
  #failures = 0;
  #tookMs = 0;
  /** How long the target asked to be left alone. */
  #askedMs = 0;
  #tally = emptyTally();
  /** Not before this; 0 for at once. */
  pausedUntilMs = 0;

  constructor(log: EventLog, options: ForwarderOptions) {
    this.#log = log;
    this.#options = options;
    this.#open = createReader(log.reader);
  }

  takeTally(): Tally {
    const tally = this.#tally;
    this.#tally = emptyTally();
    return tally;
  }

  /** When the oldest came that waits, as far as that is known. */
  get oldestMs(): number | undefined {
    const times = this.#work?.left.map(({ head }) => head.receivedAt) ?? [];
    return times.length ? Math.min(...times) : undefined;
  }

  /** Forgets what it knows of the target, for another one. */
  retarget(): void {
    this.#kept?.kept[Symbol.dispose]();
    this.#kept = undefined;
    this.#limits = new Limits();
    this.#missing.clear();
    this.#failures = 0;
    this.pausedUntilMs = 0;
  }

  /** Until nothing waits, or the target is to be left alone for a while. `onBatch` after each batch. */
  async run(target: Target, signal: AbortSignal, onBatch: () => Promise<void>): Promise<void> {
    while (!signal.aborted && this.pausedUntilMs <= Date.now()) {
      this.#work ??= await this.#lease();
      if (!this.#work) return;
      await this.#forward(this.#work, target, signal);
      if (this.#work.left.length === 0) {
        await this.#log.acknowledge(this.#work.batch, this.#work.unreadable);
        this.#work = undefined;
      }
      await onBatch();
    }
  }

  /** What is left of a batch comes again with the next start, without the rest of it. */
  async close(): Promise<void> {
    this.#kept?.kept[Symbol.dispose]();
    const work = this.#work;
    this.#work = undefined;
    if (!work) return;
    await this.#log.acknowledge(work.batch, [...work.unreadable, ...work.left.map(({ position }) => position)]);
  }

  async #lease(): Promise<Work | undefined> {
    const batch = await this.#log.lease(limits);
    if (!batch) return undefined;
    const { records, unreadable } = this.#open(batch.records);
    this.#tally.dropped += unreadable.length;
    const left = records.map(({ position, value }) => ({
      position,
      ...readRecord(value),
      attempts: 0,
      firstFailedMs: 0,
    }));
    return { batch, left, unreadable };
  }

  async #forward(work: Work, target: Target, signal: AbortSignal): Promise<void> {
    const late = new AbortController();
    const onStop = (): void => void setTimeout(() => late.abort(), stopMs).unref();
    signal.addEventListener('abort', onStop, { once: true });
    const done = new Set<Item>();
    const queue = [...work.left];
    let failures = 0;
    const worker = async (): Promise<void> => {
      for (let item = queue.shift(); item; item = queue.shift()) {
        if (signal.aborted || failures >= maxFailures || this.pausedUntilMs > Date.now()) return;
        const end = await this.#settle(item, target, late.signal);
        if (end === 'done') done.add(item);
        failures = end === 'done' ? 0 : failures + 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    signal.removeEventListener('abort', onStop);
    work.left = work.left.filter((item) => !done.has(item));
    // One that fails alone does not hold up the rest of its batch: what is left waits together.
    if (work.left.length === 0 || signal.aborted || this.pausedUntilMs > Date.now()) return;
    this.#failures += 1;
    this.pausedUntilMs = Date.now() + backoffMs(this.#failures, this.#askedMs, Math.random());
    this.#askedMs = 0;
  }

  /** Sends it, unless its time is over or a limit holds it. What is not `done` is left. */
  async #settle(item: Item, target: Target, signal: AbortSignal): Promise<'done' | 'left'> {
    const { head } = item;
    const nowMs = Date.now();
    if (head.receivedAt < nowMs - this.#options.maxAgeMs) {
      this.#tally.dropped += 1;
      return 'done';
    }
    const missing = this.#missing.get(head.kind);
    if (missing && missing.untilMs > nowMs) return this.#refused(missing.why);
    const hold = this.#limits.holdOf(head.categories, nowMs);
    if (hold.kind === 'skip') return this.#refused(hold.why);
    if (hold.kind === 'wait') {
      this.pausedUntilMs = Math.max(this.pausedUntilMs, hold.untilMs);
      return 'left';
    }
    const verdict = await this.#send(item, target, signal);
    if (signal.aborted && verdict.kind === 'again') return 'left';
    switch (verdict.kind) {
      case 'forwarded':
        this.#tally.forwarded += 1;
        this.#tally.problem = '';
        this.#failures = 0;
        this.#tookMs = Date.now();
        return 'done';
      case 'refused':
        return this.#refused(verdict.why);
      case 'limited':
        // The limit that it told holds it, or everything.
        if (this.#limits.holdOf(head.categories, nowMs).kind === 'none') {
          this.#limits.note([{ retryAfter: 60, categories: [], scope: '' }], nowMs);
        }
        return this.#settle(item, target, signal);
      case 'again':
        return this.#failed(item, verdict);
    }
  }

  #refused(why: string): 'done' {
    this.#tally.refused += 1;
    this.#tally.refusal = why;
    return 'done';
  }

  #failed(item: Item, { why, afterMs, isOwn }: Extract<Verdict, { kind: 'again' }>): 'done' | 'left' {
    const nowMs = Date.now();
    if (isOwn) {
      item.attempts += 1;
      item.firstFailedMs ||= nowMs;
      const tookOthers = this.#tookMs > item.firstFailedMs || nowMs - item.firstFailedMs > mendMs;
      if (item.attempts >= maxAttempts && tookOthers) return this.#refused(why);
    }
    this.#tally.problem = why;
    this.#askedMs = Math.max(this.#askedMs, afterMs ?? 0);
    return 'left';
  }

  async #send({ head, body }: Item, target: Target, signal: AbortSignal): Promise<Verdict> {
    const nowMs = Date.now();
    try {
      const said = head.hasDsn ? await withDsn(body, head.encoding, target.dsn) : body;
      const answer = await this.#connections(target).send(callFor(target, head, said, this.#options.id), signal);
      const { limits: told, ...verdict } = judge(answer, nowMs);
      this.#limits.note(told, nowMs);
      // Not every server has all endpoints, and one that lacks one need not be asked for each request.
      if (head.kind !== 'envelope' && verdict.kind === 'refused' && notThere.has(answer.status)) {
        this.#missing.set(head.kind, { untilMs: nowMs + missingMs, why: verdict.why });
      }
      return verdict;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return error instanceof OutboundError ? { kind: 'again', why, isOwn: false } : { kind: 'refused', why };
    }
  }

  #connections(target: Target): Kept {
    if (this.#kept?.base !== target.base) {
      this.#kept?.kept[Symbol.dispose]();
      const kept = keepConnections(target.base, { ...this.#options, maxConnections: connections });
      this.#kept = { base: target.base, kept };
    }
    return this.#kept.kept;
  }
}
