/**
 * The log port: a durable queue between ingestion and processing, of one process or of several nodes.
 *
 * States of a record: appended → leased (its range stands in the log as a batch) → acknowledged (gone).
 * A batch that was leased and not acknowledged is leased again, with exactly the same range, by the next process
 * that opens the log, or by another node: the range is what makes a repeated insert harmless. Records are sealed (`seal.ts`).
 */
import { logOfRequests } from '../../base/texts/stores.ts';
import type { RetainedStats } from './retained.ts';
import type { ReaderSetup } from './seal.ts';

/** Strictly increasing for the life of the log, across restarts, and never used twice. Starts at 1. */
export type Position = number;

export interface LogRecord {
  readonly position: Position;
  /** Sealed as it is leased; `createReader` opens it. */
  readonly value: Uint8Array;
}

export interface Batch {
  /** `${logId}:${from}-${to}`: the same for every delivery of this batch, and for no other batch. */
  readonly token: string;
  readonly from: Position;
  readonly to: Position;
  /** How many records it has. */
  readonly size: number;
  /** All of them, or its first piece. */
  readonly records: readonly LogRecord[];
  /** True when a process before this one, or an earlier `release`, has had this batch already. */
  readonly redelivered: boolean;
}

export interface LeaseLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** What is returned with the batch ends with the record that reaches it; the rest is for `read`. All is unless given. */
  readonly pieceBytes?: number;
  /** One that is not full begins no sooner than so long after the last one, ms, whichever node took that. */
  readonly intervalMs?: number;
}

export interface LogStats {
  /** Appended and not yet acknowledged. */
  readonly records: number;
  readonly bytes: number;
  readonly limitBytes: number;
  /** Kept aside because no key that is here opens them. */
  readonly unreadable: number;
  /** What is kept for a downgrade, while there is a restore point. */
  readonly retained?: RetainedStats;
  /** While the log is elsewhere and does not respond: since when, ms since the epoch, and why. The numbers are the last known ones. */
  readonly away?: { readonly sinceMs: number; readonly reason: string };
}

/** Records of a batch are gone because another node was done with it: nothing of it is to be stored any more. */
export class BatchGone extends Error {
  override readonly name = 'BatchGone';
  constructor() {
    super(logOfRequests.gone);
  }
}

/** While it lasts, what the log gives out is what a copy of it says. */
export interface HeldLog extends Disposable {
  /**
   * Writes what is in the log to a file that is not there yet: records, ranges and the next position. Resolves once it is
   * settled what that is: nothing needs to be held for the rest of it.
   */
  copyTo(path: string): Promise<LogCopying>;
}

export interface LogCopying {
  readonly copy: LogCopy;
  /** Resolves when the file is whole. */
  readonly done: Promise<void>;
}

/** What is in a copy at least: whatever came while it was made may be in it, too. */
export interface LogCopy {
  readonly logId: string;
  readonly next: Position;
  readonly records: number;
  readonly bytes: number;
}

export interface EventLog extends AsyncDisposable {
  /**
   * Resolves when the record is on disk (fdatasync), or NATS has it; until then its parts must not change. Throws
   * `CodedError('LOG_FULL')` at the size limit or on a full disk, and `LOG_UNAVAILABLE` where the log is elsewhere and away.
   */
  append(...parts: readonly Uint8Array[]): Promise<Position>;
  /** The same; a record that comes again under its id within two minutes is stored once, where the log can tell. */
  appendOnce?(id: string, ...parts: readonly Uint8Array[]): Promise<Position>;
  /** The next batch in order, recorded before it is returned; undefined when nothing waits. One record is always returned, however large. */
  lease(limits: LeaseLimits): Promise<Batch | undefined>;
  /** Records of a leased batch from a position on, to the one that reaches `pieceBytes`: at least one, where there is one. */
  read(
    batch: Pick<Batch, 'from' | 'to'>,
    start: Position,
    pieceBytes: number,
  ): readonly LogRecord[] | Promise<readonly LogRecord[]>;
  /** What `createReader` opens the records of batches with, in any thread. */
  readonly reader: ReaderSetup;
  /**
   * Forgets the batch's records for good, but for those that did not open: they are kept aside, and come back when the log
   * is opened with the key that they were sealed with. Acknowledging twice is harmless.
   */
  acknowledge(batch: Pick<Batch, 'from' | 'to'>, unreadable?: readonly Position[]): Promise<void>;
  /** Gives a leased batch back, to be leased again with the same range before anything newer. */
  release(batch: Pick<Batch, 'from' | 'to'>): void;
  /** A position after all that is in the log now. */
  end(): Position | Promise<Position>;
  /** Whether all records before a position are acknowledged, by whichever node. */
  isDoneBefore(position: Position): boolean | Promise<boolean>;
  /** Called after durable appends, once for those that share a commit. A listener that throws is dropped. Returns the function that unsubscribes. */
  onAppend(listener: () => void): () => void;
  stats(): LogStats;
  /** Whether a log that is elsewhere answers, asked now; undefined for one in files of this machine. */
  answers?(): Promise<boolean>;
  /** What only a log in files of this machine can do; undefined for one elsewhere. */
  readonly embedded?: EmbeddedLog;
  close(): Promise<void>;
}

/** A log in files of this machine. */
export interface EmbeddedLog extends EventLog {
  read(batch: Pick<Batch, 'from' | 'to'>, start: Position, pieceBytes: number): readonly LogRecord[];
  /** From when it resolves no batch is leased until its dispose; what was leased goes on. One at a time. */
  hold(): Promise<HeldLog>;
  /** Gives back to the disk what drained records have left, where that is worth it; resolves to bytes. */
  shrink(): Promise<number>;
  /** Of its file, in no use. */
  spareBytes(): number;
  /** Forgets what is kept for a downgrade, before a position or all of it; from then on nothing is kept. */
  forgetRetained(before?: Position): Promise<void>;
}
