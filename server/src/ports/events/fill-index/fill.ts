/** Tells the event index what the engine has that it lacks: all of it at first, later the weeks that were changed. */
import { setTimeout as delay } from 'node:timers/promises';
import { EntryList } from '../../event-index/entries.ts';
import type { EventIndex, IndexedEvent } from '../../event-index/event-index.ts';
import { richnessSql } from '../../event-index/richness.ts';
import type { Events } from '../events.ts';

export type IndexedEvents = Events & { readonly index: EventIndex };

export const hasIndex = (events: Events): events is IndexedEvents => events.index !== undefined;

export interface FillOptions {
  readonly signal: AbortSignal;
  /** Waits as long as what took so long (ms) asks for, so that others have the machine. */
  rest(tookMs: number): Promise<void>;
}

/** Nobody waits for it, and the engine's threads are for those who ask. */
const patient = { maxExecutionSeconds: 300 };
const modest = 'SETTINGS max_threads = 1';

/** So many rows are in memory at once, and their writing holds up no request for longer than some milliseconds. */
const pageRows = 2_000;

/** What it must know before it is asked. A store in which nothing is yet lacks nothing. */
export async function startIndex(events: Events): Promise<void> {
  if (!hasIndex(events)) return;
  const revised = await events.query<{ id: number }>('SELECT DISTINCT project_id AS id FROM revisions');
  events.index.noteRevised(revised.map(({ id }) => id));
  if (events.index.filling.isComplete()) return;
  const rows = await events.query('SELECT 1 FROM errors LIMIT 1');
  if (rows.length === 0) await events.index.filling.noteComplete();
}

export interface Filled {
  readonly weeks: number;
  readonly rows: number;
}

/** A run that was ended goes on with the week that it was at. */
export async function fillIndex(events: IndexedEvents, options: FillOptions): Promise<Filled> {
  const { filling } = events.index;
  let [weeks, rows] = [0, 0];
  for (const week of await weeksToFill(events)) {
    rows += await fillWeek(events, week, options);
    await filling.noteFilled(week);
    weeks += 1;
  }
  if (!filling.isComplete()) await filling.noteComplete();
  return { weeks, rows };
}

/** Newest first: those are asked for. Once all were filled, what is stored later is told as it is stored. */
export async function weeksToFill(events: IndexedEvents): Promise<readonly string[]> {
  const { filling } = events.index;
  if (filling.isComplete()) return filling.weeksAgain();
  const rows = await events.query<{ week: string }>(
    `SELECT DISTINCT partition_id AS week FROM system.parts
     WHERE database = currentDatabase() AND table = 'errors' AND active ORDER BY week DESC`,
  );
  return rows.map(({ week }) => week).filter((week) => !filling.isFilled(week));
}

interface Row extends Omit<IndexedEvent, 'place'> {
  readonly segment: number;
  readonly ordinal: number;
}

type Key = Pick<Row, 'projectId' | 'hash' | 'at' | 'id'>;

async function fillWeek(events: IndexedEvents, week: string, { signal, rest }: FillOptions): Promise<number> {
  let count = 0;
  for (let from: Key | undefined = { projectId: 0, hash: '', at: 0, id: '' }; from;) {
    signal.throwIfAborted();
    const begunAt = performance.now();
    const rows: readonly Row[] = await readPage(events, week, from);
    const entries = new EntryList();
    for (const { segment, ordinal, ...event } of rows) entries.add({ ...event, place: { segment, ordinal } });
    // What is no event of ours is not asked for either.
    await events.index.add(entries.bytes());
    count += rows.length;
    const last: Row | undefined = rows.length < pageRows ? undefined : rows.at(-1);
    from = last && nextFrom(last, from);
    await rest(performance.now() - begunAt);
  }
  return count;
}

/** Before any id, but by id. */
const firstId = '0';

/** A page begins with the time at which the last ended, for adding twice adds nothing; by id where that fills it. */
function nextFrom(last: Key, from: Key): Key {
  if (!isSameMoment(last, from)) return { ...last, id: '' };
  return { ...last, id: from.id === '' ? firstId : last.id };
}

const isSameMoment = (a: Key, b: Key): boolean => a.projectId === b.projectId && a.hash === b.hash && a.at === b.at;

/** In the order of the table, which ends with the time: to order by the id too takes twenty times as long. */
function readPage(events: IndexedEvents, week: string, { projectId, hash, at, id }: Key): Promise<Row[]> {
  const moment = "fromUnixTimestamp64Milli({at:Int64}, 'UTC')";
  const from = id === '' ? `timestamp >= ${moment}` : `(timestamp, event_id) > (${moment}, {id:String})`;
  return events.query<Row>(
    `SELECT project_id AS projectId, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at, event_id AS id,
       payload_segment AS segment, payload_ordinal AS ordinal, digest, trace_id AS traceId, ${richnessSql} AS richness
     FROM errors
     WHERE _partition_id = {week:String} AND issue_type = ''
       AND (project_id > {project:UInt64} OR project_id = {project:UInt64} AND group_hash > {hash:String}
         OR project_id = {project:UInt64} AND group_hash = {hash:String} AND ${from})
     ORDER BY project_id, group_hash, timestamp${id === '' ? '' : ', event_id'} LIMIT {limit:UInt32} ${modest}`,
    { week, project: projectId, hash, at, id, limit: pageRows },
    patient,
  );
}

/** Times what something took: a fourth of a core is the most that this and the engine take for it. */
const restTimes = 3;
const busyMs = 500;

export const restWhile =
  (isBusy: () => Promise<boolean>, signal: AbortSignal): FillOptions['rest'] =>
  async (tookMs) => {
    await delay(tookMs * restTimes, undefined, { signal });
    while (await isBusy()) await delay(busyMs, undefined, { signal });
  };
