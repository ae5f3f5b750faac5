/**
 * From the records of a batch to rows: decompress, parse the envelope, run each item through its type.
 * Pure: no clock, no I/O, so that a batch computed again after a crash gives the same rows.
 */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { EnvelopeError, parseEnvelope, parseEventId } from '@culprit/envelope';
import { projectPrefix } from '../ports/blobs/retention.ts';
import { type BlockEncoder, createEncoder, faultOf } from '../ports/events/blocks/encode.ts';
import type { ErrorRow } from '../base/tables/errors.ts';
import { itemTables, type ItemTableName, type TableRows } from '../base/tables/index.ts';
import type { ItemRow } from '../base/tables/items.ts';
import type { SessionRow } from '../base/tables/sessions.ts';
import type { SpanRow } from '../base/tables/spans.ts';
import { EntryList } from '../ports/event-index/entries.ts';
import { toIndexed } from '../ports/event-index/event-index.ts';
import type { LogRecord, Position } from '../ports/queue/log.ts';
import { createSuspicion, type Suspicion } from '../domains/detectors/index.ts';
import type { PayloadBatch } from '../ports/payloads/payloads.ts';
import { decodeReceived, type ReceivedHead } from '../ports/queue/received.ts';
import { itemProblems } from '../base/texts/events.ts';
import { type SpanTally, tallySpan } from './arrived-spans.ts';
import { ownText } from '../process/items/event/own.ts';
import { keepAside, processItems, type ReceivedItem } from '../process/items/index.ts';
import { createOutcomeCounter, type OutcomeCounter } from './outcomes.ts';
import type {
  Grouping,
  ItemContext,
  ItemResult,
  MaybeReported,
  ProcessedEvent,
  ProjectSettings,
  Sighted,
  TwinEvent,
  WaitingEvent,
} from '../process/types.ts';

type EnvelopeHead = Extract<ReceivedHead, { kind: 'envelope' }>;

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
interface Place {
  readonly head: EnvelopeHead;
  readonly position: Position;
  readonly index: number;
}

interface PlacedWaiting {
  readonly place: Place;
  readonly event: WaitingEvent;
}

export interface SliceInput {
  /** Settings by project id; a project that is not there was deleted meanwhile. */
  readonly settings: ReadonlyMap<number, ProjectSettings>;
  /** Projects for which something was uploaded that may map frames; none unless given. */
  readonly withArtifacts?: ReadonlySet<number>;
  /** Largest envelope once decompressed, bytes. */
  readonly maxEnvelopeBytes: number;
  /** Records that took a processing thread down before: kept aside without being looked into. */
  readonly poisoned: ReadonlySet<Position>;
  /** Gives a slice a batch for its payloads; without it they stay in the rows. */
  readonly payloads?: (() => PayloadBatch) | undefined;
  /** Others write to the store as well, so no index of it is kept. */
  readonly isShared?: boolean;
  /** Groups whose explanation is stored already, by `groupKey`; nobody will ask for it again. */
  readonly explained?: ReadonlySet<string>;
  /** Called before each record, so that whoever watches knows which one took the thread down. */
  readonly onRecord?: (position: Position) => void;
}

/** A batch in one piece. */
export interface ComputeInput extends SliceInput {
  readonly records: readonly LogRecord[];
}

export function decodeRecords(
  records: readonly LogRecord[],
): { position: Position; head: ReceivedHead; body: Uint8Array }[] {
  return records.map(({ position, value }) => ({ position, ...decodeReceived(value) }));
}

/** What a slice may hold, bytes; one record more may stand above it. */
const maxSliceBytes = 32 * 1024 * 1024;
/** What the smallest item costs in memory. */
const itemBytes = 1024;
/** Of a record whose items are encoded rows by now the compressed payloads are left, about this part of it. */
const leftPart = 1 / 8;

/**
 * Gives the slices of a batch, each to be stored before the next is asked for: a batch is bounded in the bytes that were
 * sent, and a few of those may decompress to a thousand times as many. Where a slice ends follows from its records, those
 * before it and the pieces that they come in alone, so that a batch run again has the same slices.
 */
export class Slices {
  readonly #input: SliceInput;
  #slice: Computed;

  constructor(input: SliceInput) {
    this.#input = input;
    this.#slice = emptySlice(input);
  }

  /** Of a piece of the batch: nothing of its memory is used any more once its slices are stored. */
  *add(records: readonly LogRecord[]): Generator<Computed, void, void> {
    for (const record of decodeRecords(records)) {
      this.#input.onRecord?.(record.position);
      const slice = this.#slice;
      const bytes = computeRecord(slice, this.#input, record);
      slice.bytes += holdsMore(slice) ? bytes : bytes * leftPart + itemBytes;
      // Each row of a span, a log or a bucket of sessions repeats what its item says once.
      if (slice.bytes + sizeOf(slice) >= maxSliceBytes) yield* this.rest();
    }
    if (holdsRecords(this.#slice)) yield* this.rest();
  }

  /** What is left when all pieces were added. */
  *rest(): Generator<Computed, void, void> {
    const slice = this.#slice;
    this.#slice = emptySlice(this.#input);
    if (slice.bytes > 0) yield slice;
  }
}

/** All slices of a batch that comes in one piece. */
export function* computeBatch(input: ComputeInput): Generator<Computed, void, void> {
  const slices = new Slices(input);
  yield* slices.add(input.records);
  yield* slices.rest();
}

const sizeOf = ({ errors, rows }: Computed): number =>
  itemTables.reduce((bytes, table) => bytes + rows[table].weight, errors.weight);

/** Whether something of it lies in the memory of its records; rows and payloads do not. */
const holdsRecords = ({ blobs, twins, waiting, maybeReported }: Computed): boolean =>
  blobs.length + twins.length + waiting.length + maybeReported.length > 0;

/** Whether there is anything beside encoded rows and payloads. */
const holdsMore = (slice: Computed): boolean => holdsRecords(slice) || slice.items.length + slice.refused.length > 0;

export const createEncoders = (): RowEncoders =>
  Object.fromEntries(itemTables.map((table) => [table, createEncoder(table)])) as RowEncoders;

const emptySlice = ({ settings, payloads, isShared = false }: SliceInput): Computed => ({
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

/**
 * Finishes the events of a slice whose frames have been looked up: `missing` gives, for each, the keys of the scripts
 * that were not there. Their rows come after the others.
 */
export function finishWaiting(
  computed: Computed,
  input: Pick<SliceInput, 'explained' | 'onRecord'>,
  missing: (event: WaitingEvent) => readonly string[],
): void {
  for (const { place, event } of computed.waiting.splice(0)) {
    input.onRecord?.(place.position);
    collect(computed, input, place, event.finish(missing(event)));
  }
}

/** Finishes the errors of a slice that may have been reported already; after that, events may be waiting again. */
export function finishMaybeReported(
  computed: Computed,
  input: Pick<SliceInput, 'explained' | 'onRecord'>,
  isReported: (error: MaybeReported) => boolean,
): void {
  for (const { place, error } of computed.maybeReported.splice(0)) {
    input.onRecord?.(place.position);
    collect(computed, input, place, error.finish(isReported(error)));
  }
}

export function groupKey({ row, grouping }: Pick<Sighted, 'row' | 'grouping'>): string {
  return `${row.project_id} ${grouping.hashes.join(' ')}`;
}

/**
 * Encodes the row at once and keeps little of the event: were all events of a batch held until it is stored, the
 * garbage collector would move them about, which costs more than processing them.
 */
function keepEvent(
  computed: Computed,
  { keyId }: EnvelopeHead,
  event: ProcessedEvent,
  explained: ReadonlySet<string> | undefined,
): void {
  if (isTwin(event)) {
    computed.twins.push({ ...event, keyId });
    return;
  }
  const fault = faultOf('errors', event.row);
  if (fault !== undefined) {
    const row = { ...event.row, payload: textOf(event) };
    computed.refused.push({ table: 'errors', row, detail: fault, category: event.category });
    return;
  }
  const stored = withoutPayload(computed, event);
  computed.errors.add(stored);
  computed.indexed?.add(toIndexed(stored));
  const row = keptRow(event.row);
  const { seed, side, category, imported } = event;
  const grouping = keptGrouping(computed, event, explained);
  computed.events.push({ row, keyId, grouping, seed, side, category, imported });
}

function keptRow(row: ErrorRow): Sighted['row'] {
  const { project_id, event_id, timestamp, received_at, release, environment, digest, trace_id, transaction } = row;
  const { group_hash, handled, user, sdk_name, stands_for, sampled_users } = row;
  return {
    project_id,
    event_id,
    timestamp,
    received_at,
    release,
    environment,
    digest,
    trace_id,
    transaction,
    group_hash,
    handled,
    user,
    sdk_name,
    stands_for,
    sampled_users,
  };
}

const textOf = ({ row, payload = [row.payload] }: ProcessedEvent): string =>
  Buffer.concat(payload.map((piece) => Buffer.from(piece))).toString();

function withoutPayload({ payloads }: Computed, { row, payload = [row.payload] }: ProcessedEvent): ErrorRow {
  if (!payloads) return row;
  const { segment, ordinal } = payloads.add(payload, row.group_hash, ownText(row));
  return { ...row, payload: '', payload_segment: segment, payload_ordinal: ordinal };
}

/** What only the first event of a group is asked for is made for it alone. */
function keptGrouping(
  { groups }: Computed,
  event: ProcessedEvent,
  explained: ReadonlySet<string> | undefined,
): Grouping {
  const { version, hashes, basis } = event.grouping;
  const key = groupKey(event);
  if (explained?.has(key) || groups.has(key)) return { version, hashes, basis, tree: [] };
  groups.add(key);
  const { tree, previous = [], words } = event.grouping;
  return { version, hashes, basis, tree, previous, words };
}

/** What a slice notes of rows beside storing them. */
const notes: { readonly [Table in ItemTableName]?: (computed: Computed, row: TableRows[Table]) => void } = {
  spans: noteSpan,
  sessions: noteSession,
};

function keepRows<Table extends ItemTableName>(
  computed: Computed,
  table: Table,
  rows: readonly TableRows[Table][],
): void {
  const encoder = computed.rows[table];
  const note = notes[table];
  for (const row of rows) {
    const fault = faultOf(table, row);
    if (fault !== undefined) {
      computed.refused.push({ table, row, detail: fault });
      continue;
    }
    encoder.add(row);
    note?.(computed, row);
  }
}

function noteSpan({ spanTally, suspicion, otherReleases }: Computed, row: SpanRow): void {
  suspicion.look(row);
  tallySpan(spanTally, row);
  if (row.is_segment === 1) keepRelease(otherReleases, row, Math.trunc(row.started_at / 1000));
}

function noteSession({ otherReleases }: Computed, row: SessionRow): void {
  // A minute is too coarse for which of two releases came first: as late within it as it can have been.
  keepRelease(otherReleases, row, Math.max(row.minute, Math.min(row.received_at, row.minute + 59_999)));
}

function keepRelease(
  releases: Map<string, OtherRelease>,
  { project_id: projectId, release, environment }: Pick<SpanRow, 'project_id' | 'release' | 'environment'>,
  at: number,
): void {
  if (release === '') return;
  const key = `${projectId} ${environment} ${release}`;
  const known = releases.get(key);
  if (!known) releases.set(key, { projectId, release, environment, firstSeen: at, lastSeen: at });
  else {
    known.firstSeen = Math.min(known.firstSeen, at);
    known.lastSeen = Math.max(known.lastSeen, at);
  }
}

const isTwin = (event: ProcessedEvent): event is TwinEvent => event.twin !== undefined;

/** Returns what the record weighs in its slice, bytes. */
function computeRecord(
  computed: Computed,
  input: SliceInput,
  { position, head, body }: ReturnType<typeof decodeRecords>[number],
): number {
  if (head.kind === 'outcomes') {
    for (const count of head.counts) computed.outcomes.add(count);
    return itemBytes;
  }
  const settings = input.settings.get(head.projectId);
  if (!settings) {
    computed.outcomes.count(head, {
      category: 'default',
      outcome: { kind: 'invalid', reason: 'project_deleted' },
      quantity: 1,
    });
    return itemBytes;
  }
  if (input.poisoned.has(position)) {
    collect(
      computed,
      input,
      { head, position, index: 0 },
      aside(head, settings, body, 'processing_crash', itemProblems.crash),
    );
    return body.length + itemBytes;
  }
  return computeEnvelope(computed, input, { position, head, body }, settings);
}

function computeEnvelope(
  computed: Computed,
  input: SliceInput,
  { position, head, body }: { position: Position; head: EnvelopeHead; body: Uint8Array },
  settings: ProjectSettings,
): number {
  let envelope: { readonly header: Readonly<Record<string, unknown>>; readonly items: readonly ReceivedItem[] };
  let bytes = body.length;
  try {
    const decompressed = decompress(body, head, input.maxEnvelopeBytes);
    bytes = decompressed.length;
    envelope = head.item
      ? { header: {}, items: [{ ...head.item, payload: decompressed }] }
      : parseEnvelope(decompressed);
  } catch (error) {
    // Ingestion has checked both, so this is damage on the way or a change of limits; nothing is thrown away.
    const reason = error instanceof EnvelopeError ? 'malformed_envelope' : 'decompression';
    const detail = error instanceof Error ? error.message : String(error);
    collect(computed, input, { head, position, index: 0 }, aside(head, settings, body, reason, detail));
    return bytes + itemBytes;
  }
  const hasArtifacts = input.withArtifacts?.has(head.projectId) ?? false;
  const context = itemContext(head, settings, envelope.header, hasArtifacts);
  for (const [index, result] of processItems(envelope.items, context)) {
    collect(computed, input, { head, position, index }, result);
  }
  return bytes + (1 + envelope.items.length) * itemBytes;
}

function itemContext(
  head: EnvelopeHead,
  settings: ProjectSettings,
  header: Readonly<Record<string, unknown>>,
  hasArtifacts: boolean,
): ItemContext {
  const sentAt = typeof header.sent_at === 'string' ? Date.parse(header.sent_at) : Number.NaN;
  const eventId = parseEventId(header.event_id);
  const trace = header.trace;
  return {
    projectId: head.projectId,
    settings,
    hasArtifacts,
    receivedAt: head.receivedAt,
    ...(Number.isNaN(sentAt) ? {} : { sentAt }),
    ...(eventId === undefined ? {} : { envelopeEventId: eventId }),
    ...(typeof trace === 'object' && trace !== null ? { trace: trace as Record<string, unknown> } : {}),
    ...(head.remoteAddress === undefined ? {} : { remoteAddress: head.remoteAddress }),
    ...(head.userAgent === undefined ? {} : { userAgent: head.userAgent }),
    ...(head.clientHints === undefined ? {} : { clientHints: head.clientHints }),
    ...(head.imported === undefined ? {} : { imported: head.imported }),
    ...(head.standsFor === undefined ? {} : { standsFor: head.standsFor }),
  };
}

function aside(
  head: EnvelopeHead,
  settings: ProjectSettings,
  body: Uint8Array,
  reason: string,
  detail: string,
): ItemResult {
  const item = { type: head.item?.type ?? 'envelope', header: { encoding: head.encoding }, payload: body };
  const context: ItemContext = { projectId: head.projectId, settings, receivedAt: head.receivedAt };
  return keepAside(item, context, 'default', { kind: 'invalid', reason, detail });
}

function collect(
  computed: Computed,
  { explained }: Pick<SliceInput, 'explained'>,
  place: Place,
  result: ItemResult,
): void {
  const { head, position, index } = place;
  for (const counted of result.outcomes) computed.outcomes.count(head, counted);
  for (const event of result.events ?? []) keepEvent(computed, head, event, explained);
  for (const table of itemTables) keepRows(computed, table, result.rows?.[table] ?? []);
  for (const event of result.waiting ?? []) computed.waiting.push({ place, event });
  for (const error of result.maybeReported ?? []) computed.maybeReported.push({ place, error });
  for (const [number, kept] of (result.kept ?? []).entries()) {
    if (!kept.blob) {
      computed.items.push(kept.row);
      continue;
    }
    // Made of the position, so that a batch run again overwrites its own blob.
    const key = `${projectPrefix(head.receivedAt, head.projectId)}${position}-${index}-${number}`;
    computed.blobs.push({ key, value: kept.blob });
    computed.items.push({ ...kept.row, blob_key: key });
  }
}

function decompress(
  body: Uint8Array,
  { encoding, bytes }: Pick<EnvelopeHead, 'encoding' | 'bytes'>,
  maxOutputLength: number,
): Uint8Array {
  // In one piece where its size is known: put together of many, it would be in memory twice.
  const options = { maxOutputLength, ...(bytes !== undefined && { chunkSize: Math.min(bytes, maxOutputLength) + 64 }) };
  switch (encoding) {
    case '':
      return body;
    case 'gzip':
      return gunzipSync(body, options);
    case 'br':
      return brotliDecompressSync(body, options);
    case 'zstd':
      return zstdDecompressSync(body, options);
    case 'deflate':
      // "deflate" is zlib by the standard and raw deflate from some clients: the first byte tells.
      return ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options);
  }
}
