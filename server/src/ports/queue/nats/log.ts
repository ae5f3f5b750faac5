/**
 * The log on NATS JetStream, for any number of nodes at once. NATS keeps it, replicates it, and says whose a batch is:
 * `streams.ts` has what is made there, `message.ts` how records lie, `appender.ts` how they come in, `batches.ts` how they
 * are handed out, `reading.ts` how they are read, `aside.ts` where they wait for a key. This is one node's view of it.
 *
 * A node that has lost a batch without knowing goes on with it, under the token of the node that has it now: what both store
 * is stored once. What it reads after the other one was done is gone (`BatchGone`): it then stores nothing.
 */
import { JetStreamApiError } from '@nats-io/jetstream';
import type { BoxSetup } from '../../../base/secrets/index.ts';
import { logOfRequests } from '../../../base/texts/stores.ts';
import { plural } from '../../../base/texts/intl.ts';
import { type Nats, openNats } from '../../nats/connection.ts';
import { type Notes, openNotes } from '../../nats/notes.ts';
import {
  BatchGone,
  type Batch,
  type EventLog,
  type LeaseLimits,
  type LogRecord,
  type LogStats,
  type Position,
} from '../log.ts';
import { createRecordSeal, type ReaderSetup, type RecordSeal } from '../seal.ts';
import { Appender } from './appender.ts';
import { type AsideOptions, setAside, takeBack } from './aside.ts';
import { Batches, type HeldRange } from './batches.ts';
import { positionOf, sequenceOf } from './message.ts';
import { type ReadRange, Reading, unread } from './reading.ts';
import { asking, logUnavailable } from './request.ts';
import { answers, look, openStreams, streamRefused, type Streams, sweepLarge } from './streams.ts';

export interface NatsLogOptions {
  readonly nats: Nats;
  readonly limitBytes: number;
  readonly box: BoxSetup;
  readonly installation?: string | undefined;
  readonly warn?: (sentence: string) => void;
}

interface HeldBatch extends HeldRange, ReadRange {
  state: 'leased' | 'due' | 'acknowledging';
  gone?: Promise<void>;
  /** Given back to the server where this node does not lease it again soon. */
  timer?: NodeJS.Timeout;
}

const lookEveryMs = 1_000;
const sweepEveryMs = 10 * 60_000;
/** What others appended in this time is one note. */
const tellEveryMs = 40;
const releaseMs = 3_000;

/** Throws `LOG_UNAVAILABLE`, `LOG_OTHER`, and what JetStream says to its streams. */
export async function openNatsLog(options: NatsLogOptions): Promise<EventLog> {
  const { nats } = options;
  try {
    const log = new NatsLog(options, await asking(nats, () => openStreams(nats, options)));
    await log.start();
    return log;
  } catch (error) {
    throw error instanceof JetStreamApiError ? logUnavailable(streamRefused(nats, error), error) : error;
  }
}

/** On a connection of its own, for commands. */
export async function openOwnNatsLog(url: string, options: Omit<NatsLogOptions, 'nats'>): Promise<EventLog> {
  const nats = await openNats({ url, name: 'culprit', warn: options.warn });
  try {
    const log = await openNatsLog({ ...options, nats });
    const close = log.close.bind(log);
    return Object.assign(log, { close: () => close().finally(() => nats.close()) });
  } catch (error) {
    await nats.close();
    throw error;
  }
}

class NatsLog implements EventLog {
  readonly reader: ReaderSetup;
  readonly #options: NatsLogOptions;
  readonly #streams: Streams;
  readonly #seal: RecordSeal;
  readonly #appender: Appender;
  readonly #batches: Batches;
  readonly #reading: Reading;
  readonly #asideOptions: AsideOptions;
  readonly #notes: Notes;
  readonly #held = new Map<Position, HeldBatch>();
  readonly #listeners = new Set<() => void>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #asides = new Set<Promise<unknown>>();
  #stats = { records: 0, bytes: 0, unreadable: 0 };
  /** Since the last look began. */
  #changes = 0;
  #looking: Promise<void> | undefined;
  #sweptAt = performance.now();
  #untold = { records: 0, bytes: 0 };
  #telling: NodeJS.Timeout | undefined;
  #lastLease: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: NatsLogOptions, streams: Streams) {
    const { nats, limitBytes, box } = options;
    this.#options = options;
    this.#streams = streams;
    this.reader = { logId: streams.logId, box, isBoundToLog: true };
    this.#seal = createRecordSeal(this.reader);
    this.#batches = new Batches(nats, streams);
    this.#reading = new Reading({ nats, streams, batches: this.#batches, warn: options.warn });
    this.#asideOptions = { nats, streams, seal: this.#seal };
    this.#appender = new Appender({
      nats,
      streams,
      seal: this.#seal,
      hasRoom: (bytes) => this.#stats.bytes + bytes <= limitBytes,
      onStored: (stored) => {
        this.#count(stored.records, stored.bytes);
        this.#tellOthers(stored);
        this.#tellListeners();
      },
    });
    this.#notes = openNotes(nats, {
      topic: `appended-${streams.logId}`,
      hear: (value) => this.#hear(value),
      missed: () => {
        this.#batches.forget();
        this.#lookSoon();
      },
    });
  }

  async start(): Promise<void> {
    const { nats } = this.#options;
    await asking(nats, () => this.#look());
    const keepMs = nats.address.ackWaitMs / 4;
    const keep = (): void => {
      for (const held of this.#held.values()) this.#batches.keep(held);
    };
    this.#timers.push(setInterval(keep, keepMs).unref(), setInterval(() => this.#lookSoon(), lookEveryMs).unref());
    if (this.#stats.unreadable > 0) this.#aside(this.#takeBack());
  }

  append(...parts: readonly Uint8Array[]): Promise<Position> {
    if (this.#closing) return Promise.reject(closed());
    return this.#appender.append(parts);
  }

  appendOnce(id: string, ...parts: readonly Uint8Array[]): Promise<Position> {
    if (this.#closing) return Promise.reject(closed());
    return this.#appender.append(parts, id);
  }

  lease(limits: LeaseLimits): Promise<Batch | undefined> {
    const lease = this.#lastLease.then(() => this.#lease(limits));
    this.#lastLease = lease.catch(() => {});
    return lease;
  }

  async #lease(limits: LeaseLimits): Promise<Batch | undefined> {
    for (;;) {
      if (this.#closing) throw closed();
      const due = this.#firstDue();
      const held = due ?? (await this.#take(limits));
      if (!held) return undefined;
      try {
        const records = await this.#reading.records(held, held.from, limits.pieceBytes);
        held.state = 'leased';
        clearTimeout(held.timer);
        const { from, to, records: size, isRedelivered } = held;
        const token = `${this.#streams.logId}:${from}-${to}`;
        return { token, from, to, size, records, redelivered: isRedelivered || due !== undefined };
      } catch (error) {
        if (error instanceof BatchGone) {
          await this.acknowledge(held);
          continue;
        }
        held.state = 'due';
        throw error;
      }
    }
  }

  async #take(limits: LeaseLimits): Promise<HeldBatch | undefined> {
    const range = await asking(this.#options.nats, () => this.#batches.take(limits, this.#stats));
    if (!range) return undefined;
    const held: HeldBatch = { ...range, state: 'leased', ...unread() };
    this.#held.set(range.from, held);
    return held;
  }

  async read(batch: Pick<Batch, 'from' | 'to'>, start: Position, pieceBytes: number): Promise<readonly LogRecord[]> {
    if (this.#closing) throw closed();
    return this.#reading.records(this.#known(batch) ?? { ...batch, sequence: 0, ...unread() }, start, pieceBytes);
  }

  acknowledge(batch: Pick<Batch, 'from' | 'to'>, unreadable: readonly Position[] = []): Promise<void> {
    const held = this.#known(batch);
    if (!held) return Promise.resolve();
    if (held.state === 'acknowledging' && held.gone) return held.gone;
    held.state = 'acknowledging';
    held.gone = this.#acknowledge(held, unreadable).catch((error: unknown) => {
      held.state = 'leased';
      throw error;
    });
    return held.gone;
  }

  async #acknowledge(held: HeldBatch, unreadable: readonly Position[]): Promise<void> {
    const { nats, warn } = this.#options;
    for (const position of unreadable) {
      const [record] = await this.#reading.records({ ...held, to: position, ahead: new Map() }, position, 0);
      if (record) await setAside(this.#asideOptions, record);
    }
    await asking(nats, () => this.#batches.acknowledge(held));
    clearTimeout(held.timer);
    this.#held.delete(held.from);
    this.#count(-held.records, -held.bytes);
    if (unreadable.length > 0) {
      this.#stats.unreadable += unreadable.length;
      warn?.(logOfRequests.sealedOtherwise(plural(this.#stats.unreadable, 'request')));
    }
    this.#aside(this.#forgetLarge(held.large));
  }

  async #forgetLarge(ids: ReadonlySet<string>): Promise<void> {
    const { manager, names, subjects } = this.#streams;
    for (const id of ids) await manager.streams.purge(names.large, { filter: `${subjects.large}.${id}` });
  }

  /** What was set aside and opens by now is appended again. */
  async #takeBack(): Promise<void> {
    const back = await takeBack(this.#asideOptions, (value, id) => this.#appender.append([value], id));
    this.#stats.unreadable -= back;
    if (back > 0) this.#options.warn?.(logOfRequests.openedAgain(plural(back, 'request')));
    if (this.#stats.unreadable > 0)
      this.#options.warn?.(logOfRequests.sealedOtherwise(plural(this.#stats.unreadable, 'request')));
  }

  release(batch: Pick<Batch, 'from' | 'to'>): void {
    const held = this.#known(batch);
    if (held?.state !== 'leased') return;
    held.state = 'due';
    held.timer = setTimeout(() => this.#giveBack(held), releaseMs).unref();
  }

  #giveBack(held: HeldBatch): void {
    if (held.state !== 'due') return;
    this.#held.delete(held.from);
    this.#batches.giveBack(held);
  }

  async end(): Promise<Position> {
    const { manager, names } = this.#streams;
    const { state } = await asking(this.#options.nats, () => manager.streams.info(names.log));
    return positionOf(state.last_seq + 1, 0);
  }

  isDoneBefore(position: Position): Promise<boolean> {
    return asking(this.#options.nats, () => this.#batches.isDoneBefore(sequenceOf(position)));
  }

  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stats(): LogStats {
    const now = this.#options.nats.availability();
    return {
      ...this.#stats,
      limitBytes: this.#options.limitBytes,
      ...(!now.isUp && { away: { sinceMs: now.sinceMs, reason: now.reason } }),
    };
  }

  answers(): Promise<boolean> {
    return asking(this.#options.nats, () => answers(this.#streams));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#telling);
    await this.#appender.end();
    await this.#lastLease;
    await this.#looking;
    await Promise.all(this.#asides);
    // In order: the server hands them out again as they come back.
    for (const held of [...this.#held.values()].toSorted((a, b) => a.from - b.from)) {
      clearTimeout(held.timer);
      if (held.state !== 'acknowledging') this.#batches.giveBack(held);
      else await held.gone?.catch(() => this.#batches.giveBack(held));
    }
    this.#held.clear();
    this.#notes[Symbol.dispose]();
    const { connection } = this.#options.nats;
    if (!connection.isClosed() && this.#options.nats.availability().isUp)
      await connection.flush().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #known({ from, to }: Pick<Batch, 'from' | 'to'>): HeldBatch | undefined {
    const held = this.#held.get(from);
    return held?.to === to ? held : undefined;
  }

  #firstDue(): HeldBatch | undefined {
    return [...this.#held.values()].filter(({ state }) => state === 'due').toSorted((a, b) => a.from - b.from)[0];
  }

  /** What the server says is never as new as what was just done here. */
  #count(records: number, bytes: number): void {
    this.#changes++;
    this.#stats.records = Math.max(0, this.#stats.records + records);
    this.#stats.bytes = Math.max(0, this.#stats.bytes + bytes);
  }

  #tellOthers({ records, bytes }: { readonly records: number; readonly bytes: number }): void {
    this.#untold.records += records;
    this.#untold.bytes += bytes;
    if (this.#telling) return;
    const tell = (): void => {
      const told = this.#untold;
      this.#telling = undefined;
      if (told.records === 0) return;
      this.#untold = { records: 0, bytes: 0 };
      this.#notes.tell(told);
      this.#telling = setTimeout(tell, tellEveryMs).unref();
    };
    tell();
  }

  #hear(value: unknown): void {
    const { records, bytes } = value as { records?: unknown; bytes?: unknown };
    if (typeof records !== 'number' || typeof bytes !== 'number' || !(records > 0 && records < 1e6 && bytes > 0))
      return;
    this.#count(records, Math.min(bytes, 2 ** 30));
    this.#tellListeners();
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }

  #lookSoon(): void {
    if (this.#closing || !this.#options.nats.availability().isUp) return;
    this.#looking ??= this.#look()
      // What is wrong with NATS is told by whoever needs it.
      .catch(() => undefined)
      .finally(() => (this.#looking = undefined));
  }

  async #look(): Promise<void> {
    await this.#batches.forgetDone();
    const changes = this.#changes;
    const seen = await look(this.#streams);
    // Under load something always changes meanwhile: then it is nearly right.
    const isBusy = this.#changes - changes > 0;
    if (!isBusy || Math.abs(seen.records - this.#stats.records) > 10_000) {
      const hasMore = seen.records > this.#stats.records;
      this.#stats = { records: seen.records, bytes: seen.bytes, unreadable: seen.unreadable };
      if (hasMore) this.#tellListeners();
    }
    if (performance.now() - this.#sweptAt > sweepEveryMs) {
      this.#sweptAt = performance.now();
      await sweepLarge(this.#options.nats, this.#streams, seen);
    }
  }

  /** Nothing waits for it but the end. */
  #aside(work: Promise<void>): void {
    const settled = work.catch(() => undefined).finally(() => this.#asides.delete(settled));
    this.#asides.add(settled);
  }
}

const closed = (): Error => new Error('the log is closed');
