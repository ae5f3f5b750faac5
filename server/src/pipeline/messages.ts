/** What the pipeline and its threads say to each other. */
import type { BlobsOptions } from '../ports/blobs/open.ts';
import type { EventsAddress } from '../ports/events/events.ts';
import type { RecordedProject } from '../domains/issues/index.ts';
import type { LogRecord, Position } from '../ports/queue/log.ts';
import type { ReaderSetup } from '../ports/queue/seal.ts';
import type { StateOptions } from '../ports/state/open.ts';
import type { ArrivedSpans } from './arrived-spans.ts';
import type { SymbolicationStats } from '../domains/artifacts/symbolicator.ts';

export interface WorkerSetup {
  readonly state: StateOptions;
  readonly events: EventsAddress;
  readonly blobs: BlobsOptions;
  /** Opens the records of batches. */
  readonly reader: ReaderSetup;
  readonly maxEnvelopeBytes: number;
  /** What late spans are waited for before a segment is examined. */
  readonly performanceWaitMs: number;
  /** Of the installation; hex. */
  readonly pseudonymKey: string;
  /** Shared Float64Array, see `progressSlots`. */
  readonly progress: SharedArrayBuffer;
}

/** Which record the thread computes at the moment (0: none), and since when, by `steadyMs`. */
export const progressSlots = { position: 0, startedAt: 1, count: 2 } as const;

export type ToWorker =
  | {
      readonly kind: 'batch';
      readonly token: string;
      readonly from: Position;
      readonly to: Position;
      /** Its first piece. */
      readonly records: readonly LogRecord[];
      readonly poisoned: readonly Position[];
      /** Somebody had it before: rows of it may be stored, and say that their payloads lie elsewhere than they are put now. */
      readonly redelivered: boolean;
    }
  /** The piece that was asked for: records from `start` on, of the batch that begins at `from`. */
  | {
      readonly kind: 'piece';
      readonly from: Position;
      readonly start: Position;
      readonly records: readonly LogRecord[];
    }
  /** Another node has done this batch: nothing of it is stored any more, and nothing answered. */
  | { readonly kind: 'drop'; readonly from: Position; readonly to: Position }
  /** Somebody changed what projects are set to: what is received from now on goes by it. */
  | { readonly kind: 'settings' }
  | { readonly kind: 'stop' };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** Asks for the records from `start` on, and gives back what earlier ones lay in. */
  | {
      readonly kind: 'more';
      readonly from: Position;
      readonly start: Position;
      readonly buffers: readonly ArrayBuffer[];
    }
  /** The events store has rows with these entries of the event index: who finds them there should find them here. */
  | { readonly kind: 'stored'; readonly entries: Uint8Array<ArrayBuffer> }
  | {
      readonly kind: 'done';
      readonly from: Position;
      readonly to: Position;
      /** Records that did not open. */
      readonly unreadable: readonly Position[];
      readonly projects: readonly RecordedProject[];
      /** Of its rows, for the event index. */
      readonly indexed: readonly Uint8Array<ArrayBuffer>[];
      /** Some of them cannot be kept there. */
      readonly unindexed: boolean;
      /** By project. */
      readonly spans: readonly ArrivedSpans[];
      /** Segments noted to be examined for performance problems. */
      readonly suspects: number;
      /** Of events of servers, by project. */
      readonly digests: ReadonlyMap<number, ReadonlySet<string>>;
      /** Of the thread, since it started. */
      readonly symbolication: SymbolicationStats;
      /** What its records lay in, for those that come next. */
      readonly buffers: readonly ArrayBuffer[];
    }
  | {
      readonly kind: 'retrying';
      readonly from: Position;
      readonly to: Position;
      readonly message: string;
      /** False for a surprise, which is worth an error in the log. */
      readonly expected: boolean;
    };

/** What the records lie in, for whoever gets them next. */
export const buffersOf = (records: readonly LogRecord[]): ArrayBuffer[] =>
  [...new Set(records.map(({ value }) => value.buffer))].filter((buffer) => buffer instanceof ArrayBuffer);

export const sizeOfRecords = (records: readonly LogRecord[]): number =>
  records.reduce((bytes, { value }) => bytes + value.length, 0);
