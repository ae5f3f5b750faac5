/**
 * Appends to the log on NATS. What is asked for while messages are under way shares the next one, as commits are shared on
 * a disk: so a server that syncs each message, or three that agree on each, cost no more than a few messages at once.
 *
 *   waiting ──a message has room for it──► under way ──stored──► settled
 *      └── NATS is away for too long ─► refused ◄── not stored in time
 *
 * A message whose answer did not come is sent again under its id, and stored once. Where that takes too long, the append is
 * refused though the message may be there: what was promised is there, and what was not may be.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sealedLength } from '../../../base/secrets/index.ts';
import { nats as texts } from '../../../base/texts/nats.ts';
import type { Nats } from '../../nats/connection.ts';
import type { Position } from '../log.ts';
import type { RecordSeal } from '../seal.ts';
import { encodeLarge, encodeRecords, entryBytes, positionOf, positionsPerMessage } from './message.ts';
import { awayReason, graceMs, isAway, logFull, logUnavailable, publishOnce } from './request.ts';
import { bytesHeader, largeDeadlineMs, type Streams } from './streams.ts';

interface Append {
  readonly parts: readonly Uint8Array[];
  /** Once sealed. */
  readonly bytes: number;
  /** The same record under the same id is stored once, within two minutes. */
  readonly id?: string | undefined;
  readonly resolve: (position: Position) => void;
  readonly reject: (error: unknown) => void;
}

/** Messages at once: one is stored while others travel. */
const mostUnderWay = 4;
const messageBytes = 256 * 1024;
/** Of a message, for its headers. */
const headBytes = 1024;
/** What waits in memory at most. */
const mostWaitingBytes = 128 * 2 ** 20;
/** So long a message is tried. The server knows its id for two minutes. */
const deadlineMs = 10_000;
const largeAtOnce = 4;

export interface AppenderOptions {
  readonly nats: Nats;
  readonly streams: Streams;
  readonly seal: RecordSeal;
  /** Whether the log has room for so many bytes more. */
  readonly hasRoom: (bytes: number) => boolean;
  readonly onStored: (stored: { readonly records: number; readonly bytes: number }) => void;
}

export class Appender {
  readonly #options: AppenderOptions;
  readonly #largest: number;
  #waiting: Append[] = [];
  #waitingBytes = 0;
  #underWay = 0;
  #isScheduled = false;
  #idle: PromiseWithResolvers<void> | undefined;
  readonly #unwatch: () => void;
  #refusal: NodeJS.Timeout | undefined;

  constructor(options: AppenderOptions) {
    this.#options = options;
    const { nats } = options;
    this.#largest = (nats.connection.info?.max_payload ?? 2 ** 20) - headBytes;
    this.#unwatch = nats.watch(({ isUp }) => {
      clearTimeout(this.#refusal);
      if (isUp) this.#schedule();
      else this.#refusal = setTimeout(() => this.#refuseWaiting(), graceMs).unref();
    });
  }

  /** Throws `LOG_FULL`, `LOG_UNAVAILABLE`. */
  append(parts: readonly Uint8Array[], id?: string): Promise<Position> {
    return new Promise((resolve, reject) => {
      const { nats, hasRoom } = this.#options;
      const reason = awayReason(nats, graceMs);
      if (reason) throw logUnavailable(reason);
      const bytes = sealedLength(parts);
      if (!hasRoom(this.#waitingBytes + bytes)) throw logFull();
      if (this.#waitingBytes + bytes > mostWaitingBytes && this.#waitingBytes > 0)
        throw logUnavailable(texts.slow(nats.servers));
      this.#waitingBytes += bytes;
      const append: Append = {
        parts,
        bytes,
        id,
        resolve: (position) => {
          this.#waitingBytes -= bytes;
          resolve(position);
        },
        reject: (error) => {
          this.#waitingBytes -= bytes;
          reject(error);
        },
      };
      if (entryBytes(bytes) > this.#largest) void this.#run(() => this.#appendLarge(append), [append]);
      else {
        this.#waiting.push(append);
        this.#schedule();
      }
    });
  }

  /** Resolves when nothing waits and nothing is under way. */
  async end(): Promise<void> {
    if (this.#underWay > 0 || this.#waiting.length > 0) {
      this.#idle = Promise.withResolvers();
      await this.#idle.promise;
    }
    this.#unwatch();
    clearTimeout(this.#refusal);
  }

  /** What is called in the same turn shares the first message, too. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      while (this.#waiting.length > 0 && this.#underWay < mostUnderWay && !awayReason(this.#options.nats)) {
        const group = this.#takeGroup();
        void this.#run(() => this.#appendGroup(group), group);
      }
    });
  }

  async #run(store: () => Promise<void>, group: readonly Append[]): Promise<void> {
    this.#underWay++;
    try {
      await store();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.#underWay--;
    if (this.#waiting.length > 0) this.#schedule();
    else if (this.#underWay === 0) this.#idle?.resolve();
  }

  #takeGroup(): Append[] {
    let bytes = 0;
    let count = 0;
    const most = Math.min(this.#largest, messageBytes);
    for (const append of this.#waiting) {
      // One with an id of its own is a message of its own.
      if (count > 0 && (append.id !== undefined || this.#waiting[0]?.id !== undefined)) break;
      bytes += entryBytes(append.bytes);
      if (count > 0 && (bytes > most || count === positionsPerMessage)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #appendGroup(group: readonly Append[]): Promise<void> {
    const { streams, seal } = this.#options;
    const data = encodeRecords(
      group.map(({ bytes }) => bytes),
      (index, place) => void seal.seal(0, group[index]!.parts, () => place),
    );
    const sequence = await this.#publish(`${streams.subjects.log}.${group.length}`, data, {
      'Nats-Msg-Id': group[0]?.id ?? newId(),
    });
    this.#settle(group, sequence);
  }

  async #appendLarge(append: Append): Promise<void> {
    const { streams, seal } = this.#options;
    const id = randomBytes(16).toString('hex');
    const until = performance.now() + largeDeadlineMs;
    const sealed = seal.seal(0, append.parts);
    const offsets = Array.from({ length: Math.ceil(sealed.length / this.#largest) }, (_, part) => part * this.#largest);
    const parts: number[] = Array.from({ length: offsets.length });
    const next = offsets.entries();
    // Where a try was not answered, it may be stored yet, whatever the next one is told.
    let mayBeThere = false;
    const store = async (): Promise<void> => {
      for (const [part, offset] of next) {
        if (performance.now() > until) throw logUnavailable(texts.slow(this.#options.nats.servers));
        const data = sealed.subarray(offset, offset + this.#largest);
        parts[part] = await this.#publish(`${streams.subjects.large}.${id}`, data, { 'Nats-Msg-Id': `${id}.${part}` });
      }
    };
    try {
      await Promise.all(Array.from({ length: largeAtOnce }, store));
      if (performance.now() > until) throw logUnavailable(texts.slow(this.#options.nats.servers));
      const message = encodeLarge({ id, parts, bytes: sealed.length });
      const head = { 'Nats-Msg-Id': append.id ?? id, [bytesHeader]: String(sealed.length) };
      const sequence = await this.#publish(`${streams.subjects.log}.1`, message, head, () => (mayBeThere = true));
      this.#settle([append], sequence);
    } catch (error) {
      // Otherwise they are swept once they are nobody's.
      if (!mayBeThere && !isAway(error))
        void streams.manager.streams
          .purge(streams.names.large, { filter: `${streams.subjects.large}.${id}` })
          .catch(() => undefined);
      throw error;
    }
  }

  #settle(group: readonly Append[], sequence: number): void {
    this.#options.onStored({ records: group.length, bytes: group.reduce((sum, { bytes }) => sum + bytes, 0) });
    for (const [index, { resolve }] of group.entries()) resolve(positionOf(sequence, index));
  }

  /** Again and again under its id, until it is there or that took too long. */
  async #publish(
    subject: string,
    data: Uint8Array,
    heads: Readonly<Record<string, string>>,
    onUnanswered?: () => void,
  ): Promise<number> {
    const { nats } = this.#options;
    for (const begun = performance.now(); ;) {
      try {
        return await publishOnce(nats.connection, subject, data, heads);
      } catch (error) {
        if (!isAway(error)) throw error;
        onUnanswered?.();
        if (performance.now() - begun > deadlineMs)
          throw logUnavailable(awayReason(nats) ?? texts.silent(nats.servers), error);
        await delay(100);
      }
    }
  }

  #refuseWaiting(): void {
    const reason = awayReason(this.#options.nats);
    if (!reason) return;
    for (const { reject } of this.#waiting.splice(0)) reject(logUnavailable(reason));
    if (this.#underWay === 0) this.#idle?.resolve();
  }
}

const newId = (): string => randomBytes(12).toString('base64url');
