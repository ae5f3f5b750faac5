/**
 * From the records of a batch to rows: decompress, parse the envelope, run each item through its type.
 * Pure: no clock, no I/O, so that a batch computed again after a crash gives the same rows.
 */
import { EnvelopeError, parseEnvelope, parseEventId } from '@culprit/envelope';
import { itemTables } from '../base/tables/index.ts';
import { itemProblems } from '../base/texts/events.ts';
import { projectPrefix } from '../ports/blobs/retention.ts';
import type { PayloadBatch } from '../ports/payloads/payloads.ts';
import type { LogRecord, Position } from '../ports/queue/log.ts';
import { decodeReceived, type EnvelopeHead, type ReceivedHead } from '../ports/queue/received.ts';
import { keepAside, processItems, type ReceivedItem } from '../process/items/index.ts';
import type { ItemContext, ItemResult, MaybeReported, ProjectSettings, WaitingEvent } from '../process/types.ts';
import { type Computed, emptySlice, holdsMore, holdsRecords, type Place, sizeOf } from './computed.ts';
import { decompress } from './decompress.ts';
import { keepEvent, keepRows } from './keep.ts';

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
/** Of these the rows: they are laid together once more to be sent, and two batches are under way in a thread. */
const maxRowBytes = 12 * 1024 * 1024;
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
      const rowBytes = sizeOf(slice);
      if (slice.bytes + rowBytes >= maxSliceBytes || rowBytes >= maxRowBytes) yield* this.rest();
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
