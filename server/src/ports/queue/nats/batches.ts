/**
 * Which records are one batch, and whose it is now.
 *
 * Ranges stand one after the other in the stream `batches`: whoever finds none to be had writes the next, on condition that
 * nobody else has written one meanwhile. A durable consumer hands each range to one node at a time, and to another when that
 * one has been silent: with the same range, and so with the same token. Neither clocks nor leases of our own are needed.
 *
 *   written ──► held by a node ──"done" written──► done
 *      ▲              │ released, or silent for `ack_wait`
 *      └──────────────┘
 *
 * What NATS has written outlives its being killed; what it has deleted, and what its consumers had acknowledged, may come
 * back then. So that a range is done is written behind it, and nothing is deleted but from the front: ranges and records
 * before the first that is not done. What comes back is known to be done.
 */
import { Buffer } from 'node:buffer';
import type { Nats } from '../../nats/connection.ts';
import type { LeaseLimits, Position } from '../log.ts';
import { positionOf, positionsPerMessage, sequenceOf } from './message.ts';
import { pull, publishOnce, tellServer, WrongLastSequence } from './request.ts';
import { consumer, doneWord, rangeWord, readBySequence, sizesFrom, type Streams } from './streams.ts';

export interface Range {
  readonly from: Position;
  readonly to: Position;
  readonly records: number;
  readonly bytes: number;
}

export interface HeldRange extends Range {
  /** Of its message. */
  readonly sequence: number;
  /** Where the server is told about it. */
  readonly reply: string;
  readonly isRedelivered: boolean;
}

/** So long the server is waited for when it has just got a range. */
const handOutMs = 250;
const mostTries = 50;
const readAtOnce = 32;
/** One that was written so long ago may have been handed out before, though NATS does not know any more. */
const oldMs = 2_000;

const nearlyFull = 0.9;

type Size = Pick<Range, 'records' | 'bytes'>;

const plenty: Size = { records: Infinity, bytes: Infinity };

/** The stream `batches`, as far as it was read. */
interface Known {
  /** Ranges that are not done, by the sequence of their message. */
  readonly open: Map<number, Range>;
  /** `seenAt` by `performance.now()`. */
  last?: { readonly sequence: number; readonly range: Range; readonly seenAt: number };
  upTo: number;
}

const nothingKnown = (): Known => ({ open: new Map(), upTo: 0 });

export class Batches {
  readonly #nats: Nats;
  readonly #streams: Streams;
  #known = nothingKnown();
  /** Whether the stream is to be read anew. Until that is done, what is known stays: what is not open counts as done. */
  #isStale = false;
  #reading: Promise<unknown> = Promise.resolve();
  /** By stream. */
  readonly #purgedBelow = new Map<string, number>();

  constructor(nats: Nats, streams: Streams) {
    this.#nats = nats;
    this.#streams = streams;
  }

  /** The next range for this node; undefined where there is nothing. `held`: what the log has, those in flight included. */
  async take(limits: LeaseLimits, held = plenty): Promise<HeldRange | undefined> {
    for (let tries = 0, waitMs = 0; tries < mostTries; tries++) {
      const range = await this.#pull(waitMs);
      if (range) return range;
      const cut = await this.#cut(limits, held);
      if (cut === 'nothing') return undefined;
      waitMs = cut === 'cut' ? handOutMs : 0;
    }
    return undefined;
  }

  /** Until it is told again within `ack_wait`, the range is this node's. */
  keep({ reply }: HeldRange): void {
    tellServer(this.#nats.connection, reply, '+WPI');
  }

  giveBack({ reply }: HeldRange): void {
    tellServer(this.#nats.connection, reply, '-NAK');
  }

  /** Resolves once it is written that it is done. */
  async acknowledge({ sequence, reply }: HeldRange): Promise<void> {
    const { connection } = this.#nats;
    const { subjects } = this.#streams;
    // Once, though its answer may not come.
    await publishOnce(connection, `${subjects.batches}.${doneWord}`, toBytes({ done: sequence }), {
      'Nats-Msg-Id': `done.${sequence}`,
    });
    this.#known.open.delete(sequence);
    tellServer(connection, reply, '+ACK');
  }

  /** Whether any node is done with it. */
  async isDone({ sequence }: Pick<HeldRange, 'sequence'>): Promise<boolean> {
    await this.#readOn();
    return !this.#known.open.has(sequence);
  }

  /** Whether all records of messages before one are done, on whichever node. */
  async isDoneBefore(sequence: number): Promise<boolean> {
    await this.#readOn();
    const { last, open } = this.#known;
    for (const range of open.values()) if (sequenceOf(range.from) < sequence) return false;
    if (last && sequenceOf(last.range.to) + 1 >= sequence) return true;
    // The rest is in no range yet, where it is still there.
    const { state } = await this.#streams.manager.streams.info(this.#streams.names.log);
    return state.messages === 0 || state.first_seq >= sequence;
  }

  /** Forgets ranges that are done, and their records; but for the last range, after which the next one begins. */
  async forgetDone(): Promise<void> {
    await this.#readOn();
    const { names } = this.#streams;
    const { last, open } = this.#known;
    if (!last) return;
    const [first] = open
      .entries()
      .toArray()
      .toSorted(([a], [b]) => a - b);
    await this.#purge(names.log, sequenceOf(first ? first[1].from : last.range.to + positionsPerMessage));
    await this.#purge(names.batches, Math.min(first ? first[0] : Infinity, last.sequence));
  }

  /** What is before a sequence, where that was not done since the connection was found again. */
  async #purge(stream: string, sequence: number): Promise<void> {
    if (sequence <= (this.#purgedBelow.get(stream) ?? 1)) return;
    await this.#streams.manager.streams.purge(stream, { seq: sequence });
    this.#purgedBelow.set(stream, sequence);
  }

  /** NATS may have come back with less than it had, or with more. */
  forget(): void {
    this.#purgedBelow.clear();
    this.#isStale = true;
  }

  /** Takes in what all nodes have written since it was read last. */
  #readOn(): Promise<void> {
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(): Promise<void> {
    if (!this.#isStale) {
      await this.#readInto(this.#known);
      return;
    }
    const known = nothingKnown();
    this.#isStale = false;
    try {
      await this.#readInto(known);
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#known = known;
  }

  async #readInto(known: Known): Promise<void> {
    const { manager, names } = this.#streams;
    const { state } = await manager.streams.info(names.batches);
    if (known.upTo < state.first_seq - 1) {
      known.upTo = state.first_seq - 1;
      for (const sequence of known.open.keys()) if (sequence < state.first_seq) known.open.delete(sequence);
    }
    while (known.upTo < state.last_seq) {
      const most = Math.min(readAtOnce, state.last_seq - known.upTo);
      const sequences = Array.from({ length: most }, (_, index) => known.upTo + 1 + index);
      const messages = await Promise.all(
        sequences.map((sequence) => readBySequence(this.#nats, this.#streams, names.batches, sequence)),
      );
      for (const [index, data] of messages.entries()) if (data) takeIn(known, sequences[index]!, data);
      known.upTo += most;
    }
  }

  async #pull(waitMs: number): Promise<HeldRange | undefined> {
    const stream = this.#streams.names.batches;
    const [message] = await pull(this.#nats, { stream, consumer }, 1, waitMs);
    if (!message) return undefined;
    const { reply, sequence, deliveries } = message;
    await this.#readOn();
    const range = this.#known.open.get(sequence);
    if (range) return { ...range, sequence, reply, isRedelivered: deliveries > 1 || message.ageMs > oldMs };
    // It is done, and comes because NATS has forgotten that; or nobody who belongs here has written it.
    tellServer(this.#nats.connection, reply, '+ACK');
    return undefined;
  }

  async #cut(limits: LeaseLimits, held: Size): Promise<'cut' | 'again' | 'nothing'> {
    await this.#readOn();
    // The condition names the range that this one follows: what is known goes on while the log is looked at.
    const { last } = this.#known;
    const isSoon = last !== undefined && performance.now() - last.seenAt < (limits.intervalMs ?? 0);
    if (isSoon && !isFull(held, limits)) return 'nothing';
    const range = await this.#nextRange(last ? sequenceOf(last.range.to) + 1 : 1, limits);
    if (!range || (isSoon && !isFull(range, limits))) return 'nothing';
    try {
      await publishOnce(this.#nats.connection, `${this.#streams.subjects.batches}.${rangeWord}`, toBytes(range), {
        'Nats-Expected-Last-Subject-Sequence': String(last?.sequence ?? 0),
      });
      return 'cut';
    } catch (error) {
      if (error instanceof WrongLastSequence) return 'again';
      throw error;
    }
  }

  /** Messages are never divided: a range has all records of those it has. */
  async #nextRange(sequence: number, { maxRecords, maxBytes }: LeaseLimits): Promise<Range | undefined> {
    let range: Range | undefined;
    for await (const message of sizesFrom(this.#nats, this.#streams, sequence)) {
      const records = (range?.records ?? 0) + message.records;
      const bytes = (range?.bytes ?? 0) + message.bytes;
      if (range && (records > maxRecords || bytes > maxBytes)) break;
      const to = positionOf(message.sequence, message.records - 1);
      range = { from: range?.from ?? positionOf(message.sequence, 0), to, records, bytes };
      if (records >= maxRecords) break;
    }
    return range;
  }
}

/** Nearly: a message more may not have fitted. */
const isFull = ({ records, bytes }: Size, { maxRecords, maxBytes }: LeaseLimits): boolean =>
  records >= maxRecords * nearlyFull || bytes >= maxBytes * nearlyFull;

function takeIn(known: Known, sequence: number, data: Uint8Array): void {
  const range = readRange(data);
  if (range) {
    known.open.set(sequence, range);
    if (sequence > (known.last?.sequence ?? 0)) known.last = { sequence, range, seenAt: performance.now() };
  } else {
    known.open.delete(doneOf(data) ?? 0);
  }
}

const toBytes = (value: object): Uint8Array => Buffer.from(JSON.stringify(value));

function doneOf(data: Uint8Array): number | undefined {
  try {
    const { done } = JSON.parse(textOf(data)) as { done?: unknown };
    return typeof done === 'number' ? done : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (data: Uint8Array): string => Buffer.from(data.buffer, data.byteOffset, data.length).toString();

function readRange(data: Uint8Array): Range | undefined {
  try {
    const range = JSON.parse(textOf(data)) as Range;
    const { from, to, records, bytes } = range;
    return [from, to, records, bytes].every((each) => Number.isSafeInteger(each)) && from > 0 && from <= to
      ? { from, to, records, bytes }
      : undefined;
  } catch {
    return undefined;
  }
}
