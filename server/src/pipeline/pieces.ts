/** A batch as a processing thread gets it: piece by piece, each opened, the next one asked for while one is computed. */
import type { LogRecord, Position } from '../ports/queue/log.ts';
import type { OpenedRecords } from '../ports/queue/seal.ts';
import { buffersOf, sizeOfRecords } from './messages.ts';

export interface PieceSource {
  /** Opens records where they lie. */
  open(sealed: readonly LogRecord[]): OpenedRecords;
  /** Resolves to the records of the batch from `start` on; `spare` is what earlier ones lay in. */
  ask(start: Position, spare: ArrayBuffer[]): Promise<readonly LogRecord[]>;
}

interface Piece {
  readonly records: readonly LogRecord[];
  readonly buffers: ArrayBuffer[];
  /** The position of its last record. */
  readonly last: Position;
}

export class Pieces {
  /** Records that did not open, as far as they were read. */
  readonly unreadable = new Set<Position>();
  /** What the last one lay in: spare once everything is stored. */
  buffers: ArrayBuffer[] = [];
  /** Of all that were read, as they are sealed. */
  bytes = 0;
  readonly #from: Position;
  readonly #to: Position;
  readonly #source: PieceSource;
  /** Kept for another attempt where it is all there is. */
  #first: Piece | undefined;

  constructor(batch: { from: Position; to: Position; records: readonly LogRecord[] }, source: PieceSource) {
    this.#from = batch.from;
    this.#to = batch.to;
    this.#source = source;
    this.#first = this.#opened(batch.records);
  }

  /** From the beginning. Nothing may use the memory of a piece any more when the next one is asked for. */
  async *read(): AsyncGenerator<readonly LogRecord[], void, void> {
    let piece = this.#first ?? this.#opened(await this.#source.ask(this.#from, []));
    let spare: ArrayBuffer[] = [];
    for (;;) {
      const isLast = piece.last >= this.#to;
      if (!isLast) this.#first = undefined;
      const next = isLast ? undefined : this.#source.ask(piece.last + 1, spare);
      this.buffers = piece.buffers;
      yield piece.records;
      if (!next) return;
      spare = piece.buffers;
      piece = this.#opened(await next);
    }
  }

  #opened(sealed: readonly LogRecord[]): Piece {
    const buffers = buffersOf(sealed);
    this.bytes += sizeOfRecords(sealed);
    const { records, unreadable } = this.#source.open(sealed);
    for (const position of unreadable) this.unreadable.add(position);
    return { records, buffers, last: sealed.at(-1)?.position ?? this.#to };
  }
}
