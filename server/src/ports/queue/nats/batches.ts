/**
 * Which records are one batch, and whose it is now.
 *
 * Ranges stand one after the other in the stream `batches`: whoever finds none to be had writes the next, on condition that
 * nobody else has written one meanwhile. A durable consumer hands each range to one node at a time, and to another when that
 * one has been silent: with the same range, and so with the same token. Neither clocks nor leases of our own are needed.
 *
 *   written ──► held by a node ──acknowledged──► gone
 *      ▲              │ released, or silent for `ack_wait`
 *      └──────────────┘
 */
import { Buffer } from 'node:buffer';
import type { Nats } from '../../nats/connection.ts';
import type { LeaseLimits, Position } from '../log.ts';
import { positionOf, sequenceOf } from './message.ts';
import { acknowledgeMessage, pull, publishOnce, tellServer, WrongLastSequence } from './request.ts';
import { consumer, readMessage, sizesFrom, type Streams } from './streams.ts';

export interface Range {
  readonly from: Position;
  readonly to: Position;
  readonly records: number;
  readonly bytes: number;
}

export interface HeldRange extends Range {
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

  /** Resolves once nobody gets it again. */
  acknowledge({ reply }: HeldRange): Promise<void> {
    return acknowledgeMessage(this.#nats.connection, reply);
  }

  /** Forgets ranges that are done, and the records of the log that they have; but for the last range, after which the next one begins. */
  async forgetDone(): Promise<void> {
    const { manager, names } = this.#streams;
    const { ack_floor: floor } = await manager.consumers.info(names.batches, consumer);
    if (floor.stream_seq === 0) return;
    const last = await readMessage(this.#streams, names.batches, { seq: floor.stream_seq });
    const range = last && readRange(last.data);
    if (!range) return;
    await manager.streams.purge(names.log, { seq: sequenceOf(range.to) + 1 });
    if (floor.stream_seq > 1) await manager.streams.purge(names.batches, { seq: floor.stream_seq });
  }

  async #pull(waitMs: number): Promise<HeldRange | undefined> {
    const stream = this.#streams.names.batches;
    const [message] = await pull(this.#nats, { stream, consumer }, 1, waitMs);
    if (!message) return undefined;
    const range = readRange(message.data);
    const { reply, deliveries } = message;
    if (range) return { ...range, reply, isRedelivered: deliveries > 1 };
    // Nobody who belongs here has written it.
    await acknowledgeMessage(this.#nats.connection, reply);
    return undefined;
  }

  async #cut(limits: LeaseLimits): Promise<'cut' | 'again' | 'nothing'> {
    const { manager, names, subjects } = this.#streams;
    const last = await readMessage(this.#streams, names.batches, { last_by_subj: subjects.batches });
    const before = last && readRange(last.data);
    const lastSequence = last?.sequence ?? (await manager.streams.info(names.batches)).state.last_seq;
    const range = await this.#nextRange(before ? sequenceOf(before.to) + 1 : 1, limits);
    if (!range) return 'nothing';
    try {
      await publishOnce(this.#nats.connection, subjects.batches, Buffer.from(JSON.stringify(range)), {
        'Nats-Expected-Last-Sequence': String(lastSequence),
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

function readRange(data: Uint8Array): Range | undefined {
  try {
    const range = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.length).toString()) as Range;
    const { from, to, records, bytes } = range;
    return [from, to, records, bytes].every((each) => Number.isSafeInteger(each)) && from > 0 && from <= to
      ? { from, to, records, bytes }
      : undefined;
  } catch {
    return undefined;
  }
}
