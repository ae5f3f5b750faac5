/**
 * Writes what a slice of a batch computed: issues first, then blobs, then one insert per table with the slice's token.
 * Each step may be repeated without effect, so a batch interrupted anywhere is simply run again.
 */
import type { Blobs } from '../ports/blobs/blobs.ts';
import { createEncoder, faultOf } from '../ports/events/blocks/encode.ts';
import type { Events } from '../ports/events/events.ts';
import type { ErrorRow } from '../base/tables/errors.ts';
import { itemTable, type ItemTableName, itemTables, type TableRows } from '../base/tables/index.ts';
import type { ItemRow } from '../base/tables/items.ts';
import { recordFeedback } from '../domains/feedback/index.ts';
import {
  type BatchFate,
  createFate,
  gainedBy,
  gainsOf,
  type Recordable,
  type RecordedProject,
  recordBatch,
  recordTwins,
  type ServerEvent,
  settleArrivals,
  standingFor,
  type Weight,
} from '../domains/issues/index.ts';
import { noteReleases, type SeenRelease } from '../domains/releases/index.ts';
import { EntryList } from '../ports/event-index/entries.ts';
import { toIndexed } from '../ports/event-index/event-index.ts';
import type { PayloadWriter } from '../ports/payloads/payloads.ts';
import type { State } from '../ports/state/state.ts';
import { steadyMs } from '../base/steady.ts';
import type { BlobWrite, Computed, UnfitRow } from './computed.ts';
import { insertRows, type RefusedRow } from './insert-rows.ts';
import type { Sighted } from '../process/types.ts';
import { withoutFilesOf } from './with-events.ts';

export interface Stores {
  readonly state: State;
  readonly events: Events;
  readonly blobs: Blobs;
  /** Where the payloads of a slice go that has them apart from its rows. */
  readonly payloads?: PayloadWriter | undefined;
  /** Told what the event index keeps of the rows of a slice, once they are stored. */
  readonly onStored?: ((stored: StoredEntries) => void) | undefined;
}

export interface StoredEntries {
  readonly entries: EntryList;
  /** Of them, which have a row now. */
  readonly isStored: (index: number) => boolean;
}

/** Throws what may be tried again later. `now` is ms since the epoch. */
export async function storeBatch(
  stores: Stores,
  computed: Computed,
  token: string,
  now: number,
): Promise<readonly RecordedProject[]> {
  const fromMs = steadyMs();
  const fate = createFate();
  const { dropped, limited, added, owners } = fate;
  const projects = computed.events.length ? await recordBatch(stores.state, computed.events, now, { fate, token }) : [];
  const releases = [...[...computed.events, ...computed.twins].map(seenRelease), ...computed.otherReleases.values()];
  await noteReleases(stores.state, releases, now);
  const living = new Set(projects.map((project) => project.projectId));
  const among = (some: ReadonlySet<Recordable>): Sighted[] =>
    some.size === 0 ? [] : computed.events.filter((event) => some.has(event));
  const unstored = { discarded: among(dropped), limited: among(limited) };
  const files = withoutFilesOf(computed, [...unstored.discarded, ...unstored.limited]);
  await putBlobs(stores.blobs, files.blobs);
  const isWanted = (index: number): boolean => {
    const event = computed.events[index];
    return event !== undefined && living.has(event.row.project_id) && !dropped.has(event) && !limited.has(event);
  };
  // Before its row, which says where it is.
  if (computed.payloads) await stores.payloads?.write(computed.payloads, isWanted);
  const isEveryWanted =
    dropped.size + limited.size === 0 && computed.events.every(({ row }) => living.has(row.project_id));
  const refusedRows = await insertRows(stores.events, 'errors', computed.errors, token, {
    isWanted: isEveryWanted ? undefined : isWanted,
    change: added.size === 0 ? undefined : (row, index) => standingFor(row, weightOf(computed, added, index)),
  });
  const stored = { fromMs, untilMs: steadyMs() };
  noteStored(stores, computed, isWanted, refusedRows);
  const refused: UnfitRow[] = [...computed.refused, ...refusedRows.map((each) => withPayload(computed, each))];
  const settled = await settleArrivals(stores, arrivalsOf(computed.events, living, dropped), now);
  // After the events of servers, so that those of this batch are found.
  const ofTwins = `${token}:twins`;
  const twins = computed.twins.length ? await recordTwins(stores, computed.twins, { token: ofTwins, now }) : noTwins;
  lose(computed, [...unstored.discarded, ...twins.dropped], 'discarded-hash');
  lose(computed, [...unstored.limited, ...twins.limited], 'issue-limit');
  for (const { item, event } of files.gone) {
    const reason = limited.has(event) ? 'issue-limit' : 'discarded-hash';
    lose(computed, [{ ...event, category: item.category }], reason);
  }
  refused.push(...(await insertTwins(stores, twins.rows, ofTwins)));
  for (const table of itemTables) {
    refused.push(...ofTable(table, await insertRows<ItemTableName>(stores.events, table, computed.rows[table], token)));
  }
  await insertBlocks(stores.events, 'items', [...files.items, ...refused.map((row) => setAside(computed, row))], token);
  await recordFeedback(stores, computed.items, (row) => textOfBlob(computed, row));
  await insertBlocks(stores.events, 'outcomes', computed.outcomes.rows(), token);
  const isCounted = computed.events.length <= maxCounted && !refusedRows.length;
  const rows = computed.events
    .values()
    .filter((_, index) => isWanted(index))
    .map((event) => standingFor(event.row, added.get(event)));
  const gained = isCounted ? { issues: gainsOf(rows, owners), ...stored } : undefined;
  return merged([
    ...projects.map((project) => ({ ...project, gained: gainedBy(gained, project.issueIds) })),
    ...settled,
    ...twins.projects,
  ]);
}

/** More than this at once is a burst: what is known of its issues is read again rather than told. */
const maxCounted = 1_000;

/** Each is compressed on its way: so many at once. */
const blobsAtOnce = 4;

async function putBlobs(blobs: Blobs, writes: readonly BlobWrite[]): Promise<void> {
  const waiting = writes.values();
  const putNext = async (): Promise<void> => {
    for (const { key, value } of waiting) {
      if (value instanceof Uint8Array) await blobs.put(key, value);
      else await blobs.putStream(key, value);
    }
  };
  await Promise.all(Array.from({ length: Math.min(blobsAtOnce, writes.length) }, putNext));
}

/** Of a row of this slice. */
async function textOfBlob({ blobs }: Computed, { blob_key: key }: ItemRow): Promise<string> {
  const value = blobs.find((blob) => blob.key === key)?.value;
  return value === undefined || value instanceof Uint8Array ? new TextDecoder().decode(value) : '';
}

const noTwins = { rows: [], projects: [], dropped: [], limited: [] };

const weightOf = ({ events }: Computed, added: BatchFate['added'], index: number): Weight | undefined => {
  const event = events[index];
  return event && added.get(event);
};

function lose(
  { outcomes }: Computed,
  events: readonly Pick<Sighted, 'row' | 'keyId' | 'category'>[],
  reason: 'discarded-hash' | 'issue-limit',
): void {
  for (const { row, keyId, category } of events) {
    const sent = { projectId: row.project_id, keyId, receivedAt: row.received_at };
    outcomes.lose(sent, category, { kind: 'filtered', reason });
  }
}

const seenRelease = ({ row }: Pick<Sighted, 'row'>): SeenRelease => ({
  projectId: row.project_id,
  release: row.release,
  firstSeen: row.timestamp,
  lastSeen: row.timestamp,
  environment: row.environment,
});

/** The events of servers that a browser's view may belong to, by project. */
function arrivalsOf(
  events: readonly Sighted[],
  living: ReadonlySet<number>,
  dropped: ReadonlySet<Recordable>,
): Map<number, ServerEvent[]> {
  const arrivals = new Map<number, ServerEvent[]>();
  for (const sighted of events) {
    const { row, side, grouping } = sighted;
    if (
      dropped.has(sighted) ||
      side !== 'server' ||
      (row.digest === '' && row.trace_id === '') ||
      !living.has(row.project_id)
    )
      continue;
    const { digest, trace_id: traceId, transaction, timestamp: at } = row;
    const event = { digest, traceId, transaction, at, groupHash: grouping.hashes[0] ?? '' };
    const ofProject = arrivals.get(row.project_id);
    if (ofProject) ofProject.push(event);
    else arrivals.set(row.project_id, [event]);
  }
  return arrivals;
}

/** One entry a project, as who listens expects. */
function merged(projects: readonly RecordedProject[]): RecordedProject[] {
  const all = Map.groupBy(projects, (project) => project.projectId);
  return [...all].map(([projectId, parts]) => ({
    projectId,
    issueIds: [...new Set(parts.flatMap((part) => part.issueIds))],
    newIssueIds: parts.flatMap((part) => part.newIssueIds),
    count: parts.reduce((sum, part) => sum + part.count, 0),
    first: parts.some((part) => part.first),
    movedIssueIds: parts.flatMap((part) => part.movedIssueIds ?? []),
    // What views add to issues, and take from them, is not told.
    gained: parts.length === 1 ? parts[0]?.gained : undefined,
  }));
}

async function insertTwins(
  { events, onStored }: Pick<Stores, 'events' | 'onStored'>,
  rows: readonly ErrorRow[],
  token: string,
): Promise<UnfitRow[]> {
  using encoder = createEncoder('errors');
  const entries = new EntryList();
  const ids: string[] = [];
  const refused: UnfitRow[] = [];
  for (const row of rows) {
    const detail = faultOf('errors', row);
    if (detail === undefined) {
      encoder.add(row);
      entries.add(toIndexed(row));
      ids.push(row.event_id);
    } else {
      refused.push({ table: 'errors', row, detail });
    }
  }
  const unstored = await insertRows(events, 'errors', encoder, token);
  const isRefused = new Set(unstored.map(({ row }) => row.event_id));
  onStored?.({ entries, isStored: (index) => !isRefused.has(ids[index] ?? '') });
  return [...refused, ...ofTable('errors', unstored)];
}

function noteStored(
  { onStored }: Stores,
  { events, indexed: entries }: Computed,
  isWanted: (index: number) => boolean,
  unstored: readonly RefusedRow<ErrorRow>[],
): void {
  if (!onStored || !entries) return;
  const isRefused = new Set(unstored.map(({ row }) => row.event_id));
  const isStored = (index: number): boolean => isWanted(index) && !isRefused.has(events[index]?.row.event_id ?? '');
  onStored({ entries, isStored });
}

const ofTable = (table: UnfitRow['table'], refused: readonly RefusedRow<UnfitRow['row']>[]): UnfitRow[] =>
  refused.map((each) => ({ ...each, table }));

/** Its event had more to say than the row has. */
function withPayload({ events, payloads }: Computed, { row, detail }: RefusedRow<ErrorRow>): UnfitRow {
  const index = events.findIndex(
    (event) => event.row.event_id === row.event_id && event.row.project_id === row.project_id,
  );
  const payload = payloads?.textOf(index) ?? row.payload;
  return { table: 'errors', row: { ...row, payload }, detail, category: events[index]?.category ?? 'error' };
}

/** Text of the rows of one insert, characters; the store refuses requests far above it, and holds them in memory. */
const maxBlockLength = 16 * 1024 * 1024;
/** All columns of a row but its long ones. */
const shortColumns = 1024;

/** Nearly always one insert; one envelope of many kept items can hold more than the store takes at once. */
async function insertBlocks<T extends 'items' | 'outcomes'>(
  events: Events,
  table: T,
  rows: readonly TableRows[T][],
  token: string,
): Promise<void> {
  for (let start = 0, end = 0, number = 0; start < rows.length; start = end, number++) {
    for (let length = 0; end < rows.length && length < maxBlockLength; end++) length += lengthOf(rows[end]);
    const block = start === 0 && end === rows.length ? rows : rows.slice(start, end);
    await events.insert(table, block, `${number === 0 ? token : `${token}.${number}`}:${table}`);
  }
}

function lengthOf(row: TableRows['items' | 'outcomes'] | undefined): number {
  return shortColumns + (row && 'payload' in row ? row.payload.length : 0);
}

const refusedReason = 'store_refused';

/** Counts a row that cannot be stored as such, and gives the item that keeps it. */
function setAside(computed: Computed, { table, row, detail, category }: UnfitRow): ItemRow {
  const known = itemTable(table);
  const { project_id, received_at } = row;
  const payload = JSON.stringify(row);
  const counted = category ?? known.category;
  computed.outcomes.lose({ projectId: project_id, receivedAt: received_at }, counted, {
    kind: 'invalid',
    reason: refusedReason,
  });
  return {
    project_id,
    received_at,
    item_type: known.itemType,
    category: counted,
    outcome: 'invalid',
    reason: refusedReason,
    detail,
    event_id: 'event_id' in row ? row.event_id : '',
    headers: '{}',
    size_bytes: payload.length,
    payload,
    blob_key: '',
  };
}
