/** Rows of the events store: how many there are, and removing them a bounded number at a time, so that a run that broke off finds the rest. */
import { setTimeout as delay } from 'node:timers/promises';
import { chunksOf } from '../../base/chunks.ts';
import { tableRecords } from '../../base/tables/index.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events, QueryParams } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { type HashKey, hashed, shapesOf, type TableShape } from './keys.ts';
import type { State } from '../../ports/state/state.ts';
import { retitleWithout } from '../issues/index.ts';
import { conditionOf } from './match.ts';
import type { About } from './person.ts';

export interface RowStores {
  readonly events: Events;
  readonly blobs: Blobs;
}

/** What a run is about, with what all of its statements need. */
export interface Search {
  readonly about: About;
  readonly projectIds: readonly number[];
  readonly key: HashKey;
  readonly shapes: readonly TableShape[];
}

export interface Counted {
  readonly own: number;
  /** Those that only name the person in a text. */
  readonly mentioned: number;
}

/** Nobody waits for it, and it looks at every row. */
export const patient = { maxExecutionSeconds: 1_800 };
/** The same, at all that it holds. */
export const thorough = { ...patient, inSmallPieces: true };
const rowsAtOnce = 100_000;
/** In one statement, which the engine writes down. */
const keysAtOnce = 10_000;
const pollMs = 100;

export async function openSearch(events: Events, { about, projectIds, key }: Omit<Search, 'shapes'>): Promise<Search> {
  return { about, projectIds, key, shapes: await shapesOf(events, Object.keys(tableRecords)) };
}

export const shapeOf = ({ shapes }: Search, table: string): TableShape => {
  const shape = shapes.find((one) => one.table === table);
  if (!shape) throw new Error(`there is no table ${table}`);
  return shape;
};

export async function countRows(
  events: Events,
  search: Search,
  shape: TableShape,
  signal: AbortSignal,
): Promise<Counted> {
  const { own, all, params } = conditionOf(search.about, shape, search.projectIds);
  const [row] = await events.query<{ own: number; all: number }>(
    `SELECT countIf(${own}) AS own, count() AS all FROM ${shape.table} WHERE ${all}`,
    params,
    { ...thorough, signal },
  );
  return { own: row?.own ?? 0, mentioned: (row?.all ?? 0) - (row?.own ?? 0) };
}

/** Deletes by hashes of keys, all statements at once, and waits until the engine has written it. */
async function deleteByKeys(
  events: Events,
  table: string,
  conditions: readonly { readonly sql: string; readonly keys: readonly string[] }[],
  signal: AbortSignal,
): Promise<void> {
  const { onCluster } = layoutOf(events.address);
  let any = false;
  for (const { sql, keys } of conditions) {
    for (const chunk of chunksOf(keys, keysAtOnce)) {
      any = true;
      await events.command(
        `ALTER TABLE ${table}${onCluster} DELETE WHERE ${sql} IN {keys:Array(UInt64)} SETTINGS mutations_sync = 0`,
        { keys: chunk.map(BigInt) },
      );
    }
  }
  if (any) await waitForChanges(events, table, signal);
}

export async function waitForChanges(events: Events, table: string, signal: AbortSignal): Promise<void> {
  const { rows: database, system } = layoutOf(events.address);
  for (;;) {
    const rows = await events.query<{ failure: string }>(
      `SELECT latest_fail_reason AS failure FROM ${system('mutations')}
       WHERE database = {database:String} AND table = {table:String} AND NOT is_done AND NOT is_killed`,
      { database, table },
    );
    if (rows.length === 0) return;
    await delay(pollMs, undefined, { signal });
  }
}

interface Found {
  readonly k: string;
}

/** Rows that meet the condition, removed until there are none; resolves to how many. `also`: before they are. */
export async function removeWhere<Row extends Found = Found>(
  events: Events,
  search: Search,
  {
    shape,
    condition,
    params,
    more = '',
  }: {
    readonly shape: TableShape;
    readonly condition: string;
    readonly params: QueryParams;
    /** Columns that `also` needs. */
    readonly more?: string;
  },
  signal: AbortSignal,
  also?: (rows: readonly Row[]) => Promise<void>,
): Promise<number> {
  let removed = 0;
  const key = hashed(search.key, shape.key);
  for (;;) {
    const rows = await events.query<Row>(
      `SELECT toString(${key}) AS k${more} FROM ${shape.table} WHERE ${condition} LIMIT ${rowsAtOnce}`,
      params,
      { ...thorough, signal },
    );
    if (rows.length === 0) return removed;
    await also?.(rows);
    await deleteByKeys(events, shape.table, [{ sql: key, keys: [...new Set(rows.map(({ k }) => k))] }], signal);
    removed += rows.length;
    if (rows.length < rowsAtOnce) return removed;
  }
}

interface ItemFound extends Found {
  readonly blob: string;
  readonly project: number;
  readonly event: string;
}

const itemColumns = ', blob_key AS blob, project_id AS project, event_id AS event';

/** Items of these events: attachments, reports, recordings, whatever came with them. Blobs first. */
export async function removeItemsOf(
  { events, blobs }: RowStores,
  search: Search,
  ids: readonly { readonly project: number; readonly event: string }[],
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const [project, own] of Map.groupBy(ids, (one) => one.project)) {
    const wanted = [...new Set(own.map(({ event }) => event))].filter((id) => id !== '');
    for (const chunk of chunksOf(wanted, keysAtOnce)) {
      removed += await removeWhere<ItemFound>(
        events,
        search,
        {
          shape: shapeOf(search, 'items'),
          condition: 'project_id = {project:UInt64} AND event_id IN {ids:Array(String)}',
          params: { project, ids: chunk },
          more: itemColumns,
        },
        signal,
        (rows) => removeBlobs(blobs, rows),
      );
    }
  }
  return removed;
}

async function removeBlobs(blobs: Blobs, rows: readonly ItemFound[]): Promise<void> {
  for (const chunk of chunksOf(
    rows.filter(({ blob }) => blob !== ''),
    20,
  ))
    await Promise.all(chunk.map(({ blob }) => blobs.delete(blob)));
}

/** Items of the person, and all that came with them. */
export async function removeItems(stores: RowStores, search: Search, signal: AbortSignal): Promise<number> {
  const shape = shapeOf(search, 'items');
  const { all, params } = conditionOf(search.about, shape, search.projectIds);
  let withThem = 0;
  const found = await removeWhere<ItemFound>(
    stores.events,
    search,
    { shape, condition: all, params, more: itemColumns },
    signal,
    async (rows) => {
      await removeBlobs(stores.blobs, rows);
      withThem += await removeItemsOf(stores, search, rows, signal);
    },
  );
  return Math.max(found, withThem);
}

export interface ErrorFound extends Found {
  readonly project: number;
  readonly event: string;
  readonly hash: string;
  /** Of its texts. */
  readonly number: string;
  readonly segment: number;
  readonly ordinal: number;
}

export const errorColumns = `, project_id AS project, event_id AS event, group_hash AS hash, toString(texts) AS number,
  payload_segment AS segment, payload_ordinal AS ordinal`;

interface RemovedErrors {
  events: number;
  withThem: number;
  readonly segments: Set<number>;
}

/** Events by a condition, with all that is found by them; what says which they are goes last. */
export async function removeErrors(
  stores: RowStores & { readonly state: State },
  search: Search,
  { condition, params }: { readonly condition: string; readonly params: QueryParams },
  signal: AbortSignal,
): Promise<RemovedErrors> {
  const { events } = stores;
  const removed: RemovedErrors = { events: 0, withThem: 0, segments: new Set() };
  const texts = new Map<string, number>();
  removed.events = await removeWhere<ErrorFound>(
    events,
    search,
    { shape: shapeOf(search, 'errors'), condition, params, more: errorColumns },
    signal,
    async (rows) => {
      removed.withThem += await removeItemsOf(stores, search, rows, signal);
      removed.withThem += await removeRevisions(events, search, rows, signal);
      for (const [project, own] of Map.groupBy(rows, (row) => row.project)) {
        const hashes = [...new Set(own.map(({ hash }) => hash))];
        await retitleWithout(stores, project, hashes, { condition, params });
        await events.index?.forget(project, hashes);
      }
      await events.payloads?.erase(rows);
      for (const { segment, project, number } of rows) {
        if (segment !== 0) removed.segments.add(segment);
        texts.set(number, project);
      }
    },
  );
  await removeTexts(events, search, texts, signal);
  return removed;
}

async function removeRevisions(
  events: Events,
  search: Search,
  rows: readonly ErrorFound[],
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const [project, own] of Map.groupBy(rows, (row) => row.project)) {
    for (const chunk of chunksOf(own, keysAtOnce)) {
      removed += await removeWhere(
        events,
        search,
        {
          shape: shapeOf(search, 'revisions'),
          condition: 'project_id = {project:UInt64} AND event_id IN {ids:Array(String)}',
          params: { project, ids: chunk.map(({ event }) => event) },
        },
        signal,
      );
    }
  }
  return removed;
}

/** Sets of texts that are of no event any more. */
async function removeTexts(
  events: Events,
  search: Search,
  texts: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const shape = shapeOf(search, 'error_texts');
  for (const chunk of chunksOf([...texts], keysAtOnce)) {
    const numbers = chunk.map(([number]) => BigInt(number));
    const left = await events.query<{ number: string }>(
      'SELECT DISTINCT toString(texts) AS number FROM errors WHERE texts IN {numbers:Array(UInt64)}',
      { numbers },
      { ...patient, signal },
    );
    const still = new Set(left.map((row) => row.number));
    const gone = numbers.filter((number) => !still.has(String(number)));
    if (gone.length === 0) continue;
    await removeWhere(
      events,
      search,
      {
        shape,
        condition: 'project_id IN {projects:Array(UInt64)} AND texts IN {numbers:Array(UInt64)}',
        params: { projects: search.projectIds, numbers: gone },
      },
      signal,
    );
  }
}

/** Spans of the person, and the others of the same segments of their traces. */
export async function removeSpans(events: Events, search: Search, signal: AbortSignal): Promise<number> {
  const shape = shapeOf(search, 'spans');
  const { all, own, params } = conditionOf(search.about, shape, search.projectIds);
  const ofSegment = hashed(search.key, ['project_id', 'trace_id', 'segment_id']);
  const ownSegment = hashed(search.key, ['project_id', 'trace_id', 'span_id']);
  const byKey = hashed(search.key, shape.key);
  let removed = 0;
  for (;;) {
    const rows = await events.query<Found & { readonly s: string; readonly isOwn: number }>(
      `SELECT toString(${byKey}) AS k, if(segment_id = '', '', toString(${ofSegment})) AS s, (${own}) AS isOwn
       FROM spans WHERE ${all} LIMIT ${rowsAtOnce}`,
      params,
      { ...thorough, signal },
    );
    if (rows.length === 0) return removed;
    const segments = [...new Set(rows.flatMap(({ s, isOwn }) => (isOwn && s !== '' ? [s] : [])))];
    const keys = [...new Set(rows.map(({ k }) => k))];
    let others = 0;
    for (const chunk of chunksOf(segments, keysAtOnce)) {
      const [row] = await events.query<{ count: number }>(
        `SELECT count() AS count FROM spans WHERE segment_id != '' AND ${ofSegment} IN {segments:Array(UInt64)} AND NOT (${all})`,
        { ...params, segments: chunk.map(BigInt) },
        { ...thorough, signal },
      );
      others += row?.count ?? 0;
    }
    await deleteByKeys(events, 'segments', [{ sql: ownSegment, keys: segments }], signal);
    await deleteByKeys(
      events,
      'spans',
      [
        { sql: `segment_id != '' AND ${ofSegment}`, keys: segments },
        { sql: byKey, keys },
      ],
      signal,
    );
    removed += rows.length + others;
    if (rows.length < rowsAtOnce) return removed;
  }
}

/** Who was met by events that a storm kept out stays a number, and is nobody. */
export async function renameSampled(
  events: Events,
  search: Search,
  users: readonly string[],
  instead: string,
  signal: AbortSignal,
): Promise<number> {
  if (users.length === 0) return 0;
  const one = hashed(search.key, ['one']);
  const params = { projects: search.projectIds, users };
  const [row] = await events.query<{ count: number; keys: string[] }>(
    `SELECT count() AS count, groupUniqArray(toString(${one})) AS keys FROM errors ARRAY JOIN sampled_users AS one
     WHERE project_id IN {projects:Array(UInt64)} AND (one IN {users:Array(String)} OR lower(one) IN {users:Array(String)})`,
    params,
    { ...thorough, signal },
  );
  if (!row || row.keys.length === 0) return 0;
  const { onCluster } = layoutOf(events.address);
  await events.command(
    `ALTER TABLE errors${onCluster} UPDATE sampled_users =
       arrayMap(one -> if(${one} IN {keys:Array(UInt64)}, {instead:String}, one), sampled_users)
     WHERE project_id IN {projects:Array(UInt64)} AND arrayExists(one -> ${one} IN {keys:Array(UInt64)}, sampled_users)
     SETTINGS mutations_sync = 0`,
    { keys: row.keys.map(BigInt), instead, projects: search.projectIds },
  );
  await waitForChanges(events, 'errors', signal);
  return row.count;
}
