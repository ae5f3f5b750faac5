/** Records of ranges, as they are read from NATS: some messages ahead, large ones put together of their parts. */
import { Buffer } from 'node:buffer';
import { logOfRequests } from '../../../base/texts/stores.ts';
import type { Nats } from '../../nats/connection.ts';
import { BatchGone, type LogRecord, type Position } from '../log.ts';
import type { Batches, HeldRange } from './batches.ts';
import { copyOf, decodeMessage, type Entry, indexOf, type LargeRecord, positionOf, sequenceOf } from './message.ts';
import { asking } from './request.ts';
import { readBySequence, type Streams } from './streams.ts';

export interface ReadRange extends Pick<HeldRange, 'from' | 'to' | 'sequence'> {
  /** Messages that were asked for, by their sequence. */
  readonly ahead: Map<number, Promise<Entry[] | undefined>>;
  /** Large records that were read. */
  readonly large: Set<string>;
}

export interface ReadingOptions {
  readonly nats: Nats;
  readonly streams: Streams;
  readonly batches: Pick<Batches, 'isDone'>;
  readonly warn?: ((sentence: string) => void) | undefined;
}

/** Messages that are asked for at once: with the largest, 2 MiB. */
const readAhead = 8;

export const unread = (): Pick<ReadRange, 'ahead' | 'large'> => ({ ahead: new Map(), large: new Set() });

export class Reading {
  readonly #options: ReadingOptions;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** From `start` to the record that reaches `pieceBytes`. Throws `BatchGone`, `LOG_UNAVAILABLE`. */
  async records(range: ReadRange, start: Position, pieceBytes = Infinity): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    let bytes = 0;
    const last = sequenceOf(range.to);
    for (let sequence = sequenceOf(start); sequence <= last; sequence++) {
      const entries = (await this.#message(range, sequence)) ?? (await this.#missing(range, sequence));
      const first = sequence === sequenceOf(start) ? indexOf(start) : 0;
      for (const [index, entry] of entries.entries()) {
        if (index < first) continue;
        const value = entry instanceof Uint8Array ? copyOf(entry) : await this.#readLarge(range, entry);
        if (!value) continue;
        records.push({ position: positionOf(sequence, index), value });
        bytes += value.length;
        if (bytes >= pieceBytes) return records;
      }
      range.ahead.delete(sequence);
    }
    return records;
  }

  /** Asks for some of those that follow at the same time. */
  #message(range: ReadRange, sequence: number): Promise<Entry[] | undefined> {
    const { nats, streams } = this.#options;
    const until = Math.min(sequence + readAhead - 1, sequenceOf(range.to));
    for (let each = sequence; each <= until; each++) {
      if (range.ahead.has(each)) continue;
      const asked = asking(nats, async () => {
        const data = await readBySequence(nats, streams, streams.names.log, each);
        return data && decodeMessage(data);
      });
      asked.catch(() => range.ahead.delete(each));
      range.ahead.set(each, asked);
    }
    return range.ahead.get(sequence)!;
  }

  /** Throws `BatchGone` where it is gone because another node is done with the batch. */
  async #missing(range: ReadRange, sequence: number): Promise<Entry[]> {
    const { nats, streams, warn } = this.#options;
    const { state } = await asking(nats, () => streams.manager.streams.info(streams.names.log));
    if (sequence < state.first_seq || (await this.#isDone(range))) throw new BatchGone();
    warn?.(logOfRequests.lostByNats(sequence));
    return [];
  }

  async #readLarge(range: ReadRange, { id, parts, bytes }: LargeRecord): Promise<Uint8Array | undefined> {
    const { nats, streams, warn } = this.#options;
    const value = Buffer.allocUnsafeSlow(bytes);
    let offset = 0;
    for (const part of parts) {
      const data = await asking(nats, () => readBySequence(nats, streams, streams.names.large, part));
      if (!data || offset + data.length > bytes) break;
      value.set(data, offset);
      offset += data.length;
    }
    if (offset === bytes) {
      range.large.add(id);
      return value;
    }
    // Whoever is done with a batch removes the parts.
    if (await this.#isDone(range)) throw new BatchGone();
    warn?.(logOfRequests.lostByNats(parts[0] ?? 0));
    return undefined;
  }

  #isDone(range: ReadRange): Promise<boolean> {
    const { nats, batches } = this.#options;
    return asking(nats, () => batches.isDone(range));
  }
}
