/** A slice of a batch, as it is made: everything that it writes. */
import { type BlockEncoder, createEncoder } from '../ports/events/blocks/encode.ts';
import type { ErrorRow } from '../base/tables/errors.ts';
import { itemTables, type ItemTableName, type TableRows } from '../base/tables/index.ts';
import type { ItemRow } from '../base/tables/items.ts';
import { createSuspicion, type Suspicion } from '../domains/detectors/index.ts';
import { EntryList } from '../ports/event-index/entries.ts';
import type { PayloadBatch } from '../ports/payloads/payloads.ts';
import type { Position } from '../ports/queue/log.ts';
import type { EnvelopeHead } from '../ports/queue/received.ts';
import type { MaybeReported, ProjectSettings, Sighted, TwinEvent, WaitingEvent } from '../process/types.ts';
import type { SpanTally } from './arrived-spans.ts';
import { createOutcomeCounter, type OutcomeCounter } from './outcomes.ts';

export interface BlobWrite {
  readonly key: string;
  readonly value: Uint8Array | Iterable<Uint8Array>;
}

/** Everything that a slice of a batch writes. */
export interface Computed {
  /** What it holds in memory beside its rows, about. */
  bytes: number;
  readonly events: Sighted[];
  /** The events' rows in the same order. */
  readonly errors: BlockEncoder<ErrorRow>;
  /** The events' payloads in the same order; undefined where the rows have them. */
  readonly payloads?: PayloadBatch | undefined;
  /** What the event index keeps of the events, in the same order; undefined where there is none. */
  readonly indexed?: EntryList | undefined;
  /** The groups of the events, by `groupKey`. */
  readonly groups: Set<string>;
  /** What items gave as rows, by table. */
  readonly rows: RowEncoders;
  /** How many spans, and of which traces. */
  readonly spanTally: SpanTally;
  /** Which segments may have performance problems. */
  readonly suspicion: Suspicion;
  /** The releases that segments and sessions carry, by project, release and environment. */
  readonly otherReleases: Map<string, OtherRelease>;
  /** Browsers' views of failures on servers: their hash follows from what the stores have, so their rows are not encoded yet. */
  readonly twins: TwinEvent[];
  /** Events whose frames must be looked up before they can be finished, by `finishWaiting`. */
  readonly waiting: PlacedWaiting[];
  /** Errors to be finished by `finishMaybeReported` once it is known whether they were reported already. */
  readonly maybeReported: { readonly place: Place; readonly error: MaybeReported }[];
  /** What no row of its table can hold. */
  readonly refused: UnfitRow[];
  readonly items: ItemRow[];
  readonly blobs: BlobWrite[];
  readonly outcomes: OutcomeCounter;
}

export type RowEncoders = { readonly [Table in ItemTableName]: BlockEncoder<TableRows[Table]> };

export interface UnfitRow {
  readonly table: ItemTableName | 'errors';
  readonly row: TableRows[ItemTableName | 'errors'];
  /** Why, in words. */
  readonly detail: string;
  /** What it counts as, where that is not what rows of the table do. */
  readonly category?: string;
}

/** What the segments and sessions of a slice say of a release; ms since the epoch. */
export interface OtherRelease {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  firstSeen: number;
  lastSeen: number;
}

/** Of which item of which record. */
export interface Place {
  readonly head: EnvelopeHead;
  readonly position: Position;
  readonly index: number;
}

export interface PlacedWaiting {
  readonly place: Place;
  readonly event: WaitingEvent;
}

export const sizeOf = ({ errors, rows }: Computed): number =>
  itemTables.reduce((bytes, table) => bytes + rows[table].weight, errors.weight);

/** Whether something of it lies in the memory of its records; rows and payloads do not. */
export const holdsRecords = ({ blobs, twins, waiting, maybeReported }: Computed): boolean =>
  blobs.length + twins.length + waiting.length + maybeReported.length > 0;

/** Whether there is anything beside encoded rows and payloads. */
export const holdsMore = (slice: Computed): boolean =>
  holdsRecords(slice) || slice.items.length + slice.refused.length > 0;

export const createEncoders = (): RowEncoders =>
  Object.fromEntries(itemTables.map((table) => [table, createEncoder(table)])) as RowEncoders;

export const emptySlice = ({
  settings,
  payloads,
  isShared = false,
}: {
  readonly settings: ReadonlyMap<number, ProjectSettings>;
  readonly payloads?: (() => PayloadBatch) | undefined;
  readonly isShared?: boolean;
}): Computed => ({
  bytes: 0,
  events: [],
  errors: createEncoder('errors'),
  payloads: payloads?.(),
  indexed: payloads && !isShared ? new EntryList() : undefined,
  groups: new Set(),
  rows: createEncoders(),
  spanTally: new Map(),
  suspicion: createSuspicion((projectId) => settings.get(projectId)?.performance),
  otherReleases: new Map(),
  twins: [],
  waiting: [],
  maybeReported: [],
  refused: [],
  items: [],
  blobs: [],
  outcomes: createOutcomeCounter(),
});
