/**
 * Which records are one batch, and whose it is now.
 *
 * Ranges stand one after the other in the stream `batches`: whoever finds none to be had writes the next, on condition that
 * nobody else has written one meanwhile. A durable consumer hands each range to one node at a time, and to another when that
 * one has been silent: with the same range, and so with the same token. Neither clocks nor leases of our own are needed.
 *
 *   written ──► held by a node ──deleted──► done
 *      ▲              │ released, or silent for `ack_wait`
 *      └──────────────┘
 *
 * A range is done when its message is deleted: what is before the first that is there is done with all nodes. The last
 * message is never deleted, for the next range begins after it: a range that is the last gets a mark behind it first.
 * (What the consumer itself says to be acknowledged without a gap is no such floor: it does not hold once a message was
 * delivered for a second time.)
 */
import { Buffer } from 'node:buffer';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { Nats } from '../../nats/connection.ts';
import type { LeaseLimits, Position } from '../log.ts';
import { positionOf, sequenceOf } from './message.ts';
import { pull, publishOnce, tellServer, WrongLastSequence } from './request.ts';
import { consumer, markWord, rangeWord, readMessage, sizesFrom, type Streams } from './streams.ts';

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

export class Batches {
  readonly #nats: Nats;
  readonly #streams: Streams;
  /** A sequence of the log. */
  #purgedBelow = 1;

  constructor(nats: Nats, streams: Streams) {
    this.#nats = nats;
    this.#streams = streams;
  }

  /** The next range for this node; undefined where there is nothing. */
  async take(limits: LeaseLimits): Promise<HeldRange | undefined> {
    for (let tries = 0, waitMs = 0; tries < mostTries; tries++) {
      const held = await this.#pull(waitMs);
      if (held) return held;
      const cut = await this.#cut(limits);
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

  /** Resolves once nobody gets it again; and where it was done before. */
  async acknowledge({ sequence, to, reply }: HeldRange): Promise<void> {
    const { manager, names, subjects } = this.#streams;
    try {
      await this.#write(`${subjects.batches}.${markWord}`, { to }, sequence);
    } catch (error) {
      // There is a newer one already.
      if (!(error instanceof WrongLastSequence)) throw error;
    }
    await manager.streams.deleteMessage(names.batches, sequence, false).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
    tellServer(this.#nats.connection, reply, '+ACK');
  }

  /** Forgets the records of ranges that are done. */
  async forgetDone(): Promise<void> {
    const { manager, names } = this.#streams;
    for (;;) {
      const { state } = await manager.streams.info(names.batches);
      if (state.messages === 0) return;
      const first = await readMessage(this.#streams, names.batches, { seq: state.first_seq });
      if (!first) return;
      const range = readRange(first.data);
      if (range) await this.#purgeBelow(sequenceOf(range.from));
      else await this.#purgeBelow(endOf(first.data) + 1);
      if (range || first.sequence === state.last_seq) return;
      // A mark that is not the last has no use any more.
      await manager.streams.purge(names.batches, { seq: first.sequence + 1 });
    }
  }

  async #purgeBelow(sequence: number): Promise<void> {
    if (sequence <= this.#purgedBelow) return;
    await this.#streams.manager.streams.purge(this.#streams.names.log, { seq: sequence });
    this.#purgedBelow = sequence;
  }

  async #pull(waitMs: number): Promise<HeldRange | undefined> {
    const stream = this.#streams.names.batches;
    const [message] = await pull(this.#nats, { stream, consumer }, 1, waitMs);
    if (!message) return undefined;
    const range = readRange(message.data);
    const { reply, sequence, deliveries } = message;
    if (range) return { ...range, sequence, reply, isRedelivered: deliveries > 1 };
    // Nobody who belongs here has written it.
    tellServer(this.#nats.connection, reply, '+ACK');
    return undefined;
  }

  async #cut(limits: LeaseLimits): Promise<'cut' | 'again' | 'nothing'> {
    const { manager, names, subjects } = this.#streams;
    const { last_seq: lastSequence } = (await manager.streams.info(names.batches)).state;
    const last = lastSequence > 0 ? await readMessage(this.#streams, names.batches, { seq: lastSequence }) : undefined;
    const range = await this.#nextRange(last ? endOf(last.data) + 1 : 1, limits);
    if (!range) return 'nothing';
    try {
      await this.#write(`${subjects.batches}.${rangeWord}`, range, lastSequence);
      return 'cut';
    } catch (error) {
      if (error instanceof WrongLastSequence) return 'again';
      throw error;
    }
  }

  /** Behind the message `lastSequence`, which must be the last. */
  async #write(subject: string, value: object, lastSequence: number): Promise<void> {
    await publishOnce(this.#nats.connection, subject, Buffer.from(JSON.stringify(value)), {
      'Nats-Expected-Last-Sequence': String(lastSequence),
    });
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

/** No such message, or no such sequence. */
const goneCodes = new Set([10_037, 10_043, 10_057]);
const isGone = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (goneCodes.has(error.code) || /not found|no message/.test(error.message));

/** The last sequence of the log that a range, or what was before a mark, has. */
function endOf(data: Uint8Array): number {
  const { to } = JSON.parse(textOf(data)) as { to: number };
  if (!Number.isSafeInteger(to) || to < 0) throw new Error('the list of batches in NATS is damaged');
  return sequenceOf(to);
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
