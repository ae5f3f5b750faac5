/**
 * The payloads port: whole events as JSON text, beside their rows, which carry the place. Append-only: what is written is
 * read, erased, or dropped with its day. A payload is there before its row is, so a row never points at nothing.
 */

import type { SearchOptions } from './search.ts';

/** Where a payload lies. */
export interface Place {
  /** Its segment's number, which says when that was begun; 0 where the payload is in the row itself. */
  readonly segment: number;
  /** Its number in the segment, from 0. */
  readonly ordinal: number;
}

/** Payloads that are written together. Their places are known as they are added, and hold once they are written. */
export interface PayloadBatch extends Disposable {
  /**
   * In one text, or in pieces. `kin`: what payloads that resemble each other have in common; those lie side by side.
   * `beside`: what else is told of it, to whoever reads it whole.
   */
  add(payload: string | readonly (string | Uint8Array)[], kin: string, beside?: string): Place;
  /** Of the `index`th that was added. */
  textOf(index: number): string | undefined;
  /** Whoever has one lets go of it, written or not: its segment is left once nobody has any. */
  [Symbol.dispose](): void;
}

export interface WholePayload {
  readonly payload: string;
  /** '' where nothing is. */
  readonly beside: string;
}

/** For one thread. Its batches go to one segment until that is full or old. */
export interface PayloadWriter extends AsyncDisposable {
  batch(): PayloadBatch;
  /** Resolves when those of the batch that are wanted are on disk. Throws what the disk says; it may be tried again. */
  write(batch: PayloadBatch, isWanted?: (index: number) => boolean): Promise<void>;
}

export interface Payloads {
  /** Of batches whose requests come to fewer bytes, payloads are better left in the rows; unset where of none. */
  readonly leastBytes?: number;
  /** `clock` gives another time than now (ms since the epoch) for payloads of events of that time: they go with that day. */
  createWriter(clock?: () => number): PayloadWriter;
  /** What an earlier run of the program was writing is nobody's any more. Before the first writer is made. */
  settle(): Promise<void>;
  /** In the order of the places; undefined for what was erased or dropped. */
  read(places: readonly Place[]): Promise<(string | undefined)[]>;
  /** The same with what is told beside each. */
  readWhole(places: readonly Place[]): Promise<(WholePayload | undefined)[]>;
  /** In the order of the places: which of them were erased. Costs less than reading them. */
  areErased(places: readonly Place[]): Promise<boolean[]>;
  /** Nothing reads them any more; their bytes are overwritten when their segment is packed. */
  erase(places: readonly Place[]): Promise<void>;
  /**
   * Segments that are worth packing: that nobody writes to any more for a quarter of an hour, in which an insert that was
   * given up may still come about, or of which something was erased since they were packed.
   */
  unpacked(quietMs?: number): Promise<number[]>;
  /** Writes a segment again, larger chunks of what resembles each other, with the wanted ordinals alone. */
  pack(segment: number, wanted: Iterable<number>, signal?: AbortSignal): Promise<void>;
  /** Every one that has one of the texts, also those that no row has. Those that were erased may be among them. */
  search(options: SearchOptions): Promise<void>;
  /**
   * Writes these segments again without what was erased of them, all else in its place: nothing is left of their bytes.
   * Resolves once their writers have left them and it is done. What nobody has is passed over.
   */
  rewrite(segments: readonly number[], signal: AbortSignal): Promise<void>;
  /** Segments of which something was erased that they still have. */
  withErased(): Promise<number[]>;
  /** What erased ones take until their segments are packed, about. */
  erasedBytes(): Promise<number>;
  /** What each day takes, bytes by `YYYY-MM-DD`. */
  daySizes(): Promise<Map<string, number>>;
  /** Whole days that began before, ms since the epoch. */
  dropBefore(at: number): Promise<void>;
}
