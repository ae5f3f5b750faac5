/** Copies the payloads of a week to segments, a few at a time, and tells their rows where. */
import { type OwnColumns, ownColumns, ownText } from '../../../process/items/event/own.ts';
import type { PayloadBatch, PayloadWriter } from '../../payloads/payloads.ts';
import { type CarriedEvents, type CarryOptions, keyOfRow, modest, patient, piecesOf, Places } from './places.ts';

/** Stored before there were segments. What later versions store in rows stays there. */
export const isOld = `payload_segment = 0 AND received_at < (SELECT max(applied_at) FROM schema_migrations WHERE id = 16)`;

const pageRows = 2_000;
/** Rows that are told at once: their places are in the engine's memory meanwhile, 70 bytes each. */
const placedAtOnce = 200_000;

interface Copying extends CarryOptions {
  readonly writer: PayloadWriter;
  readonly held: HeldSegments;
  readonly places: Places;
}

interface RowKey {
  readonly project: number;
  readonly hash: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly id: string;
}

interface SizedKey extends RowKey {
  readonly bytes: number;
}

const first: RowKey = { project: 0, hash: '', at: 0, id: '' };

export async function copyRows(events: CarriedEvents, week: string, options: CarryOptions): Promise<void> {
  const { signal, rest } = options;
  const places = new Places(events, week);
  await places.clear();
  await using writer = events.payloads.createWriter(() => timeIn(week));
  using held = new HeldSegments(writer);
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const begunAt = performance.now();
    const result = await work();
    await rest(performance.now() - begunAt);
    return result;
  };
  for (let after = first, isOver = false; !isOver;) {
    const page = await timed(() => readPage(events, week, after));
    for (const piece of piecesOf(page)) {
      await timed(() => copyPiece(events, week, piece, { ...options, writer, held, places }));
    }
    after = page.at(-1) ?? after;
    isOver = page.length === 0;
    if (isOver || places.count >= placedAtOnce) await timed(() => places.place(signal));
  }
}

const dayMs = 86_400_000;

/** Their segments are dropped with those of the week's last day, when all of its rows are gone. */
function timeIn(week: string): number {
  const monday = Date.parse(`${week.slice(0, 4)}-${week.slice(4, 6)}-${week.slice(6)}T00:00:00Z`);
  const sunday = monday + 6 * dayMs;
  const now = Date.now();
  // At random, since that day has other segments.
  return sunday + dayMs <= now ? sunday + Math.floor(Math.random() * dayMs) : now;
}

/** Keeps segments from being left, and packed, before rows know of what is in them. */
class HeldSegments implements Disposable {
  readonly #writer: PayloadWriter;
  readonly #batches = new Map<number, PayloadBatch>();

  constructor(writer: PayloadWriter) {
    this.#writer = writer;
  }

  /** That which is written to now. */
  hold(): void {
    const batch = this.#writer.batch();
    const { segment } = batch.add('', '');
    if (this.#batches.has(segment)) batch[Symbol.dispose]();
    else this.#batches.set(segment, batch);
  }

  [Symbol.dispose](): void {
    for (const batch of this.#batches.values()) batch[Symbol.dispose]();
  }
}

const textOf = ({ project, hash, at, id }: RowKey): string => `${project} ${hash} ${at} ${id}`;

/** In the order of the table, each key once; of one time in an issue all or none. */
async function readPage(events: CarriedEvents, week: string, after: RowKey): Promise<SizedKey[]> {
  for (let limit = pageRows; ; limit *= 2) {
    const rows = await events.query<SizedKey>(
      `SELECT project_id AS project, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at, event_id AS id,
         length(payload) AS bytes
       FROM errors
       WHERE _partition_id = {week:String} AND ${isOld}
         AND (project_id > {project:UInt64} OR project_id = {project:UInt64} AND group_hash > {hash:String}
           OR project_id = {project:UInt64} AND group_hash = {hash:String}
             AND timestamp > fromUnixTimestamp64Milli({at:Int64}))
       ORDER BY project_id, group_hash, timestamp LIMIT {limit:UInt32} ${modest}`,
      { week, project: after.project, hash: after.hash, at: after.at, limit },
      patient,
    );
    const last = rows.at(-1);
    const isBefore = ({ project, hash, at }: RowKey): boolean =>
      project !== last?.project || hash !== last.hash || at !== last.at;
    const isLast = rows.length < limit;
    const whole = isLast ? rows : rows.filter(isBefore);
    if (isLast || whole.length > 0) return [...new Map(whole.map((row) => [textOf(row), row])).values()];
  }
}

interface RowToCopy
  extends RowKey, Omit<OwnColumns, 'project_id' | 'group_hash' | 'timestamp' | 'event_id' | 'received_at'> {
  readonly key: string;
  readonly payload: string;
  readonly received: number;
}

const named = new Set(['project_id', 'group_hash', 'timestamp', 'event_id', 'received_at']);
const tellingColumns = ownColumns.filter((name) => !named.has(name)).join(', ');

const toOwn = (row: RowToCopy): OwnColumns => ({
  ...row,
  project_id: row.project,
  group_hash: row.hash,
  timestamp: row.at,
  event_id: row.id,
  received_at: row.received,
});

async function copyPiece(
  events: CarriedEvents,
  week: string,
  piece: readonly RowKey[],
  { writer, held, places }: Copying,
): Promise<void> {
  const rows = await readRows(events, week, piece);
  using batch = writer.batch();
  const keys: string[] = [];
  const ordinals: number[] = [];
  let segment = 0;
  for (const [key, [one, ...others]] of Map.groupBy(rows, (row) => row.key)) {
    // Where nothing else tells whose is whose, they stay in their rows.
    if (!one || others.some(({ payload }) => payload !== one.payload)) continue;
    const place = batch.add(one.payload, one.hash, ownText(toOwn(one)));
    ({ segment } = place);
    keys.push(key);
    ordinals.push(place.ordinal);
  }
  if (keys.length === 0) return;
  held.hold();
  await writer.write(batch);
  await places.add(segment, keys, ordinals);
}

async function readRows(events: CarriedEvents, week: string, keys: readonly RowKey[]): Promise<RowToCopy[]> {
  const rows = await events.query<RowToCopy>(
    `SELECT project_id AS project, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at, event_id AS id,
       toString(${keyOfRow}) AS key, payload, toUnixTimestamp64Milli(received_at) AS received, ${tellingColumns}
     FROM errors
     WHERE _partition_id = {week:String} AND ${isOld} AND payload != ''
       AND project_id IN {projects:Array(UInt64)} AND group_hash IN {hashes:Array(String)}
       AND timestamp IN arrayMap(at -> fromUnixTimestamp64Milli(at), {times:Array(Int64)})
       AND event_id IN {ids:Array(String)}
     ${modest}`,
    {
      week,
      projects: [...new Set(keys.map(({ project }) => project))],
      hashes: [...new Set(keys.map(({ hash }) => hash))],
      times: [...new Set(keys.map(({ at }) => at))],
      ids: [...new Set(keys.map(({ id }) => id))],
    },
    patient,
  );
  const wanted = new Set(keys.map(textOf));
  return rows.filter((row) => wanted.has(textOf(row)));
}
