/**
 * Carries payloads that an earlier version stored in rows over to segments, a week at a time, in steps of which each may
 * be the last before a kill:
 *
 *     copied     payloads are in segments; rows do not know of it
 *     placed     rows say where the copies lie; they still have their payload, and that is what is read
 *     verified   each copy is what its row has, byte by byte
 *     emptied    rows have the place alone, and everything that was computed from their payload until then
 *
 * Copies that no row knows of are left out when their segment is packed; rows that are placed are verified by the next run.
 */
import { copyRows, isOld } from './copy.ts';
import { changeRows, settlePlacements } from './mutations.ts';
import { type CarriedEvents, type CarryOptions, modest, patient } from './places.ts';
import { type Carried, isPlaced, verifyRows } from './verify.ts';

export interface Week {
  /** As the engine calls it: its Monday, YYYYMMDD. */
  readonly week: string;
  readonly rows: number;
}

/** Newest first. Cheap where there are none. */
export async function weeksToCarry(events: CarriedEvents): Promise<Week[]> {
  // Without it no row was ever placed.
  const [begun] = await events.query(
    `SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = 'carried_payloads'`,
  );
  return events.query<Week>(
    `SELECT _partition_id AS week, count() AS rows FROM errors
     WHERE ${isOld} AND payload != ''${begun ? ` OR ${isPlaced}` : ''}
     GROUP BY week ORDER BY week DESC ${modest}`,
    {},
    patient,
  );
}

export interface CarryProgress extends Carried, Pick<Week, 'week'> {
  /** Rows of weeks that are still to come. */
  readonly left: number;
  /** Room that the disk would have to have in addition; the week stays where it is then. */
  readonly lackingBytes: number;
}

const nothing: Carried = { rows: 0, bytes: 0, refused: 0 };

/** Nothing else may carry rows at the same time. */
export async function carryOver(
  events: CarriedEvents,
  options: CarryOptions & { readonly onWeek?: (progress: CarryProgress) => void },
): Promise<void> {
  await settlePlacements(events, options.signal);
  const weeks = await weeksToCarry(events);
  let left = weeks.reduce((sum, { rows }) => sum + rows, 0);
  for (const { week, rows } of weeks) {
    const lackingBytes = await lackingFor(events, week);
    const carried = lackingBytes > 0 ? nothing : await carryWeek(events, week, options);
    left -= rows;
    options.onWeek?.({ ...carried, week, left, lackingBytes });
  }
}

async function carryWeek(events: CarriedEvents, week: string, options: CarryOptions): Promise<Carried> {
  await copyRows(events, week, options);
  const { segments, ...carried } = await verifyRows(events, week, options);
  const begunAt = performance.now();
  if (segments.length > 0) await emptyRows(events, week, segments, options.signal);
  await options.rest(performance.now() - begunAt);
  return carried;
}

/** Until copies are packed they may take twice the room of a week's rows, and the engine keeps the old ones a little longer. */
const roomTimes = 3;

async function lackingFor(events: CarriedEvents, week: string): Promise<number> {
  const [found] = await events.query<{ needed: number; free: number }>(
    `SELECT {times:UInt8} * sum(bytes_on_disk) AS needed, (SELECT min(unreserved_space) FROM system.disks) AS free
     FROM system.parts
     WHERE database = currentDatabase() AND table = 'errors' AND active AND partition_id = {week:String}`,
    { week, times: roomTimes },
  );
  return found ? Math.max(0, found.needed - found.free) : 0;
}

async function emptyRows(
  events: CarriedEvents,
  week: string,
  segments: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  // What is not stored yet is computed from the payload, now for the last time.
  const computed = await events.query<{ name: string }>(
    `SELECT name FROM system.columns
     WHERE database = currentDatabase() AND table = 'errors' AND default_kind = 'DEFAULT' ORDER BY position`,
  );
  const assignments = ["payload = ''", ...computed.map(({ name }) => `${name} = ${name}`)].join(', ');
  const condition = `payload_segment IN (${segments.map(Math.trunc).join(', ')}) AND payload != ''`;
  await changeRows(events, week, { assignments, condition }, signal);
}
