/** What a slice keeps of events and rows: encoded at once, with what it notes of them beside. */
import type { ErrorRow } from '../base/tables/errors.ts';
import type { ItemTableName, TableRows } from '../base/tables/index.ts';
import type { SessionRow } from '../base/tables/sessions.ts';
import type { SpanRow } from '../base/tables/spans.ts';
import { toIndexed } from '../ports/event-index/event-index.ts';
import { faultOf } from '../ports/events/blocks/encode.ts';
import { ownText } from '../process/items/event/own.ts';
import type { Grouping, ProcessedEvent, Sighted, TwinEvent } from '../process/types.ts';
import { tallySpan } from './arrived-spans.ts';
import type { EnvelopeHead } from '../ports/queue/received.ts';
import type { Computed, OtherRelease } from './computed.ts';

export function groupKey({ row, grouping }: Pick<Sighted, 'row' | 'grouping'>): string {
  return `${row.project_id} ${grouping.hashes.join(' ')}`;
}

/**
 * Encodes the row at once and keeps little of the event: were all events of a batch held until it is stored, the
 * garbage collector would move them about, which costs more than processing them.
 */
export function keepEvent(
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

export function keepRows<Table extends ItemTableName>(
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
